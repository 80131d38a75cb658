"""Collectives, their group, and the backend of that: a group of gloo works on tensors of the host, one of NCCL on the GPU's.

    dist.init_process_group("nccl")
    on_host = dist.new_group(backend="gloo")
    dist.all_reduce(x)                      nccl
    dist.all_reduce(x, group=on_host)       gloo

What comes from settings is None: nobody knows.
"""

from __future__ import annotations

import ast

from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.knowledge.distributed import GLOO, GROUP, NCCL


def collective(module: Module, call: ast.Call) -> str | None:
    """The name of the function of `torch.distributed` that a call calls; None where it calls another."""
    name = names.dotted(module.function_of(call), call.func) or ""
    return name.removeprefix(GROUP) if name.startswith(GROUP) and name.count(".") == GROUP.count(".") else None


def backend(module: Module, call: ast.Call) -> str | None:
    """The backend over which a collective goes; None where the file does not tell."""
    group = next((each.value for each in call.keywords if each.arg == "group"), None)
    if group is None:
        return _default(module, module.tree)
    made = _made(module, group)
    if made is None or last_name(made.func) != "new_group":
        return None
    return _named(_argument(made, "backend", 2)) or _default(module, module.tree)


def is_on_host(module: Module, call: ast.Call) -> bool:
    """Whether a collective is known to work on tensors of the host."""
    return backend(module, call) == GLOO


def all_on_host(module: Module) -> bool:
    """Whether the group that all ranks are in is known to be one of gloo."""
    return _default(module, module.tree) == GLOO


def has_nccl(module: Module) -> bool:
    """Whether a file makes a group of NCCL, by name or because that is what torch takes for a GPU."""
    made = [
        each
        for name in ("init_process_group", "new_group")
        for each in module.calls.get(name, ())
        if collective(module, each)
    ]
    return any(
        _argument(each, "backend", 0 if last_name(each.func) != "new_group" else 2) is None or _names_nccl(each)
        for each in made
    )


def _names_nccl(made: ast.Call) -> bool:
    given = [*made.args, *(each.value for each in made.keywords)]
    return any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) and NCCL in each.value.lower() for each in given
    )


def _made(module: Module, group: ast.expr) -> ast.Call | None:
    """The call that makes a group, where one does."""
    if isinstance(group, ast.Name):
        home = names.scope_of(module.function_of(group), group.id)
        stores = home.scope.stores[group.id] if home is not None else ()
        values = [definitions.unpacked(module, each) for each in stores]
    elif isinstance(group, ast.Attribute):
        stored = (each for each in module.attributes.get(group.attr, ()) if isinstance(each.ctx, ast.Store))
        values = [definitions.unpacked(module, each) for each in stored]
    else:
        values = [group]
    made = [each for each in values if not (isinstance(each, ast.Constant) and each.value is None)]
    return made[0] if len(made) == 1 and isinstance(made[0], ast.Call) else None


@once
def _default(module: Module, _: ast.AST) -> str | None:
    """The backend of the group that all ranks are in, where every place that makes it in the file says the same."""
    made = [each for each in module.calls.get("init_process_group", ()) if collective(module, each)]
    said = {_named(_argument(each, "backend", 0)) for each in made}
    return said.pop() if len(said) == 1 else None


def _argument(call: ast.Call, name: str, place: int) -> ast.expr | None:
    named = next((each.value for each in call.keywords if each.arg == name), None)
    return named if named is not None or len(call.args) <= place else call.args[place]


def _named(said: ast.expr | None) -> str | None:
    """The backend that a text names; `cpu:gloo,cuda:nccl` names two."""
    if not isinstance(said, ast.Constant) or not isinstance(said.value, str):
        return None
    word = said.value.lower()
    return word if word in (GLOO, NCCL) else None
