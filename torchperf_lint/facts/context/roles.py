"""Where code runs: in a data loader's workers, in a branch for export that eager code never takes, on the CPU alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import LOOPS, Class, Function, Module, last_name, walk
from torchperf_lint.facts.interpret import callers, classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

Loop = ast.For | ast.AsyncFor | ast.While

NEVER: Final = frozenset(
    [
        "torchvision._is_tracing",
        "torch.jit.is_scripting",
        "torch.jit.is_tracing",
        "torch.onnx.is_in_onnx_export",
        "torch.compiler.is_exporting",
        "torch.compiler.is_compiling",
        "torch.compiler.is_dynamo_compiling",
        "torch._dynamo.is_compiling",
    ]
)
"""Conditions that are false when code runs eagerly."""


def may_use_gpu(analysis: Analysis, module: Module) -> bool:
    """Whether anything of a file may run on a GPU."""
    known = analysis.gpu.get(module)
    if known is None:
        known = analysis.gpu[module] = not file_traits.is_cpu_program(module)
    return known


_TEST_TOOLS: Final = frozenset(("pytest", "unittest", "TestCase", "assert_close", "common_utils"))
_TEST_CASE: Final = re.compile("TestCase|Test$|TestBase$|^BaseTest")


def runs_on_host(analysis: Analysis, function: Function, depth: int = 3) -> bool:
    """Whether a function works on the host for a data loader: datasets, samplers, collate functions, and what is seen to
    be called by nothing else."""
    for at in function.around():
        if at.owner is not None and classes.kind(analysis, at.owner) in ("dataset", "sampler"):
            return True
        if _is_collate(at):
            return True
    if holder(analysis, function) == "module":
        return False
    sites = callers.sites(analysis, function) if depth and not function.is_module else []
    return bool(sites) and all(runs_on_host(analysis, function.module.function_of(each), depth - 1) for each in sites)


def is_given_numbers(analysis: Analysis, function: Function) -> bool:
    """Whether a `forward` is given numbers alone, a shape or a count: it makes something, of what its module holds."""
    if function.owner is None or function.name != "forward" or classes.kind(analysis, function.owner) != "module":
        return False
    given = [analysis.parameter(function, name) for name in function.parameters][1:]
    return bool(given) and all(_is_number(each) for each in given)


def _is_number(value: Value) -> bool:
    if value.kind in ("tuple", "list"):
        items = value.items if isinstance(value.items, tuple) else (value.elem,) if value.elem is not None else ()
        return bool(items) and all(_is_number(item) for item in items)
    return value.kind in ("number", "size", "string")


_SETUP: Final = re.compile(
    r"^(__init__|__post_init__|_?reset_parameters|_?init_weights?|_?initiali[sz]e_weights|_init_.*|init_.*_weights|"
    r"init_non_persistent_buffers|fuse|_?fuse_(bn|conv|norm|batch_?norm)\w*|switch_to_deploy)$"
)


def is_setup(analysis: Analysis, function: Function, depth: int = 3) -> bool:
    """Whether a function makes a module: its parameters and buffers are on the host still."""
    method = function.method
    if method is None:
        return False
    if _SETUP.match(method.name):
        return True
    sites = callers.sites(analysis, method) if depth else []
    return bool(sites) and all(is_setup(analysis, method.module.function_of(site), depth - 1) for site in sites)


def is_made_once(analysis: Analysis, function: Function) -> bool:
    """Whether a function belongs to what a program makes once and keeps: a module, an optimizer."""
    return holder(analysis, function) == "module"


def holder(analysis: Analysis, function: Function) -> str:
    """Whose method a function is, or stands in: "module" (or an optimizer), another "object", or "" nobody's."""
    method = function.method
    if method is None or method.owner is None:
        return ""
    return "module" if classes.kind(analysis, method.owner) in ("module", "optimizer") else "object"


_EXPORT: Final = re.compile(r"(^|[._])(exports?|exporters?|onnx)([._]|$)")


def is_aside(function: Function) -> bool:
    """Whether a `forward` is no part of a step: what a file for export holds is traced once, and so is a stand-in for an
    operator of ONNX, which says by `symbolic` what it is to become."""
    owner = function.owner
    is_stand_in = owner is not None and "symbolic" in owner.methods and "backward" not in owner.methods
    return is_stand_in or bool(_EXPORT.search(function.module.name))


_RESULTS: Final = re.compile(r"^_?post_?process")


def reads_results(function: Function) -> bool:
    """Whether a function, or one around it, makes what a user is shown of the outputs of a model: no step, but after it."""
    return any(_RESULTS.match(each.name) for each in function.around())


def makes_optimizer(analysis: Analysis, function: Function) -> bool:
    """Whether a function makes an optimizer for itself: it is a whole training, of however few steps, and no step of one."""
    made = (node for node in walk(function.node, into_scopes=False) if isinstance(node, ast.Assign))
    return any(analysis.value(node.value, function.module).kind == "optimizer" for node in made)


def edits_arrays(function: Function) -> bool:
    """Whether a function puts arrays of NumPy into what it is given: its results are for the host, whose data they change."""
    return any(
        isinstance(node, ast.Assign)
        and isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id in function.parameters
        and isinstance(node.value, ast.Call)
        and (names.dotted(function, node.value.func) or "").startswith("numpy.")
        for node in walk(function.node, into_scopes=False)
        for target in (node.targets if isinstance(node, ast.Assign) else ())
    )


