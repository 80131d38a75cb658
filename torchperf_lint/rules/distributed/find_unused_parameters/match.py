"""Models of which it is seen that each forward pass uses every parameter."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import replicas
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import may_hide, walk
from torchperf_lint.facts.interpret import classes
from torchperf_lint.facts.knowledge import networks

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_BRANCHES: Final = (ast.If, ast.IfExp, ast.While, ast.For, ast.Try, ast.Match, ast.BoolOp, ast.ListComp, ast.Lambda)
_LAYERS: Final = "torch.nn."
_HOLDERS: Final = frozenset(("Sequential",))
_OPEN: Final = frozenset(("ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Parameter"))
"""What a forward pass may use some of."""
DEEP: Final = 4


def searches(facts: Facts, call: ast.AST) -> bool:
    """Whether a call has the reducer look for unused parameters in a model that has none."""
    assert isinstance(call, ast.Call)
    if replicas.kind_of(facts.module, call) != "ddp" or may_hide(call):
        return False
    given = {each.arg: each.value for each in call.keywords}
    if not _is_true(given.get("find_unused_parameters")) or "static_graph" in given:
        return False
    model = replicas.model_of(call)
    return model is not None and _uses_all(facts, model)


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _uses_all(facts: Facts, model: ast.expr) -> bool:
    """Whether the model that an expression is uses all that it has."""
    made = replicas.made(facts.module, model)
    if made is None:
        return False
    name = names.dotted(facts.module.function_of(made), made.func) or ""
    if name.startswith("torchvision.models."):
        return networks.uses_all_parameters(name.rpartition(".")[2])
    held = facts.analysis.value(made.func, facts.module).ref
    return isinstance(held, Class) and held.module is facts.module and _class_uses_all(facts, held, DEEP)


def _class_uses_all(facts: Facts, owner: Class, depth: int) -> bool:
    """Whether the only `forward` of a class reads each part that its constructor makes, on its one way through."""
    made, forward = owner.methods.get("__init__"), owner.methods.get("forward")
    if (
        made is None
        or forward is None
        or depth == 0
        or classes.unseen_bases(facts.analysis, owner) != ["torch.nn.Module"]
    ):
        return False
    if any(isinstance(node, _BRANCHES) for method in (made, forward) for node in walk(method.node)):
        return False
    returns = [node for node in walk(forward.node) if isinstance(node, ast.Return)]
    if len(returns) != 1 or isinstance(returns[0].value, (ast.Tuple, ast.List, ast.Dict)):
        return False
    read = {node.attr for node in walk(forward.node) if isinstance(node, ast.Attribute) and _is_self(node)}
    stores = [
        node
        for node in walk(made.node)
        if isinstance(node, ast.Attribute) and _is_self(node) and isinstance(node.ctx, ast.Store)
    ]
    parts = [(node.attr, definitions.unpacked(facts.module, node)) for node in stores]
    return all(_is_known(facts, value, attr in read, depth) for attr, value in parts)


def _is_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _is_known(facts: Facts, value: ast.expr | None, is_read: bool, depth: int) -> bool:
    """Whether what a constructor makes has no parameters that a forward pass may leave out."""
    if not isinstance(value, ast.Call):
        return value is not None and facts.analysis.value(value, facts.module).kind in ("number", "string", "none")
    name = names.dotted(facts.module.function_of(value), value.func) or ""
    short = name.rpartition(".")[2]
    if name.startswith(_LAYERS):
        if short in _OPEN:
            return False
        return is_read and (short not in _HOLDERS or all(_is_known(facts, each, True, depth) for each in value.args))
    held = facts.analysis.value(value.func, facts.module).ref
    return (
        isinstance(held, Class) and held.module is facts.module and is_read and _class_uses_all(facts, held, depth - 1)
    )
