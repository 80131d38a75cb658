"""Labels that a mask takes out before the loss, for which the loss has an argument of its own.

    mask = target != -1                       kept: all labels but one
    loss = criterion(logits[mask], target[mask])

From one of the masked reads the way leads forward to the call of the loss, and from its two arguments back to the
tensors as they were before they were masked. Statements on the way that serve nothing else are named, so that they can
go. Logits whose classes were moved to the end for the mask are taken as they were before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.value import NO, Value
from torchperf_lint.facts.idioms import counts
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import place_of
from torchperf_lint.rules.sync.mask_then_loss import logits as logits_of
from torchperf_lint.rules.sync.mask_then_loss import makers

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts
    from torchperf_lint.facts.interpret.analysis import Analysis

_FUNCTIONS: Final = frozenset(("torch.nn.functional.cross_entropy", "torch.nn.functional.nll_loss"))
_CLASSES: Final = frozenset(("torch.nn.CrossEntropyLoss", "torch.nn.NLLLoss"))
_SHAPING: Final = frozenset(("reshape", "view", "flatten", "contiguous"))
_CAST: Final = "long"
_COVERING: Final = frozenset(("unsqueeze", "expand", "expand_as", "repeat"))
_TRACED: Final = frozenset(("record_function", "range", "annotate"))
"""What a `with` may name a piece of a timeline with."""


@dataclass(frozen=True, slots=True)
class MaskedLoss:
    """A loss of what a mask has kept."""

    call: ast.Call
    maker: ast.Call | None
    """The call that takes the settings: that of the function itself, or of the constructor, if nobody else uses it; else None."""
    logits: ast.expr
    """Unmasked."""
    labels: ast.expr
    is_cast: bool
    """The labels were made `long` behind the mask."""
    ignored: ast.expr
    """What the masked labels are."""
    classes_last: bool
    """The classes are the last dimension, of how many nobody knows."""
    gone: tuple[ast.stmt, ...]
    """Statements that only served the mask."""


def masked_loss(facts: Facts, node: ast.AST) -> MaskedLoss | None:
    """The loss that a masked read ends in, if its mask says no more than which label does not count."""
    analysis, module = facts.analysis, facts.module
    call = _loss_of(analysis, module, node) if isinstance(node, ast.Subscript) else None
    if call is None:
        return None
    trace = _Trace(analysis, module, call)
    logits, labels = trace.argument(0, "input"), trace.argument(1, "target")
    if logits is None or labels is None:
        return None
    label_mask, mask = trace.mask(labels.slice), trace.mask(logits.slice)
    if label_mask is None or mask is None or ast.dump(label_mask) != ast.dump(mask):
        return None
    ignored = _ignored(analysis, module, label_mask, labels.value)
    if ignored is None or not trace.holds(logits.value, labels.value, label_mask):
        return None
    first, is_last = logits_of.classes_first(analysis, module, logits.value)
    if isinstance(logits.value, ast.Name) and first is not logits.value:
        trace.passed.append(module.statement(definitions.reaching(module, logits.value) or first))
    maker = call if _function(module, call.func) else makers.of(module, call.func)
    gone = tuple(trace.served())
    return MaskedLoss(call, maker, first, labels.value, trace.is_cast, ignored, is_last, gone)


def means_the_same(facts: Facts, node: ast.AST, place: ast.AST) -> bool:
    """Whether an expression of attributes and constants can be written at another place of its class or file."""
    return isinstance(node, ast.expr) and makers.can_be_said(facts.module, node, place)


def _loss_of(analysis: Analysis, module: Module, node: ast.expr) -> ast.Call | None:
    """The call of a loss that takes class labels, which a value is given to."""
    at = counts.only_read(module, node)
    while True:
        parent = module.parents.get(at)
        if isinstance(parent, ast.keyword):
            parent = module.parents.get(parent)
        match parent:
            case ast.Attribute(attr=attr) if (attr in _SHAPING or attr == _CAST) and isinstance(
                above := module.parents.get(parent), ast.Call
            ):
                at = counts.only_read(module, above)
            case ast.Call(func=func) if func is not at:
                return parent if _function(module, func) or analysis.value(func, module).ref in _CLASSES else None
            case _:
                return None


def _function(module: Module, func: ast.expr) -> bool:
    """Whether a call is one of a function that is a loss; else it may be one of an object."""
    return names.dotted(module.function_of(func), func) in _FUNCTIONS


class _Trace:
    """The way back from the arguments of a loss."""

    def __init__(self, analysis: Analysis, module: Module, call: ast.Call) -> None:
        self.analysis = analysis
        self.module = module
        self.call = call
        self.passed: list[ast.stmt] = []
        """The assignments whose names were followed."""
        self.is_cast = False

    def argument(self, index: int, name: str) -> ast.Subscript | None:
        """The masked read that an argument is, shape aside."""
        given = [keyword.value for keyword in self.call.keywords if keyword.arg == name]
        if (
            not given
            and len(self.call.args) > index
            and not any(isinstance(arg, ast.Starred) for arg in self.call.args)
        ):
            given = [self.call.args[index]]
        at = self._before(given[0], _SHAPING | ({_CAST} if index else set())) if given else None
        return at if isinstance(at, ast.Subscript) else None

    def mask(self, node: ast.expr) -> ast.expr | None:
        """The mask as it was made, without what spreads it over the classes."""
        return self._before(node, _SHAPING | _COVERING, several=True)

    def _before(self, node: ast.expr, taken_off: frozenset[str], *, several: bool = False) -> ast.expr | None:
        """An expression before some methods, through names that are read once, or at all."""
        while True:
            match node:
                case ast.Name():
                    binding = definitions.reaching(self.module, node)
                    value = definitions.value_of(self.module, binding) if binding is not None else None
                    if value is None or not isinstance(binding, ast.Name):
                        return node
                    if not several and len(definitions.reads_after(self.module, binding)) != 1:
                        return None
                    self.passed.append(self.module.statement(binding))
                    node = value
                case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr in taken_off:
                    self.is_cast |= attr == _CAST
                    node = inner
                case ast.Subscript(
                    value=inner, slice=ast.Tuple(elts=[ast.Constant(value=v), ast.Constant(value=None)])
                ) if v is ...:
                    node = inner
                case _:
                    return node

    def holds(self, *expressions: ast.expr) -> bool:
        """Whether expressions still stand for the same where the loss is called."""
        function, end = self.module.function_of(self.call), place_of(self.call)
        for expression in expressions:
            for node in ast.walk(expression):
                if isinstance(node, ast.Attribute):
                    changed: Iterator[ast.AST] = (each for each in function.sets if each.attr == node.attr)
                elif isinstance(node, ast.Name):
                    if self.module.function_of(node) is not function:
                        return False
                    changed = iter([*function.scope.stores.get(node.id, ()), *self._filled(node.id)])
                else:
                    continue
                stores = [each for each in changed if place_of(node) < place_of(each) < end]
                if any(self.module.statement(store) not in self.passed for store in stores):
                    return False
        return True

    def _filled(self, name: str) -> Iterator[ast.AST]:
        """Where elements of a tensor are written."""
        for load in self.module.function_of(self.call).scope.loads.get(name, ()):
            parent = self.module.parents.get(load)
            if isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load):
                yield parent

    def served(self) -> Iterator[ast.stmt]:
        """The statements that nothing needs any more; a `with` around them alone, that only names them, too."""
        gone = {id(statement) for statement in self.passed}
        inside = {
            id(node) for statement in (*self.passed, self.module.statement(self.call)) for node in ast.walk(statement)
        }
        free: list[ast.stmt] = []
        for statement in dict.fromkeys(self.passed):
            target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
            if isinstance(target, ast.Name) and all(
                id(each) in inside for each in definitions.reads_after(self.module, target)
            ):
                free.append(statement)
        gone = {id(statement) for statement in free}
        for statement in free:
            above = self.module.parents.get(statement)
            if isinstance(above, ast.With) and all(id(each) in gone for each in above.body) and _only_names(above):
                if statement is above.body[0]:
                    yield above
            else:
                yield statement


def _only_names(node: ast.With) -> bool:
    """Whether a `with` does no more than give its body a name in a timeline."""
    return all(
        isinstance(item.context_expr, ast.Call)
        and getattr(item.context_expr.func, "attr", getattr(item.context_expr.func, "id", "")) in _TRACED
        for item in node.items
    )


def _plain(node: ast.expr) -> ast.expr:
    """A tensor before it was given another shape."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _SHAPING:
        node = node.func.value
    return node


def _ignored(analysis: Analysis, module: Module, mask: ast.expr, labels: ast.expr) -> ast.expr | None:
    """The label that a mask takes out: `c` of `labels != c`."""
    match mask:
        case ast.UnaryOp(op=ast.Invert(), operand=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])):
            pair = (left, right)
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            pair = (left, right)
        case ast.Call(func=ast.Attribute(value=left, attr="ne"), args=[right], keywords=[]):
            pair = (left, right)
        case _:
            return None
    for one, other in (pair, pair[::-1]):
        if ast.dump(_plain(one)) == ast.dump(_plain(labels)) and _is_label(analysis.value(other, module)):
            return other
    return None


def _is_label(value: Value) -> bool:
    return (
        value.kind == "number" and value.dtype in (None, "int") and (value.const is NO or isinstance(value.const, int))
    )
