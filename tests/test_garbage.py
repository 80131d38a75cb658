"""What the lint of a file leaves behind is freed at once: nothing of it waits in circles for the garbage collector."""

from __future__ import annotations

import gc
import re
from pathlib import Path
from types import FunctionType

import pytest

from torchperf_lint.config.config import Config
from torchperf_lint.engine import projects
from torchperf_lint.run.lint_file import lint_bytes

pytestmark = pytest.mark.slow

FIXTURES = sorted(
    path
    for path in (Path(__file__).parent / "rules").glob("*/*.py")
    if not re.search(r"\.(un)?safe\.|\.fixed\.", path.name)
)


@pytest.mark.parametrize("step", range(4))
def test_no_lint_leaves_circles(step: int, tmp_path: Path) -> None:
    """Its memory would grow from file to file, and finding circles takes as long as a third of the lint."""
    config = Config(root=tmp_path, cache=False)
    lint_bytes(b"import torch", "first.py", config)
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for path in FIXTURES[step::4]:
            lint_bytes(path.read_bytes(), path.name, config)
            projects.tidy()
        gc.collect()
        left = [each for each in gc.garbage if type(each).__module__.startswith("torchperf_lint")]
        left += [each for each in gc.garbage if isinstance(each, FunctionType) and "torchperf_lint" in each.__module__]
        assert not left, left[:5]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        if was_on:
            gc.enable()
