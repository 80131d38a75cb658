"""What a binding of a name reaches: the uses behind it in the source, up to the next binding that a run may come to.

    if first:
        x = 1                this one reaches f(x) and no other: the two below stand in another arm, where no run
        f(x)                 comes to that has been here
    else:
        x = 2
        g(x)
    h(x)                     and both reach this

    [x.item() for x in y]    a name of its own, which those outside neither reach nor see

So arms may change places. Where a later `if` may or may not bind the name anew, what is behind it counts for that one.
Syntax and names alone; knows nothing of values.
"""

from __future__ import annotations

import ast
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any, Final, TypeVar

from torchperf_lint.facts.index.arms import Arm, arm_of, arm_of_binding, around
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, end_of, place_of

Place = tuple[int, int]
"""A line and a column, to tell before from behind."""

END: Final = (sys.maxsize, 0)
MANY: Final = 300
"""Of a name that is bound so often, a binding counts for its own arm alone: else each would be held against all others."""


def bound_at(module: Module, store: ast.AST) -> Place:
    """From where on a binding holds: of an assignment from its end, for what it assigns is read before."""
    above = module.parents.get(store)
    while isinstance(above, (ast.Tuple, ast.List, ast.Starred)):
        above = module.parents.get(above)
    return end_of(above) if isinstance(above, (ast.Assign, ast.AnnAssign, ast.AugAssign)) else place_of(store)


def bindings(function: Function, name: str) -> list[tuple[Place, ast.AST]]:
    """What binds a name in a function, in the order of the source, each with the place from which on it holds."""
    return _bindings(function.module, (function, name))


@once
def _bindings(module: Module, asked: tuple[Function, str]) -> list[tuple[Place, ast.AST]]:
    function, name = asked
    every = [(bound_at(module, store), store) for store in function.scope.stores.get(name, ())]
    return sorted(every, key=place)


def is_as_passed(function: Function, read: ast.Name) -> bool:
    """Whether a read of a parameter gives what was passed: what binds the name anew comes later, and no loop leads back."""
    later = bindings(function, read.id)[1:]
    if not later:
        return True
    module = function.module
    within = takewhile(lambda above: above is not function.node, module.ancestors(read))
    is_first = module.function_of(read) is function and place_of(read) < place(later[0])
    return is_first and not any(isinstance(above, (ast.For, ast.AsyncFor, ast.While)) for above in within)


def place(bound: tuple[Place, ast.AST]) -> Place:
    return bound[0]


@once
def _in_statements(module: Module, asked: tuple[Function, str]) -> list[tuple[Place, ast.AST]]:
    """Those of them that hold outside of comprehensions."""
    return [each for each in bindings(*asked) if _comprehension(module, each[1]) is None]


def _comprehension(module: Module, store: ast.AST) -> ast.AST | None:
    """The comprehension that binds a name for itself."""
    above = module.parents.get(store)
    while isinstance(above, (ast.Tuple, ast.List, ast.Starred)):
        above = module.parents.get(above)
    return module.parents.get(above) if isinstance(above, ast.comprehension) else None


def _is_of(comprehension: ast.AST, at: Place) -> bool:
    """Whether a place sees the names of a comprehension: what it goes through first does not."""
    assert isinstance(comprehension, COMPREHENSIONS)
    first = comprehension.generators[0].iter
    is_first = place_of(first) <= at <= end_of(first)
    return place_of(comprehension) <= at <= end_of(comprehension) and not is_first


@once
def _is_of_any(module: Module, read: ast.AST) -> bool:
    """Whether a read of a name sees one that a comprehension around it binds."""
    assert isinstance(read, ast.Name)
    for above in module.ancestors(read):
        if isinstance(above, ast.stmt):
            return False
        if isinstance(above, COMPREHENSIONS) and _is_of(above, place_of(read)):
            targets = (part for each in above.generators for part in ast.walk(each.target))
            if any(isinstance(part, ast.Name) and part.id == read.id for part in targets):
                return True
    return False


Use = TypeVar("Use", bound=tuple[Any, ...])
"""Something that is said of a read: its place first, the read last."""


def of(
    function: Function,
    name: str,
    binding: ast.AST,
    uses: list[Use],
    passes: Callable[[ast.AST], bool] = lambda _: False,
) -> list[Use]:
    """Which uses of a name, given in the order of the source, a binding reaches. `passes` says which bindings behind it
    leave the name what it is."""
    module = function.module
    own = _comprehension(module, binding)
    if own is not None:
        return _within(own, uses)
    stores = _in_statements(module, (function, name))
    is_shared = len(stores) < len(bindings(function, name))
    arm = arm_of_binding(module, binding)
    others = _Others()
    found: list[Use] = []
    for start, end in _stretches(bound_at(module, binding), arm, is_short=len(stores) > MANY):
        use = bisect_left(uses, start, key=_place_of_use)
        for at in range(bisect_right(stores, start, key=place), len(stores) + 1):
            bound_from, store = stores[at] if at < len(stores) else (END, binding)
            limit = min(bound_from, end, others.stop)
            while use < len(uses) and uses[use][0] <= limit:
                read = uses[use][-1]
                if not others.hide(arm_of(module, read)) and not (is_shared and _is_of_any(module, read)):
                    found.append(uses[use])
                use += 1
            if limit < bound_from or limit == END:
                break
            if store is not binding and not passes(store):
                others.see(arm_of_binding(module, store), arm)
        if others.stop <= end:
            break
    return found


def _within(comprehension: ast.AST, uses: list[Use]) -> list[Use]:
    """The uses of a name that a comprehension binds."""
    first = bisect_left(uses, place_of(comprehension), key=_place_of_use)
    last = bisect_right(uses, end_of(comprehension), key=_place_of_use)
    return [use for use in uses[first:last] if _is_of(comprehension, use[0])]


def _stretches(start: Place, arm: Arm | None, *, is_short: bool) -> Iterator[tuple[Place, Place]]:
    """The parts of a function that a run comes to behind a binding: from and to where."""
    while arm is not None:
        yield start, arm.end
        if is_short:
            return
        start, arm = arm.after, arm.outer
    yield start, END


class _Others:
    """The bindings of a name that stand behind one, and what is hidden from that by them."""

    def __init__(self) -> None:
        self.stop = END
        """Behind this nothing is reached any more."""
        self._arms: set[Arm | None] = set()
        self._branches: dict[Arm | None, set[ast.AST]] = {}
        """By arm: the statements directly in it, in some arms of which the name is bound."""

    def see(self, arm: Arm | None, first: Arm | None) -> None:
        """Another binding, in an arm; the first one stands in another."""
        inside = set(around(first))
        outermost: Arm | None = None
        for each in around(arm):
            if each not in inside:
                outermost = each
            self._branches.setdefault(each.outer, set()).add(each.branch)
        self._arms.add(arm)
        self.stop = min(self.stop, outermost.after) if outermost is not None else (0, 0)

    def hide(self, arm: Arm | None) -> bool:
        """Whether a run that comes to an arm may have come to one of the bindings."""
        if arm in self._arms or self._branches.get(arm):
            return True
        for each in around(arm):
            branches = self._branches.get(each.outer, set())
            if each.outer in self._arms or branches - {each.branch}:
                return True
        return False


def _place_of_use(use: tuple[Any, ...]) -> Place:
    found: Place = use[0]
    return found
