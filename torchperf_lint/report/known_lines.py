"""What `reveal` prints: lines with what is known of them, for people and as JSON.

rules_docs/example.py:18
   |
18 |         total += loss.item()
   |
   = runs at every step
       line 12: a step loop: the loop holds the optimizer's step
   = `loss.item()`: number, float
       GPU sync: copies the value to the host
       line 14: the output of a model
       line 10: moved to CUDA
   = TPL101 reports a hint: `loss.item()` makes the host wait at every step, for bookkeeping alone
       a hint because: line 14: nothing shows that the step waits more than this once
   = TPL102 is silent: not seen here: The host waits for the GPU in the middle of a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torchperf_lint.report.json_text import json_text
from torchperf_lint.report.terminal import Ink, Pen, visible
from torchperf_lint.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torchperf_lint.model.finding import Note
    from torchperf_lint.model.known import KnownExpression, KnownLine, KnownRun

RUNS: Final = {
    "once": "not shown to run more than once, or once an epoch",
    "inference": "runs in a loop over batches or steps, without training",
    "step": "runs at every step",
    "inner": "runs inside a step: in `forward`, a loss, or a loop in the step",
}
DEVICES: Final = {
    "cuda": "on the GPU",
    "cuda if there is one": "on the GPU if there is one",
    "cpu": "on the CPU",
    "pinned": "on the CPU, in pinned memory",
    "neither cpu nor cuda": "on another device than CPU and GPU",
    "cpu on one path": "on the CPU on one path, on another nobody knows where",
}
KINDS: Final = {"unknown": "not known", "none": "None", "tensor tree": "tensors in tuples, lists or dicts"}
_PLACED: Final = ("tensor", "tensor tree", "module")
"""Kinds of which it is worth saying that their device is not known."""
NOUNS: Final = {"error": "an error", "warning": "a warning", "info": "a hint"}
_LONG: Final = 80
"""Characters of an expression that are quoted."""


def as_json(path: str, lines: Sequence[KnownLine]) -> str:
    """The contract of `reveal --format json`."""
    tool = {"name": "torchperf-lint", "version": VERSION}
    plain = {"version": 1, "tool": tool, "path": path, "lines": [line.to_plain() for line in lines]}
    return json_text(plain, indent=2) + "\n"


def as_text(path: str, lines: Sequence[KnownLine], pen: Pen, called: str) -> str:
    """The same for people, who called the file something."""
    return "\n\n".join("\n".join(_line(path, line, pen, called)) for line in lines) + "\n"


def _line(path: str, line: KnownLine, pen: Pen, called: str) -> Iterator[str]:
    digits = max(2, len(str(line.line)))
    edge, item, under = (
        f"{' ' * digits} {pen('|', Ink.NOTE)}",
        f"{' ' * digits} {pen('=', Ink.NOTE)} ",
        " " * (digits + 5),
    )
    cell = f"cell {line.cell}:" if line.cell is not None else ""
    yield pen(f"{visible(called)}:{cell}{line.line}", Ink.BOLD)
    yield edge
    yield f"{pen(f'{line.line:>{digits}} |', Ink.NOTE)} {visible(line.text)}"
    yield edge
    items = [runs(path, line), *(expression(path, line, each) for each in line.expressions)]
    for head, details in (each for index, each in enumerate(items) if each not in items[:index]):
        yield item + head
        yield from (under + detail for detail in details)
    for head, details in _rules(path, line):
        yield item + head
        yield from (under + detail for detail in details)


def runs(path: str, line: KnownLine) -> tuple[str, list[str]]:
    """How often a line runs, and why."""
    known: KnownRun = line.runs
    details = _notes(path, line, known.because)
    if known.gate is not None:
        details += [f"but seldom, or only to log: {each}" for each in _notes(path, line, (known.gate,))]
    if known.option is not None:
        details += [f"but only with an option: {each}" for each in _notes(path, line, (known.option,))]
    if known.test:
        details.append("this is test code")
    return RUNS[known.how_often], details


def expression(path: str, line: KnownLine, each: KnownExpression) -> tuple[str, list[str]]:
    """What an expression is, and why."""
    text = " ".join(each.text.split())
    text = text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
    details = []
    because = each.because
    if each.sync is not None:
        likely = " (likely)" if each.sync.confidence == "likely" else ""
        details.append(f"GPU sync{likely}: {visible(each.sync.message)}")
        because = tuple(dict.fromkeys((*each.sync.because, *because)))
    if each.no_sync is not None:
        details.append(f"no GPU sync is known here: {visible(each.no_sync)}")
    return f"`{visible(text)}`: {_value(each)}", details + _notes(path, line, because)


def _value(each: KnownExpression) -> str:
    parts = [KINDS.get(each.kind, each.kind) + (f" `{visible(each.name)}`" if each.name else "")]
    if each.device is not None:
        parts.append(DEVICES.get(each.device, f"on {each.device}"))
    elif each.kind in _PLACED:
        parts.append("device not known")
    parts += [each.dtype] if each.dtype is not None else []
    parts += [f"{each.rank}-dim"] if each.rank is not None else []
    return ", ".join(parts) + (" (likely)" if each.confidence == "likely" else "")


def _notes(path: str, line: KnownLine, notes: Sequence[Note]) -> list[str]:
    """Pieces of evidence, each with its place as seen from the line."""
    lines = []
    for note in notes:
        cell = f"cell {note.cell}, " if note.cell != line.cell else ""
        place = f"{cell}line {note.line}" if note.path == path else f"{visible(note.path)}:{note.line}"
        lines.append(f"{place}: {visible(note.message)}")
    return lines


def _rules(path: str, line: KnownLine) -> Iterator[tuple[str, list[str]]]:
    """The rules, those together that are silent for one reason."""
    silent: dict[str, list[str]] = {}
    for rule in line.rules:
        if rule.severity is not None:
            hint = _notes(path, line, (rule.hint,)) if rule.hint is not None else []
            head = f"{rule.code} {rule.name} reports {NOUNS[rule.severity]}: {visible(rule.message)}"
            yield head, [f"a hint because: {each}" for each in hint]
        else:
            silent.setdefault(rule.message, []).append(rule.code)
    for message, codes in silent.items():
        yield f"{', '.join(codes)} {'is' if len(codes) == 1 else 'are'} silent: {visible(message)}", []
    if not line.rules:
        yield "no rule is about anything on this line", []
