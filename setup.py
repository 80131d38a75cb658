"""What pyproject.toml cannot say of a wheel: its interpreter is compiled with mypyc, and the pages of the rules go in.

The same files run compiled or not, and find the same; compiled they take two thirds of the time, or a little more.
Compiling takes minutes and a C compiler, so a build from source is plain Python unless TORCHPERF_LINT_COMPILE=1 asks
for more, as the workflow that builds the published wheels does. Who asks gets it or an error: no wheel of plain Python
passes for a compiled one.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

FOLDERS = (
    "facts/domain",
    "facts/index",
    "facts/guesses",
    "facts/interpret",
    "facts/context",
    "facts/sync",
    "trace/replay",
)
"""What is compiled: where the time goes, and no line of which touches LibCST."""


class BuildWithPages(build_py):
    """Puts the pages of `rules_docs/` into the package, for `torchperf-lint rule CODE`; a checkout reads them where they are."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        pages = sorted(Path("rules_docs").glob("*.md"))
        if not pages:
            raise FileNotFoundError("rules_docs/ holds no pages: build from a checkout or a source distribution")
        shipped = Path(self.build_lib, "torchperf_lint", "pages")
        shutil.rmtree(shipped, ignore_errors=True)
        shipped.mkdir(parents=True)
        for page in pages:
            shutil.copyfile(page, shipped / page.name)


def compiled() -> list[Extension]:
    if os.environ.get("TORCHPERF_LINT_COMPILE") != "1" or "bdist_wheel" not in sys.argv:
        return []
    from mypyc.build import mypycify

    modules = [str(path) for folder in FOLDERS for path in sorted(Path("torchperf_lint", folder).glob("[!_]*.py"))]
    options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir=build/mypy"]
    extensions: list[Extension] = mypycify([*options, *modules], opt_level="1", debug_level="0", multi_file=True)
    return extensions


setup(ext_modules=compiled(), cmdclass={"build_py": BuildWithPages})
