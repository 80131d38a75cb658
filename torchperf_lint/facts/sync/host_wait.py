"""What a piece of code does to the host: does it wait for the GPU, and why.

A wait is claimed where three things meet: the operation waits on operands of the GPU (`knowledge.operation_waits`, and the rules
of indexing below), an operand is a tensor, and nothing shows that it is on the host. What a tensor of unknown place
does is claimed as likely. Knows values, nothing of how often code runs: whether a wait matters is for the rules.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from torchperf_lint.facts.context import (
    eager_code,
    file_traits,
    forward_methods,
    gpu_use,
    loader_workers,
    module_setup,
    other_devices,
)
from torchperf_lint.facts.domain.fact import NOTHING, Evidence, Fact, Sure
from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import CPU, CUDA, MAYBE, Value
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import walk
from torchperf_lint.facts.interpret.analysis import Analysis
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.knowledge.operation_waits import Form
from torchperf_lint.facts.sync import call_waits, cannot_wait, index_waits, left_behind, moved_later, read_as_array


@dataclass(frozen=True, slots=True)
class Wait:
    """Why the host waits."""

    form: Form
    says: str
    """What the operation does, as the end of a sentence: "copies the value to the host"."""
    operand: ast.AST
    """The expression whose value the host waits for."""


@dataclass(slots=True)
class Scene:
    """Where effects look things up: the values of one module."""

    analysis: Analysis
    module: Module
    target: tuple[int, ...]
    on_host: bool = False
    """The code runs on the host: a dataset, a collate function, a program without a GPU."""
    is_elsewhere: bool = False
    """CUDA does not come here: the branch is for tensors of other devices."""
    alone: bool = False
    """The code is given no tensor: of one that is not its module's own nothing says that it is on the GPU."""

    def look(self, node: ast.AST) -> Value:
        return self.analysis.value(node, self.module)

    def args(self, node: ast.Call) -> Args:
        """The values of the arguments of a call."""
        positional: list[Value] = []
        is_open = any(keyword.arg is None for keyword in node.keywords)
        for argument in node.args:
            value = self.look(argument.value if isinstance(argument, ast.Starred) else argument)
            if not isinstance(argument, ast.Starred):
                positional.append(value)
            elif isinstance(value.items, tuple):
                positional.extend(value.items)
            else:
                is_open = True
                break
        named = {keyword.arg: self.look(keyword.value) for keyword in node.keywords if keyword.arg is not None}
        return Args(tuple(positional), named, is_open)

    def cuda(self, value: Value) -> bool:
        """Whether a value is a tensor that may be on the GPU."""
        if value.kind not in ("tensor", "tensor_tree"):
            return False
        return value.maybe_cuda and not self._is_elsewhere(value)

    def host(self, value: Value) -> bool:
        """Whether a value is a tensor of the host."""
        return value.kind in ("tensor", "tensor_tree") and (value.on_host or self._is_elsewhere(value))

    def _is_elsewhere(self, value: Value) -> bool:
        """Whether the place of the code says of a value that it is not on the GPU."""
        if value.device is None:
            return self.on_host or (self.alone and value.where is None and not value.grad)
        return value.device == MAYBE and self.is_elsewhere

    def claim(self, form: Form, says: str, operand: ast.AST, *values: Value) -> Fact[Wait]:
        """The fact of a wait for some values."""
        sure = Sure.PROVEN
        because: list[Evidence] = []
        for value in values:
            sure = min(sure, value.sure, Sure.PROVEN if value.device in (CUDA, MAYBE, CPU) else Sure.LIKELY)
            because += [each for each in (value.why, value.where) if each is not None and each not in because]
        if all(value.where is None or value.device == CPU for value in values):
            because[1:1] = gpu_use.shown(self.module)
        return Fact(Wait(form, says, operand), sure, tuple(because[:3]))


def wait(analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...]) -> Fact[Wait]:
    """Whether a node makes the host wait for the GPU, not counting what its parts do; worked out once."""
    key = (node, target)
    found = analysis.waits.get(key)
    if found is None:
        found = analysis.waits[key] = _found(analysis, module, node, target)
    return found


def _found(analysis: Analysis, module: Module, node: ast.AST, target: tuple[int, ...]) -> Fact[Wait]:
    if not cannot_wait.may_wait(module, node) or not file_traits.may_use_gpu(analysis, module):
        return NOTHING
    scene = Scene(analysis, module, target)
    found = _wait(scene, node)
    if found.known:
        function = module.function_of(node)
        if (
            eager_code.is_never_run(module, node)
            or eager_code.is_scripted(function)
            or not _is_reached(analysis, module, node)
        ):
            return NOTHING
        scene.is_elsewhere = other_devices.from_cuda(module, node)
        scene.on_host = (
            scene.is_elsewhere
            or loader_workers.runs_on_host(analysis, function)
            or module_setup.is_setup(analysis, function)
        )
        scene.alone = forward_methods.is_given_numbers(analysis, function)
        if scene.on_host or scene.alone:
            found = _wait(scene, node)
    if found.known and found.value.form != "copy":
        operand = found.value.operand
        shown = (moved_later.later, read_as_array.beside, left_behind.stays)
        if any(each(scene, operand) for each in shown):
            return NOTHING
    return found


