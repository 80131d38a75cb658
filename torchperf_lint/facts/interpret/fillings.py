"""What a loop does nothing with but put things into it: lists of results, dicts by name.

    kept = []
    for x in batches:
        kept.append(net(x))        no other line of the loop looks at `kept`

After one turn all is known that will ever be in there, and what is in there changes nothing else: a second turn would tell
the same.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.index import inside

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module
    from torchperf_lint.facts.index.walk import Loop
    from torchperf_lint.facts.interpret.environment import Env
    from torchperf_lint.facts.interpret.run import Run

_KINDS: Final = ("list", "set", "dict")
_METHODS: Final = ("append", "appendleft", "add", "extend", "insert")


def are_all(run: Run, loop: Loop, head: Env, names: list[str]) -> bool:
    """Whether some names hold containers that a loop only puts things into."""
    held = [head.get(name) for name in names]
    if any(each is None or each.kind not in _KINDS for each in held):
        return False
    uses = inside.names(run.module, loop)
    return all(_puts(run.module, use) for name in names for use in uses.get(name, (None,)))


def _puts(module: Module, name: ast.Name | None) -> bool:
    """Whether a name stands where something is put into what it holds: `name.append(x)`, `name[key] = x`."""
    above = module.parents.get(name) if name is not None else None
    around = module.parents.get(above) if above is not None else None
    match above:
        case ast.Attribute(attr=attr):
            return attr in _METHODS and isinstance(around, ast.Call) and around.func is above
        case ast.Subscript(value=value):
            return value is name and isinstance(around, ast.Assign) and above in around.targets
    return False


def hold(run: Run, loop: Loop, head: Env, names: list[str], ends: list[Env]) -> None:
    """Let such names hold what the head of the loop sees wherever the loop comes by them, as they would at the next turn."""
    uses = inside.names(run.module, loop)
    for name in names:
        held = head.get(name)
        assert held is not None
        for use in uses[name]:
            if use in run.values:
                run.values[use] = held
        for end in ends:
            end[name] = held
