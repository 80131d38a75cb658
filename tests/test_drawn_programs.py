"""What a SAFE fix makes of any program gives the same bits: results, gradients, what is changed in place, random numbers, errors.

    TORCHPERF_LINT_EXAMPLES=20000 python -m pytest tests/test_drawn_programs.py      a long run

As in `test_safe_fixes`, but the programs are drawn too, and all rules fix them together. The linter sees a program for the
GPU; to run, it is put on the CPU.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from torchperf_lint.engine import lint_text
from torchperf_lint.engine.precedence import rivals
from torchperf_lint.fixes.apply import Fixed, fix_text
from torchperf_lint.model.finding import Safety

torch = pytest.importorskip("torch")
from drawn import Inputs, seen  # noqa: E402
from drawn_programs import programs  # noqa: E402
from examples import CONFIG, some  # noqa: E402

pytestmark = pytest.mark.slow

CALLS = (
    'Net()(floats("n 4"), integers("n", 0, 4, dtype=torch.int64))',
    'Net()(floats("2 4", grad=False), integers("2", 0, 2, dtype=torch.int64))',
    'train(floats("3 4", grad=False), integers("3", 0, 4, dtype=torch.int64))',
)


def fixed(text: str) -> Fixed:
    return fix_text(text, "drawn.py", lambda source: lint_text.lint(source, CONFIG), Safety.SAFE, rivals)


def on_cpu(text: str) -> str:
    return re.sub(r"\.cuda\(\d?\)", ".cpu()", re.sub(r'"cuda(:\d)?"', '"cpu"', text))


@some
@given(programs(), st.data())
def test_a_fixed_program_does_the_same(text: str, data: st.DataObject) -> None:
    after = fixed(text)
    assert not after.failures
    for each in after.applied:
        event(each.code)
    if not after.applied:
        return
    for call in CALLS:
        inputs = Inputs(data.draw)
        before = seen(on_cpu(text), call, inputs)
        event("runs" if "result" in before else f"raises {before['error'].__name__}")
        assert seen(on_cpu(after.text), call, inputs) == before, (call, inputs.recipes)


def test_most_programs_are_fixed_and_run() -> None:
    """Or nothing is compared."""
    fixes, runs = [], []

    @settings(max_examples=40, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs(), st.data())
    def count(text: str, data: st.DataObject) -> None:
        fixes.append(bool(fixed(text).applied))
        runs.append("result" in seen(on_cpu(text), CALLS[1], Inputs(data.draw)))

    count()
    assert sum(fixes) * 3 >= len(fixes)
    assert sum(runs) * 3 >= len(runs)
