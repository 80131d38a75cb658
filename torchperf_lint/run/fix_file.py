"""One file fixed: what `--fix`, `--diff` and `--add-ignores` do to each file they are given.

How a text is fixed is for `fixes`; here it is read, written back, and linted as it then is.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from torchperf_lint.config.config import shown_path
from torchperf_lint.disk.read import read_file
from torchperf_lint.engine.precedence import rivals
from torchperf_lint.files.discover import mentions_torch
from torchperf_lint.files.document import UnreadableError, opened
from torchperf_lint.model.catalogue import OWN
from torchperf_lint.model.finding import Safety
from torchperf_lint.run.lint_file import Done, LintAgain, guarded, lint_bytes, linter
from torchperf_lint.run.may_write import Areas, may_write
from torchperf_lint.syntax.digest import digest
from torchperf_lint.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.config.config import Config, Configs
    from torchperf_lint.files.document import Document
    from torchperf_lint.model.finding import Finding

_OWN: Final = frozenset(entry.code for entry in OWN)


@dataclass(frozen=True, slots=True)
class FixedContent:
    """What became of the content of a file."""

    data: bytes
    count: int = 0
    """How many findings were fixed in it, or hidden."""
    refused: tuple[str, ...] = ()
    """What could not be done, and why."""


@dataclass(frozen=True)
class FixFile:
    """The job of a run that fixes."""

    configs: Configs
    accepted: frozenset[str] = frozenset()
    """Fingerprints of findings that are to be left alone."""
    reason: str | None = None
    """The reason to give in a comment that hides a finding; None: apply the fix instead."""
    dry: bool = False
    """Say what would change, and change nothing."""
    confirmed: frozenset[str] | None = None
    """Fingerprints of the findings whose fix was measured to pay; None: no fix needs that."""
    within: Areas = ()
    """What may be written; nothing, where nobody says it."""

    def is_done_with(self, known: Done) -> bool:
        config = self.configs.of(Path(known.path))
        return not any(self._concerns(finding, config) for finding in known.findings)

    def prepare(self) -> None:
        linter(self.configs.run)

    def __call__(self, path: str) -> bytes:
        return guarded(self._file, path, debug=self.configs.run.debug).to_bytes()

    def content(self, path: str, data: bytes) -> tuple[Done, bytes]:
        """What comes of the content of a file, and the content that it then has."""
        config = self.configs.of(Path(path))
        called = config.in_project(Path(path))
        lint = LintAgain(config)
        fixed = self._fixed_content(data, called, config, lint)
        notes = tuple(f"{shown_path(Path(path))}: {note}" for note in fixed.refused)
        if self.dry:
            return Done(path, fixed=fixed.count, notes=notes, patch=_patch(data, fixed.data, path)), data
        findings = lint_bytes(fixed.data, called, config, again=lint)
        return Done(path, digest([fixed.data]), findings, lint.reads, fixed=fixed.count, notes=notes), fixed.data

    def safely(self, data: bytes, called: str, config: Config) -> bytes:
        """A content with its safe fixes applied, whatever the settings say of fixing."""
        try:
            document = opened(data, called, lint := LintAgain(config))
        except UnreadableError:
            return data
        return self._fixed(document, called, data, Safety.SAFE, lint).data

    def _file(self, path: str) -> Done:
        from torchperf_lint.disk.write import rewrite

        data = read_file(path)
        done, fixed = self.content(path, data)
        if fixed == data:
            return done
        config = self.configs.of(Path(path))
        called = config.in_project(Path(path))
        if not may_write(path, self.within, config):
            real = os.path.realpath(path)
            note = f"{shown_path(Path(path))}: not fixed: it leads to {real}, outside of what was given"
            return Done(path, findings=lint_bytes(data, called, config), notes=(note,))
        try:
            rewrite(Path(path), fixed, data)
        except OSError as error:
            failure = error.strerror or str(error)
            return Done(path, findings=lint_bytes(data, called, config), failure=failure)
        return done

    def _fixed_content(self, data: bytes, called: str, config: Config, lint: LintAgain) -> FixedContent:
        if not mentions_torch(data) or not self._changes(config):
            return FixedContent(data)
        try:
            document = opened(data, called, lint)
        except UnreadableError:
            return FixedContent(data)
        if self.reason is not None:
            return self._hidden(document, called, data)
        return self._fixed(document, called, data, config.allow, lint)

    def _changes(self, config: Config) -> bool:
        """Whether a file with some settings is to be changed at all."""
        return config.fix or self.dry or self.reason is not None

    def _fixed(self, document: Document, path: str, data: bytes, allow: Safety, lint: LintAgain) -> FixedContent:
        from torchperf_lint.fixes.apply import fix_text

        found = partial(self._found, document)
        fixed = fix_text(document.text, path, found, allow, rivals, lint.is_affordable)
        refused = [f"a fix of {each.finding.code} is left out: {each.reason}" for each in fixed.failures]
        if fixed.untried:
            why = "the file is too long, or too many others had to be left out"
            refused.append(f"{fixed.untried:,} {'fix is' if fixed.untried == 1 else 'fixes are'} not tried: {why}")
        return _written(document, fixed.text, data, len(fixed.applied), refused)

    def _hidden(self, document: Document, path: str, data: bytes) -> FixedContent:
        from torchperf_lint.fixes.add_ignores import with_ignores

        before = self._found(document, Source(document.text, path))
        text = with_ignores(document.text, before, self.reason or "")
        after = self._found(document, Source(text, path))
        left = [f"a finding of {each.code} cannot be hidden" for each in after if each.code not in _OWN]
        return _written(document, text, data, len(before) - len(after), left)

    def _found(self, document: Document, source: Source) -> list[Finding]:
        found = [finding for finding in document.lint(source) if finding.fingerprint not in self.accepted]
        return [finding if self._is_confirmed(finding) else replace(finding, fix=None) for finding in found]

    def _is_confirmed(self, finding: Finding) -> bool:
        return self.confirmed is None or self.reason is not None or finding.fingerprint in self.confirmed

    def _concerns(self, finding: Finding, config: Config) -> bool:
        if finding.fingerprint in self.accepted or not self._changes(config):
            return False
        if self.reason is not None:
            return finding.code not in _OWN
        return finding.fix is not None and finding.fix.safety >= config.allow and self._is_confirmed(finding)


def _written(document: Document, text: str, data: bytes, count: int, refused: Sequence[str]) -> FixedContent:
    if text == document.text:
        return FixedContent(data, 0, tuple(refused))
    try:
        return FixedContent(document.with_text(text), count, tuple(refused))
    except ValueError as error:
        return FixedContent(data, 0, (*refused, f"not fixed: {error}"))


def _patch(old: bytes, new: bytes, path: str) -> str:
    """The change as a patch, its path as seen from the working folder, where `git apply` will look for it.

    It is made of the bytes, whatever encoding the file declares: git knows none, and a mark of the byte order is part of
    the first line to it. What is no UTF-8 stands in the text as halves of surrogate pairs.
    """
    if old == new:
        return ""
    from torchperf_lint.fixes.patch import diff

    before, after = (data.decode("utf-8", "surrogateescape") for data in (old, new))
    return diff(before, after, Path(os.path.relpath(path)).as_posix())
