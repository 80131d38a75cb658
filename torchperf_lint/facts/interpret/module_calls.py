"""Calls of modules of torch, of classes that derive from them, and of the methods that all of them have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.join import any_item
from torchperf_lint.facts.domain.value import ANY, STRING, Value
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.interpret import attributes, classes, tensors, transfers
from torchperf_lint.facts.interpret.program_calls import call_function
from torchperf_lint.facts.knowledge import dtype_names, pass_through

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.arguments import Args
    from torchperf_lint.facts.interpret.run import Run


def call_module(run: Run, node: ast.Call, module: Value, args: Args) -> Value:
    """What a module gives when it is called: what its `forward` returns, or what torch's own module does."""
    if isinstance(module.ref, Class):
        forward = classes.find_method(run.analysis, module.ref, "forward")
        if forward is not None:
            result = call_function(run, None, forward, module, args)
            if result.kind != "unknown":
                return result
    row = knowledge.module(module.ref) if isinstance(module.ref, str) else None
    if row is not None:
        return tensors.from_module(run, node, row, module, args)
    return output(run, node, module, args)


def output(run: Run, node: ast.Call, module: Value, args: Args) -> Value:
    """What a model gives that is not in sight: tensors, where the model or its arguments are."""
    why = run.why(node, "the output of a model")
    device, where = module.device, module.where
    for value in args.every:
        if value.kind in ("tensor", "tensor_tree") and value.device is not None and device is None:
            device, where = value.device, value.where
    grad = None if run.no_grad else True
    return Value("tensor_tree", Sure.LIKELY, ref="output", device=device, where=where, why=why, grad=grad)


def module_method(run: Run, node: ast.Call, module: Value, name: str, args: Args) -> Value:
    """A method that every `nn.Module` has."""
    match name:
        case "to" | "cuda" | "cpu":
            moved = transfers.move(run, node, module, name, args)
            assert isinstance(node.func, ast.Attribute)
            run.rebind(node.func.value, moved)  # a module is moved in place
            return moved
        case "half" | "float" | "double" | "bfloat16":
            assert isinstance(node.func, ast.Attribute)
            cast = module.but(dtype=dtype_names.SHORT.get(name, name))
            run.rebind(node.func.value, cast)
            return cast
        case _ if name in pass_through.MODULE_METHODS:
            return module
        case "forward":
            return call_module(run, node, module, args)
        case "load_state_dict" | "zero_grad" | "register_buffer" | "register_parameter" | "add_module":
            return Value("none", const=None)
    held = _held(run, node, module, name)
    if held is not None:
        return held
    member = knowledge.member(module.ref, name) if isinstance(module.ref, str) else None
    return attributes.from_return(run, member, module, node)


def _held(run: Run, node: ast.Call, module: Value, name: str) -> Value | None:
    """What a module holds, as one of its methods lists it: weights, other modules; None for another method."""
    match name:
        case "parameters" | "buffers":
            why = run.why(node, f"one of the module's {name}")
            weight = Value(
                "tensor",
                Sure.PROVEN,
                device=module.device,
                where=module.where,
                why=why,
                grad=name == "parameters" or None,
            )
            return Value("iterator", elem=weight)
        case "named_parameters" | "named_buffers":
            weights = _held(run, node, module, name.removeprefix("named_")) or ANY
            return Value("iterator", elem=Value("tuple", items=(STRING, any_item(weights))))
        case "modules" | "children":
            return Value("iterator", elem=Value("module", device=module.device, where=module.where))
        case "named_modules" | "named_children":
            child = Value("module", device=module.device, where=module.where)
            return Value("iterator", elem=Value("tuple", items=(STRING, child)))
        case "state_dict":
            why = run.why(node, "an entry of the state dict")
            return Value("dict", elem=Value("tensor", device=module.device, where=module.where, why=why, grad=False))
        case "get_parameter" | "get_buffer":
            return Value("tensor", Sure.LIKELY, device=module.device, where=module.where, why=module.why)
    return None
