"""Everything a rule may ask about the code, in torch's words.

A rule holds LibCST nodes; it asks here, and only here, what they are. Each answer is a `Fact`: a value or UNKNOWN, how
sure it is, and the places that prove it. Nothing is worked out before it is asked, and nothing twice.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from torchperf_lint.facts import names
from torchperf_lint.facts.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.idioms import (
    anything,
    attributes,
    choices,
    counts,
    definitions,
    evaluation,
    fills,
    gradients,
    graphs,
    ignored,
    loaders,
    losses,
    makers,
    masked,
    neighbours,
    owners,
    same_index,
    series,
    shapes,
    sizes,
    steady,
    totals,
)
from torchperf_lint.facts.idioms.evaluation import Evaluation
from torchperf_lint.facts.idioms.graphs import Kept
from torchperf_lint.facts.idioms.ignored import MaskedLoss
from torchperf_lint.facts.idioms.masked import Selection
from torchperf_lint.facts.idioms.neighbours import Use
from torchperf_lint.facts.interpreter import classes, transfers
from torchperf_lint.facts.interpreter.infer import Analysis
from torchperf_lint.facts.interpreter.transfers import Move
from torchperf_lint.facts.places import gates, heat, modes, precision, roles, seldom, sight, switches, traits
from torchperf_lint.facts.places.heat import Heat
from torchperf_lint.facts.places.modes import Autocast
from torchperf_lint.facts.program import Module, Program, last_name, walk
from torchperf_lint.facts.torch_api.waits import parse as parse_version
from torchperf_lint.facts.values import FLOATING, NO, Value
from torchperf_lint.facts.waits import asked, effects, handovers, races
from torchperf_lint.facts.waits.effects import Wait
from torchperf_lint.syntax import calls as call_syntax
from torchperf_lint.syntax import texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.syntax.tree import Tree

__all__ = [
    "NEWEST",
    "UNKNOWN",
    "Autocast",
    "Choice",
    "Evaluation",
    "Evidence",
    "Fact",
    "Facts",
    "Heat",
    "Kept",
    "MaskedLoss",
    "Move",
    "Selection",
    "Series",
    "Settings",
    "Sure",
    "Total",
    "Use",
    "Value",
    "Wait",
]

NEWEST: Final = "2.11"
"""The newest torch whose waits were measured."""


ALIGNED: Final = 16
"""A multiple of this is aligned whatever the precision."""

_TIGHT: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Dict)
"""Expressions that need no parentheses next to an operator or a dot."""


class Settings:
    """What the user's configuration tells the facts."""

    __slots__ = ("hot_functions", "minimum", "target")

    def __init__(
        self, target: str = NEWEST, hot_functions: tuple[str, ...] = (), minimum: tuple[int, int] = (512, 32)
    ) -> None:
        self.target = parse_version(target)
        self.hot_functions = frozenset(hot_functions)
        self.minimum = minimum
        """The sizes of Linear and Conv layers from which on alignment is worth a word."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between two values."""

    test: cst.BaseExpression
    then: cst.BaseExpression
    other: cst.BaseExpression
    name: cst.Name | None
    """What is bound to one of them; None where the choice is an expression."""


@dataclass(frozen=True, slots=True)
class Total:
    """A running total to which a loop adds numbers that it reads from tensors, and at which it does not look."""

    name: str
    loop: cst.For | cst.While
    """Behind it the total is looked at."""
    starts_as_float: bool
    read: cst.BaseExpression
    """All that turns the tensor into a number."""
    tensor: cst.BaseExpression
    factors: list[cst.BaseExpression]
    """What the number is multiplied with, or divided by, before it is added."""
    is_divided: bool


@dataclass(frozen=True, slots=True)
class Series:
    """Reads of one element after the other."""

    collection: cst.BaseExpression
    around: cst.CSTNode
    """The loop or comprehension."""
    by: str
    """items, index, or the values of a dict."""
    reads: list[cst.Call]
    """Every `v.item()`, `float(v)` and `int(v)`; none where something else is done with an element."""
    plain: bool
    """Nothing happens in between that could change what is read."""
    items: tuple[Value, ...]
    """What a list or a dict holds, one by one as far as that is known."""
    stacks: bool
    """A stack of what it holds gives each value as it was."""
    whole: bool
    """A list or dict comprehension that is nothing but the reads."""


