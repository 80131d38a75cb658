"""One file: its bytes in, findings out. A run does this, or what `fix_file` does, to each file it is given.

The engine, and LibCST with it, is imported by the first file that mentions torch.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from torchperf_lint.config.config import shown_in
from torchperf_lint.disk.read import read_file
from torchperf_lint.facts.domain.budget import LINTED
from torchperf_lint.facts.project.imports import Reads
from torchperf_lint.files.discover import mentions_torch
from torchperf_lint.files.document import UnreadableError, opened
from torchperf_lint.model.failure import raised_at
from torchperf_lint.model.finding import Confidence, Finding
from torchperf_lint.model.paths import with_paths
from torchperf_lint.model.record import from_plain, to_plain
from torchperf_lint.model.together import merged
from torchperf_lint.run.lazy_import import lazy_import
from torchperf_lint.run.project_index import index_of
from torchperf_lint.syntax.digest import digest
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchperf_lint.config.config import Config, Configs
    from torchperf_lint.files.document import Lint


FIXED: Final = 1.0
"""All lints of a file that is fixed may take so much of what the largest may: some eight seconds."""

TRIED: Final = 12_000_000
"""To parse and compile so many characters takes as long as the largest file may."""

_PLAIN: Final = ("path", "content", "failure", "fixed", "patch", "notes")


@dataclass(frozen=True, slots=True)
class Done:
    """What came of one file."""

    path: str
    """Where it is, absolute."""
    content: str = ""
    """A digest of the bytes that the findings speak of; empty where there is nothing to keep."""
    findings: tuple[Finding, ...] = ()
    reads: Reads = field(default_factory=Reads)
    """What the findings stand on besides."""
    failure: str | None = None
    fixed: int = 0
    """How many findings were fixed, or hidden."""
    patch: str = ""
    notes: tuple[str, ...] = ()
    """What could not be fixed, and why."""

    def shown(self, configs: Configs) -> Done:
        """The same with findings as reports show them: their paths are relative to the working folder."""
        root = configs.of(Path(self.path)).root
        if not self.findings or root == Path.cwd():
            return self
        return replace(self, findings=with_paths(self.findings, lambda path: shown_in(root, path)))

    def to_bytes(self) -> bytes:
        plain = {name: getattr(self, name) for name in _PLAIN}
        plain["reads"] = self.reads.to_plain()
        plain["findings"] = [to_plain(finding) for finding in self.findings]
        return json.dumps(plain).encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> Done:
        plain = json.loads(data)
        plain |= {"notes": tuple(plain["notes"]), "reads": Reads.from_plain(plain["reads"])}
        plain["findings"] = tuple(from_plain(finding) for finding in plain["findings"])
        return cls(**plain)


class FileJob(Protocol):
    """What a run does to each of its files; sent to every process, so it must pickle."""

    @property
    def configs(self) -> Configs: ...

    def is_done_with(self, known: Done) -> bool:
        """Whether findings that are known from before are all that this job would come to."""

    def prepare(self) -> None:
        """Import what the first file would."""

    def __call__(self, path: str) -> bytes: ...


@dataclass(frozen=True)
class LintFile:
    """The job of a plain run."""

    configs: Configs

    def is_done_with(self, _: Done) -> bool:
        return True

    def prepare(self) -> None:
        linter(self.configs.run)

    def __call__(self, path: str) -> bytes:
        work = guarded(lambda path: self.content(path, read_file(path))[0], path, debug=self.configs.run.debug)
        return work.to_bytes()

    def content(self, path: str, data: bytes) -> tuple[Done, bytes]:
        """What comes of the content of a file, and the content that it then has."""
        config, reads = self.configs.of(Path(path)), Reads()
        findings = lint_bytes(data, config.in_project(Path(path)), config, reads)
        return Done(path, digest([data]), findings, reads), data


def guarded(work: Callable[[str], Done], path: str, *, debug: bool = False) -> Done:
    """What work on a file comes to, where whatever goes wrong is a failure of this file alone."""
    try:
        return work(path)
    except FileNotFoundError:
        return Done(path)  # it was there a moment ago and is nobody's concern now
    except OSError as error:
        return Done(path, failure=error.strerror or str(error))
    except MemoryError:
        return Done(path, failure="not enough memory")
    except Exception as error:
        if debug:
            import traceback

            traceback.print_exception(error)
        what = f"{type(error).__name__}: {error} ({raised_at(error)})"
        return Done(path, failure=f"internal error, please report it: {what}")
    finally:
        if (projects := sys.modules.get("torchperf_lint.engine.projects")) is not None:
            projects.tidy()


def lint_bytes(
    data: bytes, path: str, config: Config, reads: Reads | None = None, again: LintAgain | None = None
) -> tuple[Finding, ...]:
    """The findings of a file's content, sorted; `path` is what its project calls it, `reads` is told what they stand on.
    With `again`, which has linted it while it was fixed, that is told instead."""
    if not mentions_torch(data):
        return ()
    try:
        document = opened(data, path, again or linter(config, reads))
    except UnreadableError as unreadable:
        return (unreadable.finding,)
    found = document.located(document.lint(Source(document.text, path)))
    return tuple(merged(sorted((*document.broken, *found), key=attrgetter("order"))))


def linter(config: Config, reads: Reads | None = None) -> Lint:
    """The engine with its settings, as reports and fixes see it: without what is not sure enough."""
    lazy_import("libcst")
    from torchperf_lint.engine import lint_text, projects

    projects.surround(config, lambda: index_of(config))

    def lint(source: Source) -> list[Finding]:
        found = lint_text.lint(source, config, reads)
        proven = config.confidence is Confidence.PROVEN
        return [each for each in found if each.confidence is Confidence.PROVEN] if proven else found

    return lint


class LintAgain:
    """The engine for a file that is linted, fixed and linted again: what was found last is not looked for once more."""

    def __init__(self, config: Config) -> None:
        self.reads = Reads()
        """What the last findings stand on."""
        self._config = config
        self._source: Source | None = None
        self._found: list[Finding] = []
        self._before = LINTED.files
        self._dearest = 0.0
        self._tries = 0

    def __call__(self, source: Source) -> list[Finding]:
        last = self._source
        if last is None or (last.text, last.path) != (source.text, source.path):
            self.reads, before = Reads(), LINTED.files
            self._found = linter(self._config, self.reads)(source)
            self._source = source
            self._dearest = max(self._dearest, LINTED.files - before)
        return self._found

    def is_affordable(self) -> bool:
        """Whether all these lints, what was tried between them, and one more like the dearest take less than a file may."""
        tried = self._tries * len(self._source.text) / TRIED if self._source is not None else 0.0
        self._tries += 1
        return LINTED.files - self._before + self._dearest + tried <= FIXED
