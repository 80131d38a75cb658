"""The interpreter: what every expression of a program can be.

A function is run on abstract values (`domain/value.py`), statement by statement (`flow.py`), expression by expression
(`expressions.py`), and the value of each expression is written down. Nothing is run before somebody asks about it.

    def step(self, x: Tensor):        x: tensor, proven by the annotation
        h = self.fc(x)                self.fc: nn.Linear, from `__init__`; so h: tensor of the same rank
        if h.max() > 3:               h.max() > 3: tensor, bool, rank 0
            h = h.cpu()               here h is on the host ...
        return h                      ... and here on the host or where it was: nothing is known of its device

There are two ways to run a function. *Recording*, once for each function: its parameters are what annotations,
defaults, callers and their own uses say, and what is found is kept for the questions of rules. *Calling*, when a call
of the function is met: its parameters are the arguments, and only the result is kept. So a function that takes its
device from its argument gives each caller the right answer.

All that is found stands in tables of a `Solver`: no answer depends on who asked first. Limits depend on the program
alone: how deep a call is, how deep an expression nests, how often a loop turns. A file that takes more steps than any
program needs is given up, and that is told. Knows nothing of LibCST and, but for its data, nothing of torch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.domain.join import join, join_all
from torchperf_lint.facts.domain.value import ANY, BOTTOM, NONE, Kind, Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Class, Function, Module, Program
from torchperf_lint.facts.interpret.arguments import Args, without_detail
from torchperf_lint.facts.interpret.run import Run
from torchperf_lint.facts.interpret.solver import Solver
from torchperf_lint.facts.interpret.table import Frame, Table

if TYPE_CHECKING:
    from torchperf_lint.facts.guesses import votes
    from torchperf_lint.facts.interpret.environment import Env

DEPTH: Final = 6
"""How many calls deep a call is followed."""
AWAY: Final = 3
"""For so many counts a call into another file than the linted one: what lies two files away tells next to nothing here."""
STEPS_AT_LEAST: Final = 50_000
STEPS_A_NODE: Final = 60
"""The budget of a module: so many evaluations for each node of its tree. The densest file of transformers needs 9."""

_PLAIN: Final = frozenset(("number", "string", "none"))
"""What a function in another file is believed to return where it says so: running it would tell no more of a tensor."""


class Recorded:
    """What a run for the record found in a function."""

    __slots__ = ("bound", "values")

    def __init__(self, values: dict[ast.AST, Value], bound: dict[str, Value]) -> None:
        self.values = values
        """The value of each expression that control comes to; of a target, what it was bound to."""
        self.bound = bound
        """All that each name was seen to hold."""

    def part(self, part: ast.AST | str) -> Value | None:
        return self.bound.get(part) if isinstance(part, str) else self.values.get(part)


NOT_RUN: Final = Recorded({}, {})
"""Of a function that is still to run."""


INSTANCE: Final[Fact[Kind]] = Fact("instance")


@dataclass
class Parts:
    """What an interpreter is made of: who works out what. `interpreter` puts it together."""

    expressions: dict[type[ast.AST], Callable[[Run, Any], Value]]
    run: Callable[[Run], Value]
    """Run the body of a function; what it returns."""
    run_class: Callable[[Run, Class], None]
    block: Callable[[Run, list[ast.stmt]], None]
    send: Callable[[Run, Value, str, Args], Value | None]
    free: Callable[[Analysis, Function, str], Value]
    resolve: Callable[[Analysis, str], Value | None]
    parameter: Callable[[Analysis, Function, str], Value]
    annotation: Callable[[Analysis, Function, ast.expr], Value]
    alias: Callable[[Analysis, Function, str], Value | None]
    attribute: Callable[[Analysis, Class, str], Value | None]
    bases: Callable[[Analysis, Class], tuple[Class, ...]]
    ancestry: Callable[[Analysis, Class], tuple[Class, ...]]
    kind: Callable[[Analysis, Class], Fact[Kind]]
    sites: Callable[[Analysis, Function], list[ast.Call]]
    heirs: Callable[[Analysis, Module], dict[Function, list[Class]]]


class Call:
    """A call of a function with some arguments, so many calls deep: equal ones have one result."""

    __slots__ = ("_key", "depth", "env", "function")

    def __init__(self, function: Function, depth: int, env: Env) -> None:
        self.function = function
        self.depth = depth
        self.env = env
        self._key = (function, depth, tuple([(name, value.key()) for name, value in env.items()]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class Analysis:
    """All that is known of a program so far; the memory of the interpreter."""

    def __init__(self, program: Program, module: Module, parts: Parts) -> None:
        self.program = program
        self.module = module
        """The file that is linted."""
        self.parts = parts
        self.steps = 0
        self.limit = max(STEPS_AT_LEAST, STEPS_A_NODE * len(module.parents))
        self.solver = Solver()
        self._recorded = Table(_record, NOT_RUN, _changed_parts, _widened_record, has_parts=True)
        self._bodies = Table(_record_class, NOT_RUN, _changed_parts, _widened_record, has_parts=True)
        self.calls = _values(_call)
        self._free = _values(_free)
        self._parameters = _values(_parameter)
        self._annotations = _values(_annotation, ANY)
        self._attributes = _values(_attribute)
        self._aliases = _values(_alias, None)
        self._resolved = _values(_resolve, None)
        self._bases = Table(_bases, (), _changed, _last)
        self._ancestries = Table(_ancestry, (), _changed, _last)
        self._kinds = Table(_kind, INSTANCE, _changed_fact, _last)
        self._sites = Table(_sites, [], _changed, _last)
        self._heirs = Table(_heirs, {}, _changed, _last)
        # What is asked only when all of the above is at rest, kept for those who ask.
        self.frequencies: dict[tuple[Function, int], Any] = {}
        self.places: dict[tuple[ast.AST | Function, int], Any] = {}
        self.loop_frequencies: dict[ast.AST, Any] = {}
        self.waits: dict[tuple[ast.AST, tuple[int, ...]], Any] = {}
        self.gpu: dict[Module, bool] = {}
        self.documented: dict[ast.AST, dict[str, str]] = {}
        self.votes: dict[tuple[Function, str], list[votes.Cast]] = {}
        self.answers: dict[tuple[object, ...], Any] = {}

    def spend(self) -> None:
        """Take one step, if there are any left."""
        self.steps += 1
        if self.steps > self.limit:
            raise GaveUpError

    # ---- running

    def recorded(self, function: Function) -> Recorded:
        """What a run of a function for the record finds."""
        found: Recorded = self.solver.find(self._recorded, function, self)
        return found

    def seen(self, node: ast.AST, function: Function) -> Value | None:
        """The recorded value of an expression in a function; None if control does not come to it."""
        return self._part(self._recorded, function, node)

    def seen_in_class(self, node: ast.AST, owner: Class) -> Value | None:
        """The same of what stands in the body of a class; of another file, nothing around it is run for that."""
        home = owner.within
        if home.module is self.module or not home.is_module:
            return self.seen(node, home)
        return self._part(self._bodies, owner, node)

    def held(self, function: Function, name: str) -> Value:
        """All that a name that a function binds is seen to hold."""
        found = self._part(self._recorded, function, name)
        return found if found is not None else ANY

    def _part(self, table: Table, key: object, part: ast.AST | str) -> Value | None:
        """One part of what a run finds, which may still change; None where control does not come to it."""
        recorded: Recorded = self.solver.find(table, key, self)
        frame = self.solver.read_part(table, key, part)
        found = BOTTOM if recorded is NOT_RUN else recorded.part(part)
        return self._nothing_yet(frame) if found is BOTTOM else found

    def _nothing_yet(self, frame: Frame | None) -> Value:
        """What is said of an answer of which nothing is known: BOTTOM while more may come, then ANY."""
        if frame is None or frame.is_fed:
            return ANY
        self.solver.starve()
        return BOTTOM

    def value(self, node: ast.AST, module: Module) -> Value:
        """The recorded value of an expression."""
        found = self.seen(node, module.function_of(node))
        return found if found is not None else ANY

    def scratch(self, function: Function) -> Run:
        """A run that keeps nothing, to evaluate one expression as seen from inside a function."""
        run = Run(self, function, {}, record=False)
        run.is_outside = True
        return run

    def call(self, function: Function, env: Env, depth: int) -> Value:
        """What a function returns when its parameters hold `env`, in a call so many calls deep."""
        depth += 1 if function.module is self.module else AWAY
        if depth > DEPTH or function.module is not self.module:
            promised = self.promise(function)
            if depth > DEPTH or promised.kind in _PLAIN:
                return promised
        if any(each is BOTTOM for each in env.values()):
            self.solver.starve()
            return BOTTOM
        return self._value(
            self.calls, Call(function, depth, {name: without_detail(each) for name, each in env.items()})
        )

    def promise(self, function: Function) -> Value:
        """What a function says that it returns; `ANY` where it says nothing."""
        says = getattr(function.node, "returns", None)
        return self.annotation(function, says) if says is not None else ANY

    def default(self, function: Function, name: str) -> Value:
        """What a parameter holds when a call leaves it out."""
        node = function.defaults.get(name)
        if node is None:
            if not isinstance(function.node, (ast.Module, ast.Lambda)):
                arguments = function.node.args
                if arguments.vararg is not None and arguments.vararg.arg == name:
                    return Value("tuple", Sure.LIKELY)
                if arguments.kwarg is not None and arguments.kwarg.arg == name:
                    return Value("dict", Sure.LIKELY)
            return ANY
        if isinstance(node, ast.Constant) and node.value is None:
            return NONE
        return self.scratch(function.within or function).expr(node)

    # ---- names, parameters, annotations

    def _value(self, table: Table, key: Any) -> Value:
        found: Value = self.solver.find(table, key, self)
        return self._nothing_yet(table.open.get(key)) if found is BOTTOM else found

    def _if_any(self, table: Table, key: Any) -> Value | None:
        found: Value | None = self.solver.find(table, key, self)
        return self._nothing_yet(table.open.get(key)) if found is BOTTOM else found

    def free(self, function: Function, name: str) -> Value:
        """What a name that a function does not bind itself holds when the function runs."""
        return self._value(self._free, (names.scope_of(function, name) or function.module.body, name))

    def symbol(self, name: str) -> Value:
        """The value of an imported dotted name."""
        return Value("symbol", ref=name)

    def resolve(self, name: str) -> Value | None:
        """A function or class of the program by its dotted name, through re-exports; None for all other names."""
        return self._if_any(self._resolved, name)

    def parameter(self, function: Function, name: str) -> Value:
        """What a parameter can hold: by its annotation, its default, the callers of the function, and its own uses."""
        return self._value(self._parameters, (function, name))

    def annotation(self, function: Function, node: ast.expr) -> Value:
        """What an annotation says, seen from a function."""
        return self._value(self._annotations, (function, node))

    def alias(self, home: Function, name: str) -> Value | None:
        """The type that a name of a module stands for; None where it stands for none."""
        return self._if_any(self._aliases, (home, name))

    # ---- classes

    def instance(self, owner: Class, why: Evidence | None = None) -> Value:
        """An instance of a class of the program."""
        found = self.kind_of(owner)
        return Value(found.value, found.sure, ref=owner, why=why)

    def class_attribute(self, owner: Class, name: str) -> Value | None:
        """What `self.name` can hold: all that methods and the class body were seen to bind it to."""
        for each in self.ancestry(owner):
            found = self.own_attribute(each, name)
            if found is not None:
                return found
        return None

    def own_attribute(self, owner: Class, name: str) -> Value | None:
        """The same of what the class binds itself; None where it is for its bases to say."""
        return self._if_any(self._attributes, (owner, name))

    def bases(self, owner: Class) -> tuple[Class, ...]:
        """The bases of a class that the program defines."""
        found: tuple[Class, ...] = self.solver.find(self._bases, owner, self)
        return found

    def ancestry(self, owner: Class) -> tuple[Class, ...]:
        """A class and all that it derives from in the program, in the order in which Python asks them."""
        found: tuple[Class, ...] = self.solver.find(self._ancestries, owner, self)
        return found

    def kind(self, owner: Class) -> Kind:
        """What an instance of a class is: a module, a dataset, ... or just an instance."""
        return self.kind_of(owner).value

    def kind_of(self, owner: Class) -> Fact[Kind]:
        """The same as a fact: likely, where no more than the name of a base says so."""
        found: Fact[Kind] = self.solver.find(self._kinds, owner, self)
        return found

    # ---- callers

    def sites(self, function: Function) -> list[ast.Call]:
        """The calls of a function in its own file that are seen to be calls of it."""
        found: list[ast.Call] = self.solver.find(self._sites, function, self)
        return found

    def heirs(self, module: Module) -> dict[Function, list[Class]]:
        """The classes of a file that have no `__init__` of their own, by the one that they take over."""
        found: dict[Function, list[Class]] = self.solver.find(self._heirs, module, self)
        return found


# ---- how each table is filled


def _record(analysis: Analysis, function: Function) -> Recorded:
    run = Run(analysis, function, {}, record=True)
    for name in function.parameters:
        run.bind(name, analysis.parameter(function, name), function.parameters[name])
    analysis.parts.run(run)
    return Recorded(run.values, {name: join_all(tuple(held.values())) for name, held in run.bound.items()})


def _record_class(analysis: Analysis, owner: Class) -> Recorded:
    run = Run(analysis, owner.within, {}, record=True)
    run.is_outside = True
    analysis.parts.run_class(run, owner)
    return Recorded(run.values, {})


def _call(analysis: Analysis, call: Call) -> Value:
    run = Run(analysis, call.function, dict(call.env), record=False, depth=call.depth)
    for name in call.function.parameters:
        if name not in call.env and run.env is not None:
            run.env[name] = analysis.default(call.function, name)
    return analysis.parts.run(run)


def _free(analysis: Analysis, key: tuple[Function, str]) -> Value:
    return analysis.parts.free(analysis, key[0], key[1])


def _parameter(analysis: Analysis, key: tuple[Function, str]) -> Value:
    return analysis.parts.parameter(analysis, key[0], key[1])


def _annotation(analysis: Analysis, key: tuple[Function, ast.expr]) -> Value:
    return analysis.parts.annotation(analysis, key[0], key[1])


def _attribute(analysis: Analysis, key: tuple[Class, str]) -> Value | None:
    return analysis.parts.attribute(analysis, key[0], key[1])


def _alias(analysis: Analysis, key: tuple[Function, str]) -> Value | None:
    return analysis.parts.alias(analysis, key[0], key[1])


def _resolve(analysis: Analysis, name: str) -> Value | None:
    return analysis.parts.resolve(analysis, name)


def _bases(analysis: Analysis, owner: Class) -> tuple[Class, ...]:
    return analysis.parts.bases(analysis, owner)


def _ancestry(analysis: Analysis, owner: Class) -> tuple[Class, ...]:
    return analysis.parts.ancestry(analysis, owner)


def _kind(analysis: Analysis, owner: Class) -> Fact[Kind]:
    return analysis.parts.kind(analysis, owner)


def _sites(analysis: Analysis, function: Function) -> list[ast.Call]:
    return analysis.parts.sites(analysis, function)


def _heirs(analysis: Analysis, module: Module) -> dict[Function, list[Class]]:
    return analysis.parts.heirs(analysis, module)


# ---- what the solver must know of answers


def _values(compute: Callable[[Any, Any], Any], start: Value | None = BOTTOM) -> Table:
    return Table(compute, start, _changed_value, _widened_value)


def _is_same(old: Value | None, new: Value | None) -> bool:
    if old is new or old is None or new is None or old is BOTTOM or new is BOTTOM:
        return old is new
    return old.key() == new.key()


def _changed_value(old: Value | None, new: Value | None, _: Iterable[Any]) -> list[Any]:
    return [] if _is_same(old, new) else [None]


def _changed_parts(old: Recorded, new: Recorded, parts: Iterable[Any]) -> list[Any]:
    return [part for part in parts if old is NOT_RUN or not _is_same(old.part(part), new.part(part))]


def _changed(old: Any, new: Any, _: Iterable[Any]) -> list[Any]:
    return [] if old == new else [None]


def _changed_fact(old: Fact[Any], new: Fact[Any], _: Iterable[Any]) -> list[Any]:
    return [] if old.value == new.value and old.sure is new.sure else [None]


def _widened_value(old: Value | None, new: Value | None) -> Value | None:
    if old is None or new is None:
        return new if old is None else old
    return join(old, new)


def _widened_record(old: Recorded, new: Recorded) -> Recorded:
    values = {node: _widened_value(old.values.get(node), value) or ANY for node, value in new.values.items()}
    bound = {name: _widened_value(old.bound.get(name), value) or ANY for name, value in new.bound.items()}
    return Recorded({**old.values, **values}, {**old.bound, **bound})


def _last(_: Any, new: Any) -> Any:
    return new
