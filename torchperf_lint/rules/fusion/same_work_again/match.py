"""Work that was done before, and would give the same again.

    a, b = quantise(x), quantise(x)                  twice: a pure function of the file, on what has not changed
    dataclasses.asdict(settings)                     a deep copy, of tensors too, for each batch
    torch.save(model.state_dict(), path)             at every step
    ids = self.ids.tolist(); ...; self.ids = torch.tensor(ids + [new])       to Python and back for each change

Knows names, and what functions of the file do as far as their text shows it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import blocks, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, place_of, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

Sort = Literal["twice", "copied", "saved", "there and back"]

_COPYING: Final = ("dataclasses.asdict", "copy.deepcopy")
_DRAWING: Final = (
    "rand",
    "randn",
    "randint",
    "randperm",
    "normal",
    "bernoulli",
    "multinomial",
    "dropout",
    "sample",
    "random",
    "print",
    "seed",
)
"""What gives something else each time, or tells somebody."""
_TO_PYTHON: Final = ("tolist", "numpy")
_FROM_PYTHON: Final = ("tensor", "as_tensor", "from_numpy", "Tensor", "LongTensor", "FloatTensor", "IntTensor")
_FEW: Final = 3
"""A function of fewer statements than this does too little to be worth a name for what it gives."""


def sort_of(facts: Facts, call: ast.AST) -> Sort | None:
    """How a call does again what was done."""
    if not isinstance(call, ast.Call):
        return None
    dotted = names.dotted(facts.module.function_of(call), call.func)
    if dotted in _COPYING:
        return "copied" if _copies_tensors(facts, call, dotted) else None
    if dotted == "torch.save":
        return (
            "saved"
            if any(isinstance(each, ast.Attribute) and each.attr == "state_dict" for each in walk(call))
            else None
        )
    if last_name(call.func) in _TO_PYTHON and _goes_back(facts.module, call):
        return "there and back"
    return "twice" if first_time(facts, call) is not None else None


def may_be_again(facts: Facts, call: ast.AST) -> bool:
    return sort_of(facts, call) is not None


def _copies_tensors(facts: Facts, call: ast.Call, dotted: str) -> bool:
    """Whether what is copied may hold tensors: what `asdict` is given in a step does, as a rule."""
    if not call.args:
        return False
    value = facts.analysis.value(call.args[0], facts.module)
    if dotted == "copy.deepcopy":
        return value.kind in ("tensor", "module")
    return value.kind in ("unknown", "instance")


def _goes_back(module: Module, call: ast.Call) -> bool:
    """Whether an attribute that is read as a list is made anew of a list in the same method."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name()) as held), args=[]):
            pass
        case _:
            return False
    if blocks.loop(module, call) is not None or module.function_of(call).name == "__init__":
        return False
    text = ast.unparse(held)
    for node in walk(module.function_of(call).node, into_scopes=False):
        match node:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Call() as made) if (
                ast.unparse(target) == text
            ):
                if last_name(made.func) in _FROM_PYTHON and place_of(node) > place_of(call):
                    return True
    return False


# ---- the same call twice


def first_time(facts: Facts, call: ast.AST) -> ast.Call | None:
    """The call further up in a function that gives what this one gives again."""
    module = facts.module
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not (call.args or call.keywords):
        return None
    if call.func.id not in module.body.scope.stores:
        return None
    same = [each for each in module.calls.get(call.func.id, ()) if each is not call and place_of(each) < place_of(call)]
    function = module.function_of(call)
    if not same or function.is_module:
        return None
    said = ast.dump(call)
    for each in same:
        is_same = module.function_of(each) is function and ast.dump(each) == said and _comes_first(module, each, call)
        if is_same and _is_pure(facts, call) and not _changes_between(module, function, each, call):
            return each
    return None


def _comes_first(module: Module, first: ast.Call, second: ast.Call) -> bool:
    """Whether control that comes to a call has come through the other one: its statement stands above, in a block around."""
    place = inside.block_of(module, module.statement(first))
    if (
        place is None
        or module.statement(first) is module.statement(second)
        or isinstance(module.statement(first), (*LOOPS, ast.If))
    ):
        return False
    around = [block.statements for block, _ in inside.blocks_around(module, second)]
    return any(each is place[0].statements for each in around)


def _is_pure(facts: Facts, call: ast.Call) -> bool:
    """Whether a function of the program works out tensors of its arguments, and does nothing else."""
    callee = facts.analysis.value(call.func, facts.module).ref
    if not isinstance(callee, Function) or callee.is_generator or isinstance(callee.node, ast.Lambda):
        return False
    values = [facts.analysis.value(each, facts.module).kind for each in call.args]
    if (
        "tensor" not in values
        or not _gives_tensors(facts.analysis.value(call, facts.module))
        or not all(isinstance(each, (ast.Name, ast.Attribute, ast.Constant)) for each in call.args)
    ):
        return False
    body = list(walk(callee.node, into_scopes=False))
    if sum(isinstance(each, ast.stmt) for each in body) < _FEW + 1 or callee.scope.outer:
        return False
    return not any(_acts(each) for each in body)


def _gives_tensors(value: Value) -> bool:
    items = value.items if isinstance(value.items, tuple) else ()
    return value.kind == "tensor" or any(each.kind == "tensor" for each in items)


def _acts(node: ast.AST) -> bool:
    """Whether a node does more than to work something out."""
    match node:
        case (
            ast.Attribute(ctx=ast.Store())
            | ast.Subscript(ctx=ast.Store())
            | ast.AugAssign()
            | ast.Delete()
            | ast.Yield()
        ):
            return True
        case ast.Call(func=func):
            name = last_name(func)
            return (
                name in _DRAWING
                or (name.endswith("_") and not name.endswith("__"))
                or name in ("append", "update", "add", "pop")
            )
    return False


def _changes_between(module: Module, function: Function, first: ast.Call, second: ast.Call) -> bool:
    """Whether anything that a call is given may be something else at the second time, or its result is written in place."""
    given = {node.id for each in (*second.args, second.func) for node in walk(each) if isinstance(node, ast.Name)}
    bound = module.statement(first)
    results = {node.id for node in walk(bound) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in walk(function.node, into_scopes=False):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if name in given and place_of(first) < place_of(node) < place_of(
                second
            ):
                return True
            case ast.AugAssign(target=ast.Name(id=name)) if name in given | results:
                return True
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()) if name in given | results:
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if (
                name in given | results and attr.endswith("_")
            ):
                return True
    return blocks.loop(module, first) is not blocks.loop(module, second)
