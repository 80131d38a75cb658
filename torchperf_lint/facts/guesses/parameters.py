"""What a parameter, or the result of something out of sight, can be: by annotation, callers, uses, and its role.

A name alone proves nothing. In this order: what the annotation promises; what the callers in the program pass; what
its uses need it to be (`votes`); its default; and the role of its function: the parameters of `forward` are tensors.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Evidence, Sure
from torchperf_lint.facts.domain.value import ANY, CPU, CUDA, INT, MAYBE, UNSURE, Value
from torchperf_lint.facts.guesses import function_names, remade, value_names, votes
from torchperf_lint.facts.index.module import Function
from torchperf_lint.facts.interpret import callers, classes, comment_types, promises, transfers, type_hints
from torchperf_lint.facts.knowledge import lightning

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis, Run

_TENSORS: Final[frozenset[votes.Vote]] = frozenset(("tensor", "array", "moved"))
_NOT_TENSORS: Final[frozenset[votes.Vote]] = frozenset(
    ("called", "mapping", "object", "unpacked", "flag", "number", "string", "module", "optimizer", "tested")
)


def parameter(analysis: Analysis, function: Function, name: str) -> Value:
    """What a parameter can hold, whoever calls the function."""
    node = function.parameters[name]
    arguments = getattr(function.node, "args", None)
    if arguments is not None and node in (arguments.vararg, arguments.kwarg):
        return _rest(analysis, function, node, is_kwarg=node is arguments.kwarg)
    receiver = _receiver(analysis, function, name)
    if receiver is not None:
        return receiver
    default = analysis.default(function, name) if name in function.defaults else None
    value = _promised(analysis, function, node, default)
    passed = callers.passed(analysis, function, name) if _is_open(analysis, function, name, value) else None
    if value.kind == "unknown":
        used, is_optional = by_use(analysis, function, name, node), value.none
        value = passed if passed is not None and passed.kind not in ("unknown", "none") else used
        value = value.but(none=True) if is_optional else value
        if value.kind == "unknown" and node.annotation is None:
            value = _by_role(analysis, function, name, default)
    elif passed is not None:
        value = callers.agreed(value, passed)
    if value.kind == "nest" and value.items is None and by_use(analysis, function, name, node).kind == "tensor":
        value = value.but(kind="tensor", ref=None)
    if (
        value_names.is_settings(name)
        and value.elem is not None
        and value.elem.kind == "tensor"
        and value.elem.device is None
    ):
        value = value.but(elem=value.elem.but(device=UNSURE))
    if default is None:
        return value
    if value.kind == "unknown":
        if node.annotation is not None or "tested" in votes.everywhere(analysis, function, name):
            return ANY.but(none=value.none or default.kind == "none" or default.device == CPU)  # several things
        return _of_default(default)
    if value.kind in ("device", "string") and default.device in (CUDA, MAYBE):
        return _on_gpu(value, default)
    is_device = value.kind == "device" or (value.kind == "string" and default.device == CPU)
    if is_device and default.kind in ("device", "string"):
        return value.but(none=True)  # a device by default: most calls leave it out
    return value.but(none=True) if default.kind == "none" else value


def _is_open(analysis: Analysis, function: Function, name: str, value: Value) -> bool:
    """Whether callers can tell more of a parameter: not of a number, nor of what takes several things."""
    if value.kind in ("number", "dtype") or type_hints.is_union(function.parameters[name].annotation):
        return False
    return "tested" not in votes.everywhere(analysis, function, name)


def _of_default(default: Value) -> Value:
    """A default alone: other callers pass the like of it, but not the same."""
    if default.kind == "none":
        return ANY.but(none=True)
    if default.device == CPU and default.kind in ("device", "string"):
        return Value(default.kind, Sure.LIKELY, none=True)  # most calls leave it out
    if default.device in (CUDA, MAYBE) and default.kind in ("device", "string"):
        return _on_gpu(Value(default.kind, Sure.LIKELY), default)
    if default.kind in ("number", "string", "tensor", "dtype", "device"):
        return Value(default.kind, Sure.LIKELY, dtype=default.dtype if default.kind == "number" else None)
    return ANY


def _on_gpu(value: Value, default: Value) -> Value:
    """A device that is the GPU where a call names none: others may name the CPU."""
    return value if value.device is not None else value.but(device=MAYBE, where=default.where)


def _rest(analysis: Analysis, function: Function, node: ast.arg, *, is_kwarg: bool) -> Value:
    """`*args` and `**kwargs`: never guessed, unless an annotation says what each is."""
    elem = analysis.annotation(function, node.annotation) if node.annotation is not None else None
    if elem is not None and elem.kind == "unknown":
        elem = None
    if is_kwarg and elem is not None:
        elem = elem.but(sure=Sure.LIKELY)  # settings lie among the tensors
    return Value("dict" if is_kwarg else "tuple", elem=elem)


_OF_CLASS: Final = ("__new__", "__init_subclass__", "__class_getitem__")
"""Methods that are class methods without a decorator."""


def _receiver(analysis: Analysis, function: Function, name: str) -> Value | None:
    """`self` and `cls`."""
    if function.owner is None or function.is_static or not function.positional or function.positional[0] != name:
        return None
    if function.name in _OF_CLASS or any(
        isinstance(d, ast.Name) and d.id == "classmethod" for d in function.decorators
    ):
        return Value("class", ref=function.owner)
    value = analysis.instance(function.owner)
    if _is_autograd(analysis, function):
        return None
    return value


def _is_autograd(analysis: Analysis, function: Function) -> bool:
    return bool(function.owner and function.positional[0] == "ctx" and analysis)


def _promised(analysis: Analysis, function: Function, node: ast.arg, default: Value | None) -> Value:
    if node.annotation is not None:
        return promises.annotated(analysis, function, node, default)
    return comment_types.parameter(analysis, function, node.arg)


CALLABLE: Final = "callable"
"""The class of a module of which all that is known is that it is called: it need not hold parameters."""


def by_use(analysis: Analysis, function: Function, name: str, binding: ast.AST) -> Value:
    """What the uses that a binding reaches need it to be."""
    cast = votes.of(analysis, function, name, binding)
    if not cast:
        return ANY
    said = {vote: node for _, vote, node in reversed(cast)}
    path = function.module.path
    if "tested" in said:
        return ANY
    shown = said.get("tensor", said.get("placed") if "array" in said else None)  # arrays lack one
    if shown is not None and not said.keys() & {"mapping", "called", "module"}:
        why = Evidence(shown, "used as only a tensor can be", path)
        return Value("tensor", Sure.LIKELY, why=why)
    if "module" in said:
        why = Evidence(said["module"], "used as a module", path)
        return Value("module", Sure.LIKELY, why=why)
    if "called" in said and "moved" in said:
        why = Evidence(said["called"], "called, and moved to a device", path)
        return Value("module", Sure.LIKELY, ref=CALLABLE, why=why)
    if "optimizer" in said:
        return Value("optimizer", Sure.LIKELY)
    if "moved" in said and not said.keys() & {"called"}:
        why = Evidence(said["moved"], "moved to a device", path)
        return Value("nest", Sure.LIKELY, ref="batch", why=why)
    if said.keys() == {"number"}:
        return Value("number", Sure.LIKELY)
    return ANY


def _by_role(analysis: Analysis, function: Function, name: str, default: Value | None) -> Value:
    """What the role of a function tells of its parameters."""
    owner = function.owner
    if owner is None:
        return ANY
    kind = classes.kind(analysis, owner)
    node = function.parameters[name]
    if kind == "module" and (function.name == "forward" or function_names.is_loss_method(function.name)):
        said = votes.everywhere(analysis, function, name)
        if function.positional[:1] == ("ctx",) and not said & _TENSORS:
            return ANY  # a function of autograd takes its settings by position
        against = _NOT_TENSORS - {"unpacked"} if "array" in said else _NOT_TENSORS  # `q, k, v = x`, of what has a shape
        if said & against or (default is not None and (default.kind != "none" or not said & _TENSORS)):
            # A parameter that may be left out must show by a use that it is a tensor; of a table, callers tell.
            return ANY if said != {"mapping"} or default is not None else callers.fed(analysis, function, name)
        if (function.name != "forward" or value_names.is_count(name)) and not said & _TENSORS:
            return ANY  # lists and dicts of targets as often as not, and no count is a tensor
        why = Evidence(node, f"a parameter of `{function.name}`", function.module.path)
        return Value("tensor", Sure.LIKELY, why=why)
    if kind == "module" and function.name in lightning.STEPS:
        if value_names.is_index(name):
            return INT.but(sure=Sure.LIKELY)
        why = Evidence(node, f"the batch of `{function.name}`, which Lightning has placed", function.module.path)
        return Value("nest", Sure.LIKELY, ref="batch", device=MAYBE, why=why, where=why)
    if kind == "dataset" and function.name == "__getitem__":
        return Value("number", Sure.LIKELY)
    return ANY


# ---- names bound to what is out of sight


def named(run: Run, target: ast.Name, value: Value) -> Value:
    """What a name holds after it is bound to a value of which little is known: its uses say more."""
    if value.kind == "unknown":
        return _unknown(run, target, value)
    if value.kind == "nest" and value.items is None:
        return _nest(run, target, value)
    return value


def _unknown(run: Run, target: ast.Name, value: Value) -> Value:
    used = by_use(run.analysis, run.function, target.id, target)
    if used.kind == "unknown":
        said = {vote for _, vote, _ in votes.of(run.analysis, run.function, target.id, target)}
        if said & _NOT_TENSORS:
            return value
        is_tensor = value.device is not None and "array" in said  # it was moved, which an array cannot be
        return value.but(kind="tensor") if is_tensor else remade.tensor(run, target, value)
    device, where = value.device, value.where
    if device is None and used.kind in ("tensor", "nest") and _is_loop_target(run, target):
        move = next((found for part in _siblings(run, target) if (found := _move(run, part)) is not None), None)
        if move is not None:
            device, where = CPU, run.why(move, "an item of the loop, moved to the device here")
    if device is None and used.kind == "tensor" and (made := _made_of_numbers(run, target)) is not None:
        device, where = CPU, run.why(made, "made of numbers of the host, without a device")
    return used.but(device=device, where=where, none=value.none)


def _made_of_numbers(run: Run, target: ast.Name) -> ast.Call | None:
    """The call of a function out of sight that makes a tensor of nothing but numbers: it is told of no device."""
    above = run.module.parents.get(target)
    match above:
        case ast.Assign(value=ast.Call(func=ast.Name() as func, args=args, keywords=keywords) as call) if args:
            given = [run.look(each) for each in (*args, *(keyword.value for keyword in keywords))]
            is_hidden = any(keyword.arg in (None, "device") for keyword in keywords)
            if run.look(func).kind == "symbol" and not is_hidden and all(_is_of_host(each) for each in given):
                return call
    return None


def _is_of_host(value: Value) -> bool:
    """Whether a value is a number, numbers, or a word about them."""
    if value.kind in ("list", "tuple", "iterator"):
        parts = value.items if isinstance(value.items, tuple) else (value.elem,) if value.elem is not None else ()
        return bool(parts) and all(_is_of_host(part) for part in parts)
    return value.kind in ("number", "size", "dtype") or value.ref in ("builtins.int", "builtins.float", "builtins.bool")


def _siblings(run: Run, target: ast.Name) -> list[ast.Name]:
    """A name, and those that are bound with it: of `for x, y in loader` both come out of one place."""
    around = run.module.parents.get(target)
    others = around.elts if isinstance(around, (ast.Tuple, ast.List)) else []
    return [target, *(each for each in others if isinstance(each, ast.Name) and each is not target)]


def _move(run: Run, target: ast.Name) -> ast.AST | None:
    """Where what a name holds is moved to the program's device."""
    cast = votes.of(run.analysis, run.function, target.id, target)
    return next((node for _, vote, node in cast if vote == "moved" and _is_placed(run, node)), None)


