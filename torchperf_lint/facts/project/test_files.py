"""Which files of a project are its tests, by their paths."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

_TESTS: Final = frozenset(("test", "tests", "testing", "unittests"))


@cache
def is_test(path: str) -> bool:
    *folders, name = Path(path).parts
    return not _TESTS.isdisjoint(folders) or name.startswith(("test_", "conftest")) or name.endswith("_test.py")
