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

All that is found stands in tables of a `Solver`: no answer depends on who asked first, nor on which file is linted, so answers
about modules are kept for the next file that imports them (`shared.py`). Limits depend on the program alone: how deep a call
is, how deep an expression nests, how often a loop turns. A file that takes more steps than any program needs is given up, and
that is told. Knows nothing of LibCST and, but for its data, nothing of torch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.domain.budget import most_steps
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import ANY, BOTTOM, NONE, Kind, Value
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.facts.index.scopes import Class, Function
from torchperf_lint.facts.interpret.arguments import without_detail
from torchperf_lint.facts.interpret.computing import Tables
from torchperf_lint.facts.interpret.parts import Parts
from torchperf_lint.facts.interpret.recorded import NOT_RUN, Call, Recorded
from torchperf_lint.facts.interpret.run import Run
from torchperf_lint.facts.interpret.shared import FileAsCalled, FileWorld, SharedAnswers
from torchperf_lint.facts.interpret.solver import Solver
from torchperf_lint.facts.interpret.stand_ins import with_evidence
from torchperf_lint.facts.interpret.table import Answer, Frame, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchperf_lint.facts.project.neighbours import Neighbours

DEPTH: Final = 6
"""How many calls deep a call is followed."""
OTHER_MODULE: Final = 3
"""For so many counts a call into another file, and each after it: what lies two files away tells next to nothing."""

NESTED: Final = 100
"""So many keys may be under way at once where callers are asked: theirs may be under way on top of them."""

NOT_OURS: Final = ("torch.", "numpy.", "builtins.", "typing.", "math.", "os.", "collections.")
"""No project defines names that start so."""
_PLAIN: Final = frozenset(("number", "string", "none"))
"""What a function in another file is believed to return where it says so: running it would tell no more of a tensor."""


def _nobody() -> None:
    return None