def takes_samples(loop: Loop) -> bool:
    """Whether each turn of a loop takes a step of a sampler: `x = scheduler.step(noise, t, x)`, whose result goes on.

    Of nested loops that is the one which says what `t` is: the loop over videos or prompts around it is none, nor is one
    inside it that takes the step for each image.
    """
    return any(_gives_turn(loop, call) for call in _samples(loop))


def follows_sampler(loop: Loop) -> bool:
    """Whether a loop goes over the times of a sampler: `for t in scheduler.timesteps: x = scheduler.step(noise, t, x)`."""
    if isinstance(loop, ast.While):
        return False
    given = {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
    return takes_samples(loop) and any(given & _turns(call) for call in _samples(loop))


def holds_sampling(loop: Loop) -> bool:
    """Whether steps of a sampler are taken somewhere in a loop."""
    return any(True for _ in _samples(loop))


def _samples(loop: Loop) -> Iterator[ast.Call]:
    for node in walk(loop, into_scopes=False):
        if isinstance(node, ast.Assign):
            value = node.value
            while isinstance(value, (ast.Attribute, ast.Subscript)):
                value = value.value
            if isinstance(value, ast.Call) and _turn(value) is not None:
                yield value


def _turn(call: ast.Call) -> ast.expr | None:
    """What a step of a sampler is told of where it is: `t` of `scheduler.step(noise, t, x)`."""
    match call:
        case ast.Call(func=ast.Attribute(attr="step"), args=[_, turn, *_]):
            return turn
        case ast.Call(func=ast.Attribute(attr="step"), keywords=keywords):
            return next((each.value for each in keywords if each.arg == "timestep"), None)
    return None


def _gives_turn(loop: Loop, call: ast.Call) -> bool:
    """Whether of all loops around a step of a sampler this is the one by whose turns it goes on."""
    inside = [
        each
        for each in walk(loop, into_scopes=False)
        if each is not loop and isinstance(each, LOOPS) and any(below is call for below in walk(each))
    ]
    if any(_turns(call) & _bound(each) for each in inside):
        return False
    return not inside or bool(_turns(call) & _bound(loop))


def _turns(call: ast.Call) -> set[str]:
    """The names by which a step of a sampler is told where it is."""
    said = _turn(call)
    return {name.id for name in ast.walk(said) if isinstance(name, ast.Name)} if said is not None else set()


def _bound(loop: Loop) -> set[str]:
    """The names that a loop binds."""
    return {
        node.id
        for node in walk(loop, into_scopes=False)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def runs_once(loop: Loop) -> bool:
    """Whether a loop ends with its first turn: `for x, y in loader: ...; break` takes one batch."""
    if not isinstance(loop.body[-1], ast.Break):
        return False
    return not any(isinstance(node, ast.Continue) for node in walk(loop, into_scopes=False))


def _is_collate(function: Function) -> bool:
    """Whether a function is given to a loader as its `collate_fn` or `worker_init_fn`, or named for it."""
    if function.name in ("collate_fn", "collate", "worker_init_fn", "custom_collate_fn"):
        return True
    for call in function.module.calls.get("DataLoader", ()):
        for keyword in call.keywords:
            if (
                keyword.arg in ("collate_fn", "worker_init_fn")
                and isinstance(keyword.value, ast.Name)
                and keyword.value.id == function.name
            ):
                return True
    return False


def is_test(function: Function) -> bool:
    """Whether a function is a test, by what it does: it is named for one, and asserts; or its file has a test case, or
    imports a test tool."""
    module, known = function.module, function.module.tests
    if function.node not in known:
        named = (each.node for each in function.around() if each.name.startswith("test"))
        known[function.node] = (
            _is_of_tests(module)
            if function.is_module
            else is_test(module.body) or any(_asserts(node) for each in named for node in walk(each))
        )
    return known[function.node]


def _is_of_tests(module: Module) -> bool:
    return not module.names.isdisjoint(_TEST_TOOLS) or any(map(_is_test_case, module.classes.values()))


def _asserts(node: ast.AST) -> bool:
    """`assert x`, and `self.assertEqual(x, y)`."""
    return isinstance(node, ast.Assert) or (isinstance(node, ast.Call) and last_name(node.func).startswith("assert"))


def _is_test_case(owner: Class) -> bool:
    """Whether a class derives from what is called a test, and has tests: whoever runs them imports the tool."""
    is_derived = any(_TEST_CASE.search(last_name(base)) for base in owner.node.bases)
    return is_derived and any(name.startswith("test") for name in owner.methods)


_SCRIPTED: Final = frozenset(
    ("torch.jit.script", "torch.jit.script_method", "torch.jit.script_if_tracing", "torch.jit.export")
)


def is_scripted(function: Function) -> bool:
    """Whether TorchScript compiles a function: its authors have no eager code in mind."""
    return any(
        names.dotted(each.within or each, decorator) in _SCRIPTED
        for each in function.around()
        for decorator in each.decorators
    )


def is_never_run(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in a branch that eager code never takes: scripting, tracing, export."""
    below = node
    for above in module.ancestors(node):
        if isinstance(above, ast.If):
            negated = isinstance(above.test, ast.UnaryOp) and isinstance(above.test.op, ast.Not)
            asks = above.test.operand if isinstance(above.test, ast.UnaryOp) and negated else above.test
            branch = above.orelse if negated else above.body
            if any(below is statement for statement in branch) and _asks_never(module, asks):
                return True
        below = above
    return False


def _asks_never(module: Module, test: ast.expr) -> bool:
    if isinstance(test, ast.BoolOp):
        checks = [_asks_never(module, value) for value in test.values]
        return any(checks) if isinstance(test.op, ast.And) else all(checks)
    if isinstance(test, ast.Call):
        return names.dotted(module.body, test.func) in NEVER
    return False
