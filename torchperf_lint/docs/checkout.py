"""Where the sources of the pages are: the checkout that this package stands in, and the fixtures of its tests.

Fixtures are read by the parser of the tests, so that a page shows the program that the tests hold the rule to.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from torchperf_lint.model.failure import ConfigError

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = ROOT / "rules_docs"
_NAMES: Final = "agents configure editors fixes fleet graph-breaks integrations programs projects rules speed verify"
BY_HAND: Final = frozenset(f"{name}.md" for name in _NAMES.split())
"""The pages that are written by hand; some have parts that are generated."""
MEASURED: Final = PAGES / "measured"
PRECISION: Final = MEASURED / "precision.json"
READINGS: Final = MEASURED / "readings.json"
TRACE: Final = MEASURED / "trace.json"
SCHEMAS: Final = PAGES / "schema"
README: Final = ROOT / "README.md"
EXAMPLE: Final = PAGES / "example.py"


def fixtures() -> dict[str, Any]:
    """The fixtures of the rules, by the name of the rule."""
    return {fixture.name: fixture for fixture in _parser().fixtures()}


def _parser() -> ModuleType:
    path = ROOT / "tests" / "fixture.py"
    spec = importlib.util.spec_from_file_location("torchperf_lint_fixture", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise ConfigError(f"the pages are written in a checkout of torchperf-lint, and {path} is not there")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
