"""Calls: what is called, by its value, and who knows what that gives.

Functions and classes of the program are for `program_calls`, modules for `module_calls`, functions of torch for `tensors`
and `constructors`, Python's own for `builtin`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import ANY, CUDA, MAYBE, NO, STRING, Value
from torchperf_lint.facts.guesses import call_forms, votes
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name
from torchperf_lint.facts.interpret import (
    attributes,
    builtin,
    classes,
    constructors,
    containers,
    devices,
    distributions,
    layouts,
    meters,
    module_calls,
    named_tuples,
    numpy_arrays,
    partials,
    tensors,
    transfers,
)
from torchperf_lint.facts.interpret.arguments import Args
from torchperf_lint.facts.interpret.program_calls import call_function, construct, send
from torchperf_lint.facts.knowledge import moves

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_TOTAL: Final = frozenset(("number", "tensor", "unknown", "none"))
"""What a name holds that paths add to."""
_STRING_METHODS: Final = frozenset(["split", "rsplit", "splitlines", "partition", "rpartition"])


def call(run: Run, node: ast.Call) -> Value:
    """The value of a call."""
    function = node.func
    if isinstance(function, ast.Attribute):
        receiver = run.expr(function.value)
        if receiver.alternatives is not None:
            receiver = run.values[function.value] = _asked(receiver)
        args = arguments(run, node)
        if isinstance(function.value, ast.Name) and run.env is not None:
            held = run.env.get(f"{function.value.id}.{function.attr}")
            if held is not None:
                return apply(run, node, held, args)
        return method(run, node, receiver, function.attr, args)
    return apply(run, node, run.expr(function), arguments(run, node))


def _asked(receiver: Value) -> Value:
    """Which of several things a method is called on: `loss = 0`, to which some paths add a tensor, has none before that."""
    parts = {each.kind: each for each in receiver.alternatives or ()}
    number, tensor = parts.get("number"), parts.get("tensor")
    if receiver.kind != "unknown" or number is None or number.const is NO or tensor is None:
        return receiver
    return tensor.but(sure=Sure.LIKELY) if parts.keys() <= _TOTAL else receiver


def arguments(run: Run, node: ast.Call) -> Args:
    """Evaluate the arguments of a call."""
    positional: list[Value] = []
    opened = False
    for argument in node.args:
        value = run.expr(argument)
        if isinstance(argument, ast.Starred):
            if isinstance(value.items, tuple) and not opened:
                positional.extend(value.items)
            elif value.elem is not None and not positional and last_name(node.func) == "meshgrid":
                positional.append(value)  # the list says as much as its items one by one
            else:
                opened = True
        elif not opened:
            positional.append(value)
    named = {}
    for keyword in node.keywords:
        value = run.expr(keyword.value)
        if keyword.arg is not None:
            named[keyword.arg] = value
        elif isinstance(value.items, dict) and value.elem is None:
            named.update({name: item for name, item in value.items.items() if isinstance(name, str)})
        else:
            opened = True
    return Args(tuple(positional), named, opened)


def apply(run: Run, node: ast.Call, callee: Value, args: Args) -> Value:
    """What calling a value gives."""
    if callee.items is not None:
        args = partials.given(callee, args)
    match callee.kind:
        case "symbol":
            made = call_symbol(run, node, callee.ref, args)
            # Ex) Tensor(2, 3), with Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
            return made if callee.device is None else made.but(device=callee.device, sure=Sure.LIKELY)
        case "function":
            return call_function(run, node, callee.ref, callee.elem, args)
        case "class":
            return meters.begun(construct(run, node, callee.ref, args))
        case "module":
            return module_calls.call_module(run, node, callee, args)
        case "instance" | "dataset":
            return send(run, callee, "__call__", args) or ANY
        case "metric":
            return attributes.from_return(run, knowledge.member("metric", "__call__"), callee, node)
        case "object" if callee.ref == named_tuples.CLASS:
            return named_tuples.made(callee, args)
        case "tensor_tree" | "unknown":
            return _derived(run, node, args)
    return ANY


def call_symbol(run: Run, node: ast.Call, name: str, args: Args) -> Value:
    """What calling an imported name gives."""
    if name.startswith("builtins."):
        return builtin.call(run, node, name.removeprefix("builtins."), args)
    if name == "functools.partial":
        return partials.made(args)
    function = run.analysis.resolve(name)
    if function is not None:
        return apply(run, node, function, args)
    found = constructors.call(run, node, name, args)
    return found if found.kind != "unknown" or found.device is not None else _derived(run, node, args)


def _derived(run: Run, node: ast.Call, args: Args) -> Value:
    """What a function out of sight makes of tensors of the GPU: nothing is known of it, but that it comes from there."""
    for value in args.every:
        if value.kind in ("tensor", "tensor_tree") and value.device in (CUDA, MAYBE):
            return Value(
                "unknown",
                Sure.LIKELY,
                device=value.device,
                where=value.where,
                why=run.why(node, devices.DERIVED),
            )
    return ANY


def method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    """What calling a method of a value gives."""
    match receiver.kind:
        case "symbol":
            return call_symbol(run, node, knowledge.canonical(f"{receiver.ref}.{name}"), args)
        case "tensor":
            own = send(run, receiver, name, args) if receiver.ref is not None else None  # of a class of the program
            if own is not None:
                return own
            return layouts.kept(name, receiver, tensors.method(run, node, receiver, name, args))
        case "tensor_tree":
            return _tensor_tree_method(run, node, receiver, name, args)
        case "tuple" | "list" | "set" | "dict" | "iterator":
            return containers.method(run, node, receiver, name, args)
        case "size":
            return Value("number", dtype="int")
        case "string":
            return Value("list", elem=STRING) if name in _STRING_METHODS else ANY if name == "encode" else STRING
        case "class":
            return _class_method(run, node, receiver.ref, name, args)
        case "super":
            return _super_method(run, node, receiver, name, args)
        case "module" | "instance" | "dataset":
            return _instance_method(run, node, receiver, name, args)
        case "ndarray":
            return numpy_arrays.method(receiver, name, args)
        case "function":
            return ANY
        case "unknown":
            return _unknown_method(run, node, receiver, name, args)
    return _object_method(run, node, receiver, name, args)


def _unknown_method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    """A method of something of which only the method tells what it may be."""
    if name in knowledge.tensor_only() or call_forms.has_axis(node, name, votes.ARRAY):
        why = run.why(node, f"`.{name}()` is a method of tensors")
        tensor = Value("tensor", Sure.LIKELY, why=why, dtype="bool" if _is_comparison(node.func) else None)
        return tensors.method(run, node, tensor, name, args)
    if name in moves.OF_BOTH:
        return transfers.of_unknown(run, node, name, args)
    if receiver.device in (
        CUDA,
        MAYBE,
    ):  # whatever it is, it was made of tensors of the GPU, and so is what its methods give
        return Value("unknown", Sure.LIKELY, device=receiver.device, where=receiver.where)
    return ANY


def _is_comparison(function: ast.expr) -> bool:
    """`(x > 0).unsqueeze(-1)`: whether the method of a comparison is called."""
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Compare)


def _object_method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    """A method of an optimizer, a loader, a distribution, or of another object that the tables know."""
    own = send(run, receiver, name, args)
    if own is not None:
        return own
    member = (knowledge.member(receiver.ref, name) if isinstance(receiver.ref, str) else None) or knowledge.member(
        receiver.kind, name
    )
    special = constructors.method(run, node, receiver, name, args)
    if special is not None:
        return special
    source = args.at(0) or ANY if member == "first" else receiver
    if receiver.kind == "distribution" and source is receiver:
        return distributions.method(run, node, receiver, name, args, member)
    return attributes.from_return(run, member, source, node)


def _tensor_tree_method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    """A method of a batch or of a model's output: of a tensor, of a dict, or `to`."""
    if name in moves.OF_BOTH:
        return transfers.move(run, node, receiver, name, args)
    inner = containers.leaf(receiver)
    if name in ("items", "values", "keys", "pop", "get", "copy"):
        return containers.method(run, node, receiver.but(kind="dict", elem=inner), name, args)
    if knowledge.method(name) is not None:
        return tensors.method(run, node, receiver.but(kind="tensor", items=None, elem=None), name, args)
    return inner


