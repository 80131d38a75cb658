"""Findings of files that have not changed, kept between runs.

One small JSON file for each linted file, in a folder named for all that the answer depends on besides the content:
the tool's own files, Python, LibCST and the settings. An answer may stand on other files of the project as well; it
holds as long as their code is what it was, and all of them of which it shows places. Each is written whole or not at all,
so several runs can share a cache; one that is damaged, stale or read-only is as good as none.

Such a folder carries our mark, and what does not is left alone: the cache may lie in a folder with other things in it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import fields
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.disk.links import link_on_the_way
from torchperf_lint.disk.read import read_file
from torchperf_lint.disk.write import put
from torchperf_lint.facts.project.contents import Contents
from torchperf_lint.facts.project.imports import Imports, Reads
from torchperf_lint.model.catalogue import by_code
from torchperf_lint.model.record import from_plain, to_plain
from torchperf_lint.run import marked
from torchperf_lint.run.project_index import index_of
from torchperf_lint.run.sealed import name_of, opened, sealed
from torchperf_lint.run.told_again import ToldAgain
from torchperf_lint.syntax.digest import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torchperf_lint.config.config import Config, Configs
    from torchperf_lint.facts.project.questions import Questions
    from torchperf_lint.model.finding import Finding

_PACKAGE: Final = Path(__file__).parents[1]
_RUNNING: Final = {
    "file", "project_root", "fail_level", "fix", "unsafe_fixes", "format", "sort", "output_file", "exclude",
    "extend_exclude", "gitignore", "force_exclude", "baseline", "jobs", "cache", "cache_dir", "origins", "like", "debug",
}  # fmt: skip
"""Settings that say how a run goes, not what is found; all others are part of the question."""


class Caches:
    """The answers of earlier runs with the same tool, for all settings of a run."""

    def __init__(self, configs: Configs) -> None:
        self._configs = configs
        self._tool = tool()
        self._contents = Contents()
        self._known: dict[int, Cache] = {}

    def of(self, path: str) -> Cache:
        """The answers for files with the settings of one."""
        config = self._configs.of(Path(path))
        if id(config) not in self._known:
            self._known[id(config)] = Cache(config, self._tool, self._contents)
        return self._known[id(config)]

    def keep(self) -> None:
        """Keep what was found out on the way to what was known."""
        for each in self._known.values():
            each.keep()


class Cache:
    """The answers of earlier runs with the same tool and settings."""

    def __init__(self, config: Config, tool: str, contents: Contents) -> None:
        home = config.cache_folder
        self.folder = home / _question(config, tool) if home is not None else None
        self.imports = Imports(config.root)
        self._called = config.in_project
        self._contents = contents
        self._index = lambda: index_of(config)
        if config.cache_dir is not None and link_on_the_way(config.cache_dir, (config.root, Path.cwd())):
            self.folder = None  # a project must not lead the tool to write elsewhere
        self.writable = self.folder is not None
        self._told = ToldAgain(self.folder, config, self.imports, contents) if self.folder is not None else None
        if self.folder is not None and marked.is_ours(self.folder):
            marked.used(self.folder)

    def get(self, path: str, content: str) -> tuple[Finding, ...] | None:
        """What was found in a file with this content; None where that is not known."""
        if self.folder is None:
            return None
        try:
            entry = opened(read_file(self.folder / name_of(path)))
            if entry["path"] != os.fsencode(path).hex() or entry["content"] != content:
                return None
            findings = tuple(map(from_plain, entry["findings"]))
            fit = all(each.path == self._called(Path(path)) and _is_of_a_rule(each) for each in findings)
            like = partial(self._is_like, _said(findings))
            again = partial(self._tells_the_same, _said(findings))
            if fit and Reads.from_plain(entry["reads"]).hold(Path(path), self.imports, like, self._index, again):
                return findings
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass  # whatever is wrong with it: anybody may have written it
        return None

    def _is_like(self, said: str, path: str, was: str | None) -> bool:
        """Whether a file has a content like one that it had, for findings that say something: who names the file shows its places."""
        return self._contents.are(path, was, is_shown=_name(path) in said)

    def _tells_the_same(self, said: str, asked: Questions, near: Path, path: str) -> bool:
        """Whether a file that has changed tells another what it told before."""
        return _name(path) not in said and self._told is not None and self._told.is_same(asked, near, path)

    def keep(self) -> None:
        """Keep what changed files were asked again."""
        if self.writable and self._told is not None:
            with suppress(OSError):
                self._told.keep()

    def put(self, path: str, content: str, findings: Sequence[Finding], reads: Reads) -> None:
        """Keep what was found, and what that stands on besides."""
        if not self.writable or self.folder is None:
            return
        plain = [to_plain(finding) for finding in findings]
        entry = {"path": os.fsencode(path).hex(), "content": content, "reads": reads.to_plain(), "findings": plain}
        try:
            marked.make(self.folder)
            put(self.folder / name_of(path), sealed(entry))
        except OSError:
            self.writable = False


def _is_of_a_rule(finding: Finding) -> bool:
    rule = by_code().get(finding.code)
    return rule is not None and rule.name == finding.name


def _name(path: str) -> str:
    """The name of a file. Asked for each file that an answer stands on: `Path` takes ten times as long."""
    return path.rpartition(os.sep)[2]


def _said(findings: Sequence[Finding]) -> str:
    """All that findings say, as one text."""
    notes = [note for finding in findings for note in finding.because]
    return "\n".join([finding.message for finding in findings] + [f"{note.path}\n{note.message}" for note in notes])


def _question(config: Config, tool: str) -> str:
    """A name for all that an answer depends on besides the file."""
    settings = {each.name: getattr(config, each.name) for each in fields(config) if each.name not in _RUNNING}
    chosen = [
        f"{name}={sorted(value) if isinstance(value, frozenset) else value!r}" for name, value in settings.items()
    ]
    return digest([sys.version.encode(), *(os.fsencode(each) for each in chosen), tool.encode()])


def tool() -> str:
    """A name for all of the tool that an answer depends on."""
    return digest(_tool())


def _tool() -> Iterable[bytes]:
    """The tool's own files, and the version of LibCST, which is not imported for it."""
    libcst = find_spec("libcst")
    version = Path(libcst.origin).with_name("_version.py") if libcst and libcst.origin else None
    for path in (*_own(), *([str(version)] if version else [])):
        with suppress(OSError):
            yield read_file(path)


def _own() -> list[str]:
    """The tool's own files; each run looks for them, and `Path.glob` takes seven times as long."""
    found = (os.path.join(folder, each) for folder, _, files in os.walk(_PACKAGE) for each in files)  # noqa: PTH118
    return sorted(each for each in found if each.endswith((".py", ".json")))
