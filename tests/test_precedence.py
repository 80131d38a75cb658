"""Which of several stretches lie inside of one another: by searching, as if each pair were looked at. Who speaks in the audit."""

from __future__ import annotations

import random

from torchperf_lint import lint_text
from torchperf_lint.engine.span_set import SpanSet
from torchperf_lint.syntax.source import Place, Span


def drawn(chance: random.Random) -> Span:
    start, end = sorted((chance.randint(1, 3), chance.randint(1, 6)) for _ in range(2))
    return Span(Place(*start), Place(*end))


def test_a_set_of_stretches_answers_as_its_members_would() -> None:
    chance = random.Random(21)
    for _ in range(3000):
        spans, asked = [drawn(chance) for _ in range(chance.randint(0, 5))], drawn(chance)
        found = SpanSet(spans)
        assert found.any_inside(asked) == any(asked.start <= each.start and each.end <= asked.end for each in spans)
        assert found.any_around(asked) == any(each.start <= asked.start and asked.end <= each.end for each in spans)
        assert found.meet(asked) == (found.any_inside(asked) or found.any_around(asked))


DRAWN = """\
import torch
def train(model, loader, optimizer):
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        noise = torch.normal(
            x.cuda(),
            torch.tensor(1.0, device="cuda"),
        )
"""


def test_the_audit_names_a_call_that_checks_its_arguments_though_one_of_them_waits_as_well() -> None:
    found = {(each.span.start.line, each.code) for each in lint_text(DRAWN, select=["TPL100", "TPL101", "TPL202"])}
    assert {(6, "TPL100"), (8, "TPL202")} <= found
    assert (8, "TPL100") not in found
