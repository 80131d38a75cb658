"""What the fixes of TPL702 make of a function: Dynamo breaks its graph before and not after, and it gives the same."""

from __future__ import annotations

import linecache
from typing import Any

import pytest
import torch
from fixture import Section
from linted import fixed
from oracle.breaks import recorder

pytestmark = [pytest.mark.slow, pytest.mark.rules("TPL702")]
HEAD = """\
import torch
from torch import Tensor


@torch.compile
def form(x: Tensor, y: Tensor):
    x, y = x * 1, y * 2
"""
FORMS = {
    "an expression": ("z = x * 2 if x.sum() > 0 else x - 1", "return z"),
    "an expression in a call": ("return torch.sigmoid(x + 1 if (x > 0).any() else x)",),
    "a statement": ("if x.mean() > 0:", "    x = x * y", "return x"),
    "two sides": ("if (x > 3).all():", "    z = x * y", "else:", "    z = x + y", "return z"),
    "an assertion": ("assert not x.isnan().any()", "return x"),
    "an assertion with a message": ("assert not torch.isinf(x).any(), 'infinite'", "return x"),
    "an error": ("if torch.isnan(x).any():", "    raise ValueError", "return x"),
    "an error with a message": ("if (x > 1e9).any():", "    raise ValueError('large')", "return x * 2"),
    "a print": ("print('now', x.shape)", "return x + 1"),
    "a warning of several lines": ("import warnings", "warnings.warn(", "    'slow',", ")", "return x"),
    "a variable": ("from torch.autograd import Variable", "z = Variable(x)", "return z + Variable(y * 2)"),
    "a number at once": ("return y * x.std().item()",),
    "a number by a name": ("scale = x.abs().max().item()", "z = x / scale", "return z + (y - scale)"),
}
KEPT = {
    "a message of tensors": ("assert not x.isnan().any(), f'{x}'", "return x"),
    "an error of tensors": ("if x.isnan().any():", "    raise ValueError(f'{x}')", "return x"),
    "an error and more": ("if x.isnan().any():", "    x = x + 1", "    raise ValueError", "return x"),
    "a number that may be large": ("if x.sum():", "    raise ValueError", "return x"),
    "a variable with more": ("from torch.autograd import Variable", "return Variable(x, requires_grad=False) * 2"),
    "what is printed is used": ("z = print(x)", "return x"),
    "another dtype": ("z = x if x.sum() > 0 else x.long()", "return z"),
    "another rank": ("z = x.sum() if x.sum() > 0 else x", "return z"),
    "a number on one side": ("z = x if x.sum() > 0 else 0", "return z"),
    "more than a choice": ("if x.sum() > 0:", "    x = x + 1", "    y = y + 1", "return x + y"),
    "a number that Python needs": ("n = x.abs().max().item()", "return x * n if n > 3 else x"),
    "a number that is given back": ("return x.sum().item()",),
    "a number beside a number": ("return x * (2 * x.sum().item())",),
    "what may not be bool": ("z = x * 2 if x.sum() else x", "return z"),
}


def text_of(lines: tuple[str, ...]) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


def fix(lines: tuple[str, ...]) -> str:
    text = text_of(lines)
    return fixed(Section("case", "one function", 1, text, ()), frozenset({"TPL702"})).text


def breaks(text: str) -> tuple[int, list[Any]]:
    """In how many lines Dynamo breaks a function, and what it gives for some inputs."""
    file = f"<fixed {hash(text)}>"
    plain = text.replace("@torch.compile\n", "")
    linecache.cache[file] = (len(plain), None, plain.splitlines(keepends=True), file)
    scope: dict[str, Any] = {}
    exec(compile(plain, file, "exec"), scope)
    torch.manual_seed(0)
    inputs = [(torch.randn(4, 4) + shift, torch.randn(4, 4)) for shift in (-5.0, 0.0, 5.0)]
    given: list[Any] = []
    compiled = torch.compile(scope["form"], backend="eager")
    with recorder.recorded(lambda name: name == file) as record:
        _, errors = recorder.run(lambda turn: given.append(compiled(*inputs[turn])), len(inputs))
    assert not errors
    return len(record.breaks), given


@pytest.mark.parametrize("lines", FORMS.values(), ids=FORMS)
def test_the_break_goes_and_the_result_stays(lines: tuple[str, ...]) -> None:
    after = fix(lines)
    assert after != text_of(lines)
    before, expected = breaks(text_of(lines))
    assert before
    left, given = breaks(after)
    assert not left, after
    torch.testing.assert_close(given, expected)


@pytest.mark.parametrize("lines", KEPT.values(), ids=KEPT)
def test_what_torch_would_do_otherwise_has_no_fix(lines: tuple[str, ...]) -> None:
    assert fix(lines) == text_of(lines)
