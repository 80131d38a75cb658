"""Distributions of torch: where their samples are.

Normal(mean, std).sample()                 where `mean` is
Normal(0.0, 1.0).sample(x.shape)           on the CPU, of as many dimensions as `x`
Normal(0.0, 1.0).log_prob(x)               where `x` is: numbers go with any tensor
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import ANY, CPU, Value
from torchperf_lint.facts.interpret import attributes, devices
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.interpret.operands import number_of_sizes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_SAMPLING: Final = ("sample", "rsample", "sample_n")
_ASKING: Final = ("log_prob", "cdf", "icdf")


def made(run: Run, node: ast.Call, value: Value, args: Args) -> Value:
    """A distribution of such arguments."""
    inside = devices.tensors_in(list(args.every))
    given = (*args.positional, *(each for name, each in args.named.items() if name != "validate_args"))
    if given and not args.is_open and all(each.kind == "number" for each in given):
        device = devices.default(run)
        where = run.why(node, "made of numbers, and no device is given") if device == CPU else None
        return value.but(device=device, where=where, rank=0)
    placed, shown = devices.joined(inside)
    grad = True if not run.no_grad and any(each.grad for each in inside) else None
    return value.but(device=placed, where=shown, grad=grad)


def method(
    run: Run, node: ast.Call, receiver: Value, name: str, args: Args, gives: str | tuple[str, ...] | None
) -> Value:
    """What a method gives of which the return kind is known."""
    is_of_numbers, asked = receiver.rank == 0, args.at(0)
    if name in ("sample", "sample_n"):
        receiver = receiver.but(grad=False)
    if is_of_numbers and name in _ASKING:
        placed, shown = devices.joined(devices.tensors_in([asked or ANY]))
        return attributes.from_return(run, gives, receiver.but(device=placed, where=shown), node)
    found = attributes.from_return(run, gives, receiver, node)
    if not is_of_numbers or name not in _SAMPLING:
        return found
    return found.but(rank=number_of_sizes(asked) if asked is not None else 0)