def _is_reached(analysis: Analysis, module: Module, node: ast.AST) -> bool:
    """Whether control comes to a node: in a branch that no caller in sight takes, nothing was evaluated."""
    known = analysis.recorded(module.function_of(node)).values
    return any(each in known for each in walk(module.statement(node)))


def _wait(scene: Scene, node: ast.AST) -> Fact[Wait]:
    match node:
        case ast.Call():
            return call_waits.of_call(scene, node)
        case ast.Subscript(ctx=ast.Load()):
            return index_waits.of_read(scene, node)
        case ast.Subscript():
            return index_waits.of_write(scene, node)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return truth(scene, test)
        case ast.BoolOp(values=values):
            return _first(truth(scene, operand) for operand in values[:-1])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return truth(scene, operand)
        case ast.comprehension(ifs=conditions):
            return _first(truth(scene, condition) for condition in conditions)
        case ast.Compare():
            return _compare(scene, node)
        case ast.FormattedValue(value=inner):
            return formatted(scene, inner)
        case ast.JoinedStr(values=parts):
            return _first(formatted(scene, part.value) for part in parts if isinstance(part, ast.FormattedValue))
        case ast.BinOp(op=ast.Mod(), left=left, right=right):
            return _percent(scene, left, right)
    return NOTHING


def _first(found) -> Fact[Wait]:  # type: ignore[no-untyped-def]
    for fact in found:
        if fact.known:
            return fact  # type: ignore[no-any-return]
    return NOTHING


def truth(scene: Scene, node: ast.expr) -> Fact[Wait]:
    """Whether asking an expression for its truth waits; of `a and b` that is `b`, `a` is asked by the `and` itself."""
    if isinstance(node, ast.BoolOp):
        return truth(scene, node.values[-1])
    value = scene.look(node)
    if value.none and value.rank != 0 and isinstance(node, (ast.Name, ast.Attribute)):
        return NOTHING  # whether it is there at all is what is asked: of several elements, the truth would raise
    if value.kind == "tensor" and scene.cuda(value):
        return scene.claim("truth", "its truth value is copied to the host", node, value)
    return NOTHING


def formatted(scene: Scene, node: ast.expr) -> Fact[Wait]:
    """Whether making text of an expression waits."""
    value = scene.look(node)
    if value.kind in ("list", "tuple", "dict") and (value.items or value.elem):
        items = value.items.values() if isinstance(value.items, dict) else value.items or (any_item(value),)
        value = next((item for item in items if scene.cuda(item)), value)
    if value.kind == "tensor" and scene.cuda(value):
        return scene.claim("format", "its text needs the values on the host", node, value)
    return NOTHING


def _compare(scene: Scene, node: ast.Compare) -> Fact[Wait]:
    """`v in t` compares and asks for the truth; `a < t < b` asks for the truth of the first part."""
    left = node.left
    for index, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if isinstance(op, (ast.In, ast.NotIn)):
            inside, sought = scene.look(right), scene.look(left)
            may_hold = sought.kind in ("tensor", "number") or (sought.kind == "unknown" and inside.sure is Sure.PROVEN)
            if inside.kind == "tensor" and may_hold and scene.cuda(inside):
                return scene.claim("truth", "`in` reads the comparison back", right, inside)
            listed = inside.kind in ("list", "tuple") and not (inside.items is not None and not inside.items)
            if sought.kind == "tensor" and scene.cuda(sought) and listed:
                return scene.claim("truth", "`in` reads each comparison back", left, sought)
        elif index < len(node.ops) - 1 and not isinstance(op, (ast.Is, ast.IsNot)):
            for part in (left, right):
                value = scene.look(part)
                if value.kind == "tensor" and scene.cuda(value):
                    return scene.claim("truth", "a chained comparison reads its first part back", part, value)
        left = right
    return NOTHING


def _percent(scene: Scene, left: ast.expr, right: ast.expr) -> Fact[Wait]:
    """`"%.3f" % t`."""
    if scene.look(left).kind != "string":
        return NOTHING
    parts = right.elts if isinstance(right, ast.Tuple) else [right]
    return _first(formatted(scene, part) for part in parts)
