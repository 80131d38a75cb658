"""`functools.partial`: a function that keeps some of its arguments until it is called.

It stands for the function itself, with what it keeps as its items; only what is kept by name is followed. Knows nothing
of torch.
"""

from __future__ import annotations

from torchperf_lint.facts.domain.value import ANY, Value
from torchperf_lint.facts.interpret.arguments import Args


def made(args: Args) -> Value:
    """`partial(nn.LayerNorm, eps=1e-6)`."""
    function = args.at(0)
    if (
        function is None
        or function.kind not in ("symbol", "class", "function")
        or len(args.positional) > 1
        or args.is_open
    ):
        return ANY
    kept = {**(function.items if isinstance(function.items, dict) else {}), **args.named}
    return function.but(items=kept or None)


def given(callee: Value, args: Args) -> Args:
    """The arguments of a call, with those that the callee kept."""
    if isinstance(callee.items, dict) and callee.kind in ("symbol", "class", "function"):
        return Args(args.positional, {**callee.items, **args.named}, args.is_open)
    return args
