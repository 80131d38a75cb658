"""Which files of a project are its tests, by their paths."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from torchperf_lint.facts.guesses import file_names


@cache
def is_test(path: str) -> bool:
    *folders, name = Path(path).parts
    return file_names.is_file_of_tests(name) or any(map(file_names.is_folder_of_tests, folders))
