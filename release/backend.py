"""The build backend: setuptools, which asks for mypy only where the wheel is to be compiled.

    pip install .                             plain Python, in seconds
    TORCHPERF_LINT_COMPILE=1 pip install .    compiled with mypyc (setup.py), in minutes

`pyproject.toml` can only say what every build needs, and a build of plain Python should neither fetch mypy nor wait for it.
"""

from __future__ import annotations

import os

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - the hooks of setuptools are ours

MYPY = "mypy==2.4.1"


def get_requires_for_build_wheel(config_settings: dict[str, object] | None = None) -> list[str]:
    """What a build needs besides setuptools."""
    compiler = [MYPY] if os.environ.get("TORCHPERF_LINT_COMPILE") == "1" else []
    return [*build_meta.get_requires_for_build_wheel(config_settings), *compiler]
