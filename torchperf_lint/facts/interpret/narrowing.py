"""What a condition tells: `if x is None`, `isinstance(x, Tensor)`, `x.is_cuda`, and branches that are never taken."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import only, without
from torchperf_lint.facts.domain.value import ANY, CPU, CUDA, NO, TENSOR_OR_ARRAY, Kind, Value
from torchperf_lint.facts.index.names import dotted
from torchperf_lint.facts.index.walk import place_of
from torchperf_lint.facts.interpret import callers, type_hints

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.environment import Env
    from torchperf_lint.facts.interpret.run import Run

_PYTHON: Final[dict[str, Kind]] = {
    "list": "list", "tuple": "tuple", "dict": "dict", "set": "set", "str": "string", "int": "number", "float": "number",
    "bool": "number",
}  # fmt: skip
_FIRST: Final = frozenset(
    ("torch.Tensor", "torch.nn.Module", "numpy.ndarray", "torch.Size", "torch.device", "torch.dtype", "torch.optim.Optimizer",
     "torch.utils.data.DataLoader")
)  # fmt: skip
"""The classes of libraries of which all is an instance that is of their kind: what is none of them is of another kind."""
TESTED: Final = "tested to be "
_PARAMETER: Final = "torch.nn.Parameter"


def _kind(name: str) -> Kind | None:
    """What `isinstance` proves, by the class that is asked for; classes that say more than a kind are read as annotations."""
    if name in _PYTHON:
        return _PYTHON[name]
    return knowledge.instance(name) if name in _FIRST or name == _PARAMETER else None  # type: ignore[return-value]


def branch(run: Run, env: Env | None, test: ast.expr, value: Value, truth: bool) -> Env | None:
    """What is known where a test came out as `truth`; None where it never does."""
    if env is None:
        return None
    if (
        value.const is not NO
        and value.kind in ("number", "none")
        and bool(value.const) is not truth
        and _decided(run, test)
    ):
        return None
    if truth and _is_for_others(run, test):
        return None
    narrowed = env.copy()
    _learn(run, narrowed, test, truth)
    return narrowed


def _is_for_others(run: Run, test: ast.expr) -> bool:
    """Whether a test asks a parameter for a tensor where the callers in sight all pass a shape, or for None where they
    all pass something: nobody in sight gets there."""
    match test:
        case ast.Call(func=function, args=args) if args and isinstance(subject := args[0], ast.Name):
            if not _asks_for_tensor(run, function, args[1:]):
                return False
            if run.record and _is_number(run, subject):
                return True
            if subject.id not in run.function.parameters:
                return False
            passed = callers.passed(run.analysis, run.function, subject.id)
            return passed is not None and passed.kind == "size"
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            if not run.record or name not in run.function.parameters:
                return False
            is_given = run.function.scope.stores[name][:1] == [run.function.parameters[name]] and not any(
                place_of(store) < place_of(test) for store in run.function.scope.stores[name][1:]
            )
            return is_given and callers.always_give(run.analysis, run.function, name)
    return False


def _asks_for_tensor(run: Run, function: ast.expr, kinds: list[ast.expr]) -> bool:
    if not kinds:
        return _is(run, function, "torch.is_tensor")
    return _is(run, function, "isinstance") and _class_name(run, kinds[0]) == "torch.Tensor"


def _is_number(run: Run, node: ast.Name) -> bool:
    """Whether what a name holds was computed from numbers alone."""
    held = run.env.get(node.id) if run.env is not None else None
    return held is not None and held.kind == "number" and held.sure is Sure.PROVEN


def _decided(run: Run, test: ast.expr) -> bool:
    """Whether a test that comes out constant is one: arguments of a call are, a global that somebody may set is not."""
    if not run.record:
        return True
    while isinstance(test, ast.UnaryOp):
        test = test.operand
    if isinstance(test, ast.BoolOp):
        return all(_decided(run, value) for value in test.values)
    return isinstance(test, (ast.Constant, ast.Call)) or (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING")


def _learn(run: Run, env: Env, test: ast.expr, truth: bool) -> None:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            _learn(run, env, operand, not truth)
        case ast.BoolOp(op=op, values=values):
            if isinstance(op, ast.And) is truth:
                for value in values:
                    _learn(run, env, value, truth)
        case ast.NamedExpr(target=target):
            _learn(run, env, target, truth)
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq() as op], comparators=[ast.Constant(value=None)]):
            _none(run, env, left, truth if isinstance(op, (ast.Is, ast.Eq)) else not truth)
        case ast.Compare(left=left, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]):
            _none(run, env, left, not truth)
        case ast.Compare(left=ast.Attribute(value=ast.Attribute(value=tensor, attr="device"), attr="type"), ops=[op],
                         comparators=[ast.Constant(value=str(name))]):  # fmt: skip
            if isinstance(op, ast.Eq) is truth and name in ("cpu", "cuda"):
                _device(run, env, tensor, CPU if name == "cpu" else CUDA, test)
        case ast.Call(func=function, args=[subject, kinds]) if _is(run, function, "isinstance"):
            _isinstance(run, env, subject, kinds, truth)
        case ast.Compare(left=ast.Call(func=function, args=[subject], keywords=[]), ops=[op], comparators=[kinds]) if (
            _is(run, function, "type")
        ):
            if isinstance(op, (ast.Is, ast.Eq)) and truth:  # one of a class that derives is none, so a no tells nothing
                _isinstance(run, env, subject, kinds, truth)
        case ast.Call(func=function, args=[subject]) if _is(run, function, "torch.is_tensor"):
            _become(run, env, subject, "tensor" if truth else None, test)
        case ast.Attribute(value=tensor, attr="is_cuda"):
            _device(run, env, tensor, CUDA if truth else CPU, test)
        case ast.Attribute(value=tensor, attr="is_cpu"):
            if truth:
                _device(run, env, tensor, CPU, test)
        case ast.Name() | ast.Attribute():
            if truth:
                _none(run, env, test, False)


def path_of(node: ast.expr) -> str | None:
    """The name under which an environment holds an expression: `x`, or `self.x`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def _held(run: Run, env: Env, node: ast.expr) -> tuple[str | None, Value]:
    path = path_of(node)
    if path is None:
        return None, ANY
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        run.path(node.value, node.attr)
    held = env.get(path)
    if held is None:
        held = run.look(node)
    return path, held


