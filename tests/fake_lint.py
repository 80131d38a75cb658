"""A linter for the tests of everything around the engine: it flags each `x.item()`, whatever the rules of the day are.

It keeps to what the engine promises: sorted findings on text, TPL001 for what does not parse, no other file's state.
"""

from __future__ import annotations

import ast
import os
import re
import signal
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import torchperf_lint
from torchperf_lint.model.finding import Confidence, Finding, Fix, Note, Safety, Severity, TextEdit
from torchperf_lint.syntax.source import Place, Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from torchperf_lint.config.config import Config
    from torchperf_lint.facts.project.imports import Reads

_PATH = [str(Path(torchperf_lint.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, _PATH))}
"""For processes that are started by themselves: they find the package whether it is installed or not."""

ITEM = re.compile(r"(\w+)\.item\(\)")


def lint(source: Source) -> list[Finding]:
    """Every `x.item()`: safe to fix where x is `a`, unsafe where it is `b`, shown elsewhere; hidden by its comment."""
    try:
        ast.parse(source.text)
    except SyntaxError as error:
        at = Place(error.lineno or 1, error.offset or 1)
        mark = "v1:" + sha256(source.path.encode("utf-8", "surrogateescape")).hexdigest()
        span = Span(at, at)
        return [
            Finding("TPL001", "does-not-parse", error.msg, Severity.ERROR, Confidence.PROVEN, source.path, span, mark)
        ]
    matches = [match for match in ITEM.finditer(source.text) if not _hidden(source, match)]
    return [_finding(source, match, number) for number, match in enumerate(matches)]


def _hidden(source: Source, match: re.Match[str]) -> bool:
    return "# tpl: ignore[TPL101]" in source.line(source.place(match.start()).line)


def _finding(source: Source, match: re.Match[str], number: int) -> Finding:
    span = Span(source.place(match.start()), source.place(match.end()))
    name = match.group(1)
    edit = TextEdit(source.path, span, f"{name}.detach()")
    safety = {"a": Safety.SAFE, "b": Safety.UNSAFE}.get(name, Safety.SHOWN)
    identity = f"{source.path} {match.group()} {number}".encode("utf-8", "surrogateescape")
    return Finding(
        code="TPL101",
        name="scalar-read-every-step",
        message=f"`{match.group()}` makes the host wait for the GPU",
        severity={"i": Severity.INFO, "e": Severity.ERROR}.get(name, Severity.WARNING),
        confidence=Confidence.LIKELY if name == "l" else Confidence.PROVEN,
        path=source.path,
        span=span,
        fingerprint="v1:" + sha256(identity).hexdigest()[:32],
        because=(Note(f"`{name}` is a CUDA tensor", source.path, 1, 1),),
        fix=Fix("read it on the device", (edit,), safety),
    )


def deadly(source: Source) -> list[Finding]:
    """Lints like `lint`, but dies of a file that says so, as a crash in native code would."""
    if "kill me" in source.text:
        os.kill(os.getpid(), signal.SIGKILL)
    return lint(source)


def installed(monkeypatch: pytest.MonkeyPatch, fake: Callable[[Source], list[Finding]] = lint) -> None:
    """Put a fake in the place of the engine; the processes of a run, being copies of this one, have it too."""

    def engine(source: Source, config: Config, _: Reads | None = None) -> list[Finding]:
        return [each for each in fake(source) if each.code in config.rules_for(source.path) | {"TPL101"}]

    monkeypatch.setattr("torchperf_lint.engine.lint_text.lint", engine)