def _is_placed(run: Run, node: ast.AST) -> bool:
    """Whether a move is to the program's device; `.to(other.device)` often moves nothing."""
    call = node if isinstance(node, ast.Call) else run.module.parents.get(node)
    match call:
        case ast.Call(func=ast.Attribute(attr="cpu")) | ast.Call(args=[ast.Constant(value="cpu"), *_]):
            return False  # it comes from the GPU, if anything
        case ast.Call(args=[first, *_]):
            return transfers.is_own_device(first)
    return True


def _is_loop_target(run: Run, target: ast.Name) -> bool:
    """Whether a `for` binds the name: what a loop moves to the device at each turn was not there."""
    node: ast.AST = target
    parent = run.module.parents.get(node)
    while isinstance(parent, (ast.Tuple, ast.List)):
        node, parent = parent, run.module.parents.get(parent)
    if isinstance(parent, ast.Assign):
        return _is_part_of_item(run, parent.value) or _is_next(parent.value)
    return isinstance(parent, (ast.For, ast.AsyncFor, ast.comprehension)) and parent.target is node


def _is_next(node: ast.expr) -> bool:
    """`next(batches)`, which is what a `for` asks of a loader as well."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "next"


def _is_part_of_item(run: Run, node: ast.expr) -> bool:
    """`batch["image"]`, or `batch["image"], batch["mask"]`, of the item of a loop."""
    if isinstance(node, ast.Tuple) and node.elts:
        return all(_is_part_of_item(run, element) for element in node.elts)
    if not isinstance(node, (ast.Subscript, ast.Attribute)) or not isinstance(node.value, ast.Name):
        return False
    stores = run.function.scope.stores.get(node.value.id, [])
    return len(stores) == 1 and isinstance(stores[0], ast.Name) and _is_loop_target(run, stores[0])


def _nest(run: Run, target: ast.Name, value: Value) -> Value:
    """A model's output, or a part of a batch: one tensor, unless it is used as a structure."""
    said = {vote for _, vote, _ in votes.of(run.analysis, run.function, target.id, target)}
    if said & {"mapping", "object", "unpacked", "iterated"}:
        return value
    if "called" in said or "string" in said:
        return ANY
    if value.ref == "output" or said & {"tensor", "array", "moved"}:
        return value.but(kind="tensor", ref=None)
    return value
