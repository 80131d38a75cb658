"""Which models are wrapped for many GPUs, how, and from where on.

    net = Net()
    out = net(x)                     not yet
    model = DDP(net)
    out = model(x)                   by DDP; `net(x)` and `model.module(x)` are not
    train(model)                     and what a parameter stands for, by the calls in sight, those in other files too

Knows syntax, names and the calls of functions. What nothing shows is None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from torchperf_lint.facts.context import callers_elsewhere
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.knowledge.distributed import REPLICATED, SHARDED, SHARDED_IN_PLACE

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

How = Literal["ddp", "fsdp", "fully_shard"]
DEEP: Final = 3
"""So many names, parameters and calls lie between a use and its wrapper."""
_KEEP: Final = frozenset(("to", "cuda", "train", "eval", "float", "half", "bfloat16", "compile"))
"""Methods and functions that hand a wrapped model on."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A model that is wrapped."""

    how: How
    call: ast.Call
    """What wraps it."""


_NAMES: Final = frozenset(name.rpartition(".")[2] for name in REPLICATED | SHARDED | SHARDED_IN_PLACE)


def may_wrap(module: Module) -> bool:
    """Whether a file has a word for wrapping a model: where it has none, nothing more need be asked."""
    return not module.spelled(_NAMES).isdisjoint(module.calls)


def kind_of(module: Module, call: ast.Call) -> How | None:
    """How a call wraps its model; None where it wraps none."""
    name = names.dotted(module.function_of(call), call.func)
    if name in REPLICATED:
        return "ddp"
    if name in SHARDED:
        return "fsdp"
    return "fully_shard" if name in SHARDED_IN_PLACE else None


def model_of(call: ast.Call) -> ast.expr | None:
    """What is wrapped."""
    named = next((each.value for each in call.keywords if each.arg == "module"), None)
    return call.args[0] if call.args and not isinstance(call.args[0], ast.Starred) else named


def made(module: Module, model: ast.expr) -> ast.Call | None:
    """The call that makes a model, through names, moves, and what changes its layers; None where more than one may."""
    node = model
    for _ in range(2 * DEEP):
        match node:
            case ast.Name():
                value = definitions.definition(module, node)
                if value is None:
                    return None
                node = value
            case ast.Call(func=ast.Attribute(value=held, attr=attr)) if attr in _KEEP and not isinstance(
                held, ast.Name | ast.Attribute
            ):
                node = held
            case ast.Call(func=ast.Attribute(value=ast.Name() as held, attr=attr)) if attr in _KEEP:
                if names.dotted(module.function_of(held), held) is not None:
                    return None
                node = held
            case ast.Call(func=func, args=[first, *_]) if last_name(func) in ("convert_sync_batchnorm", "compile"):
                node = first
            case ast.Call():
                return node
            case _:
                return None
    return None


def wrapped(analysis: Analysis, module: Module, node: ast.expr, depth: int = DEEP) -> Wrapped | None:
    """What wraps a model where it is used."""
    if depth < 0:
        return None
    match node:
        case ast.Call():
            return _of_call(analysis, module, node, depth)
        case ast.IfExp(body=body, orelse=orelse):
            return wrapped(analysis, module, body, depth) or wrapped(analysis, module, orelse, depth)
        case ast.Name():
            return _of_name(analysis, module, node, depth)
        case ast.Attribute(value=ast.Name(id="self"), attr=attr):
            owner = _owner(module, node)
            values = _kept(module, owner, attr) if owner is not None else ()
            return next((found for each in values if (found := wrapped(analysis, module, each, depth - 1))), None)
    return None


def _of_call(analysis: Analysis, module: Module, call: ast.Call, depth: int) -> Wrapped | None:
    how = kind_of(module, call)
    if how is not None:
        return Wrapped(how, call)
    if last_name(call.func) in _KEEP:
        held = call.func.value if isinstance(call.func, ast.Attribute) else None
        if held is not None and names.dotted(module.function_of(call), held) is None:
            return wrapped(analysis, module, held, depth - 1)
        return wrapped(analysis, module, call.args[0], depth - 1) if call.args else None
    made = analysis.value(call.func, module).ref
    if not isinstance(made, Function) or made.module is not module or made.is_generator:
        return None
    return next(
        (
            found
            for each in walk(made.node, into_scopes=False)
            if isinstance(each, ast.Return)
            and each.value is not None
            and (found := wrapped(analysis, module, each.value, depth - 1))
        ),
        None,
    )


def _of_name(analysis: Analysis, module: Module, read: ast.Name, depth: int) -> Wrapped | None:
    """What wraps the model that a name holds where it is read, by one of the ways to there."""
    home = names.scope_of(module.function_of(read), read.id)
    if home is None:
        return None
    is_local = home is module.function_of(read)
    stores = list(definitions.may_reach(module, read)) if is_local else list(home.scope.stores[read.id])
    for store in stores:
        if isinstance(store, ast.arg):
            found = _given(analysis, home, store.arg, depth)
        else:
            value = definitions.unpacked(module, store)
            found = wrapped(analysis, module, value, depth - 1) if value is not None else None
        if found is not None:
            return found
    if is_local and read.id in home.parameters and (found := _given(analysis, home, read.id, depth)) is not None:
        return found
    return next((each for each in _in_place(module, home, read)), None)


def _in_place(module: Module, home: Function, read: ast.Name) -> Iterator[Wrapped]:
    """`fully_shard(model)` above a read of `model`."""
    for call in module.calls.get("fully_shard", ()):
        if module.function_of(call) is home and kind_of(module, call) == "fully_shard":
            model = model_of(call)
            if isinstance(model, ast.Name) and model.id == read.id and call.lineno < read.lineno:
                yield Wrapped("fully_shard", call)


def _given(analysis: Analysis, function: Function, name: str, depth: int) -> Wrapped | None:
    """What wraps the model that the calls of a function in sight hand to a parameter."""
    if depth == 0 or name not in function.positional:
        return None
    for call in analysis.sites(function):
        given = _argument(call, function, name)
        found = wrapped(analysis, function.module, given, depth - 1) if given is not None else None
        if found is not None:
            return found
    for site in callers_elsewhere.candidates(analysis, function):
        other, call = site
        given = _argument(call, function, name)
        if given is None or not may_wrap(other.module) or not callers_elsewhere.is_one(analysis, site, function):
            continue
        found = wrapped(other, other.module, given, depth - 1)
        if found is not None:
            return found
    return None


def _argument(call: ast.Call, function: Function, name: str) -> ast.expr | None:
    """What a call gives to a parameter."""
    skip = 1 if function.owner is not None and not function.is_static else 0
    place = function.positional.index(name) - skip
    named = next((each.value for each in call.keywords if each.arg == name), None)
    given = named or (call.args[place] if 0 <= place < len(call.args) else None)
    return None if isinstance(given, ast.Starred) else given


def _owner(module: Module, node: ast.AST) -> Class | None:
    method = module.function_of(node).method
    return method.owner if method is not None else None


def _kept(module: Module, owner: Class, attr: str) -> list[ast.expr]:
    """What the methods of a class bind `self.attr` to."""
    stores = (each for each in module.attributes.get(attr, ()) if isinstance(each.ctx, ast.Store))
    own = (each for each in stores if isinstance(each.value, ast.Name) and each.value.id == "self")
    values = (definitions.unpacked(module, each) for each in own if _owner(module, each) is owner)
    return [each for each in values if each is not None]
