"""Calls that end the graph: by what is called, or by the tensors that it is given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.idioms import torchscript
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.knowledge import graph_breaks as known
from torchperf_lint.rules.compile.graph_break_in_compiled_code import recurrent
from torchperf_lint.rules.compile.graph_break_in_compiled_code.operands import (
    Break,
    array,
    must_be_tensor,
    tensor,
    whole,
)

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def at(facts: Facts, node: ast.Call) -> Break | None:
    function = facts.module.function_of(node)
    name = names.dotted(function, node.func)
    match node.func:
        case ast.Name(id=called) if names.scope_of(function, called) is None:
            return _builtin(facts, node, called)
        case ast.Attribute(value=held, attr=attr) if name is None:
            return _method(facts, node, held, attr) or _layer(facts, node)
    if name is None:
        return _layer(facts, node)
    if name in known.FUNCTIONS:
        return Break(known.FUNCTIONS[name], node, None)
    if name.startswith(known.HOST_LIBRARIES):
        return Break("skipped", node, None)
    if name in known.SCALARS:
        return Break("random", node, None) if _is_scalar(name, node) else None
    if name in known.PARAMETERS or (name in known.LAYERS and not _is_plain(node)):
        return Break("parameter", node, None)
    if _asks_for_gradients(name, node):
        return Break("requires", node, None)
    return _oftensor(facts, node, name)


def _builtin(facts: Facts, node: ast.Call, name: str) -> Break | None:
    if name == "print":
        return Break("print", node, None)
    if name == "open":
        return Break("host", node, None)
    if name in ("any", "all"):
        return _of_several(facts, node)
    if name == "range":
        is_array = any(array(facts, each) for each in node.args)
        return Break("read", node, None) if is_array else _sized(facts, node, node.args)
    if name == "pow" and len(node.args) == 2 and (value := tensor(facts, node.args[0])) is not None:
        return Break("power", node, value)
    value = tensor(facts, node.args[0]) if len(node.args) == 1 and not node.keywords else None
    if name in known.NUMBERS and (value is not None or (len(node.args) == 1 and array(facts, node.args[0]))):
        return Break("read", node, value)
    return Break("text", node, value) if value is not None and name in ("str", "repr") else None


def _of_several(facts: Facts, node: ast.Call) -> Break | None:
    """`any(t > 0 for t in tensors)` asks one after the other."""
    match node.args:
        case [ast.GeneratorExp(elt=asked) | ast.ListComp(elt=asked)]:
            value = tensor(facts, asked)
            return Break("branch", node, value) if value is not None else None
        case [given] if (value := tensor(facts, given)) is not None:
            return Break("branch", node, value)
    return None


def _sized(facts: Facts, node: ast.Call, sizes: list[ast.expr], *, strict: bool = False) -> Break | None:
    """A call that is given a size that a tensor holds: torch reads it."""
    for each in sizes:
        for part in each.elts if isinstance(each, (ast.Tuple, ast.List)) else [each]:
            value = whole(facts, part) if strict else tensor(facts, part)
            if value is not None:
                return Break("read", node, value)
    return None


def _method(facts: Facts, node: ast.Call, held: ast.expr, name: str) -> Break | None:
    if name in known.LOGGER_METHODS:
        return Break("log", node, None) if _is_logger(facts.module, node, held) else None
    value = tensor(facts, held)
    if name == "flatten_parameters":
        return Break("rnn", node, None) if recurrent.is_one(facts, held) else None
    if value is None:
        is_number = name == "item" and not node.args
        return Break("read", node, None) if (is_number or name == "tolist") and array(facts, held) else None
    if name in known.READ_METHODS and not node.args:
        return Break("read", node, value)
    if name in known.TRUTH_METHODS:
        return Break("read", node, value)
    if name in known.SPARSE_METHODS:
        return Break("sparse", node, value)
    if name in known.SKIPPED_METHODS:
        return Break("skipped", node, value)
    if name in known.SIZED_METHODS:
        return _sized(facts, node, node.args[: known.SIZED_METHODS[name]], strict=True)
    if name == "backward":
        return Break("grad", node, value)
    is_backward = facts.module.function_of(node).name == "backward"  # there Dynamo knows what to do
    if (
        name == "requires_grad_"
        and not is_backward
        and all(isinstance(each, ast.Constant) and each.value is True for each in node.args)
    ):
        return Break("requires", node, value) if not node.keywords else None
    return (
        Break("size", node, value)
        if name in known.SIZES and _has_open_size(facts, node, name, is_method=True)
        else None
    )


def _oftensor(facts: Facts, node: ast.Call, name: str) -> Break | None:
    """Functions that end the graph where they are given a tensor."""
    home, _, last = name.rpartition(".")
    if home == "torch" and last in known.MAKERS:
        return _sized(facts, node, node.args)
    value = tensor(facts, node.args[0]) if node.args else None
    if (
        value is None
        and node.args
        and name in known.OPEN_ARRAYS
        and _is_alone(name, node)
        and array(facts, node.args[0])
    ):
        return Break("size", node, None)
    if value is None and name.startswith("torch.") and node.args and must_be_tensor(facts, node.args[0]):
        return _of_any_tensor(facts, node, name, None)
    if value is None:
        is_module = name == "copy.deepcopy" and facts.analysis.value(node.args[0], facts.module).kind == "module"
        return Break("skipped", node, None) if is_module else None
    if home == "math" and last in known.MATH:
        return Break("read", node, value)
    if name in ("copy.deepcopy", "copy.copy"):
        return Break("host", node, value)
    return _of_any_tensor(facts, node, name, value)


def _of_any_tensor(facts: Facts, node: ast.Call, name: str, value: Value | None) -> Break | None:
    """Functions of torch that take nothing but a tensor: whatever they are given is one."""
    home, _, last = name.rpartition(".")
    if name in known.TRUTH:
        return Break("read", node, value)
    is_open = home in ("torch", "torch.nn.functional") and last in known.SIZES
    return Break("size", node, value) if is_open and _has_open_size(facts, node, last, is_method=False) else None


def _has_open_size(facts: Facts, node: ast.Call, name: str, *, is_method: bool) -> bool:
    """Whether the arguments of a call leave the size of its result to the data."""
    given = {each.arg: each.value for each in node.keywords}
    if None in given or any(isinstance(each, ast.Starred) for each in node.args):
        return False
    arguments = node.args if is_method else node.args[1:]
    if name == "where":
        return not is_method and not arguments and not given
    if name == "one_hot":
        return not arguments and "num_classes" not in given
    if name == "repeat_interleave":
        repeats = given.get("repeats", arguments[0] if arguments else None)
        return repeats is not None and "output_size" not in given and tensor(facts, repeats) is not None
    return True


def _is_scalar(name: str, node: ast.Call) -> bool:
    """Whether a function that draws numbers is asked for one."""
    if any(each.arg in ("size", None) for each in node.keywords) or any(
        isinstance(each, ast.Starred) for each in node.args
    ):
        return False
    return len(node.args) <= known.FIXED.get(name, 0)


def _is_alone(name: str, node: ast.Call) -> bool:
    """Whether `np.where` is given a condition alone; the others are."""
    return name != "numpy.where" or (len(node.args) == 1 and not node.keywords)


def _is_plain(node: ast.Call) -> bool:
    """Whether a normalisation is asked for without parameters."""
    plain = (each.value for each in node.keywords if each.arg in ("affine", "elementwise_affine"))
    return any(isinstance(each, ast.Constant) and each.value is False for each in plain)


def _asks_for_gradients(name: str, node: ast.Call) -> bool:
    """`torch.zeros(3, requires_grad=True)`; a module that trains has `self.training`."""
    home, _, last = name.rpartition(".")
    if home != "torch" or last not in known.CREATORS:
        return False
    match next((each.value for each in node.keywords if each.arg == "requires_grad"), None):
        case ast.Constant(value=True) | ast.Attribute(attr="training"):
            return True
    return False


def _is_logger(module: Module, node: ast.Call, held: ast.expr) -> bool:
    """Whether something is a logger of Python: a name of the file that is bound to one, or one that is asked for at once."""
    function = module.function_of(node)
    if isinstance(held, ast.Call):
        return names.dotted(function, held.func) in known.LOGGERS
    if not isinstance(held, ast.Name):
        return False
    home = names.scope_of(function, held.id)
    stores = home.scope.stores[held.id] if home is not None else []
    match [module.parents.get(each) for each in stores]:
        case [ast.Assign(value=ast.Call(func=made))]:
            return names.dotted(module.body, made) in known.LOGGERS
    return False


def _layer(facts: Facts, node: ast.Call) -> Break | None:
    if recurrent.is_one(facts, node.func):
        return Break("rnn", node, None)
    if torchscript.MAKERS.isdisjoint(facts.module.names):
        return None
    return (
        Break("script", node, None) if torchscript.made(facts.analysis, facts.module, node.func) is not None else None
    )
