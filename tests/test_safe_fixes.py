"""What a SAFE fix makes of a section gives the same bits: results, gradients, what is changed in place, random numbers, errors.

The calls stand in the fixtures, in `# run:` marks (see `drawn`); Hypothesis draws their inputs. The linter sees a program for
the GPU; to run, it is put on the CPU. What a fix does about moves between devices shows on a GPU alone: there the
recorded run of its bench stands for it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from fixture import Section, fixtures
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from linted import fixed

from torchperf_lint.model.finding import Safety
from torchperf_lint.rule import Rule, all_rules

torch = pytest.importorskip("torch")
from drawn import Inputs, seen  # noqa: E402

pytestmark = pytest.mark.slow

EXAMPLES = 50
RULES = {rule.name: rule for rule in all_rules()}
MEASURED = Path(__file__).parent.parent / "rules_docs" / "measured"
RUNS = [
    pytest.param(RULES[fixture.name], section, call, id=f"{fixture.name}:{section.first}:{number}")
    for fixture in fixtures()
    for section in fixture.sections
    for number, call in enumerate(section.runs)
]


def on_cpu(text: str) -> str:
    return re.sub(r"\.cuda\(\d?\)", ".cpu()", re.sub(r'"cuda(:\d)?"', '"cpu"', text))


@pytest.mark.parametrize(("rule", "section", "call"), RUNS)
def test_a_safe_fix_keeps_every_bit(rule: Rule, section: Section, call: str) -> None:
    result = fixed(section, frozenset({rule.code}), Safety.SAFE)
    assert not result.failures
    assert result.text != section.text, "no SAFE fix applies: what does the mark compare?"
    old, new = on_cpu(section.text), on_cpu(result.text)

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def same(data: st.DataObject) -> None:
        inputs = Inputs(data.draw)
        before = seen(old, call, inputs)
        assert seen(new, call, inputs) == before, inputs.recipes

    same()


@pytest.mark.parametrize(("rule", "section", "call"), RUNS)
def test_a_mark_runs_what_it_calls(rule: Rule, section: Section, call: str) -> None:
    """Most inputs must not end in an error, or nothing is compared."""
    good = []

    @settings(max_examples=10, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        good.append("result" in seen(on_cpu(section.text), call, Inputs(data.draw)))

    run()
    assert sum(good) * 3 >= len(good)


@pytest.mark.parametrize(
    "rule", [rule for rule in all_rules() if rule.safety is Safety.SAFE], ids=lambda rule: rule.code
)
def test_every_safe_fix_was_run_before_and_after(rule: Rule) -> None:
    if any(param.values[0] is rule for param in RUNS):
        return
    assert rule.family == "transfer", "a rule that is not about devices needs a section with a `# run:` mark"
    records = (json.loads(path.read_text(encoding="utf-8")) for path in MEASURED.glob("*.json"))
    said = [each for record in records for each in record.get("measurements", ())]  # others are of waits and traces
    assert any(each["code"] == rule.code and each["same"] and not each["by_hand"] for each in said)
