"""Where the time of a run goes, by stage and by rule: `--profile`.

Python's own profiler watches the run, so no part of the linter has to know; it slows Python down and C hardly, which
the table says. Everything runs in one process and nothing comes from the cache.
"""

from __future__ import annotations

import cProfile
import pstats
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchperf_lint.report.console import Console

_PACKAGE: Final = Path(__file__).parents[1]
_ROWS: Final = 20
_PARSERS: Final = {"<built-in method builtins.compile>": "ast.parse", "<built-in method native.parse_module>": "libcst"}

Stats = dict[tuple[str, int, str], tuple[int, int, float, float, Any]]


def profiled(work: Callable[[], int], console: Console) -> int:
    """Do some work and say where its time went; the answer is that of the work."""
    profiler = cProfile.Profile()
    answer = profiler.runcall(work)
    stats: Stats = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    total = sum(own for _, _, own, _, _ in stats.values())
    head = f"{total * 1000:,.0f} ms under the profiler, which makes Python code slower and C code hardly"
    for line in ("", head, *_table("stage", _stages(stats), total), *_table("rule", _rules(stats), total)):
        console.note(line)
    return answer


def _stages(stats: Stats) -> dict[str, float]:
    """Time by part of the linter, and of the libraries that it stands on, without what they call of one another."""
    stages: dict[str, float] = defaultdict(float)
    for (file, _, name), (_, _, own, _, _) in stats.items():
        stages[_stage(file, name)] += own
    return stages


def _stage(file: str, name: str) -> str:
    path = Path(file)
    if path.is_relative_to(_PACKAGE):
        return path.relative_to(_PACKAGE).parts[0].removesuffix(".py")
    if name in _PARSERS:
        return _PARSERS[name]
    return next((part for part in ("libcst", "click", "importlib") if part in file), "python")


def _rules(stats: Stats) -> dict[str, float]:
    """Time by rule, with all that it asks of the facts."""
    rules: dict[str, float] = defaultdict(float)
    for (file, _, name), (_, _, _, whole, _) in stats.items():
        path = Path(file)
        home = path.parent if path.name == "__init__.py" else path.with_suffix("")
        if name == "check" and home.parent.parent == _PACKAGE / "rules":
            rules[home.name.replace("_", "-")] += whole
    return rules


def _table(title: str, times: dict[str, float], total: float) -> list[str]:
    rows = sorted(times.items(), key=lambda row: -row[1])[:_ROWS]
    lines = [f"  {time * 1000:>9,.1f} ms {time / total:>6.1%}  {name}" for name, time in rows if time > 0]
    return [f"by {title}", *lines] if lines else [f"by {title}: nothing ran"]
