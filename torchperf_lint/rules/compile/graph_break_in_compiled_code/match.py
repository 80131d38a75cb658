"""Which nodes of compiled code end the graph, and as what."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import compiled_branches
from torchperf_lint.facts.domain.fact import Fact, Sure
from torchperf_lint.facts.idioms import truth
from torchperf_lint.facts.index import blocks, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name, walk
from torchperf_lint.facts.knowledge import graph_breaks as known
from torchperf_lint.facts.knowledge.graph_breaks import Kind
from torchperf_lint.rules.compile.graph_break_in_compiled_code import calls, indexes
from torchperf_lint.rules.compile.graph_break_in_compiled_code.operands import Break, array, looped, tensor

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


_AROUND: Final = ("enumerate", "list", "reversed", "tuple")


def ends_graph(facts: Facts, node: ast.AST) -> bool:
    """Whether a node is one that ends a graph, in compiled code."""
    return facts.compiled_at(node).known and at(facts, node) is not None


def at(facts: Facts, node: ast.AST) -> Break | None:
    """What ends the graph at a node; None where nothing is known to."""
    found = _at(facts, node)
    if found is None or _is_captured(facts.module, found.kind) or facts.off_at(node) is not None:
        return None
    if _is_behind_forward(facts, node):
        return None
    return found if turns(facts.module, found) is not None or not _is_given_up(facts, node) else None


def turns(module: Module, found: Break) -> ast.For | None:
    """The loop of which a break decides how many turns it has: `for i in torch.unique(x)`, `for n, i in enumerate(mask.nonzero())`."""
    given, above = found.shown, module.parents.get(found.shown)
    if isinstance(above, ast.Call) and last_name(above.func) in _AROUND:
        given, above = above, module.parents.get(above)
    is_one = found.kind == "size" and isinstance(above, ast.For) and above.iter is given
    return above if is_one and isinstance(above, ast.For) else None


def _is_given_up(facts: Facts, node: ast.AST) -> bool:
    """Whether Dynamo leaves the whole function of a node to Python, whatever else is in it: the data decide how many turns a loop has
    that stands in another."""
    function = facts.module.function_of(node)
    answers, key = facts.analysis.answers, (_is_given_up, function)
    if key not in answers:  # worked out once, for each break of a function asks
        loops = (each for each in walk(function.node, into_scopes=False) if isinstance(each, ast.For))
        nested = (each for each in loops if blocks.loop(facts.module, each) is not None)
        answers[key] = any(_turns_by_data(facts, each) for each in nested)
    return bool(answers[key])


def _turns_by_data(facts: Facts, loop: ast.For) -> bool:
    items = loop.iter
    if isinstance(items, ast.Call) and last_name(items.func) in _AROUND and items.args:
        items = items.args[0]
    found = _at(facts, items)
    return found is not None and turns(facts.module, found) is loop and not _is_captured(facts.module, found.kind)


def _is_behind_forward(facts: Facts, node: ast.AST) -> bool:
    """Whether a node stands in the `backward` of a function whose `forward` ends the graph: Dynamo leaves all of it to Python, then."""
    method = facts.module.function_of(node).method
    owner = method.owner if method is not None and method.name == "backward" else None
    forward = owner.methods.get("forward") if owner is not None else None
    if forward is None or not forward.is_static:
        return False
    answers, key = facts.analysis.answers, (_is_behind_forward, forward)
    if key not in answers:  # worked out once, for each break of a `backward` asks
        answers[key] = any(ends_graph(facts, each) for each in walk(forward.node))
    return bool(answers[key])


def is_of_numbers(found: Break) -> bool:
    """Whether Python needs the numbers that a break is about: a list of them is read, or they are printed."""
    match found.shown:
        case ast.Call(func=ast.Attribute(attr="tolist")):
            return True
    reads = (each for each in walk(found.shown) if isinstance(each, ast.Call))
    return found.kind in ("print", "log") and any(last_name(each.func) in ("tolist", "item") for each in reads)


def _at(facts: Facts, node: ast.AST) -> Break | None:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return _asks(facts, test)
        case ast.Assert(test=ast.UnaryOp() | ast.BoolOp() as test):
            return _asks(facts, test)  # `assert tensor` alone becomes a part of the graph
        case ast.BoolOp(values=values) if not truth.is_test(facts.module, node):
            return next((found for each in values[:-1] if (found := _asks(facts, each)) is not None), None)
        case ast.UnaryOp(op=ast.Not(), operand=operand) if not truth.is_test(facts.module, node):
            return _asks(facts, operand)
        case ast.comprehension(ifs=conditions):
            return next((found for each in conditions if (found := _asks(facts, each)) is not None), None)
        case ast.Call():
            return calls.at(facts, node)
        case ast.Subscript() if not isinstance(facts.module.parents.get(node), ast.AugAssign) or _is_read(node):
            return indexes.at(facts, node, takes=_is_read(node))
        case ast.AugAssign(target=ast.Subscript() as target):
            return indexes.at(facts, target, takes=True)
        case ast.Compare(left=ast.Constant(value=str())):
            return None  # `"mask" in given`: what has keys is no tensor
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[held]) if (
            value := tensor(facts, held)
        ) is not None:
            return Break("read", node, value)
        case ast.Assign(targets=[ast.Attribute(value=held, attr="requires_grad")]):
            return Break("requires", node, None) if _has_gradients(facts, held) else None
        case ast.With(items=items):
            return next((found for each in items if (found := _entered(facts, each.context_expr)) is not None), None)
    return None


def _is_read(node: ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Load)


def _has_gradients(facts: Facts, node: ast.expr) -> bool:
    """Whether something is a tensor, or one of those that a module trains."""
    if tensor(facts, node) is not None:
        return True
    match looped(facts, node):
        case ast.Call(func=ast.Attribute(attr="parameters")):
            return True
    return False


# ---- tensors that are asked for their truth


def _asks(facts: Facts, test: ast.expr) -> Break | None:
    """The part of a condition that is a tensor whose truth Python needs."""
    for part in truth.asked(test):
        value = tensor(facts, part)
        drawn = value is None and _is_drawn(facts, part)
        if value is None and not drawn and not _is_of_array(facts, part):
            continue
        if compiled_branches.may_be_taken(facts.module, part) and not _may_be_number(facts, part):
            return Break("random" if drawn else "branch", part, value)
    return None


def _may_be_number(facts: Facts, part: ast.expr) -> bool:
    """Whether a condition compares a parameter of `forward` of which nothing else shows that it is a tensor: `if it < self.start`."""
    match part:
        case ast.Compare(left=left, comparators=[right]):
            values = [tensor(facts, each) for each in (left, right) if isinstance(each, ast.Name)]
            shown = [
                each.why.node
                for each in values
                if each is not None and each.sure is Sure.LIKELY and each.why is not None
            ]
            return any(isinstance(each, ast.arg) for each in shown)
    return False


def _is_of_array(facts: Facts, part: ast.expr) -> bool:
    """Whether a condition asks an array of NumPy, or a number out of one."""
    match part:
        case ast.Compare(left=left, comparators=[right]):
            return array(facts, left) or array(facts, right)
        case ast.Call(func=ast.Attribute(value=held, attr="any" | "all")):
            return _is_of_array(facts, held)
    return array(facts, part)


def _is_drawn(facts: Facts, part: ast.expr) -> bool:
    """Whether a condition asks a number that Python draws, and that Dynamo has made a part of the graph."""
    match part:
        case ast.Compare(left=left, comparators=[right]):
            return any(_is_drawn(facts, each) for each in (left, right))
        case ast.Call():
            return names.dotted(facts.module.function_of(part), part.func) in known.DRAWN
    return False


# ---- context managers


def _entered(facts: Facts, node: ast.expr) -> Break | None:
    called = node.func if isinstance(node, ast.Call) else node
    name = names.dotted(facts.module.function_of(node), called)
    return Break("context", node, None) if name in known.CONTEXTS else None


# ---- settings of Dynamo


def _is_captured(module: Module, kind: Kind) -> bool:
    """Whether the file says to Dynamo to keep such things in the graph, or to leave them out of it."""
    if kind == "rnn":
        return "allow_rnn" in module.names
    if kind in ("print", "log"):
        return bool(
            module.names & {"reorderable_logging_functions", "ignore_logger_methods", "ignore_logging_functions"}
        )
    if kind == "grad":
        return "trace_autograd_ops" in module.names
    setting = known.CAPTURED.get(kind)
    return setting is not None and (setting in module.names or setting in module.keywords)


def proof(found: Break) -> tuple[Fact[object], ...]:
    """What shows that a tensor is one."""
    value = found.value
    if value is None:
        return ()
    return (Fact(value, value.sure, (value.why,) if value.why is not None else ()),)
