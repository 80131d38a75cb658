"""What `self.x` holds: all that the class binds it to, in assignments of methods, in its body, by `register_buffer`.

`__init__` need not have run: each method that binds it is run for the record. What bases bind is for `Analysis` to ask.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.join import any_item, join
from torchperf_lint.facts.domain.value import ANY, BOTTOM, CPU, CUDA, MAYBE, NO, Value
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import place_of
from torchperf_lint.facts.interpret import classes, kept_entries, sent_back

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis


def own_attribute(analysis: Analysis, owner: Class, name: str) -> Value | None:
    """What an attribute that a class has itself can hold; None if it has none of that name."""
    method = owner.methods.get(name)
    if method is not None:
        return Value("function", ref=method)
    found: Value | None = None
    moved: Evidence | None = None
    away = sent_back.sites_away(owner, name)
    places = classes.sites(owner).get(name, ())
    wrapped = max((place_of(site) for function, site in places if _wraps_itself(function, site)), default=(0, 0))
    for function, site in places:
        if site in away or (function.name == "__init__" and place_of(site) < wrapped):
            continue
        move = _own_move(function, site)
        if move is not None:
            moved = Evidence(move, "moved to the device", function.module.path)
            continue
        value = _bound_at(analysis, owner, function, site)
        if value is not None:
            found = value if found is None else join(found, value)
    if moved is not None and found is not None and found.kind == "tensor" and found.device in (CPU, None):
        return found.but(device=MAYBE, where=moved, sure=Sure.LIKELY)
    if found is not None and found.kind == "list" and found.items == () and found.elem is None:
        found = found.but(items=None, elem=_put_in(analysis, owner, name)) if _is_filled(owner, name) else found
    found = kept_entries.with_entries(analysis, owner, name, found)
    # Something outside of the class must give it a value: nobody keeps an attribute to hold None.
    return ANY.but(none=True) if found is not None and found.kind == "none" else found


def _wraps_itself(function: Function, site: ast.AST) -> bool:
    """`self.layers = nn.ModuleList(self.layers)` at the end of a constructor: what it held before, no other method finds."""
    if function.name != "__init__" or not isinstance(site, ast.Attribute):
        return False
    match function.module.parents.get(site):
        case ast.Assign(targets=[_], value=ast.Call(args=[ast.Attribute() | ast.Starred() as given])) as statement:
            held = given.value if isinstance(given, ast.Starred) else given
            is_itself = isinstance(held, ast.Attribute) and held.attr == site.attr
            return is_itself and function.module.parents.get(statement) is function.node
    return False


def away_from_host(analysis: Analysis, owner: Class, name: str, function: Function, node: ast.AST) -> Value | None:
    """What an attribute holds where its own method has it on the GPU for a while; None elsewhere."""
    site = sent_back.away_at(owner, name, function, node)
    return _bound_at(analysis, owner, function, site) if site is not None else None


_ONE: Final = ("append", "appendleft", "add")
_SEVERAL: Final = ("extend",)


def _is_filled(owner: Class, name: str) -> bool:
    return any(True for _ in _fillings(owner, name))


def _put_in(analysis: Analysis, owner: Class, name: str) -> Value:
    """What any item is of a list that begins empty and that the methods of a class fill."""
    found: Value | None = None
    for function, call in _fillings(owner, name):
        given = analysis.seen(call.args[0], function)
        item = ANY if given is None else any_item(given) if call.func.attr in _SEVERAL else given  # type: ignore[attr-defined]
        found = item if found is None else join(found, item)
    return ANY if found is None else found.but(const=NO, sure=Sure.LIKELY)  # others may put in more


def _fillings(owner: Class, name: str) -> Iterator[tuple[Function, ast.Call]]:
    """The calls by which the methods of a class put something into what an attribute holds."""
    for method in (*_ONE, *_SEVERAL):
        for call in owner.module.calls.get(method, ()):
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(), attr=attr)), args=[_]) if (
                    attr == name
                ):
                    function = owner.module.function_of(call)
                    if function.owner is owner:
                        yield function, call


_MOVERS: Final = ("to", "cuda")
"""Methods by which objects that are no modules go to the GPU with all that they hold."""


def _own_move(function: Function, site: ast.AST) -> ast.Call | None:
    """`self.x = self.x.to(device)` in a method `to`: who has such a method calls it before the work begins."""
    if function.name not in _MOVERS or not isinstance(site, ast.Attribute):
        return None
    parent = function.module.parents.get(site)
    match parent:
        case ast.Assign(
            targets=[_], value=ast.Call(func=ast.Attribute(value=ast.Attribute() as moved, attr=how)) as call
        ):
            same = moved.attr == site.attr and ast.dump(moved.value) == ast.dump(site.value)
            return call if same and how in _MOVERS else None
    return None


def _bound_at(analysis: Analysis, owner: Class, function: Function, site: ast.AST) -> Value | None:
    """What one place of a class binds an attribute to."""
    if isinstance(site, ast.Call):
        given = next((analysis.seen(arg, function) for arg in site.args[1:2]), None)
        if given is BOTTOM:
            return BOTTOM
        if given is None or given.kind == "unknown":
            given = Value("tensor", Sure.LIKELY)
        where = Evidence(site, "registered, so it moves with the module", function.module.path)
        return given.but(device=None, where=where, why=given.why or where, const=NO)
    value = analysis.seen_in_class(site, owner) if isinstance(site, ast.Name) else analysis.seen(site, function)
    if value is BOTTOM:
        return BOTTOM
    parent = function.module.parents.get(site)
    if isinstance(site, ast.Name) and isinstance(parent, ast.AnnAssign):
        declared = analysis.annotation(function, parent.annotation)
        if declared.kind != "unknown":
            # A field: what it is by default is the least of it. A class that derives may say otherwise.
            if value is not None and declared.kind in ("device", "string") and value.device in (CUDA, MAYBE):
                return declared.but(device=MAYBE, where=value.where)  # the GPU, where nobody names the CPU
            return declared.but(none=declared.none or (value is not None and value.kind == "none"))
        value = value.but(const=NO) if value is not None and value.kind in ("number", "string") else value
    if isinstance(site, ast.Name) and value is not None:
        value = value.but(sure=Sure.LIKELY)
    if value is not None and value.kind == "number":
        # A counter or a flag; other methods change it.
        return value if _is_fixed(function, site) else value.but(const=NO)
    return value


def _is_fixed(function: Function, site: ast.AST) -> bool:
    """Whether a number is bound in the constructor or the class body, and not in a loop or by `+=`."""
    in_setup = function.name in ("__init__", "__post_init__") or function.owner is None
    return in_setup and not isinstance(function.module.parents.get(site), ast.AugAssign)
