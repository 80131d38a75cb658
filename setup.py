"""What pyproject.toml cannot say of a wheel: its interpreter is compiled with mypyc, and the pages of the rules go in.

The same files run compiled or not, and find the same; compiled they take two thirds of the time. So an editable install
runs them as they are, and so does a wheel where there is no compiler, or where TORCHPERF_LINT_PURE=1 asks for that.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

FOLDERS = ("facts/domain", "facts/index", "facts/guesses", "facts/interpret", "facts/context", "facts/sync")
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


class BuildOrLeave(build_ext):
    """Leaves all modules as they are where one of them does not compile."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            self.warn(f"not compiled, everything runs as Python ({type(error).__name__})")
            self.extensions = []
            for library in Path(self.build_lib).rglob("*"):
                if library.suffix in (".so", ".pyd"):
                    library.unlink()


def compiled() -> list[Extension]:
    if "bdist_wheel" not in sys.argv or os.environ.get("TORCHPERF_LINT_PURE") == "1":
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        print("mypyc is not installed: everything runs as Python")
        return []
    modules = [str(path) for folder in FOLDERS for path in sorted(Path("torchperf_lint", folder).glob("[!_]*.py"))]
    options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--cache-dir=build/mypy"]
    try:
        return mypycify([*options, *modules], opt_level="1", debug_level="0", multi_file=True)
    except SystemExit:  # what mypy has to say is on the screen
        return []


setup(ext_modules=compiled(), cmdclass={"build_ext": BuildOrLeave, "build_py": BuildWithPages})
