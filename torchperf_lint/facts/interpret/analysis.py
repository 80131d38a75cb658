"""The interpreter: what every expression of a program can be.

A function is run once on abstract values (`values.py`), statement by statement (`flow.py`), expression by expression
(`expressions.py`), and the value of each expression is written down. Nothing is run before somebody asks about it.

    def step(self, x: Tensor):        x: tensor, proven by the annotation
        h = self.fc(x)                self.fc: nn.Linear, from `__init__`; so h: tensor of the same rank
        if h.max() > 3:               h.max() > 3: tensor, bool, rank 0
            h = h.cpu()               here h is on the host ...
        return h                      ... and here on the host or where it was: nothing is known of its device

There are two ways to run a function. *Recording*, once for each function: its parameters are what annotations,
defaults, callers and their own uses say, and what is found is kept for the questions of rules. *Calling*, when a call
of the function is met: its parameters are the arguments, only the result is kept, and equal calls are run once. So a
function that takes its device from its argument gives each caller the right answer.

Everything is bounded: a budget of steps for a module, a depth of calls, a few turns for a loop. Past a bound the
answer is `ANY`, never an exception. Knows nothing of LibCST and, but for its data, nothing of torch.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.facts.context import file_traits
from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.domain.fact import Evidence, Fact, Sure
from torchperf_lint.facts.domain.join import join_all
from torchperf_lint.facts.domain.value import ANY, NONE, Key, Kind, Value
from torchperf_lint.facts.guesses import parameters, trainers, votes
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Class, Function, Module, Program
from torchperf_lint.facts.interpret import attributes, calls, classes, devices, expressions, flow, type_hints
from torchperf_lint.facts.interpret.ancestry import ancestry
from torchperf_lint.facts.interpret.arguments import NO_ARGS, Args, without_detail
from torchperf_lint.facts.interpret.flow import LEVELS
from torchperf_lint.facts.knowledge.pass_through import MODULE_METHODS

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.environment import Env
    from torchperf_lint.facts.sync import host_wait

DEPTH: Final = 6
"""How many calls deep a call is followed."""
AWAY: Final = 3
"""For so many counts a call into another file than the linted one: what lies two files away tells next to nothing here."""
STEPS_AT_LEAST: Final = 50_000
STEPS_A_NODE: Final = 60
"""The budget of a module: so many evaluations for each node of its tree. The densest file of transformers needs 9."""


_FOREIGN: Final = ("torch.", "numpy.", "builtins.", "typing.", "math.", "os.", "collections.")
"""No project defines names that start so."""
_STARS: Final = 100
"""So many modules are looked into for a name that came with a star: a package may offer all that it has in this way."""


_FILLED: Final = frozenset(("tuple", "list", "dict", "set"))
"""Kinds of values that a method, or a write to an item, changes."""
_SETTLED: Final = _FILLED | frozenset(
    ("number", "string", "none", "dtype", "symbol", "function", "class", "instance", "object", "unknown")
)
"""Kinds of values that no line elsewhere in a module moves or casts."""
_PLAIN: Final = frozenset(("number", "string", "none"))
"""What a function in another file is believed to return where it says so: running it would tell no more of a tensor."""
_CHANGING: Final = (ast.Attribute, ast.Subscript)
"""What is seen around a name where a method, or a write to an item, may change what it holds."""
_ONCE: Final = (ast.If, ast.Try, ast.ExceptHandler)
"""Statements that run what is in them at most once."""


class Run:
    """One run through a function: where it stands, and what is known there."""

    __slots__ = (
        "analysis", "breaks", "continues", "depth", "device", "env", "function", "is_outside", "missed", "module", "no_grad",
        "owner", "record", "returns", "unused", "values", "yields",
    )  # fmt: skip

    def __init__(self, analysis: Analysis, function: Function, env: Env, *, record: bool, depth: int = 0) -> None:
        self.analysis = analysis
        self.function = function
        self.module: Module = function.module
        self.env: Env | None = env
        """What each name holds here; None where control does not come."""
        self.record = record
        self.values: dict[ast.AST, Value] = analysis.values if record else {}
        """The value of each expression, as this run saw it last."""
        self.depth = depth
        self.returns: list[Value] = []
        self.yields: list[Value] = []
        self.breaks: list[list[Env]] = []
        self.continues: list[list[Env]] = []
        self.missed: set[str] = set()
        """Names that were read where nothing had bound them yet: what a loop may carry to its next turn."""
        self.owner: Class | None = None
        """The class whose body is being run."""
        self.no_grad = 0
        self.is_outside = False
        """One expression is evaluated by itself: what its names hold was bound elsewhere."""
        self.unused: ast.expr | None = None
        """The last expression that is a statement: what it gives goes nowhere."""
        self.device: str | None = None
        """The default device, where `with torch.device(...)` or `set_default_device` gave one."""

    def expr(self, node: ast.expr) -> Value:
        """The value of an expression, here."""
        analysis = self.analysis
        analysis.steps += 1
        if analysis.steps > analysis.limit or self.env is None or analysis.level >= LEVELS:
            return ANY
        handler = expressions.TABLE.get(node.__class__)
        analysis.level += 1
        value = handler(self, node) if handler is not None else ANY
        analysis.level -= 1
        self.values[node] = value
        return value

    def look(self, node: ast.AST) -> Value:
        """The value of an expression that was evaluated before."""
        return self.values.get(node, ANY)

    def load(self, name: str) -> Value:
        """What a name holds here."""
        env = self.env
        if env is not None and name in env:
            return env[name]
        if name in self.function.scope.stores and name not in self.function.scope.outer and not self.is_outside:
            self.missed.add(name)
            return ANY
        return self.analysis.free(self.function, name, now=not self.record)

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """Let a name hold a value from here on."""
        if self.env is None:
            return
        if self.env.get(name) is not None:
            prefix = name + "."
            for path in [path for path in self.env if path.startswith(prefix)]:
                del self.env[path]
        self.env[name] = value
        self.values[node] = value
        if self.record and self.owner is None:
            self.analysis.bound(self.function, name, node, value)

    def rebind(self, node: ast.expr, value: Value) -> None:
        """Let the name, or the attribute of a name, that an expression is hold a value: its object was changed."""
        if self.env is None:
            return
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MODULE_METHODS:
            node = node.func.value  # model.eval().cpu() changes model
        if isinstance(node, ast.Name):
            if node.id in self.env:
                self.env[node.id] = value
                if self.record and self.owner is None:
                    self.analysis.bound(self.function, node.id, node, value)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            self.env[f"{node.value.id}.{node.attr}"] = value

    def send(self, value: Value, name: str, args: Args = NO_ARGS) -> Value | None:
        """What calling a method that the program defines gives; None if it defines none of that name."""
        return calls.send(self, value, name, args)

    def why(self, node: ast.AST, message: str) -> Evidence:
        return Evidence(node, message, self.module.path)


@dataclass(slots=True)
class Binding:
    """All that a name of a scope was seen to hold."""

    by_node: dict[ast.AST, Value] = field(default_factory=dict)

    def value(self) -> Value:
        return join_all(tuple(self.by_node.values())) if self.by_node else ANY


class Analysis:
    """All that is known of a program so far; the memory of the interpreter."""

    def __init__(self, program: Program, module: Module) -> None:
        self.program = program
        self.module = module
        """The file that is linted."""
        self.values: dict[ast.AST, Value] = {}
        """The value of each expression of the functions that were recorded; of a target, what it was bound to."""
        self.steps = 0
        self.level = 0
        """How many expressions and blocks are under way."""
        self.aliases: set[tuple[Function, str]] = set()
        """The names of types that are being read: `Tree = Dict[str, "Tree"]` holds itself."""
        self.limit = max(STEPS_AT_LEAST, STEPS_A_NODE * len(module.parents))
        self.state: dict[Function, str] = {}
        self.running: dict[Function, Run] = {}
        self.results: dict[Function, Value] = {}
        self._resolved: dict[str, Value | None] = {}
        self.votes: dict[tuple[Function, str], list[votes.Cast]] = {}
        self.callers: dict[Function, list[ast.Call]] = {}
        self.frequencies: dict[Function, Fact[Frequency]] = {}
        self.waits: dict[tuple[ast.AST, tuple[int, ...]], Fact[host_wait.Wait]] = {}
        self.places: dict[Function | ast.AST, Fact[Frequency]] = {}
        self.loop_frequencies: dict[ast.AST, Fact[Frequency]] = {}
        self.gpu: dict[Module, bool] = {}
        self.documented: dict[ast.AST, dict[str, str]] = {}
        self.class_kinds: dict[Class, Fact[Kind]] = {}
        self._bindings: dict[tuple[Function, str], Binding] = {}
        self._free: dict[tuple[Function, str], Value] = {}
        self._called: dict[tuple[Function, Key], Value] = {}
        self._calling: set[Function] = set()
        self.bases: dict[Class, tuple[Class, ...]] = {}
        self.lines: dict[Class, tuple[Class, ...]] = {}
        """Classes with all that they derive from, of those that somebody has asked about."""
        self.answers: dict[tuple[object, ...], Any] = {}
        """What was asked once, by the question and what it was asked of."""
        self._attributes: dict[tuple[Class, str], Value | None] = {}
        self._scripts: dict[Module, bool] = {}
        self._bodies: set[Class] = set()
        self._annotations: dict[tuple[Function, ast.expr], Value] = {}
        self.unfinished = 0
        """How often something was asked of which a line that is still to run says more."""
        self._parameters: dict[tuple[Function, str], Value] = {}

    # ---- running

    def record(self, function: Function) -> None:
        """Run a function for the record, if that is not done yet."""
        if function in self.state:
            return
        self.state[function] = "running"
        run = Run(self, function, {}, record=True)
        self.running[function] = run
        level = self.level
        try:
            for name in function.parameters:
                run.bind(name, self.parameter(function, name), function.parameters[name])
            flow.run_function(run)
            self.results[function] = flow.result(run)
        except RecursionError:
            # Python's own stack, not a loop of ours: the file nests deeper than anyone writes by hand.
            self.results[function] = ANY
        finally:
            self.level = level
            self.running.pop(function, None)
            self.state[function] = "done"

    def record_body(self, owner: Class) -> None:
        """Run the body of a class for the record; in another file by itself, for what is around it is not asked about."""
        home = owner.within
        if home.module is self.module or not home.is_module:
            self.record(home)
        elif home not in self.state and owner not in self._bodies:
            self._bodies.add(owner)
            run = Run(self, home, {}, record=True)
            run.is_outside = True
            flow.class_body(run, owner)

    def scratch(self, function: Function) -> Run:
        """A run that keeps nothing, to evaluate one expression as seen from inside a function."""
        run = Run(self, function, {}, record=False)
        run.is_outside = True
        return run

    def value(self, node: ast.AST, module: Module) -> Value:
        """The recorded value of an expression."""
        self.record(module.function_of(node))
        return self.values.get(node, ANY)

    def call(self, function: Function, env: Env, depth: int) -> Value:
        """What a function returns when its parameters hold `env`, in a call so many calls deep."""
        depth += 1 if function.module is self.module else AWAY
        if function.module is not self.module and (promised := self.promise(function)).kind in _PLAIN:
            return promised
        if depth > DEPTH or function in self._calling:
            return self.results.get(function, ANY)
        env = {name: without_detail(value) for name, value in env.items()}
        key = (function, tuple((name, value.key()) for name, value in env.items()))
        known = self._called.get(key)
        if known is not None:
            return known
        self._calling.add(function)
        try:
            run = Run(self, function, env, record=False, depth=depth)
            for name in function.parameters:
                if name not in env and run.env is not None:
                    run.env[name] = self.default(function, name)
            flow.run_function(run)
            result = flow.result(run)
        finally:
            self._calling.discard(function)
        self._called[key] = result
        return result

    def promise(self, function: Function) -> Value:
        """What a function says that it returns; `ANY` where it says nothing."""
        says = getattr(function.node, "returns", None)
        return self.annotation(function, says) if says is not None else ANY

    # ---- names

    def bound(self, function: Function, name: str, node: ast.AST, value: Value) -> None:
        """Write down that a name was seen to hold a value."""
        key = (function, name)
        binding = self._bindings.get(key)
        if binding is None:
            self._bindings[key] = binding = Binding()
        binding.by_node[node] = value

    def free(self, function: Function, name: str, *, now: bool = False) -> Value:
        """What a name that a function does not bind itself holds when the function runs; `now` if it runs right now."""
        home = names.scope_of(function, name)
        if home is None:
            return self._from_nowhere(function.module, name)
        key = (home, name)
        known = self._free.get(key)
        if known is not None:
            return known
        stores = home.scope.stores[name]
        value = self._definition(home, name, stores[-1]) if len(stores) == 1 else None
        if value is None:
            imported = names.import_of(home, name)
            if imported is not None:
                value = self.symbol(imported)
        if value is None and home.is_module and home not in self.state:
            self._free[key] = ANY  # while it is found, for what stands on itself
            value = self._alone(home, name, stores)
        if value is not None:
            self._free[key] = value
            return value
        self._free.pop(key, None)
        self.record(home)
        running = self.running.get(home)
        if running is not None:
            held = (running.env or {}).get(name, ANY)
            return held if now or len(stores) == 1 else held.but(sure=Sure.LIKELY)  # another line may bind it yet
        binding = self._bindings.get(key)
        value = self._free[key] = binding.value() if binding else ANY
        return value

    def _from_nowhere(self, module: Module, name: str) -> Value:
        """A name that the file does not bind: it came with a star, or is a builtin."""
        for star in module.stars:
            target = f"{names.absolute(module, star)}.{name}"
            found = self.resolve(target)
            if found is not None:
                return found
            if not hasattr(builtins, name) and star.module is not None and star.module.startswith("torch"):
                return self.symbol(target)
        return Value("symbol", ref="builtins." + name) if hasattr(builtins, name) else ANY

    def _definition(self, home: Function, name: str, store: ast.AST) -> Value | None:
        """The value of a name that one `def`, `class` or `import` binds: nothing needs to run for it."""
        module = home.module
        if isinstance(store, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return Value("function", ref=module.functions[store])
        if isinstance(store, ast.ClassDef):
            return Value("class", ref=module.classes[store])
        if isinstance(store, (ast.Import, ast.ImportFrom)):
            target = names.imported(module, store, name)
            return self.symbol(target) if target else None
        return None

    def _alone(self, home: Function, name: str, stores: list[ast.AST]) -> Value | None:
        """The value of a name of a module that nothing there changes later: only the lines that bind it need to run."""
        module, loads, held = home.module, home.scope.loads.get(name, ()), []
        for store in stores:
            statement = module.statement(store)
            around = [node for node in module.ancestors(statement) if isinstance(node, (ast.stmt, ast.ExceptHandler))]
            if not all(isinstance(each, _ONCE) for each in around):
                return None
            value = self._definition(home, name, store)
            if value is None:
                if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
                    return None
                if any(module.statement(load) is statement for load in loads):
                    return None  # `A = script(A)`: what it was before counts
                run = self.scratch(home)
                flow.block(run, [statement])
                value = (run.env or {}).get(name, ANY)
            held.append(value)
        value = join_all(tuple(held))
        if value.kind in _FILLED and any(isinstance(module.parents.get(load), _CHANGING) for load in loads):
            return None
        return value if value.kind in _SETTLED else None

    def symbol(self, name: str) -> Value:
        """The value of an imported dotted name."""
        return Value("symbol", ref=name)

    def resolve(self, name: str, depth: int = 4) -> Value | None:
        """A function or class of the program by its dotted name, through re-exports; None for all other names."""
        if name in self._resolved:
            return self._resolved[name]
        found = self._resolve(name, depth)
        self._resolved[name] = found
        return found

    def _resolve(self, name: str, depth: int) -> Value | None:
        place = self.find(name)
        if place is None or not depth:
            return None
        home, last = place
        value = self.free(home, last)
        if value.kind == "symbol" and value.ref != name:
            return self.resolve(value.ref, depth - 1)
        return value if value.kind in ("function", "class") else None

    def find(self, name: str) -> tuple[Function, str] | None:
        """The module of the program whose top level binds a dotted name, and the name there."""
        return self._behind(name, set())

    def _behind(self, name: str, seen: set[Module]) -> tuple[Function, str] | None:
        """The same, past modules that were seen: stars lead round in circles."""
        found = None if name.startswith(_FOREIGN) else self.program.find(name)
        if found is None or found[0] in seen:
            return None
        module, last = found
        if last in module.body.scope.stores:
            return module.body, last
        seen.add(module)
        for star in module.stars if "." not in last else ():
            if len(seen) > _STARS:
                return None
            inner = self._behind(f"{names.absolute(module, star)}.{last}", seen)
            if inner is not None:
                return inner
        return None

    def is_script(self, module: Module) -> bool:
        """Whether a file is a program: run by itself, not imported."""
        known = self._scripts.get(module)
        if known is None:
            known = self._scripts[module] = file_traits.is_script(module)
        return known

    def default_device(self, module: Module) -> str | None:
        """Where a tensor is made for which nothing names a device."""
        return file_traits.default_device(module)

    # ---- parameters

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

    def parameter(self, function: Function, name: str) -> Value:
        """What a parameter can hold: by its annotation, its default, the callers of the function, and its own uses."""
        key = (function, name)
        known = self._parameters.get(key)
        if known is None:
            self._parameters[key] = ANY  # while it is being found, for callers that call each other
            known = trainers.given(self, function, name) or parameters.parameter(self, function, name)
            known = self._parameters[key] = devices.as_called(known, name)
        return known

    def annotation(self, function: Function, node: ast.expr) -> Value:
        """What an annotation says, seen from a function."""
        key = (function, node)
        known = self._annotations.get(key)
        if known is None:
            known = type_hints.read(self, function, node)
            if not self.aliases and function.module.body not in self.running:
                self._annotations[key] = known  # all that it stands on has run
        return known

    # ---- classes

    def instance(self, owner: Class, why: Evidence | None = None) -> Value:
        """An instance of a class of the program."""
        found = classes.kind_of(self, owner)
        return Value(found.value, found.sure, ref=owner, why=why)

    def class_attribute(self, owner: Class, name: str) -> Value | None:
        """What `self.name` can hold: all that methods and the class body were seen to bind it to."""
        for each in ancestry(self, owner):
            found = self.own_attribute(each, name)
            if found is not None:
                return found
        return None

    def own_attribute(self, owner: Class, name: str) -> Value | None:
        """The same of what the class binds itself; None where it is for its bases to say."""
        key = (owner, name)
        if key in self._attributes:
            return self._attributes[key]
        self._attributes[key] = ANY  # while it is being found
        before = self.unfinished
        found = attributes.own_attribute(self, owner, name)
        if self.unfinished != before:
            del self._attributes[key]  # more is known of it once the methods that bind it have run
        else:
            self._attributes[key] = found
        return found

    def is_running(self, function: Function) -> bool:
        """Whether a function is being recorded right now."""
        return function in self.running
