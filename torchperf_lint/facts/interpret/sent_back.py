"""Attributes that a method brings to the GPU for its own work and back to the host at its end.

    if use_cuda:
        self.ranks = self.ranks.cuda()
    for batch in loader: ...
    if use_cuda:
        self.ranks = self.ranks.cpu()

Other methods find it on the host. That counts where nothing leaves the method in between, and it calls no other of its object.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Set
from itertools import pairwise
from typing import TYPE_CHECKING

from torchperf_lint.facts.index.walk import in_orelse, place_of, walk
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.index.bindings import Turn
    from torchperf_lint.facts.index.scopes import Class, Function


def sites_away(owner: Class, name: str) -> Set[ast.AST]:
    """The places of a class that bind an attribute to what only their own method sees."""
    return {site for turns in _turns(owner).get(name, {}).values() for _, site, is_away in turns if is_away}


def away_at(owner: Class, name: str, function: Function, node: ast.AST) -> ast.AST | None:
    """The place before `node` in the same method from which on the attribute is on the GPU for a while."""
    turns = _turns(owner).get(name, {}).get(function)
    if turns is None:
        return None
    here = place_of(function.module.statement(node))  # what it binds itself comes after what it reads
    before = bisect_left(turns, here, key=lambda turn: turn[0])
    return turns[before - 1][1] if before and turns[before - 1][2] else None


def _turns(owner: Class) -> dict[str, dict[Function, list[Turn]]]:
    """By attribute and method, its bindings in their order, where one of them brings it back."""
    if owner.turns is not None:
        return owner.turns
    found: dict[str, dict[Function, list[Turn]]] = {}
    shown: dict[Function, list[tuple[int, int]]] = {}
    for name, places in classes.sites(owner).items():
        for function in {each for each, site in places if _brings_back(each, site)}:
            if function not in shown:
                shown[function] = sorted(place_of(node) for node in walk(function.node) if _shows(function, node))
            sites = sorted((site for each, site in places if each is function), key=place_of)
            found.setdefault(name, {})[function] = _in_order(function, sites, shown[function])
    owner.turns = found
    return found


def _in_order(function: Function, sites: list[ast.AST], shown: list[tuple[int, int]]) -> list[Turn]:
    found: list[Turn] = []
    back: ast.AST | None = None
    for site in reversed(sites):
        if _brings_back(function, site):
            back = site
            found.append((place_of(site), site, False))
            continue
        is_away = back is not None and _is_under(function, site, back)
        if back is not None and is_away:
            is_away = bisect_left(shown, place_of(site)) == bisect_left(shown, place_of(back))
        found.append((place_of(site), site, is_away))
    return found[::-1]


def _brings_back(function: Function, site: ast.AST) -> bool:
    """`self.x = self.x.cpu()`"""
    match function.module.parents.get(site):
        case ast.Assign(
            targets=[target], value=ast.Call(func=ast.Attribute(value=ast.Attribute() as moved, attr="cpu"))
        ):
            return target is site and ast.dump(moved) == ast.dump(site).replace("Store()", "Load()")
    return False


def _is_under(function: Function, site: ast.AST, back: ast.AST) -> bool:
    """Whether `back` stands in a block around `site`, or behind such a block under the condition under which `site` stands."""
    parents = function.module.parents
    statement = parents[back]
    around = parents.get(statement)
    above = [site, *function.module.ancestors(site)]
    if around in above:
        # Whether `site` stands in the same branch of what is around both.
        below = above[above.index(around) - 1]
        return not isinstance(around, ast.If) or in_orelse(below, around) == in_orelse(statement, around)
    if not isinstance(around, ast.If) or not isinstance(around.test, ast.Name) or in_orelse(statement, around):
        return False
    if parents.get(around) not in above or len(function.scope.stores.get(around.test.id, ())) != 1:
        return False
    return any(
        isinstance(each, ast.If) and ast.dump(each.test) == ast.dump(around.test) and not in_orelse(below, each)
        for below, each in pairwise(above)
    )


def _shows(function: Function, node: ast.AST) -> bool:
    """Whether a node may leave the function or its block, or hands its object on."""
    if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom, ast.Raise, ast.Break, ast.Continue)):
        return True
    if not (isinstance(node, ast.Name) and function.positional[:1] == (node.id,)):
        return False
    above = function.module.parents.get(node)
    if not isinstance(above, ast.Attribute):
        return True  # `show(self)`
    called = function.module.parents.get(above)
    return isinstance(called, ast.Call) and called.func is above  # `self.show()`
