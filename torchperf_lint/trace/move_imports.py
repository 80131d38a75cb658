"""In a program that runs in a copy of its tree: imports lead to the copy, also those of packages installed as links.

An editable install puts the original's folder on `sys.path`, or a finder that knows where its packages are.
"""

from __future__ import annotations

import os
import sys
from typing import Any


def move_imports(original: str, copy: str) -> None:
    """From now on what would be imported from a folder is imported from its copy."""
    sys.path[:] = [_moved(each, original, copy) for each in sys.path]
    for module in list(sys.modules.values()):
        mapping: Any = getattr(module, "MAPPING", None)
        if getattr(module, "__name__", "").startswith("__editable__") and isinstance(mapping, dict):
            for name, path in mapping.items():
                mapping[name] = _moved(str(path), original, copy)


def _moved(path: str, original: str, copy: str) -> str:
    absolute = os.path.abspath(path)  # noqa: PTH100
    if absolute == original:
        return copy
    inside = original + os.sep
    return os.path.join(copy, absolute[len(inside) :]) if absolute.startswith(inside) else path  # noqa: PTH118