class Facts:
    """The facts of one module of a program."""

    def __init__(self, program: Program, module: Module, tree: Tree, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.module = module
        self.tree = tree
        self.analysis = Analysis(program)
        self.analysis.allow(module)
        self._waits: dict[ast.AST, Fact[Wait]] = {}
        self._on_batches: dict[str, dict[ast.Call, list[ast.Call]]] = {}

    # ---- names

    def name(self, node: cst.CSTNode) -> str | None:
        """The dotted name that an expression stands for, through imports and aliases: "torch.nn.functional.relu"."""
        at = self._at(node)
        return None if at is None else names.dotted(self.module.function_of(at), at)

    def readable(self, node: cst.CSTNode, *names: str) -> list[str]:
        """How a place can write those of some names that it can read, also as attributes of its object."""
        return sight.readable(self.analysis, self.module, self._there(node), names)

    def spelling(self, name: str) -> str | None:
        """How this file can write a dotted name with the imports it has; None if it cannot."""
        return names.spelling(self.module, name)

    # ---- values

    def value(self, node: cst.CSTNode) -> Fact[Value]:
        """What an expression is: kind, device, dtype, rank, constant."""
        at = self._at(node)
        return _as_fact(self.analysis.value(at, self.module)) if at is not None else Fact(UNKNOWN)

    def tensor(self, node: cst.CSTNode) -> Fact[Value]:
        """The same, known only where the expression is a tensor."""
        found = self.value(node)
        return found if isinstance(found.value, Value) and found.value.kind == "tensor" else Fact(UNKNOWN)

    def constant(self, node: cst.CSTNode) -> Any:
        """The number, string, bool or None that an expression is known to be; UNKNOWN else."""
        found = self.value(node).value
        return found.const if isinstance(found, Value) and found.const is not NO else UNKNOWN

    def size(self, node: cst.BaseExpression) -> Fact[int]:
        """The whole number that an expression is, or is by default: through names, attributes and arithmetic."""
        at = self._at(node)
        return sizes.size(self.analysis, self.module, at) if isinstance(at, ast.expr) else Fact(UNKNOWN)

    def argument(self, call: cst.Call, name: str, index: int | None = None) -> Fact[Value]:
        """The value of an argument of a call, by its name or position; UNKNOWN if it is not given."""
        node = call_syntax.argument(call, name, index)
        return self.value(node.value) if node is not None else Fact(UNKNOWN)

    def given(self, call: cst.Call, name: str, index: int | None = None) -> cst.BaseExpression | None:
        """The argument of a call, by its name or position; None if it is not given, or hidden behind a `*`."""
        found = call_syntax.argument(call, name, index)
        return found.value if found is not None else None

    def move(self, call: cst.Call) -> Move:
        """What `.to(...)`, `.cuda()`, `.cpu()` or `.type(...)` asks for."""
        at = self._at(call)
        assert isinstance(at, ast.Call)
        scene = effects.Scene(self.analysis, self.module, self.settings.target)
        found = transfers.asked(last_name(at.func), scene.args(at))
        return replace(found, vague=False) if found.vague and transfers.names_device(at) else found

    def moved_to(self, call: cst.Call) -> tuple[cst.BaseExpression | None, cst.BaseExpression | None]:
        """The arguments of a move that give the device and the dtype; another tensor, as in `x.to(y)`, is both."""
        at = self._at(call)
        assert isinstance(at, ast.Call)
        found = transfers.targets(lambda node: self.analysis.value(node, self.module), at)
        device, dtype = (self.tree.cst(each) if each is not None else None for each in found)
        return device, dtype  # type: ignore[return-value]

    def placing(self, call: cst.Call) -> tuple[str, str | None]:
        """How a factory would say what a move asks for: its `device=`, and its `dtype=` if the move gives one."""
        device, dtype = self.moved_to(call)
        if device is not None and device is dtype:
            return f"{self.operand(device)}.device", f"{self.operand(device)}.dtype"
        return '"cuda"' if device is None else self.source(device), None if dtype is None else self.source(dtype)

    def is_steady(self, node: cst.CSTNode) -> bool:
        """Whether an expression is the same at every step: of literals, constants, and what `__init__` alone sets."""
        at = self._at(node)
        return isinstance(at, ast.expr) and steady.is_steady(self.analysis, self.module, at)

    def plain_attribute(self, node: cst.Attribute) -> cst.Assign | None:
        """What alone binds an attribute of an `nn.Module`, in its `__init__`; None for buffers, parameters and all others."""
        at = self._at(node)
        found = attributes.plain(self.analysis, self.module, at) if isinstance(at, ast.Attribute) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def attribute_reads(self, node: cst.Attribute) -> list[cst.Attribute]:
        """Every read of an attribute in the methods of its class."""
        at = self._at(node)
        assert isinstance(at, ast.Attribute)
        return [self.tree.cst(each) for each in attributes.reads(self.module, at)]  # type: ignore[misc]

    def in_moved_module(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in a class of modules that have parameters, so that whoever uses one moves it."""
        method = steady.method_of(self.module, self._there(node))
        return (
            method is not None and method.owner is not None and attributes.holds_parameters(self.analysis, method.owner)
        )

    def repeated(self, data: cst.BaseExpression) -> tuple[cst.BaseExpression | None, str]:
        """The one number that data consists of, and the shape that it fills: of `3`, `[0, 0]`, `[t] * n`."""
        at = self._at(data)
        number, shape = steady.repeated(self.analysis, self.module, at) if isinstance(at, ast.expr) else (None, "")
        return self.tree.cst(number) if number is not None else None, shape  # type: ignore[return-value]

    def constructor(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The `__init__` of the `nn.Module` in one of whose other methods a node stands."""
        method = steady.method_of(self.module, self._there(node))
        made = classes.constructor(self.analysis, method) if method is not None else None
        return self.tree.cst(made.node) if made is not None else None  # type: ignore[return-value]

    def has_attribute(self, node: cst.CSTNode, name: str) -> bool:
        """Whether the class that a node stands in has an attribute of a name, or may have it from a base out of sight."""
        method = steady.method_of(self.module, self._there(node))
        return method is None or method.owner is None or self.analysis.class_attribute(method.owner, name) is not None

    # ---- loaders

    def loader(self, node: cst.CSTNode) -> Fact[Value]:
        """The loader that a batch, or a part of one, came out of; proven if there is no other way for it to come."""
        at = self._at(node)
        if not isinstance(at, ast.expr):
            return Fact(UNKNOWN)
        found, is_all = loaders.of(self.analysis, self.module, at)
        if found is None:
            return Fact(UNKNOWN)
        return replace(_as_fact(found), sure=Sure.PROVEN if is_all and found.sure is Sure.PROVEN else Sure.LIKELY)

    def batch_calls(self, loader: cst.Call, *methods: str) -> list[cst.Call]:
        """The calls, in this file, of some methods of the tensors that a loader gives; of the call that makes the loader."""
        at = self._at(loader)
        assert isinstance(at, ast.Call)
        for name in methods:
            if name not in self._on_batches:
                self._on_batches[name] = loaders.calls(self.analysis, self.module, name)
        return [self.tree.cst(each) for name in methods for each in self._on_batches[name].get(at, ())]  # type: ignore[misc]

    def is_loop_item(self, name: cst.Name) -> bool:
        """Whether a name holds the item of a loop as a whole: the batch, not a part of it."""
        at = self._at(name)
        return isinstance(at, ast.Name) and loaders.is_item(self.module, at)

    def definition_mentions(self, node: cst.CSTNode, *names: str) -> bool:
        """Whether the class or function of the program that an expression is, or is an instance of, uses one of some names."""
        found = self.value(node)
        return found.known and traits.definition_mentions(found.value, names)

    def early_read(self, copy: cst.Call) -> Fact[bool]:
        """Whether the host reads what a copy to the host brings, and nothing between the two waits for the copy."""
        at = self._at(copy)
        assert isinstance(at, ast.Call)
        read = races.early_read(self.analysis, self.module, at, self.settings.target)
        if read is None:
            return Fact(UNKNOWN)
        return Fact(True, Sure.PROVEN, (Evidence(read, "read here, and nothing waits for the copy before"),))

    # ---- effects, heat, modes: of nodes of either tree

    def host_wait(self, node: cst.CSTNode) -> Fact[Wait]:
        """Whether a node itself, not its parts, makes the host wait for the GPU."""
        at = self._at(node)
        return self.wait_at(at) if at is not None else Fact(UNKNOWN)

    def waited_for(self, wait: Fact[Wait]) -> cst.CSTNode:
        """The expression that a wait is about: what is read, the index, the argument."""
        return self.tree.cst(wait.value.operand)

    def waited_before(self, node: cst.CSTNode) -> bool:
        """Whether the host has waited for the same names further up in the function."""
        return asked.before(self.analysis, self.module, self._there(node), self.settings.target)

    def behind_wait(self, node: cst.CSTNode) -> bool:
        """Whether a condition around a node, in its loop and function, has waited for the GPU already."""
        return effects.behind_wait(self.analysis, self.module, self._there(node), self.settings.target)

    def heat(self, node: cst.CSTNode) -> Fact[Heat]:
        """How often the place of a node runs."""
        at = self._at(node)
        return self.heat_at(at) if at is not None else heat.COLD

    def runs_seldom(self, node: cst.CSTNode) -> bool:
        """Whether all in sight says that a node runs no more than once an epoch; nobody knows that of a library's functions."""
        return seldom.runs_seldom(self.analysis, self.module, self._there(node), self.settings.hot_functions)

    def gated(self, node: cst.CSTNode) -> bool:
        """Whether a node stands behind a gate: every so many steps, one rank, verbose only, an exception."""
        at = self._at(node)
        return at is not None and self.gated_at(at)

    def wait_at(self, node: ast.AST) -> Fact[Wait]:
        known = self._waits.get(node)
        if known is None:
            known = self._waits[node] = effects.wait(self.analysis, self.module, node, self.settings.target)
        return known

    # what rules may declare with `asks`: yes or no, of nodes of Python's own tree

    def evaluation_at(self, node: ast.AST) -> bool:
        """Whether a loop is an evaluation with gradients on."""
        return isinstance(node, (ast.For, ast.While)) and evaluation.of_loop(self.analysis, self.module, node).known

    def kept_graph_at(self, node: ast.AST) -> bool:
        """Whether a statement keeps the graph of a step."""
        return graphs.kept(self.analysis, self.module, node).known

    def environment_at(self, node: ast.AST) -> bool:
        """Whether a node is a call, or sets a variable of the environment."""
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name() | ast.Attribute() as held)]):
                return last_name(held) == "environ"
        return isinstance(node, ast.Call)

    def shown_at(self, node: ast.AST) -> bool:
        """Whether something in an expression waits, or is a tensor that is handed over as it is."""
        if any(self.wait_at(each).known for each in walk(node) if isinstance(each, ast.expr)):
            return True
        given = [*node.args, *(keyword.value for keyword in node.keywords)] if isinstance(node, ast.Call) else []
        given += [item for each in given if isinstance(each, ast.Dict) for item in each.values]
        held = [self.analysis.value(each, self.module) for each in given]
        return any(value.kind in ("tensor", "nest") and value.maybe_cuda for value in held)

    def misfit_at(self, node: ast.AST) -> bool:
        """Whether a size that a layer is given may be misaligned, and is worth a word."""
        assert isinstance(node, ast.Call)
        given = [
            sizes.size(self.analysis, self.module, each) for each in (*node.args, *(k.value for k in node.keywords))
        ]
        misfits = [size.value for size in given if size.known and size.value % ALIGNED]
        return any(size >= min(self.settings.minimum) for size in misfits) or (
            bool(misfits) and last_name(node.func) == "MultiheadAttention"  # of which the width of a head counts
        )

    def looped_at(self, node: ast.AST) -> bool:
        """Whether a node stands in a loop of its function."""
        return neighbours.loop(self.module, node) is not None

    def heat_at(self, node: ast.AST) -> Fact[Heat]:
        return heat.of(self.analysis, self.module, node, self.settings.hot_functions)

    def gated_at(self, node: ast.AST) -> bool:
        return gates.of(self.module, node) is not None

    # ---- modes

    def in_no_grad(self, node: cst.CSTNode) -> Fact[bool]:
        """Whether gradients are off where a node runs."""
        return modes.no_grad(self.analysis, self.module, self._there(node))

    def in_autocast(self, node: cst.CSTNode) -> Fact[Autocast]:
        """The autocast around a node."""
        return modes.autocast(self.analysis, self.module, self._there(node))

    def autocasts(self) -> list[Fact[Autocast]]:
        """Every autocast of the file; not known for what is only called so."""
        return modes.autocasts(self.analysis, self.module)

    def computed_in_autocast(self, node: cst.BaseExpression) -> Fact[Autocast]:
        """The autocast under which a value, or a part of it that has a gradient, was computed in its function."""
        at = self._there(node)
        return losses.autocast(self.analysis, self.module, at) if isinstance(at, ast.expr) else Fact(UNKNOWN)

    def half_module(self, loss: cst.BaseExpression) -> Fact[Value]:
        """The module with float16 parameters that a loss is computed by, where no other module has a part in it."""
        at = self._there(loss)
        return losses.half_module(self.analysis, self.module, at) if isinstance(at, ast.expr) else Fact(UNKNOWN)

    def is_scaled(self, loss: cst.BaseExpression) -> bool:
        """Whether something scales a loss so that its gradients do not underflow, or chooses whether to."""
        at = self._there(loss)
        return isinstance(at, ast.expr) and losses.is_scaled(self.module, at)

    def runs_model(self, statements: Sequence[cst.CSTNode]) -> bool:
        """Whether statements run a module, or a function that gives a tensor with a gradient."""
        small = [
            part for each in statements for part in (each.body if isinstance(each, cst.SimpleStatementLine) else [each])
        ]
        return any(losses.runs_model(self.analysis, self.module, self._there(each)) for each in small)

    def in_forward(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in the `forward` of a module."""
        return modes.in_forward(self.analysis, self.module, self._there(node)) is not None

    def serves_forward(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in the `forward` of a module, or in a function that one calls."""
        return modes.serves_forward(self.analysis, self.module, self._there(node))

    def in_compiled(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in code that `torch.compile` or `torch.jit` compiles."""
        return modes.compiled(self.module, self._there(node)) is not None

    # ---- masks and shapes

    def mask(self, node: cst.Subscript) -> cst.BaseExpression | None:
        """The mask that is all of the index of a tensor: `m` of `x[m]`."""
        found = masked.only_mask(self.analysis, self.module, self._there(node))  # type: ignore[arg-type]
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def selection(self, node: cst.BaseExpression) -> Selection | None:
        """What an expression does with the elements that one mask selects, if it works on each by itself."""
        found = masked.read(self.analysis, self.module, self._there(node))  # type: ignore[arg-type]
        if found is None:
            return None
        reads = tuple(
            replace(each, node=self.tree.cst(each.node), source=self.tree.cst(each.source)) for each in found.reads
        )
        return replace(found, mask=self.tree.cst(found.mask), reads=reads)

    def reduction(self, node: cst.BaseExpression) -> tuple[cst.Call, str, cst.BaseExpression] | None:
        """The reduction that a value ends in, through operations on each element; its name, and all that it reduces."""
        call = masked.reducer(self.analysis, self.module, self._there(node))  # type: ignore[arg-type]
        found = masked.reduced(self.analysis, self.module, call) if call is not None else None
        return (self.tree.cst(call), found[0], self.tree.cst(found[1])) if call and found else None  # type: ignore[return-value]

    def selects_for_more(self, mask: cst.BaseExpression) -> bool:
        """Whether a mask also selects elements that are kept, so that its indices are needed all the same."""
        return masked.shrinks(self.analysis, self.module, self._there(mask))  # type: ignore[arg-type]

    def asked_before(self, mask: cst.BaseExpression) -> bool:
        """Whether a mask is used behind a condition that depends on it and waits: who asked has waited already."""
        return anything.guarded(self.module, self._there(mask), lambda node: self.wait_at(node).known)  # type: ignore[arg-type]

    def may_carry_gradients(self, *tensors: cst.BaseExpression) -> bool:
        """Whether a gradient may flow back through one of some tensors."""
        if self.in_no_grad(tensors[0]).value:
            return False
        values = [self.tensor(each).value for each in tensors]
        return any(not value or (value.grad is not False and value.dtype in (None, *FLOATING)) for value in values)

    def masked_loss(self, node: cst.Subscript) -> MaskedLoss | None:
        """The loss that a masked read ends in, if its mask says no more than which label does not count."""
        found = ignored.read(self.analysis, self.module, self._there(node))  # type: ignore[arg-type]
        if found is None:
            return None
        parts: dict[str, Any] = {
            name: self.tree.cst(getattr(found, name)) for name in ("call", "logits", "labels", "ignored")
        }
        maker = self.tree.cst(found.maker) if found.maker is not None else None
        return replace(found, **parts, maker=maker, gone=tuple(self.tree.cst(each) for each in found.gone))

    def means_the_same(self, node: cst.BaseExpression, place: cst.CSTNode) -> bool:
        """Whether an expression of attributes and constants can be written at another place of its class or file."""
        at = self._there(node)
        return isinstance(at, ast.expr) and makers.can_be_said(self.analysis, self.module, at, self._there(place))

    def asked_for_any(self, node: cst.CSTNode) -> tuple[cst.If, cst.BaseExpression] | None:
        """The `if` whose condition a node is or is part of, and the mask of which it asks whether it selects anything."""
        guard = anything.guard(self.module, self._there(node))
        mask = anything.asked(self.analysis, self.module, guard.test) if guard is not None else None
        return (self.tree.cst(guard), self.tree.cst(mask)) if guard is not None and mask is not None else None  # type: ignore[return-value]

    def same_shape(self, one: cst.BaseExpression, other: cst.BaseExpression) -> Fact[bool]:
        """Whether two tensors have one shape because both were made element by element from the same."""
        return shapes.same(self.analysis, self.module, self._there(one), self._there(other))  # type: ignore[arg-type]

    def dimensions_short(self, mask: cst.BaseExpression, tensor: cst.BaseExpression) -> int | None:
        """How many dimensions a mask has less than what it selects from; None where that is not known."""
        ranks = [found.value.rank if found.known else None for found in (self.tensor(tensor), self.tensor(mask))]
        if ranks[0] is not None and ranks[1] is not None:
            return ranks[0] - ranks[1]
        return 0 if self.same_shape(mask, tensor).known else None

    def owns(self, name: cst.Name) -> bool:
        """Whether a name alone holds its tensor, so that changing it in place or binding it anew look the same."""
        at = self._at(name)
        return isinstance(at, ast.Name) and owners.alone(self.analysis, self.module, at)

    # ---- what is only counted

    def carried(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Where a value is used: the expression itself, or the one read of the name that it is bound to."""
        found = counts.carried(self.module, self._there(node))  # type: ignore[arg-type]
        return self.tree.cst(found)  # type: ignore[return-value]

    def count(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, bool]:
        """The expression that counts what another one holds, and whether it counts all elements rather than rows."""
        found, of_elements = counts.count(self.module, self._there(node))  # type: ignore[arg-type]
        return (self.tree.cst(found) if found is not None else None), of_elements  # type: ignore[return-value]

    def indexed(self, node: cst.CSTNode) -> cst.BaseExpression | None:
        """The condition that a call turns into indices, one tensor of them for each dimension."""
        at = self._at(node)
        found = counts.condition(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def counted_mask(self, node: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
        """The mask whose number of elements some selected elements or indices have, and the expression that counts them."""
        at, selected = self._there(node), self.carried(node)
        by_rows = counts.listed(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        by_mask = self.mask(node) if isinstance(node, cst.Subscript) else None
        mask = self.tree.cst(by_rows) if by_rows is not None else by_mask
        counting, of_elements = self.count(selected)
        if mask is None or counting is None:
            return None
        if of_elements and not (isinstance(node, cst.Subscript) and self.dimensions_short(mask, node.value) == 0):  # type: ignore[arg-type]
            return None
        return mask, counting  # type: ignore[return-value]

    def distinct(self, node: cst.CSTNode) -> tuple[cst.BaseExpression, bool] | None:
        """The tensor whose distinct values a call gives, and whether equal ones may stand apart in it."""
        at = self._at(node)
        found = counts.distinct(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        return (self.tree.cst(found[0]), found[1]) if found is not None else None  # type: ignore[return-value]

    def chooses(self, node: cst.CSTNode) -> tuple[cst.Name, str] | None:
        """The tensor that an `if` gives a new value or leaves, and the text of that value."""
        at = self._at(node)
        found = counts.choice(self.analysis, self.module, at) if isinstance(at, ast.If) else None
        if found is None:
            return None
        name, value = self.tree.cst(found.name), self.tree.cst(found.value)
        if found.operator is None:
            return name, self.source(value)  # type: ignore[return-value]
        statement = self.parent(name)
        assert isinstance(statement, cst.AugAssign)
        sign = self.rewritten(statement, {name: "", value: ""}).strip().removesuffix("=")
        return name, f"{self.source(name)} {sign} {self.operand(value)}"  # type: ignore[return-value]

    def evaluation(self, loop: cst.For | cst.While) -> Fact[Evaluation]:
        """The evaluation that a loop is: it runs a model with gradients on, and has no use for them."""
        at = self._there(loop)
        return (
            evaluation.of_loop(self.analysis, self.module, at)
            if isinstance(at, (ast.For, ast.While))
            else Fact(UNKNOWN)
        )

    def kept_graph(self, statement: cst.CSTNode) -> Fact[Kept]:
        """What a statement adds to something that outlives the step, though the backward pass is done with its graph."""
        return graphs.kept(self.analysis, self.module, self._there(statement))

    # ---- the file and its conditions

    def may_use_gpu(self) -> bool:
        """Whether anything of the file may run on a GPU."""
        return roles.may_use_gpu(self.analysis, self.module)

    def mentions(self, *names: str) -> bool:
        """Whether the file uses one of some names, as an identifier or as a keyword of a call."""
        return traits.mentions(self.module, names)

    def imports(self, *packages: str) -> bool:
        """Whether the file imports one of some packages, or something out of it."""
        return traits.imports(self.module, packages)

    def steps_compiled(self) -> bool:
        """Whether the file compiles the step of an optimizer."""
        return gradients.steps_compiled(self.module)

    def clears_all(self, loop: cst.For, weight: cst.Name) -> bool:
        """Whether a loop over weights clears the gradient of each of them."""
        at = self._at(loop)
        return isinstance(at, ast.For) and gradients.clears_all(at, weight.value)

    def before_step(self, node: cst.CSTNode) -> bool:
        """Whether a node stands between a backward pass and the step that follows it."""
        return gradients.before_step(self.module, self._there(node))

    def reads_gradients(self) -> bool:
        """Whether the file reads gradients other than to clear them."""
        return gradients.reads_gradients(self.module)

    def conditional(self, node: cst.CSTNode) -> bool:
        """Whether a node runs only if some condition holds, also one around all calls of its function in sight."""
        return switches.conditional(self.analysis, self.module, self._there(node))

    def product_precision(self) -> str:
        """In what the file multiplies matrices: "half", "tf32", "float32" where that is certain, or "open"."""
        return precision.of_products(self.module)

    def convolution_precision(self) -> str:
        """The same of convolutions, which are in TF32 unless something says otherwise."""
        return precision.of_convolutions(self.module)

    def has_free_shapes(self, node: cst.CSTNode) -> bool:
        """Whether the shapes of a layer are the author's to choose: not those of weights that others trained, which nobody
        may change, nor compiled, where the compiler pads, nor of a test."""
        if precision.is_given(self.module) or precision.is_compiled(self.module):
            return False
        return not self.in_compiled(node) and not self.in_test(node)

    def in_test(self, node: cst.CSTNode) -> bool:
        """Whether a node stands in a test."""
        return roles.is_test(self.module.function_of(self._there(node)))

    def timed(self, node: cst.CSTNode) -> bool:
        """Whether a clock is read before and behind a node: somebody measures what it costs."""
        return switches.timed(self.module, self._there(node))

    # ---- around a node

    def source(self, node: cst.CSTNode) -> str:
        """The text of a node as it stands in the file; an expression without its own parentheses."""
        return self.tree.source.cut(self.tree.span(node))

    def needs_gpu_done(self, node: cst.CSTNode) -> bool:
        """Whether something near a node needs the GPU to be done there: a copy, a clock, a stream, another library."""
        return handovers.needed(self.analysis, self.module, self._there(node), self.settings.target)

    def comments(self, node: cst.CSTNode) -> str:
        """What the comments say at a node's statement and above it in its block, in lower case."""
        line = self.tree.statement(node)
        block = getattr(self.tree.parent(line), "body", ())
        inside = isinstance(block, (list, tuple)) and line in block  # `if a: b` has its one line for a body
        near = [*block[: block.index(line)], line] if inside else [line]
        blank = [
            each
            for one in near
            for each in (*getattr(one, "leading_lines", ()), getattr(one, "trailing_whitespace", None))
        ]
        return " ".join(each.comment.value.lower() for each in blank if each is not None and each.comment is not None)

    def rewritten(self, node: cst.CSTNode, parts: dict[cst.CSTNode, str]) -> str:
        """The text of a node in which some nodes below it, or itself, read otherwise."""
        text, (start, end) = self.tree.source.text, self.tree.extent(node)
        made, at = "", start
        for (first, last), content in sorted((self.tree.extent(each), content) for each, content in parts.items()):
            made, at = made + text[at:first] + content, last
        return made + text[at:end]

    def operand(self, node: cst.CSTNode) -> str:
        """The text of an expression, in parentheses where it would fall apart next to an operator or a dot."""
        text = self.source(node)
        at = self._at(node)
        return text if isinstance(at, _TIGHT) or at is None else f"({text})"

    def as_percent(self, text: cst.FormattedString) -> tuple[str, list[cst.BaseExpression]] | None:
        """An f-string as a string for `%` and the expressions that fill it; None where `%` has no word for a part."""
        return texts.as_percent(text)

    def named(self, args: Sequence[cst.Arg]) -> str:
        """The text of arguments that are given by name, as they go on behind others."""
        given = ((arg.keyword, arg.value) for arg in args if arg.keyword is not None)
        return "".join(f", {self.source(name)}={self.source(value)}" for name, value in given)

    def with_arguments(self, node: cst.BaseExpression, call: cst.Call, **arguments: str) -> str:
        """The text of an expression in which a call, itself or one inside of it, is given arguments by name."""
        made = call
        for name, value in arguments.items():
            made = call_syntax.given(made, name, value)
        return cst.Module([]).code_for_node(made if node is call else node.deep_replace(call, made))

    def node(self, at: ast.expr) -> cst.BaseExpression:
        """The LibCST node of an expression that an answer speaks of."""
        return self.tree.cst(at)  # type: ignore[return-value]

    def shown(self, fact: Fact[Any]) -> cst.CSTNode | None:
        """What the first evidence of a fact shows, where that is in this file."""
        evidence = fact.because[0] if fact.because else None
        if evidence is None or evidence.path not in (None, self.module.path):
            return None
        return self.tree.cst(evidence.node)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        return self.tree.parent(node)

    def statement(self, node: cst.CSTNode) -> cst.CSTNode:
        """The statement that a node stands in, with its line."""
        return self.tree.statement(node)

    def loop(self, node: cst.CSTNode) -> cst.For | cst.While | None:
        """The innermost loop whose body a node stands in, within its function."""
        found = neighbours.loop(self.module, self._there(node))
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def counter(self, node: cst.CSTNode) -> str | None:
        """The name that counts the turns of the loop around a node, if `enumerate` gives it."""
        return neighbours.counter(self.module, self._there(node))

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | cst.Lambda | None:
        """The function that a node stands in; None at the top level."""
        found = self.module.function_of(self._there(node))
        return None if found.is_module else self.tree.cst(found.node)  # type: ignore[return-value]

    def uses(self, node: cst.CSTNode) -> set[Use]:
        """What becomes of the value of an expression."""
        at = self._there(node)
        assert isinstance(at, ast.expr)
        return neighbours.uses(self.module, at)

    def only_binding(self, name: cst.Name) -> cst.BaseExpression | None:
        """What a local name is bound to, if one plain assignment binds it."""
        at = self._at(name)
        found = neighbours.only_binding(self.module, at) if isinstance(at, ast.Name) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def definition(self, name: cst.Name) -> cst.BaseExpression | None:
        """What the plain assignment binds that a read of a name sees, where it sees only one."""
        at = self._at(name)
        binding = definitions.reaching(self.module, at) if isinstance(at, ast.Name) else None
        found = definitions.value_of(self.module, binding) if binding is not None else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def reads_after(self, name: cst.Name) -> list[cst.Name]:
        """The reads of a name from a binding on, up to the next binding of it."""
        at = self._at(name)
        assert isinstance(at, ast.Name)
        return [self.tree.cst(read) for read in neighbours.reads_after(self.module, at)]  # type: ignore[misc]

    def used_after(self, name: str, statement: cst.CSTNode) -> bool:
        """Whether a name is read behind a statement, or again at the next turn of a loop around it."""
        return neighbours.is_read_after(self.module, name, self.module.statement(self._there(statement)))

    def changed_after(self, node: cst.CSTNode) -> bool:
        """Whether what a name, or a part of it, holds is written in place behind the statement of a node."""
        at = self._at(node)
        return not isinstance(at, ast.expr) or neighbours.is_changed_after(self.module, at)

    def let_go(self, node: cst.CSTNode) -> list[Fact[Value]]:
        """What the statements right above a node let go of: `del x`, `model.cpu()`."""
        dropped = neighbours.let_go(self.module, self._there(node))
        return [_as_fact(self.analysis.value(each, self.module)) for each in dropped]

    def whole(self, statement: cst.CSTNode) -> cst.CSTNode:
        """What to take away with a statement: the `if torch.cuda.is_available():` that holds nothing else."""
        at = self.module.statement(self._there(statement))
        found = neighbours.whole(self.module, at)
        return statement if found is at else self.tree.cst(found)

    def grown(self, binding: cst.Name) -> cst.For | cst.While | None:
        """The outermost loop that rebuilds a name from itself in this binding alone, and does not read it otherwise."""
        at = self._at(binding)
        found = neighbours.grown(self.module, at) if isinstance(at, ast.Name) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def total(self, read: cst.Call) -> Total | None:
        """The running total to which the number is added that a call reads, if the loop does not look at it."""
        at = self._at(read)
        found = totals.of(self.module, at) if isinstance(at, ast.Call) else None
        if found is None:
            return None
        loop, number, tensor = (self.tree.cst(each) for each in (found.loop, found.read, found.tensor))
        factors = [self.tree.cst(each) for each in found.factors]
        return Total(found.name, loop, found.starts_as_float, number, tensor, factors, found.is_divided)  # type: ignore[arg-type]

    def has_backward(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is a name whose gradient its function takes."""
        at = self._at(node)
        return isinstance(at, ast.Name) and totals.has_backward(self.module, at)

    def series(self, read: cst.BaseExpression) -> Series | None:
        """What goes through a collection to read its elements, of which an expression is one."""
        at = self._at(read)
        found = series.of(self.module, at) if isinstance(at, ast.expr) else None
        if found is None or at is None:
            return None
        every = series.reads(self.module, found, at) or []  # type: ignore[arg-type]
        items = series.held(self.analysis.value(found.collection, self.module))
        return Series(
            self.tree.cst(found.collection),  # type: ignore[arg-type]
            self.tree.cst(found.around),
            found.by,
            [self.tree.cst(each) for each in every],  # type: ignore[misc]
            series.is_plain(found),
            items,
            series.stacks(items),
            series.is_whole(found, every),
        )

    def beside(self, call: cst.Call) -> tuple[cst.CSTNode, list[cst.Call]] | None:
        """The outermost tuple, list, dict or call in which a call is an item, and the calls that run along with it."""
        at = self._at(call)
        found = series.beside(self.module, at) if isinstance(at, ast.Call) else None
        return (self.tree.cst(found[0]), [self.tree.cst(each) for each in found[1]]) if found is not None else None  # type: ignore[misc]

    def is_repeated(self, node: cst.Subscript) -> bool:
        """Whether another subscript with the same index always runs before a subscript."""
        at = self._at(node)
        return isinstance(at, ast.Subscript) and same_index.is_repeated(self.module, at)

    def choice(self, node: cst.CSTNode) -> Choice | None:
        """The choice between two values that an `if` makes, where it makes nothing else and torch made both."""
        at = self._at(node)
        found = choices.of(self.analysis, self.module, at) if isinstance(at, (ast.If, ast.IfExp)) else None
        if found is None:
            return None
        parts = (found.test, found.then, found.other if found.other is not None else found.name, found.name)
        return Choice(*(self.tree.cst(part) if part is not None else None for part in parts))  # type: ignore[arg-type]

    def asking(self, node: cst.CSTNode) -> cst.CSTNode:
        """What asks for the truth of an expression: the `if` of whose condition it is a part, or itself."""
        at = self._there(node)
        found = choices.asking(self.module, at)
        return node if found is at else self.tree.cst(found)

    def leaves(self, node: cst.CSTNode) -> bool:
        """Whether an `if` does nothing but leave the loop or the function."""
        return choices.leaves(self._there(node))

    def maker(self, move: cst.Call) -> cst.BaseExpression | None:
        """What a name is bound to whose tensor a call moves, if it is only filled with numbers before, and gone behind."""
        at = self._at(move)
        found = fills.maker(self.analysis, self.module, at) if isinstance(at, ast.Call) else None
        return self.tree.cst(found) if found is not None else None  # type: ignore[return-value]

    def holds_at(self, node: cst.CSTNode, place: cst.CSTNode) -> bool:
        """Whether an expression stands for the same at an earlier statement of its block."""
        at = self._there(node)
        return isinstance(at, ast.expr) and fills.holds_at(self.module, at, self.module.statement(self._there(place)))

    def waiting_part(self, node: cst.CSTNode) -> cst.CSTNode:
        """What to underline of a node that waits: of an `if` its condition, of a long call its method's name."""
        match node:
            case cst.If() | cst.While() | cst.IfExp() | cst.Assert():
                return node.test
            case cst.CompFor(ifs=[first, *_]):
                return first.test
            case cst.Call():
                return self.spot(node)
        return node

    def spot(self, call: cst.Call) -> cst.CSTNode:
        """What to underline of a call: of one that spans lines, the name of the method."""
        at = self._there(call)
        assert isinstance(at, ast.Call)
        if isinstance(call.func, cst.Attribute) and at.func.end_lineno != at.lineno:
            return call.func.attr
        return call

    def _at(self, node: cst.CSTNode) -> ast.AST | None:
        return self.tree.ast(node)

    def _there(self, node: cst.CSTNode) -> ast.AST:
        """The node of Python's own tree for a LibCST node, or for the one around it that has one."""
        at: cst.CSTNode | None = node
        while at is not None:
            found = self.tree.ast(at)
            if found is not None:
                return found
            at = self.tree.parent(at)
        return self.module.tree


def _as_fact(value: Value) -> Fact[Value]:
    if value.kind == "unknown":
        return Fact(UNKNOWN)
    because = tuple(each for each in (value.why, value.where) if each is not None)
    return Fact(value, value.sure, because)