class Analysis:
    """All that is known of a program so far; the memory of the interpreter."""

    def __init__(
        self,
        program: Program,
        module: Module,
        parts: Parts,
        shared: SharedAnswers | None = None,
        *,
        is_neighbour: bool = False,
        plain: Analysis | None = None,
        away: int = 0,
    ) -> None:
        self.module = module
        """The file that is linted, or one around it that may call what it defines."""
        self.around: Callable[[], Neighbours | None] = _nobody
        """The files that may call what the file defines, which hold this: a weak reference; none where nobody looks beyond it."""
        self.parts = parts
        self.program = program
        self.plain = plain
        """What is known of the file where nobody asks its callers; None where this is that."""
        self.away = away
        """From so many files away callers are asked what they pass."""
        limit = most_steps(len(module.parents))
        if plain is None:
            self.solver = Solver(FileWorld(program, None if is_neighbour else module, shared), limit)
        else:
            self.solver = Solver(FileAsCalled(program, module, plain.answer), limit // 2, NESTED)
        self.tables = Tables()
        self._plain: dict[tuple[Function, str], Value] = {}
        """Names for which nothing needs to run."""
        # What is asked only when all of the above is at rest, kept for those who ask.
        self.frequencies: dict[tuple[Function, frozenset[str], int, int], Any] = {}
        self.places: dict[tuple[ast.AST | Function, frozenset[str], int, int], Any] = {}
        self.loop_frequencies: dict[ast.AST, Any] = {}
        self.waits: dict[tuple[ast.AST, tuple[int, ...]], Any] = {}
        self.gpu: dict[Module, bool] = {}
        self.documented: dict[ast.AST, dict[str, str]] = {}
        self.answers: dict[tuple[object, ...], Any] = {}

    @property
    def spent(self) -> float:
        """Which part of the steps that the file may take it has taken."""
        return self.solver.steps.counted / self.solver.steps.limit

    def as_called(self, away: int) -> Analysis:
        """What is known of the same file where callers in other files are asked what they pass."""
        return Analysis(self.program, self.module, self.parts, plain=self, away=away)

    def answer(self, table: Table, key: Any) -> Answer:
        """What is known about a key of a table like one of these."""
        own = self.tables.of(table.compute)
        self.solver.find(own, key, self)
        return own.known[key]

    def about(self, ask: Callable[[Analysis, Module], Any], module: Module) -> Any:
        """What a question about a whole module finds: kept, with the many answers that it stands on, as these are."""
        return self.solver.find(self.tables.of(ask), module, self)

    # ---- running

    def recorded(self, function: Function) -> Recorded:
        """What a run of a function for the record finds."""
        found: Recorded = self.solver.find(self.tables.recorded, function, self)
        return found

    def seen(self, node: ast.AST, function: Function) -> Value | None:
        """The recorded value of an expression in a function; None if control does not come to it."""
        return self._part(self.tables.recorded, function, node)

    def seen_in_class(self, node: ast.AST, owner: Class) -> Value | None:
        """The same of what stands in the body of a class; of one of a module, nothing around it is run for that."""
        if not owner.within.is_module:
            return self.seen(node, owner.within)
        return self._part(self.tables.bodies, owner, node)

    def name_values(self, function: Function, name: str) -> Value:
        """All that a name that a function binds is seen to hold."""
        found = self._part(self.tables.recorded, function, name)
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

    def call(self, run: Run, function: Function, env: dict[str, Value]) -> Value:
        """What a function returns when its parameters hold `env`, called in a run."""
        left_module = run.left_module or function.module is not run.module
        depth = run.depth + (OTHER_MODULE if left_module else 1)
        if depth > DEPTH or left_module:
            promised = self.promise(function)
            if depth > DEPTH or promised.kind in _PLAIN:
                return promised
        if any(each is BOTTOM for each in env.values()):
            self.solver.starve()
            return BOTTOM
        arguments = {name: without_detail(each) for name, each in env.items()}
        found = self._value(self.tables.calls, Call(function, depth, arguments, left_module=left_module))
        return found if found is BOTTOM else with_evidence(found, arguments)

    def promise(self, function: Function) -> Value:
        """What a function says that it returns; `ANY` where it says nothing."""
        return self.annotation(function, function.returns) if function.returns is not None else ANY

    def default(self, function: Function, name: str) -> Value:
        """What a parameter holds when a call leaves it out."""
        node = function.defaults.get(name)
        if node is None:
            arguments = function.arguments
            if arguments is not None and function.name != "<lambda>":
                if arguments.vararg is not None and arguments.vararg.arg == name:
                    return Value("tuple", Sure.LIKELY)
                if arguments.kwarg is not None and arguments.kwarg.arg == name:
                    return Value("dict", Sure.LIKELY)
            return ANY
        is_none = isinstance(node, ast.Constant) and node.value is None
        return NONE if is_none else self.scratch(function.within or function).expr(node)

    # ---- names, parameters, annotations

    def _value(self, table: Table, key: Any) -> Value:
        found: Value = self.solver.find(table, key, self)
        return self._nothing_yet(table.open.get(key)) if found is BOTTOM else found

    def _if_any(self, table: Table, key: Any) -> Value | None:
        found: Value | None = self.solver.find(table, key, self)
        return self._nothing_yet(table.open.get(key)) if found is BOTTOM else found

    def free(self, function: Function, name: str) -> Value:
        """What a name that a function does not bind itself holds when the function runs."""
        home = names.scope_of(function, name) or function.module.body
        plain = self._plain.get((home, name))
        if plain is None:
            plain = self.parts.plain(home, name)
            if plain is None:
                return self._value(self.tables.free, (home, name))
            self._plain[home, name] = plain
        return plain

    def symbol(self, name: str) -> Value:
        """The value of an imported dotted name."""
        return Value("symbol", ref=name)

    def resolve(self, name: str) -> Value | None:
        """A function or class of the program by its dotted name, through re-exports; None for all other names."""
        return None if name.startswith(NOT_OURS) else self._if_any(self.tables.resolved, name)

    def parameter(self, function: Function, name: str) -> Value:
        """What a parameter can hold: by its annotation, its default, the callers of the function, and its own uses."""
        return self._value(self.tables.parameters, (function, name))

    def annotation(self, function: Function, node: ast.expr) -> Value:
        """What an annotation says, seen from a function."""
        return self._value(self.tables.annotations, (function, node))

    def alias(self, home: Function, name: str) -> Value | None:
        """The type that a name of a module stands for; None where it stands for none."""
        return self._if_any(self.tables.aliases, (home, name))

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
        return self._if_any(self.tables.attributes, (owner, name))

    def bases(self, owner: Class) -> tuple[Class, ...]:
        """The bases of a class that the program defines."""
        found: tuple[Class, ...] = self.solver.find(self.tables.bases, owner, self)
        return found

    def ancestry(self, owner: Class) -> tuple[Class, ...]:
        """A class and all that it derives from in the program, in the order in which Python asks them."""
        found: tuple[Class, ...] = self.solver.find(self.tables.ancestries, owner, self)
        return found

    def kind(self, owner: Class) -> Kind:
        """What an instance of a class is: a module, a dataset, ... or just an instance."""
        return self.kind_of(owner).value

    def kind_of(self, owner: Class) -> Fact[Kind]:
        """The same as a fact: likely, where no more than the name of a base says so."""
        found: Fact[Kind] = self.solver.find(self.tables.kinds, owner, self)
        return found

    # ---- callers

    def sites(self, function: Function) -> list[ast.Call]:
        """The calls of a function in its own file that are seen to be calls of it."""
        found: list[ast.Call] = self.solver.find(self.tables.sites, function, self)
        return found

    def heirs(self, module: Module) -> dict[Function, list[Class]]:
        """The classes of a file that have no `__init__` of their own, by the one that they take over."""
        found: dict[Function, list[Class]] = self.solver.find(self.tables.heirs, module, self)
        return found
