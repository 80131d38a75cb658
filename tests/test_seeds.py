"""Whole programs, from the first draft to the last: what makes them wait is found, its cures leave no wait and the same losses.

`tests/seeds` holds programs as people first write them, and one as it looks when all waits are out of it. They are linted
as they are, for a GPU, and run on the CPU with the name of the device replaced.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text
from torchperf_lint.fixes.apply import fix_text
from torchperf_lint.model.finding import Finding, Safety
from torchperf_lint.rule import all_rules
from torchperf_lint.syntax.source import Source

torch = pytest.importorskip("torch")

SEEDS = Path(__file__).parent / "seeds"
DEFAULT = frozenset(rule.code for rule in all_rules() if rule.default)


def read(name: str) -> str:
    return (SEEDS / f"{name}.py").read_text(encoding="utf-8")


def lint(text: str, codes: frozenset[str] = DEFAULT) -> list[Finding]:
    return lint_text.lint(Source(text, "program.py"), Config(root=Path.cwd(), rules=codes))


def found(text: str, *, code: str) -> list[str]:
    """What the findings of a rule underline, in the order of the text."""
    source = Source(text, "program.py")
    return [source.cut(each.span) for each in lint(text, DEFAULT | {code}) if each.code == code]


def waits(text: str, *classes: str) -> list[str]:
    """What waits for the GPU inside of some classes."""
    inside = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name in classes]
    assert len(inside) == len(classes)
    source = Source(text, "program.py")
    return [
        source.cut(each.span)
        for each in lint(text, frozenset({"TPL100"}))
        if any(node.lineno <= each.span.start.line <= (node.end_lineno or 0) for node in inside)
    ]


@cache
def cured(name: str) -> str:
    result = fix_text(read(name), "program.py", lambda source: lint(source.text), Safety.UNSAFE)
    assert not result.failures, [failure.reason for failure in result.failures]
    return result.text


def run(text: str) -> dict[str, Any]:
    """What a program defines, on the CPU."""
    assert text.count('"cuda"') >= 1
    program: dict[str, Any] = {"__name__": "program"}
    exec(compile(text.replace('DEVICE = "cuda"', 'DEVICE = "cpu"'), "program.py", "exec"), program)
    return program


# ---- the masked loss


LOSS = ("SparseLabelLoss",)


def test_each_wait_of_the_masked_loss_is_found_with_its_cure() -> None:
    text = read("masked_loss")
    assert found(text, code="TPL109") == [
        "labels[counted]",
        "rows[counted.unsqueeze(-1).expand(-1, -1, -1, self.classes)]",
    ]
    assert found(text, code="TPL111") == [
        "torch.nonzero(labels == self.classes - 1, as_tuple=True)",
        "labels[places]",
        "torch.unique(labels)",
    ]
    named = [each for each in lint(text) if each.code in ("TPL109", "TPL111")]
    assert all(each.fix is not None and each.fix.safety >= Safety.UNSAFE for each in named)
    lines = {each.span.start.line for each in named}
    assert lines == {
        each.span.start.line for each in lint(text, frozenset({"TPL100"})) if 37 <= each.span.start.line <= 60
    }
    assert not [each for each in lint(text) if each.code.startswith("TPL1") and each not in named], (
        "one wait, one finding"
    )


def test_the_last_draft_is_silent() -> None:
    text = read("masked_loss_final")
    assert waits(text, *LOSS) == []
    assert [each for each in lint(text) if each.code.startswith("TPL1")] == []


def test_no_wait_is_left_in_the_cured_loss() -> None:
    assert len(waits(read("masked_loss"), *LOSS)) == 5
    text = cured("masked_loss")
    assert waits(text, *LOSS) == []
    assert [each for each in lint(text) if each.code.startswith("TPL1")] == []


def labels_of(kind: str, seed: int) -> Any:
    """Labels of a batch: some left out, all, none, or of one kind alone."""
    generator = torch.Generator().manual_seed(seed)
    shape = (2, 8, 8)
    match kind:
        case "some":
            return torch.randint(-1, 6, shape, generator=generator)
        case "all left out":
            return torch.full(shape, -1)
        case "all background":
            return torch.full(shape, 5)
        case "none left out":
            return torch.randint(0, 5, shape, generator=generator)
    return torch.full(shape, 2)


def loss_of(program: dict[str, Any], labels: Any, seed: int) -> tuple[Any, Any, Any]:
    """The loss of one batch, the gradient of the scores, and what became of the labels."""
    scores = torch.randn(2, 6, 8, 8, generator=torch.Generator().manual_seed(seed + 100), requires_grad=True)
    labels = labels.clone()
    loss = program["SparseLabelLoss"]()(scores, labels)
    loss.backward()
    return loss.detach(), scores.grad, labels


KINDS = ["some", "all left out", "all background", "none left out", "one kind"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", ["cured", "final"])
def test_the_masked_loss_stays_what_it_was(kind: str, version: str) -> None:
    before = run(read("masked_loss"))
    after = run(cured("masked_loss") if version == "cured" else read("masked_loss_final"))
    for seed in range(4):
        labels = labels_of(kind, seed)
        old, new = loss_of(before, labels, seed), loss_of(after, labels, seed)
        torch.testing.assert_close(new[0], old[0], equal_nan=True)
        torch.testing.assert_close(new[1], old[1], equal_nan=True)
        if version == "cured":
            assert torch.equal(new[2], old[2]), "labels are overwritten as before"


def test_training_goes_the_same_way() -> None:
    losses = []
    for text in (read("masked_loss"), cured("masked_loss"), read("masked_loss_final")):
        program = run(text)
        torch.manual_seed(3)
        losses.append(torch.stack(program["train"](5)))
    assert torch.isfinite(losses[0]).all()
    torch.testing.assert_close(losses[1], losses[0], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(losses[2], losses[0], rtol=1e-4, atol=1e-5)


# ---- the masked depth


def test_each_mask_of_the_depth_program_is_found() -> None:
    text = read("masked_depth")
    assert found(text, code="TPL110") == ["hidden[low]", "hidden[hidden > 3]"]
    assert found(text, code="TPL104") == ["broken.any()"]
    assert found(text, code="TPL108") == [
        "error[near].pow(2).sum()",
        "error[~near].mean()",
        "torch.log(error[error > 0.5]).sum()",
    ]
    assert found(text, code="TPL111") == ["error[near]"]
    counted = Counter(each.code for each in lint(text) if each.code.startswith("TPL1"))
    assert counted == {"TPL110": 2, "TPL104": 1, "TPL108": 3, "TPL111": 1}


def test_no_wait_is_left_in_the_cured_depth_program() -> None:
    classes = ("DepthNet", "DepthLoss")
    assert len(waits(read("masked_depth"), *classes)) == 8
    assert waits(cured("masked_depth"), *classes) == []


def error_of(text: str, shift: float, seed: int) -> tuple[Any, list[Any]]:
    """The loss and the gradients of all parameters, for guesses that are off by so much."""
    program = run(text)
    torch.manual_seed(seed)
    model, images = program["DepthNet"](), torch.randn(2, 3, 8, 8)
    depth = torch.rand(2, 8, 8) + shift
    depth[0, 0, 0] = float("nan")
    loss = program["DepthLoss"]()(model(images), depth)
    loss.backward()
    return loss.detach(), [parameter.grad for parameter in model.parameters()]


@pytest.mark.parametrize("shift", [0.0, 1.0, 50.0, -0.5])
def test_the_masked_depth_stays_what_it_was(shift: float) -> None:
    for seed in range(3):
        old, new = error_of(read("masked_depth"), shift, seed), error_of(cured("masked_depth"), shift, seed)
        torch.testing.assert_close(new, old, rtol=1e-4, atol=1e-6, equal_nan=True)


# ---- every program


@pytest.mark.parametrize("path", sorted(SEEDS.glob("*.py")), ids=lambda path: path.stem)
def test_a_second_run_changes_nothing(path: Path) -> None:
    text = cured(path.stem)
    assert fix_text(text, "program.py", lambda source: lint(source.text), Safety.UNSAFE).text == text
