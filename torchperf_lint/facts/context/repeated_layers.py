"""Which calls that make a layer make several for one model: a step runs each.

nn.ModuleList(Block() for _ in range(12))    a turn for each
nn.TransformerEncoder(layer, num_layers)     a pattern, of which a count of layers is made
ResNet(Bottleneck, [3, 4, 6, 3])             the class is handed to `ResNet.__init__`,
self.layer1 = self._make_layer(block, 3)     on to `_make_layer`,
layers.append(block(planes))                 and made there in a loop

Knows syntax, which functions of a file are called where, and what a class is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import constructions
from torchperf_lint.facts.context.callers_elsewhere import Site
from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.index.walk import COMPREHENSIONS, LOOPS, last_name
from torchperf_lint.facts.interpret import callers

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

DEEP: Final = 4
"""So many names and parameters are followed."""
_AS_IT_IS: Final = (ast.IfExp, ast.Dict, ast.List, ast.Tuple, ast.Subscript)
_GATHERING: Final = frozenset(("append", "extend", "insert", "add_module", "register_module", "setattr"))


def is_repeated(module: Module, call: ast.Call) -> bool:
    """Whether a call that makes a thing makes several for one model: in a loop that gathers them, or as the pattern of which a count
    of layers is made."""
    around = list(module.ancestors(call))
    if any(isinstance(each, COMPREHENSIONS) for each in around):
        return True
    if any(isinstance(each, LOOPS) for each in around) and any(_gathers(each) for each in around):
        return True
    above = module.parents.get(call)
    if isinstance(above, ast.Call):
        return _is_pattern(above, call)
    match above:
        case ast.Assign(targets=[ast.Name(id=name)]):
            loads = module.function_of(call).scope.loads.get(name, ())
            handed = ((module.parents.get(each), each) for each in loads)
            return any(isinstance(to, ast.Call) and _is_pattern(to, each) for to, each in handed)
    return False


@once
def handed(analysis: Analysis, owner: Class) -> Site | None:
    """A call that makes several of a class, of those that it is handed to."""
    for other in constructions.readers(analysis, owner):
        for read in constructions.reads(other, owner):
            call = _followed(other, read, DEEP)
            if call is not None:
                return other, call
    return None


def _followed(analysis: Analysis, read: ast.expr, deep: int) -> ast.Call | None:
    """The call that makes several of the class that an expression stands for."""
    module = analysis.module
    above = module.parents.get(read)
    if isinstance(above, ast.keyword):
        above = module.parents.get(above)
    if not deep or above is None:
        return None
    match above:
        case ast.Call(func=func) if func is read:
            return above if is_repeated(module, above) else None
        case ast.Call():
            kept = _passed(analysis, above, read)
        case ast.Assign(targets=[ast.Name(id=name)]):
            kept = iter(module.function_of(above).scope.loads.get(name, ()))
        case _:
            kept = iter((above,) if isinstance(above, _AS_IT_IS) else ())
    found = (_followed(analysis, each, deep - (not isinstance(each, _AS_IT_IS))) for each in kept)
    return next((each for each in found if each is not None), None)


def _passed(analysis: Analysis, call: ast.Call, read: ast.expr) -> Iterator[ast.expr]:
    """Where the function that a call runs, of the same file, reads what it is passed."""
    for function in _named(analysis.module, last_name(call.func) or ""):
        if not any(each is call for each in analysis.sites(function)):
            continue
        for name, argument in callers.bound(function, call).items():
            if argument is read:
                yield from function.scope.loads.get(name, ())


def _named(module: Module, name: str) -> Iterator[Function]:
    """The functions that a call of a name may run."""
    for function in module.functions.values():
        owner = function.owner
        if function.name == name or (function.name == "__init__" and owner is not None and owner.name == name):
            yield function


def _gathers(node: ast.AST) -> bool:
    """`layers.append(Block())`, `layers += [Block()]`, `self.layers[i] = Block()`, `setattr(self, name, Block())`."""
    match node:
        case ast.Call(func=func):
            return last_name(func) in _GATHERING
        case ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
            return True
    return False


def _is_pattern(handed: ast.Call, layer: ast.expr) -> bool:
    """`TransformerDecoder(layer, num_layers)`, `clones(layer, n)`."""
    return handed.args[:1] == [layer] and any(
        value_names.is_count_of_layers(last_name(each)) for each in handed.args[1:]
    )
