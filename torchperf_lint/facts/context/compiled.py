"""What `torch.compile` compiles: the functions that it is given, and all that those call.

    @torch.compile                              a function, with its decorator
    self.step = torch.compile(self.step)        a method
    model = torch.compile(Net())                the `forward` of a module; so does `model.compile()`
    Trainer(net, TrainingArguments(..., torch_compile=True))                        the same, by a setting

From there calls are followed through the program, on `self` into the class that is compiled, whichever class above it makes
them; but not into what is kept out (`torch.compiler.disable`), nor into branches that compiled code never takes
(`if not torch.compiler.is_compiling()`), nor behind a gate. What only tests compile is not, nor what compiles behind an option that
the code leaves off, `if compile_blocks:`; one of a command line or of settings users choose, and it is told. What other files
compile is for `compiled_elsewhere`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import (
    compiled_branches,
    compiled_by_settings,
    compiled_calls,
    gates,
    in_tests,
    modes,
    option_branches,
)
from torchperf_lint.facts.context.compiled_calls import Target
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.guesses import file_names
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.once import once
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret import classes

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.analysis import Analysis

COMPILE: Final = "torch.compile"
_KEPT_OUT: Final = frozenset(
    f"torch.{each}"
    for each in (
        *("compiler.disable", "compiler.allow_in_graph", "compiler.assume_constant_result", "_disable_dynamo"),
        *("_dynamo.disable", "_dynamo.allow_in_graph", "_dynamo.skip"),
        *("jit.script", "library.custom_op", "library.triton_op"),
    )
) | {"triton.jit"}
"""Decorators of what Dynamo does not look into, or takes as it is."""
_WRAPPING: Final = frozenset(("contextlib.contextmanager", "torch.jit.script_method", "torch.jit.export"))
_MOST: Final = 2000
"""So many functions are looked into, from all that a file compiles."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """How a function is compiled."""

    fullgraph: bool
    """A break is an error."""
    mode: str | None
    dynamic: bool | None
    shown: ast.AST
    """What compiles it: a call, a decorator."""
    option: Evidence | None = None
    """The setting behind which that stands, and which is off by default."""


def may_compile(module: Module) -> bool:
    """Whether a file may compile anything, by its words."""
    if compiled_by_settings.may_be(module):
        return True
    return "compile" in module.names and ("torch" in module.names or bool(module.stars))


def makes_batches(module: Module) -> bool:
    """Whether a file is of those that make batches, by its name: there a module is no model."""
    return file_names.is_of_data(module.name)


def how(analysis: Analysis, module: Module, node: ast.AST, *, assumed: bool) -> Fact[Compiled]:
    """How the code of a node is compiled; not known where nothing in the file compiles it."""
    found = of_function(analysis, module, module.function_of(node), assumed=assumed)
    return found if found is not None and comes_to(module, node) else Fact(UNKNOWN)


def comes_to(module: Module, node: ast.AST) -> bool:
    """Whether compiled code may come to a node of its function, and not seldom."""
    return gates.of(module, node) is None and compiled_branches.may_be_taken(module, node)


def of_function(analysis: Analysis, module: Module, function: Function, *, assumed: bool) -> Fact[Compiled] | None:
    """How a function is compiled by what its file says; None where nothing says so."""
    assumed = assumed and not makes_batches(module)
    found = (_reached_assumed if assumed else reached)(analysis, module).get(function)
    if (
        found is None
        and assumed
        and not _is_kept_out(function)
        and modes.serves_forward(analysis, module, function.body[0])
    ):
        return _assumed(module, function.node)  # another file's `forward` calls it
    return found


def reached(analysis: Analysis, module: Module) -> dict[Function, Fact[Compiled]]:
    """All that is compiled by what a file says, unless an option leaves that off; of two that say so the later one counts."""
    return reached_in(analysis, (module, None))


@once
def reached_in(analysis: Analysis, asked: tuple[Module, str | None]) -> dict[Function, Fact[Compiled]]:
    """The same of the functions of one file, by its path: no option is asked that is about others."""
    module, path = asked
    found: dict[Function, Fact[Compiled]] = {}
    offs: dict[ast.AST, _Off] = {}
    for function, facts in analysis.about(_reached, module).items():
        for fact in facts if path in (None, function.module.path) else ():
            shown = fact.value.shown
            if shown not in offs:
                offs[shown] = _off(analysis, module, shown)
            option, is_written = offs[shown]
            if not is_written:
                keep(found, function, Fact(replace(fact.value, option=option), fact.sure, fact.because))
    return found


def keep(found: dict[Function, Fact[Compiled]], function: Function, fact: Fact[Compiled]) -> None:
    """Keep what compiles a function, unless something does that is no option that is off."""
    if function not in found or (found[function].value.option is not None and fact.value.option is None):
        found[function] = fact


_Off = tuple[Evidence | None, bool]
"""The option that leaves something off, and whether the code alone tells that."""


def _off(analysis: Analysis, module: Module, shown: ast.AST) -> _Off:
    option = option_branches.off(analysis, module, shown, frozenset())
    if option is None:
        return None, False
    return option, option_branches.written_off(analysis, module, shown, frozenset()) is not None


def _reached(analysis: Analysis, module: Module) -> dict[Function, tuple[Fact[Compiled], ...]]:
    """All that each call or decorator of a file compiles, the later ones first; one file that many import compiles the same for each of
    them."""
    roots: dict[ast.AST, list[tuple[Target, Fact[Compiled]]]] = {}
    for target, fact in _roots(analysis, module):
        if not in_tests.is_test(module.function_of(fact.value.shown)):
            roots.setdefault(fact.value.shown, []).append((target, fact))
    found: dict[Function, tuple[Fact[Compiled], ...]] = {}
    for each in reversed(roots.values()):
        for function, fact in spread(analysis, each).items():
            found[function] = (*found.get(function, ()), fact)
    return found


@once
def _reached_assumed(analysis: Analysis, module: Module) -> dict[Function, Fact[Compiled]]:
    """The same where all modules are assumed to be compiled."""
    return spread(analysis, [*_roots(analysis, module), *_forwards(analysis, module)])


def spread(analysis: Analysis, roots: list[tuple[Target, Fact[Compiled]]]) -> dict[Function, Fact[Compiled]]:
    """What is compiled where some functions are: these, and what they call; of two that say so the later one counts."""
    found: dict[Function, Fact[Compiled]] = {}
    seen: set[Target] = set()
    todo = list(roots)
    while todo and len(seen) < _MOST:
        target, fact = todo.pop()
        if target in seen or _is_kept_out(target[0]):
            continue
        seen.add(target)
        found.setdefault(target[0], fact)
        further = Fact(fact.value, Sure.LIKELY, fact.because[:1])
        todo += [(called, further) for called in compiled_calls.of(analysis, target) if called not in seen]
    return found


# ---- where it starts


def _roots(analysis: Analysis, module: Module) -> Iterator[tuple[Target, Fact[Compiled]]]:
    """The functions that a file says to compile, the later ones first."""
    if not may_compile(module):
        return
    for function in module.functions.values():
        for decorator in function.decorators:
            if names.of_decorator(function, decorator) == COMPILE and not _is_off(decorator):
                yield (function, function.owner), _fact(module, _options(decorator), decorator, "compiled here")
    for call in (
        each for name in sorted(module.spelled(frozenset(("compile",)))) for each in module.calls.get(name, ())
    ):
        made = _given(analysis, module, call)
        if made is not None and not _is_off(call):
            fact = _fact(module, _options(call), call, "compiled here")
            for given in compiled_calls.run_by(analysis, module, made):
                yield given, fact
            yield from ((step, fact) for step in compiled_by_settings.steps(analysis, module, made))
    for setting in compiled_by_settings.given(module):
        if analysis.value(setting.model, module).kind == "module":
            fact = _fact(module, setting.options, setting.shown, "set to be compiled here")
            yield from ((given, fact) for given in compiled_calls.run_by(analysis, module, setting.model))


def _given(analysis: Analysis, module: Module, call: ast.Call) -> ast.expr | None:
    """What a call compiles: the argument of `torch.compile`, or the module whose `compile` is called."""
    if names.dotted(module.function_of(call), call.func) == COMPILE:
        named = next((each.value for each in call.keywords if each.arg == "model"), None)
        return call.args[0] if call.args else named
    match call.func:
        case ast.Attribute(value=held) if (value := analysis.value(held, module)).kind == "module":
            has_own = isinstance(value.ref, Class) and classes.find_method(analysis, value.ref, "compile") is not None
            return None if has_own else held  # what its own method compiles, that says
    return None


def made(module: Module, node: ast.expr) -> ast.expr | None:
    """What compiles the function that a name stands for, where nothing else is bound to it: a call of `torch.compile`, a decorator."""
    home = names.scope_of(module.function_of(node), node.id) if isinstance(node, ast.Name) else None
    if home is None or not isinstance(node, ast.Name):
        return None
    match home.scope.stores.get(node.id, ()):
        case [ast.Name() as store]:
            bound = module.parents.get(store)
            call = bound.value if isinstance(bound, ast.Assign) and len(bound.targets) == 1 else None
            is_one = isinstance(call, ast.Call) and names.dotted(module.function_of(call), call.func) == COMPILE
            return call if is_one else None
        case [(ast.FunctionDef() | ast.AsyncFunctionDef()) as function]:
            for decorator in function.decorator_list:
                target = decorator.func if isinstance(decorator, ast.Call) else decorator
                if names.dotted(home, target) == COMPILE:
                    return decorator
    return None


def _is_off(call: ast.expr) -> bool:
    """`torch.compile(f, disable=True)`; where a setting decides, it is compiled for those who set it so."""
    given = _options(call).get("disable")
    return isinstance(given, ast.Constant) and given.value is True


def _fact(module: Module, given: dict[str | None, ast.expr], shown: ast.AST, says: str) -> Fact[Compiled]:
    constants = {name: each.value for name, each in given.items() if isinstance(each, ast.Constant)}
    mode, dynamic = constants.get("mode"), constants.get("dynamic")
    made = Compiled(
        constants.get("fullgraph") is True,
        mode if isinstance(mode, str) else None,
        dynamic if isinstance(dynamic, bool) else None,
        shown,
    )
    return Fact(made, Sure.PROVEN, (Evidence(shown, says, module.path),))


def _options(call: ast.expr) -> dict[str | None, ast.expr]:
    return {each.arg: each.value for each in call.keywords} if isinstance(call, ast.Call) else {}


def _forwards(analysis: Analysis, module: Module) -> Iterator[tuple[Target, Fact[Compiled]]]:
    """The `forward` of each module of a file, inherited or its own, and its `__call__`, for who wants to hear of all of them."""
    for owner in module.classes.values():
        for name in ("__call__", "forward"):
            method = classes.find_method(analysis, owner, name)
            if method is not None and analysis.kind(owner) == "module":
                shown = method if method.module is module else owner
                yield (method, owner), _assumed(module, shown.node)


def _assumed(module: Module, shown: ast.AST) -> Fact[Compiled]:
    made = Compiled(fullgraph=False, mode=None, dynamic=None, shown=shown)
    return Fact(made, Sure.LIKELY, (Evidence(shown, "assumed to be compiled", module.path),))


def _is_kept_out(function: Function) -> bool:
    """Whether Dynamo does not look into a function: by its decorator, or that of its class."""
    for decorator in function.decorators:
        name = names.of_decorator(function, decorator)
        if name in _KEPT_OUT or name in _WRAPPING:
            return True
    return False
