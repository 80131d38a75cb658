"""A name that is bound to what something out of sight makes of what it held: `x = process(x)`.

Who makes another kind of thing of it mostly gives it another name. Knows nothing of torch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import HOST_OR_UNKNOWN, Value

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


def tensor(run: Run, target: ast.Name, value: Value) -> Value | None:
    """A tensor, where the name held one."""
    match run.module.parents.get(target):
        case ast.Assign(value=ast.Call(args=[ast.Name(id=name) as given, *_]) as call) if name == target.id:
            held = run.look(given)
            if held.kind == "tensor":
                why = run.why(call, "made of the tensor that had the name before")
                device = value.device or (HOST_OR_UNKNOWN if held.device is not None else None)
                return Value("tensor", Sure.LIKELY, device=device, where=value.where, why=why)
    return None
