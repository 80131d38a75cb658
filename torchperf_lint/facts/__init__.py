"""Everything a rule may ask about the code, in torch's words.

A rule holds LibCST nodes; it asks here, and only here, what they are. Each answer is a `Fact`: a value or UNKNOWN, how
sure it is, and the places that prove it. Nothing is worked out before it is asked, and nothing twice.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import libcst as cst

from torchperf_lint.facts import (
    definitions,
    effects,
    fills,
    gates,
    heat,
    loaders,
    losses,
    masked,
    modes,
    names,
    neighbours,
    owners,
    roles,
    shapes,
    switches,
    traits,
    transfers,
)
from torchperf_lint.facts.effects import Wait
from torchperf_lint.facts.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.heat import Heat
from torchperf_lint.facts.infer import Analysis
from torchperf_lint.facts.masked import Selection
from torchperf_lint.facts.modes import Autocast
from torchperf_lint.facts.neighbours import Use
from torchperf_lint.facts.program import Module, Program, last_name
from torchperf_lint.facts.torch_api.waits import parse as parse_version
from torchperf_lint.facts.transfers import Move
from torchperf_lint.facts.values import NO, Value
from torchperf_lint.syntax import calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchperf_lint.syntax.tree import Tree

__all__ = [
    "NEWEST",
    "UNKNOWN",
    "Autocast",
    "Evidence",
    "Fact",
    "Facts",
    "Heat",
    "Move",
    "Selection",
    "Settings",
    "Sure",
    "Use",
    "Value",
    "Wait",
]

NEWEST: Final = "2.11"
"""The newest torch whose waits were measured."""


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


class Facts:
    """The facts of one module of a program."""

    def __init__(self, program: Program, module: Module, tree: Tree, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.module = module
        self.tree = tree
        self.analysis = Analysis(program)
        self.analysis.allow(module)
        self._waits: dict[ast.AST, Fact[Wait]] = {}
        self._moves: dict[ast.Call, list[ast.Call]] | None = None

    # ---- names

    def name(self, node: cst.CSTNode) -> str | None:
        """The dotted name that an expression stands for, through imports and aliases: "torch.nn.functional.relu"."""
        at = self._at(node)
        return None if at is None else names.dotted(self.module.function_of(at), at)

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

    def argument(self, call: cst.Call, name: str, index: int | None = None) -> Fact[Value]:
        """The value of an argument of a call, by its name or position; UNKNOWN if it is not given."""
        node = calls.argument(call, name, index)
        return self.value(node.value) if node is not None else Fact(UNKNOWN)

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

    def batch_moves(self, loader: cst.Call) -> list[cst.Call]:
        """The moves, in this file, of the tensors that a loader gives; of the call that makes the loader."""
        if self._moves is None:
            self._moves = loaders.moves(self.analysis, self.module)
        at = self._at(loader)
        return [self.tree.cst(each) for each in self._moves.get(at, ())]  # type: ignore[arg-type, misc]

    # ---- effects, heat, modes: of nodes of either tree

    def host_wait(self, node: cst.CSTNode) -> Fact[Wait]:
        """Whether a node itself, not its parts, makes the host wait for the GPU."""
        at = self._at(node)
        return self.wait_at(at) if at is not None else Fact(UNKNOWN)

    def heat(self, node: cst.CSTNode) -> Fact[Heat]:
        """How often the place of a node runs."""
        at = self._at(node)
        return self.heat_at(at) if at is not None else heat.COLD

    def gated(self, node: cst.CSTNode) -> bool:
        """Whether a node stands behind a gate: every so many steps, one rank, verbose only, an exception."""
        at = self._at(node)
        return at is not None and self.gated_at(at)

    def wait_at(self, node: ast.AST) -> Fact[Wait]:
        known = self._waits.get(node)
        if known is None:
            known = self._waits[node] = effects.wait(self.analysis, self.module, node, self.settings.target)
        return known

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
        return replace(found, mask=self.tree.cst(found.mask), reads=tuple(self.tree.cst(each) for each in found.reads))  # type: ignore[arg-type, misc]

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

    # ---- the file and its conditions

    def may_use_gpu(self) -> bool:
        """Whether anything of the file may run on a GPU."""
        return roles.may_use_gpu(self.analysis, self.module)

    def mentions(self, *names: str) -> bool:
        """Whether the file uses one of some names, as an identifier or as a keyword of a call."""
        return traits.mentions(self.module, names)

    def conditional(self, node: cst.CSTNode) -> bool:
        """Whether a node runs only if some condition holds, also one around all calls of its function in sight."""
        return switches.conditional(self.analysis, self.module, self._there(node))

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

    def comments(self, node: cst.CSTNode) -> str:
        """What the comments say at a node's statement and above it in its block, in lower case."""
        line = self.tree.statement(node)
        block = getattr(self.tree.parent(line), "body", ())
        near = [*block[: block.index(line)], line] if line in block else [line]
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

    def with_arguments(self, node: cst.BaseExpression, call: cst.Call, **arguments: str) -> str:
        """The text of an expression in which a call, itself or one inside of it, is given arguments by name."""
        made = call
        for name, value in arguments.items():
            made = calls.given(made, name, value)
        return cst.Module([]).code_for_node(made if node is call else node.deep_replace(call, made))  # type: ignore[arg-type]

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