def _class_method(run: Run, node: ast.Call, owner: Class, name: str, args: Args) -> Value:
    """`Class.method(...)`: of the class where it is a class method, else with the instance as first argument."""
    found = classes.find_method(run.analysis, owner, name)
    if found is None:
        return constructors.of_class(run, node, owner, name, args)
    is_class_method = any(isinstance(d, ast.Name) and d.id == "classmethod" for d in found.decorators)
    return call_function(run, node, found, Value("class", ref=owner) if is_class_method else None, args)


def _super_method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    # Of two classes nobody knows which: it has none then.
    above = run.analysis.ancestry(receiver.ref) if isinstance(receiver.ref, Class) else ()
    for base in above:
        if base is not receiver.ref and name in base.methods:
            return call_function(run, node, base.methods[name], receiver.elem, args)
    if name == "forward" and receiver.elem is not None:
        return module_calls.output(run, node, receiver.elem, args)
    if receiver.elem is not None and receiver.elem.kind == "distribution":
        source = receiver.elem.but(why=run.why(node, "of a distribution"))
        return attributes.from_return(run, knowledge.member("distribution", name), source, node)
    return ANY


def _instance_method(run: Run, node: ast.Call, receiver: Value, name: str, args: Args) -> Value:
    """A method of a module, a dataset, or an instance of a class of the program."""
    if isinstance(receiver.ref, Class):
        found = run.analysis.class_attribute(receiver.ref, name)
        if found is not None and found.kind == "function":
            if receiver.kind == "instance" and receiver.items:
                run.rebind(node.func.value, meters.given(run, receiver, found.ref, args))  # type: ignore[attr-defined]
            return call_function(run, node, found.ref, receiver, args)
        if found is not None:
            held = run.values[node.func] = attributes.attribute(run, receiver, node.func)  # type: ignore[arg-type]
            return _held_by(run, node, receiver, held, args)
    if isinstance(receiver.items, dict) and name in receiver.items:
        return apply(run, node, receiver.items[name], args)
    if receiver.kind == "module":
        return module_calls.module_method(run, node, receiver, name, args)
    return ANY


def _held_by(run: Run, node: ast.Call, receiver: Value, held: Value, args: Args) -> Value:
    """What calling an attribute gives: what a module holds and gives a tensor to is one of its parts, or does as they do."""
    if held.kind == "unknown" and receiver.kind == "module" and _takes_tensor(args) and not _is_unpacked(run, node):
        return module_calls.output(run, node, held, args)
    return apply(run, node, held, args)


def _takes_tensor(args: Args) -> bool:
    return bool(args.positional) and args.positional[0].kind in ("tensor", "tensor_tree")


def _is_unpacked(run: Run, node: ast.Call) -> bool:
    """Whether a statement takes the result apart: what gives several things need not give tensors alone."""
    above = run.module.parents.get(node)
    return isinstance(above, ast.Assign) and isinstance(above.targets[0], (ast.Tuple, ast.List))
