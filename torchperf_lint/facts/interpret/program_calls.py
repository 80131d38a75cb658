"""Calls of what the program defines: a function is run with the arguments of the call, so each caller gets its own answer."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.domain.value import ANY, Value
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import classes, devices
from torchperf_lint.facts.interpret.arguments import NO_ARGS, Args

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run


def call_function(run: Run, node: ast.Call | None, function: Function, receiver: Value | None, args: Args) -> Value:
    """Run a function of the program with the arguments of a call; not for a statement, whose result goes nowhere."""
    if node is not None and node is run.unused:
        return ANY
    result = run.analysis.call(run, function, bind(function, receiver, args))
    return devices.beside(result, list(args.every)) if receiver is None else result


def bind(function: Function, receiver: Value | None, args: Args) -> dict[str, Value]:
    """What each parameter of a function holds in a call; parameters that the call leaves out are absent."""
    env: dict[str, Value] = {}
    values = list(args.positional)
    if receiver is not None and not function.is_static:
        values.insert(0, receiver)
    names = function.positional
    env.update(zip(names, values, strict=False))
    rest = values[len(names) :]
    head = function.arguments
    vararg = head.vararg if head is not None else None
    if vararg is not None:
        env[vararg.arg] = Value("tuple", items=tuple(rest)) if not args.is_open else Value("tuple")
    kwarg = head.kwarg if head is not None else None
    extra = {name: value for name, value in args.named.items() if name not in function.parameters}
    env.update({name: value for name, value in args.named.items() if name in function.parameters})
    if kwarg is not None:
        env[kwarg.arg] = Value("dict", items=extra) if not args.is_open else Value("dict")
    if args.is_open:
        for name in function.parameters:
            env.setdefault(name, ANY)
    return env


def send(run: Run, value: Value, name: str, args: Args = NO_ARGS) -> Value | None:
    """Call a method that the program defines for a value; None if it defines none of that name."""
    if not isinstance(value.ref, Class):
        return None
    found = classes.find_method(run.analysis, value.ref, name)
    return call_function(run, None, found, value, args) if found is not None else None


def construct(run: Run, node: ast.Call, owner: Class, args: Args) -> Value:
    """An instance of a class of the program."""
    why = run.why(node, f"an instance of `{owner.name}`")
    value = run.analysis.instance(owner, why)
    if value.kind == "instance" and "__init__" not in owner.methods:
        names = owner.fields
        items = dict(zip(names, args.positional, strict=False)) | args.named
        if items and not args.is_open:
            return value.but(items=items)
    return value