def _none(run: Run, env: Env, node: ast.expr, is_none: bool) -> None:
    path, held = _held(run, env, node)
    if path is None:
        return
    if is_none:
        env[path] = Value("none", const=None)
    elif held.kind == "none":
        env[path] = ANY
    elif held.none:
        env[path] = held.but(none=False)


def _device(run: Run, env: Env, node: ast.expr, device: str, test: ast.expr) -> None:
    path, held = _held(run, env, node)
    if path is not None and held.kind in ("tensor", "tensor_tree", "unknown"):
        why = run.why(test, f"tested to be on {'CUDA' if device == CUDA else 'the CPU'}")
        kind: Kind = "tensor" if held.kind == "unknown" else held.kind
        env[path] = held.but(kind=kind, device=device, where=why, why=held.why or why)


def _is(run: Run, function: ast.expr, name: str) -> bool:
    if "." not in name:
        return isinstance(function, ast.Name) and function.id == name
    return dotted(run.function, function) == name


def _isinstance(run: Run, env: Env, subject: ast.expr, kinds: ast.expr, truth: bool) -> None:
    classes = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    names = [_class_name(run, each) for each in classes]
    found = {_kind(name) for name in names}
    if not truth and len(found) > 1 and None not in found:
        _be_none_of(run, env, subject, found)
        return
    kind = found.pop() if len(found) == 1 else None
    if truth and kind is None and not found and isinstance(kinds, (ast.Name, ast.Attribute)):
        _instance(run, env, subject, kinds)
    elif truth:
        _become(run, env, subject, kind, kinds)
    elif None not in found and kind is not None and names != [_PARAMETER]:  # no parameter, but still a tensor
        path, held = _held(run, env, subject)
        if path is not None and held.alternatives is not None and only(held, kind) is not None:
            env[path] = without(held, kind)
        elif path is not None and held.kind == kind:
            env[path] = Value("ndarray", Sure.LIKELY) if held.ref == TENSOR_OR_ARRAY else ANY
        elif path is not None and kind == "ndarray" and held.ref == TENSOR_OR_ARRAY:
            env[path] = held.but(device=None, ref=None)


