"""Write down where Dynamo breaks the graph, where it compiles anew, and which lines it looked at, with its own words for why.

Reads Dynamo where it logs: `log_graph_break` for breaks, the guards that failed for recompiles, and each line that is traced.
A line that was traced and has no break is one that does not break; of a line that was not traced nothing is known.
"""

from __future__ import annotations

import os
import sysconfig
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import torch

TORCH = str(Path(torch.__file__).parent)
PACKAGES = f"{Path(TORCH).parent}{os.sep}"
STANDARD = sysconfig.get_paths()["stdlib"]
Place = tuple[str, int]


@dataclass
class Record:
    """What Dynamo said while some code ran."""

    breaks: dict[Place, dict[str, str]] = field(default_factory=dict)
    """By the innermost line of the user's code: the kind of each break and its first line of explanation."""
    recompiles: dict[Place, list[str]] = field(default_factory=lambda: defaultdict(list))
    """By the first line of a function that was compiled anew: the guards that failed."""
    traced: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))


def is_users(file: str) -> bool:
    """Whether a file is neither torch's nor Python's own."""
    in_packages = "site-packages" in file
    return not file.startswith((TORCH, "<")) and (in_packages or not file.startswith(STANDARD))


@contextmanager
def recorded(is_ours: Callable[[str], bool] = is_users) -> Iterator[Record]:
    """Record what Dynamo says inside, of the files that are asked for."""
    from torch._dynamo import convert_frame, symbolic_convert  # two seconds, which tests that do not ask need not wait

    record = Record()
    converter: Any = symbolic_convert.InstructionTranslatorBase
    log, line, guards = (
        converter.log_graph_break,
        converter.starts_line,
        convert_frame.get_and_maybe_log_recompilation_reasons,
    )

    def logged(self: Any, code_options: Any, reason: str, exc: Any) -> None:
        if not exc.logged:
            _add(record, self, exc, is_ours)
        log(self, code_options, reason, exc)

    def at_line(self: Any, number: int) -> None:
        if is_ours(self.f_code.co_filename):
            record.traced[self.f_code.co_filename].add(number)
        line(self, number)

    def failed(entries: Any, frame: Any, *more: Any, **named: Any) -> list[str]:
        reasons: list[str] = guards(entries, frame, *more, **named)
        code = frame.f_code
        if reasons and is_ours(code.co_filename):
            record.recompiles[code.co_filename, code.co_firstlineno] += [
                each.partition("\n")[0].partition("  # ")[0].rstrip() for each in reasons[:1]
            ]
        return reasons

    with (
        mock.patch.object(converter, "log_graph_break", logged),
        mock.patch.object(converter, "starts_line", at_line),
        mock.patch.object(convert_frame, "get_and_maybe_log_recompilation_reasons", failed),
    ):
        yield record


def _add(record: Record, translator: Any, exc: Any, is_ours: Callable[[str], bool]) -> None:
    while isinstance(exc.__cause__, type(exc)):
        exc = exc.__cause__  # of a break in a loop, what broke there
    stack = [*(getattr(exc, "real_stack", None) or torch._guards.TracingContext.extract_stack())]
    places = [(each.filename, each.lineno) for each in stack] or [(translator.f_code.co_filename, translator.lineno)]
    place = next((place for place in reversed(places) if is_ours(place[0])), None)
    if place is not None and place[1] is not None:
        kind = getattr(exc, "gb_type", None) or type(exc).__name__
        lines = [each.strip() for each in str(exc).splitlines()]
        why = next((each.removeprefix("Explanation: ") for each in lines if each.startswith("Explanation: ")), "")
        why = why.replace(PACKAGES, "")  # where they lie is of this machine alone
        record.breaks.setdefault((place[0], place[1]), {}).setdefault(kind, why[:200])


def run(call: Callable[[int], object], calls: int) -> tuple[int, list[str]]:
    """Call it some times; the number of graphs that were made, and the errors."""
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    errors = []
    try:
        for turn in range(calls):
            call(turn)
    except Exception as error:  # what a model cannot do is no answer, and the next one is asked
        errors.append(f"{type(error).__name__}: {str(error)[:200]}")
    return torch._dynamo.utils.counters["stats"]["unique_graphs"], errors


def ranges(lines: Iterable[int]) -> str:
    """Lines as text: `3-7 9`."""
    found: list[list[int]] = []
    for line in sorted(set(lines)):
        if found and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return " ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def lines_of(text: str) -> set[int]:
    """The lines that such a text stands for."""
    ends = (each.partition("-") for each in text.split())
    return {line for first, _, last in ends for line in range(int(first), int(last or first) + 1)}
