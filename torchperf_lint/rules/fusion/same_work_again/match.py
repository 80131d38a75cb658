"""Work that was done before, and would give the same again.

    a, b = quantise(x), quantise(x)                  twice: a pure function of the file, on what has not changed
    dataclasses.asdict(settings)                     a deep copy, of tensors too, for each batch
    torch.save(model.state_dict(), path)             at every step
    ids = self.ids.tolist(); ...; self.ids = torch.tensor(ids + [new])       to Python and back for each change
    boxes[keep], scores[keep]                        a mask is searched for what is set at each selection
    for n in names: model.state_dict()[n]            all entries are listed for each of a few
    x.softmax(-1) * y, x.softmax(-1) * z             alike: an operation of torch, in the same words

Knows names, and what functions of the file do as far as their text shows it.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.guesses import call_names
from torchperf_lint.facts.index import blocks, inside, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import LOOPS, last_name, place_of, walk
from torchperf_lint.rules.fusion.same_work_again import alike, entries, invariant, modes, searched, settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchperf_lint.facts.facade import Facts

Sort = Literal[
    "twice", "alike", "unchanging", "moded", "copied", "saved", "there and back", "searched", "listed", "settled"
]

_COPYING: Final = ("dataclasses.asdict", "dataclasses.astuple", "copy.deepcopy")
_SAVING: Final = "torch.save"
_TO_PYTHON: Final = ("tolist", "numpy")
_FROM_PYTHON: Final = ("tensor", "as_tensor", "from_numpy", "Tensor", "LongTensor", "FloatTensor", "IntTensor")
_WORDS: Final = frozenset((*(name.rpartition(".")[2] for name in (*_COPYING, _SAVING)), *_TO_PYTHON, *entries.LISTING))
"""The last names of what is spoken of by its name."""
_FEW: Final = 3
"""A function of fewer statements than this does too little to be worth a name for what it gives."""


def sort_of(facts: Facts, call: ast.AST) -> Sort | None:
    """How a call, or a selection, does again what was done."""
    if isinstance(call, ast.Subscript):
        return "searched" if searched.is_searched_again(facts, call) else None
    if settled.is_settled(facts, call):
        return "settled"
    if not isinstance(call, ast.Call):
        return None
    dotted = names.dotted(facts.module.function_of(call), call.func)
    if dotted in _COPYING:
        return "copied" if _copies_tensors(facts, call, dotted) else None
    if dotted == _SAVING:
        return (
            "saved"
            if any(isinstance(each, ast.Attribute) and each.attr == "state_dict" for each in walk(call))
            else None
        )
    if entries.is_made_for_one(facts, call):
        return "listed"
    if last_name(call.func) in _TO_PYTHON and _goes_back(facts.module, call):
        return "there and back"
    if first_time(facts, call) is not None:
        return "twice"
    if modes.is_set_again(facts, call):
        return "moded"
    if alike.is_alike(facts, call):
        return "alike"
    return "unchanging" if invariant.is_invariant(facts, call) else None


def that_may_repeat(module: Module) -> Iterator[ast.AST]:
    """What may do again what was done: calls, by their names or of a function that is called twice in one, and selections."""
    yield from searched.candidates(module)
    yield from settled.candidates(module)
    yield from alike.candidates(module)
    yield from invariant.candidates(module)
    yield from modes.candidates(module)
    spelled = module.spelled(_WORDS)
    for name, calls in module.calls.items():
        if name in spelled:
            yield from calls
        elif len(calls) > 1 and name in module.body.scope.stores:
            yield from _together(module, calls)


def _together(module: Module, calls: list[ast.Call]) -> Iterator[ast.Call]:
    """Of plain calls of one name, those that stand in a function with another."""
    within: dict[Function, list[ast.Call]] = {}
    for call in calls:
        if isinstance(call.func, ast.Name) and _is_plain(call):
            within.setdefault(module.function_of(call), []).append(call)
    for function, together in within.items():
        if len(together) > 1 and not function.is_module:
            yield from together


def may_be_again(facts: Facts, call: ast.AST) -> bool:
    return sort_of(facts, call) is not None


def _copies_tensors(facts: Facts, call: ast.Call, dotted: str) -> bool:
    """Whether what is copied may hold tensors: what `asdict` and `astuple` are given in a step does, as a rule."""
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
    made = _made_of_lists(module, module.function_of(call))
    return made.get(ast.unparse(held), place_of(call)) > place_of(call)


@once
def _made_of_lists(_: Module, function: Function) -> dict[str, tuple[int, int]]:
    """Where a function last makes each of its attributes a tensor of what Python holds, by the text of the attribute."""
    found: dict[str, tuple[int, int]] = {}
    for node in walk(function.node, into_scopes=False):
        match node:
            case ast.Assign(targets=[ast.Attribute() as target], value=ast.Call() as made) if (
                last_name(made.func) in _FROM_PYTHON
            ):
                text = ast.unparse(target)
                found[text] = max(place_of(node), found.get(text, (0, 0)))
    return found


# ---- the same call twice


def first_time(facts: Facts, call: ast.AST) -> ast.Call | None:
    """The call further up in a function that gives what this one gives again."""
    module = facts.module
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or not _is_plain(call):
        return None
    function = module.function_of(call)
    if call.func.id not in module.body.scope.stores or function.is_module:
        return None
    first = _above(module, function, call, call.func.id)
    if first is None or _changes_between(module, function, first, call) or not _is_pure(facts, call):
        return None
    return first


def _is_plain(call: ast.Call) -> bool:
    """Whether all that a call is given are names and constants."""
    given = [*call.args, *(each.value for each in call.keywords)]
    return bool(given) and all(isinstance(each, (ast.Name, ast.Attribute, ast.Constant)) for each in given)


def _above(module: Module, function: Function, call: ast.Call, name: str) -> ast.Call | None:
    """The nearest call above of the same text through which control has come: its statement stands in a block around."""
    alike, text = _alike(module, name), ast.dump(call)
    for block, number in inside.blocks_around(module, call):
        same = alike.get((function, text, block), [])
        at = bisect_left(same, number, key=itemgetter(0))
        if at:
            return same[at - 1][1]
    return None


@once
def _alike(module: Module, name: str) -> dict[tuple[Function, str, inside.Block], list[tuple[int, ast.Call]]]:
    """The calls of a name by function, text and block, in the order of the source, with the number of the statement."""
    found: dict[tuple[Function, str, inside.Block], list[tuple[int, ast.Call]]] = {}
    for call in module.calls.get(name, ()):
        statement = module.statement(call)
        place = inside.block_of(module, statement)
        if place is None or not _is_plain(call) or isinstance(statement, (*LOOPS, ast.If)):
            continue
        key = (module.function_of(call), ast.dump(call), place[0])
        found.setdefault(key, []).append((place[1], call))
    return found


def _is_pure(facts: Facts, call: ast.Call) -> bool:
    """Whether a function of the program works out tensors of its arguments, and does nothing else."""
    callee = facts.analysis.value(call.func, facts.module).ref
    if not isinstance(callee, Function) or callee.is_generator or isinstance(callee.node, ast.Lambda):
        return False
    values = [facts.analysis.value(each, facts.module).kind for each in call.args]
    if "tensor" not in values or not _gives_tensors(facts.analysis.value(call, facts.module)):
        return False
    return _only_works_out(facts.module, callee)


@once
def _only_works_out(_: Module, callee: Function) -> bool:
    """Whether a function does enough to be worth a name for what it gives, and nothing that is seen from outside."""
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
                call_names.gives_anew(name)
                or (name.endswith("_") and not name.endswith("__"))
                or name in ("append", "update", "add", "pop")
            )
    return False


def _changes_between(module: Module, function: Function, first: ast.Call, second: ast.Call) -> bool:
    """Whether anything that a call is given may be something else at the second time, or its result is written in place."""
    bound = module.statement(first)
    given = {node.id for node in walk(second) if isinstance(node, ast.Name)}
    results = {node.id for node in walk(bound) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    if (given | results) & _written(module, function):
        return True
    stores = _stores(module, function)
    for name in given:
        places = stores.get(name, [])
        if bisect_right(places, place_of(first)) != bisect_left(places, place_of(second)):
            return True
    return blocks.loop(module, first) is not blocks.loop(module, second)


@once
def _stores(_: Module, function: Function) -> dict[str, list[tuple[int, int]]]:
    """Where a function binds its names."""
    return {name: sorted(place_of(each) for each in nodes) for name, nodes in function.scope.stores.items()}


@once
def _written(_: Module, function: Function) -> frozenset[str]:
    """The names of what a function writes in place."""
    found: set[str] = set()
    for node in walk(function.node, into_scopes=False):
        match node:
            case ast.AugAssign(target=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                found.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr.endswith("_"):
                found.add(name)
    return frozenset(found)
