"""Whether a difference is seen, whatever it is, and what is none is let pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torchperf_lint.verify import parity  # noqa: E402


def arrange(settings: Mapping[str, Any]) -> tuple[Any, ...]:
    size = settings["size"]
    return torch.randn(size, 6), torch.rand(size, 6) > 0.5


def compared(
    before: Callable[..., Any],
    after: Callable[..., Any],
    *,
    exact: bool = False,
    made: Callable[..., Any] = arrange,
    unlike: Mapping[str, str] = {},
) -> parity.Parity:
    cases = parity.cases({"size": 8}, {"size": 3}, {"size": (0, 1)})
    return parity.compare(parity.Subject(before, made), parity.Subject(after, made), cases, exact=exact, unlike=unlike)


def test_the_same_program_is_the_same_bit_by_bit() -> None:
    found = compared(lambda x, m: torch.where(m, x, 0).sum(), lambda x, m: torch.where(m, x, 0).sum(), exact=True)
    assert found.same
    assert found.difference == 0
    assert found.compared == len(parity.cases({"size": 8}, {"size": 3}, {"size": (0, 1)}))


def test_rounding_is_no_difference_but_not_the_same_bits() -> None:
    def before(x: Any, m: Any) -> Any:
        return (x * 3 + x) / 7

    def after(x: Any, m: Any) -> Any:
        return x * (4 / 7)

    assert compared(before, after).same
    assert not compared(before, after, exact=True).same


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (lambda x, m: x * 2 + 0.01, "off by up to"),
        (lambda x, m: (x * 2)[:, :5], "shape"),
        (lambda x, m: (x * 2).long(), "torch.float32 before, torch.int64 after"),
        (lambda x, m: (x * 2).nan_to_num(), "NaN in one"),
        (lambda x, m: torch.where(x.isinf(), 0.0, x * 2), "infinity"),
        (lambda x, m: (x * 2, torch.rand(1))[0], "other random numbers"),
        (lambda x, m: x * 2 if len(x) else 1 / 0, "ZeroDivisionError after on size = 0"),
        (lambda x, m: x.view(-1).view_as(x) * 2, "strides"),
        (lambda x, m: x * 2 if m.any() else None, "empty masks"),
        (lambda x, m: x.mul_(2), "argument"),
    ],
)
def test_a_difference_is_seen(after: Callable[..., Any], said: str) -> None:
    found = compared(lambda x, m: x * 2, after)
    assert not found.same
    assert said in (found.reason or "")


def test_other_gradients_are_a_difference() -> None:
    def made(settings: Mapping[str, Any]) -> tuple[Any, ...]:
        return (torch.randn(settings["size"], 3, requires_grad=True),)

    assert compared(lambda x: x * 2, lambda x: x * 2, made=made).same
    found = compared(lambda x: x * 2, lambda x: (x * 2).detach() + 0 * x, made=made)
    assert "gradient" in (found.reason or "")


def test_other_weights_after_training_are_a_difference() -> None:
    def made(settings: Mapping[str, Any]) -> tuple[Any, ...]:
        model = torch.nn.Linear(4, 4)
        return model, torch.optim.Adam(model.parameters()), torch.randn(settings["size"], 4)

    def step(model: Any, optimizer: Any, x: Any, times: int = 1) -> None:
        for _ in range(times):
            model(x).sum().backward()
            optimizer.step()
            optimizer.zero_grad()

    assert compared(step, step, made=made).same
    assert not compared(step, lambda *given: step(*given, times=2), made=made).same


def test_memory_shared_with_an_argument_matters_to_a_safe_fix_alone() -> None:
    assert not compared(lambda x, m: x.clone(), lambda x, m: x, exact=True).same
    assert compared(lambda x, m: x.clone(), lambda x, m: x).same


def test_the_same_error_is_no_difference() -> None:
    def fails(x: Any, m: Any) -> Any:
        raise ValueError("no")

    found = compared(fails, fails)
    assert found.same
    assert found.compared == 0


def test_a_difference_that_is_meant_is_left_out_and_said() -> None:
    def before(x: Any, m: Any) -> Any:
        return x

    def after(x: Any, m: Any) -> Any:
        return x.nan_to_num(posinf=float("inf"))

    found = compared(before, after, unlike={"NaN": "that is the point"})
    assert found.same
    assert found.skipped == {"NaN": "that is the point"}


def test_half_precision_is_held_against_float64_and_not_against_itself() -> None:
    def made(settings: Mapping[str, Any]) -> tuple[Any, ...]:
        return (torch.randn(settings["size"], 64, dtype=torch.bfloat16),)

    assert compared(lambda x: x.float().softmax(-1).to(x.dtype), lambda x: x.softmax(-1), made=made).same
    assert not compared(lambda x: x * 2, lambda x: x * 2.2, made=made).same


def test_minus_zero_is_not_the_same_bits() -> None:
    assert not compared(lambda x, m: x * 0, lambda x, m: (x * 0).abs(), exact=True).same
