"""The page of what CUDA said of claims: programs that nobody had looked at, as they were first seen and as they are now.

The figures are those of `rules_docs/measured/precision.json`, which `tests/gpu/score_programs.py` writes; those of readers, who
judged findings by the code around them, are noted by hand in `readings.json` beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

Scores = dict[str, dict[str, Any]]

TITLES: Final = {"program": "Programs", "library": "Libraries"}
SAYS: Final = """\
# What CUDA says of the findings

{programs} public programs and {libraries} libraries ran on an {gpu} with torch {torch}, or on the GPU that is named, each for a few
steps with made-up data, and CUDA said which of their lines made the host wait. They came in {sets} sets, the last of them on {last}.
Nobody had looked at the programs of a set before, but where it says so: the column of the first look is what the linter said of them
then, with TPL100 on; the last column is what it said later, on the day at its head. A set is known from then on, so the first look is
the figure to go by, and each set is a new one.

*Right*: of the claims about lines that ran, those of which CUDA says that they wait. *Found*: of the lines that waited in two
steps or more, those that a claim names. `tests/gpu/record_programs.py` recorded them, `tests/gpu/score_programs.py` compared; what they
count is at their heads. Where it says *its loop in a script*, a script that holds the program's loop ran in place of its own, with
its other files as they are; lines count which stand in both.
"""

READ: Final = """\
## Read by others

CUDA says what waits, not what is worth saying. So findings of the default rules were drawn by chance from repositories that nobody had
looked at, and somebody who had not seen the tool judged them by the code, its callers, and the pages of the rules. *Right*: what
the message says holds there. *Useful*: right, and fixing it would be noticed in a usual run. *Fixes*: of those that were offered, those
that keep the meaning. Nothing was run for it, and what is useful is an estimate.
"""


APPLIED: Final = """\
## Fixes applied

All fixes, unsafe ones too, were applied to repositories that nobody had looked at. What Python could compile before, it could
compile after. Some of the places that changed were drawn by chance and read, one by one, for what the fix breaks; those were mended.
"""


def page(file: Path, readings: Path) -> str:
    """The page, from the figures on file."""
    noted = json.loads(file.read_text(encoding="utf-8"))
    looks, programs = noted["looks"], noted["programs"]
    kinds = [each["kind"] for each in programs.values()]
    said = {
        "programs": kinds.count("program"),
        "libraries": kinds.count("library"),
        "sets": len(noted["sets"]),
        **noted["meta"],
        "last": _day(looks["first"]["scores"].values()),
    }
    parts = [SAYS.format(**said)]
    for kind, title in TITLES.items():
        parts.append(f"## {title}\n")
        for number, members in enumerate(noted["sets"], 1):
            names = [name for name in members if programs[name]["kind"] == kind]
            if names:
                parts.append(f"### Set {number}\n\n" + "\n".join(_table(names, programs, looks)) + "\n")
    parts.append(READ)
    told = json.loads(readings.read_text(encoding="utf-8"))
    parts += [_reading(each) for each in told["readings"]]
    parts.append(APPLIED)
    parts += [_applied(each) for each in told["applied"]]
    return "\n".join(parts)


def _reading(noted: dict[str, Any]) -> str:
    """What one reader said, by severity."""
    about = f", {noted['what']}" if "what" in noted else ""
    lines = [
        f"{noted['date']}{about}: {', '.join(noted['repositories'])}.\n",
        "| severity | right | useful | fixes |",
        "|---|---|---|---|",
    ]
    for severity, counts in noted["severities"].items():
        right, useful = (_share(counts[name], counts["read"]) for name in ("right", "useful"))
        fixes = _share(counts["fixes_right"], counts["fixes"]) if counts["fixes"] else "–"
        lines.append(f"| {severity} | {right} | {useful} | {fixes} |")
    return "\n".join(lines) + "\n"


def _applied(noted: dict[str, Any]) -> str:
    """What the fixes made of some repositories."""
    right = _share(noted["right"], noted["read"])
    about = f", {noted['what']}" if "what" in noted else ""
    where = f"{noted['date']}{about}: {', '.join(noted['repositories'])}"
    return f"{where}.\n\n{noted['changes']} places changed; of those read, {right} are right.\n"


def _table(names: list[str], programs: dict[str, Any], looks: dict[str, Any]) -> Iterator[str]:
    first, now = (looks[look]["scores"] for look in ("first", "now"))
    later = _day(now[name] for name in names)
    yield f"| what | right, first look | found, first look | right, {later} | found, {later} |"
    yield "|---|---|---|---|---|"
    for name in sorted(names, key=str.lower):
        yield f"| {programs[name]['what']} | {_cells(first, [name])} | {_cells(now, [name])} |"
    yield f"| **all** | {_cells(first, names)} | {_cells(now, names)} |"


def _day(scores: Iterable[dict[str, Any]]) -> str:
    """When something was scored, the last time."""
    return max(str(each["date"]) for each in scores)


def _cells(scores: Scores, names: list[str]) -> str:
    right = _share(sum(scores[name]["true"] for name in names), sum(scores[name]["claims"] for name in names))
    found = _share(sum(scores[name]["found"] for name in names), sum(scores[name]["hot"] for name in names))
    return f"{right} | {found}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "–"
