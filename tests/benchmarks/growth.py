"""How the time of a lint grows with the length of a file, for each family of programs that a file can hold.

    python tests/benchmarks/growth.py [--most 4096] [--only WORD] [--who]

Seconds of one process at growing numbers of repeats, and the exponent between the last two: 1 is in proportion. With
`--who` the functions follow whose steps grow faster than that, the worst first.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from math import log2
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1] / "robustness"))

from families import FAMILIES
from steps import lint

from torchperf_lint.engine.projects import tidy

ENOUGH: Final = 30.0
"""Seconds after which a family is not made longer."""
SHORT: Final = 64


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--most", type=int, default=4096, help="repeats of the longest program")
    parser.add_argument("--only", default="", help="families with this in their names")
    parser.add_argument("--who", action="store_true", help="name the functions that grow too fast")
    said = parser.parse_args()
    lint(FAMILIES["item in a loop"](8))
    for name in (name for name in FAMILIES if said.only in name):
        taken: dict[int, float] = {}
        n = said.most // 8
        while n <= said.most and (not taken or taken[n // 2] < ENOUGH):
            taken[n] = seconds(name, n)
            n *= 2
        shown = "".join(f"{n:7}: {each:6.2f} s" for n, each in taken.items())
        last, before = list(taken.values())[-1], list(taken.values())[-2]
        print(f"{name:44} {log2(last / before):5.2f} {shown}", flush=True)
        if said.who:
            for line in who(name):
                print(f"    {line}", flush=True)
    return 0


def seconds(name: str, n: int) -> float:
    text = FAMILIES[name](n)
    tidy()
    gc.collect()
    gc.disable()
    start = time.process_time()
    lint(text)
    taken = time.process_time() - start
    gc.enable()
    return taken


def who(name: str) -> list[str]:
    """The functions of which a step more for each repeat is not all that is added."""
    lint(FAMILIES[name](8))
    first, second, third = (by_function(FAMILIES[name](n)) for n in (SHORT, 2 * SHORT, 4 * SHORT))
    bend = {code: third[code] - 3 * second[code] + 2 * first[code] for code in third}
    worst = sorted((code for code in bend if bend[code] > SHORT), key=bend.__getitem__, reverse=True)[:5]
    return [
        f"{first[code]:9} {second[code]:9} {third[code]:9} steps  {code.co_filename}:{code.co_firstlineno} {code.co_name}"
        for code in worst
    ]


def by_function(text: str) -> Counter[CodeType]:
    """The lines that run in each function while a text is linted."""
    counted: Counter[CodeType] = Counter()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            counted[frame.f_code] += 1
        return trace

    sys.settrace(trace)
    try:
        lint(text)
    finally:
        sys.settrace(None)
    return counted


if __name__ == "__main__":
    sys.exit(main())