def _be_none_of(run: Run, env: Env, subject: ast.expr, kinds: set[Kind | None]) -> None:
    """What is left of several things where a test for some of them failed: `isinstance(x, (list, tuple))`."""
    path, held = _held(run, env, subject)
    for kind in sorted(each for each in kinds if each is not None):
        if held.alternatives is not None and only(held, kind) is not None:
            held = without(held, kind)
    if path is not None:
        env[path] = held


def _instance(run: Run, env: Env, subject: ast.expr, owner: ast.expr) -> None:
    """`isinstance` of a class of the program: what nothing was known of is one; a tensor may be one that derives."""
    path, held = _held(run, env, subject)
    if path is None or held.kind not in ("unknown", "tensor_tree", "tensor"):
        return
    asked = type_hints.read(run.analysis, run.function, owner)
    if held.kind == "tensor":
        env[path] = ANY if asked.kind != "tensor" else _proven(held).but(ref=asked.ref)
    elif asked.kind != "unknown":
        env[path] = asked.but(device=held.device, where=held.where)


def _proven(held: Value) -> Value:
    """What was tested to be what it was likely to be; no array, as it turns out."""
    found = held.but(sure=Sure.PROVEN, none=False)
    return found.but(device=None, ref=None) if held.ref == TENSOR_OR_ARRAY else found


def _class_name(run: Run, node: ast.expr) -> str:
    if isinstance(node, ast.Name) and node.id in _PYTHON:
        return node.id
    return dotted(run.function, node) or ""


def _become(run: Run, env: Env, node: ast.expr, kind: Kind | None, test: ast.expr) -> None:
    path, held = _held(run, env, node)
    if path is None:
        return
    if kind is None:
        if held.kind in ("tensor", "tensor_tree"):
            env[path] = ANY
        return
    brought = only(held, kind)
    if brought is not None:
        env[path] = _proven(brought)
    else:
        what = "a tensor" if kind == "tensor" else f"of kind {kind}"
        device, where = (held.device, held.where) if held.kind == "tensor_tree" else (None, None)
        env[path] = Value(kind, why=run.why(test, f"{TESTED}{what}"), device=device, where=where)


def shape_unpacked(run: Run, node: ast.Assign) -> None:
    """`b, c, h, w = x.shape` tells that `x` has four dimensions."""
    target = node.targets[0]
    if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(e, ast.Starred) for e in target.elts):
        return
    match node.value:
        case (
            ast.Attribute(value=tensor, attr="shape") | ast.Call(func=ast.Attribute(value=tensor, attr="size"), args=[])
        ):
            path = path_of(tensor)
            held = run.env.get(path) if run.env is not None and path is not None else None
            if (
                held is not None
                and path is not None
                and held.kind == "tensor"
                and held.rank is None
                and run.env is not None
            ):
                run.env[path] = held.but(rank=len(target.elts))


def mask_given(run: Run, node: ast.AST) -> None:
    """`x.masked_fill(mask, 0)` bears no mask but one of bools: that is what it is from here on."""
    if run.env is None or not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Name):
        return
    held = run.env.get(node.args[0].id)
    if held is not None and held.kind == "tensor" and held.dtype is None:
        run.env[node.args[0].id] = held.but(dtype="bool")
