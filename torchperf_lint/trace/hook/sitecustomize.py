"""What Python runs at the start of a traced program: it waits for torch and lets the recorder in.

The program must not notice: this folder leaves `sys.path`, a `sitecustomize` that it hid is run, and what goes wrong here
is written to the folder of the run and never to the program's own streams.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

FOLDER = str(Path(__file__).parent)
PACKAGE = Path(__file__).parents[2]


def _begin() -> None:
    import importlib.util

    if "torchperf_lint" not in sys.modules:  # the program may run in an environment that does not have the package
        spec = importlib.util.spec_from_file_location(
            "torchperf_lint", PACKAGE / "__init__.py", submodule_search_locations=[str(PACKAGE)]
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["torchperf_lint"] = module
        spec.loader.exec_module(module)
    from torchperf_lint.trace.await_torch import begin

    begin()


def _run_what_it_hid() -> None:
    """Another `sitecustomize` is found as if this one were not there."""
    import importlib.machinery
    import importlib.util

    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


sys.path[:] = [each for each in sys.path if each != FOLDER]
with contextlib.suppress(Exception):  # the run's folder misses its mark then, and whoever reads it says so
    _begin()
_run_what_it_hid()
