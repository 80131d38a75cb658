"""What a rule is, and all that the author of one imports.

A rule is one function in one file: `rules/<family>/<name>.py`. The decorator says what cannot be derived; the rest is
read off the file: the name and the family from its path, the summary from the first line of its docstring, the nodes
it wants from the annotation of its first parameter. Dropping the file into the folder is all it takes.

What this one rule alone asks of the code stands beside it: `rules/<family>/<name>/__init__.py` is the rule, and `match.py`
has its questions. Those look at Python's own tree, and `facts.ask(match.question, node)` asks one of a LibCST node.

What a rule may need to fire is declared, not coded, so that the engine can prove that it cannot fire before LibCST
sees the file: node types, names that must be called, how often the code runs, and the forms of waits. Its function is pure, for it may be
called twice on a node: with the statement alone in sight, and if it asks for more, with all of the file.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final, get_args

import libcst as cst

from torchperf_lint import rules
from torchperf_lint.facts.facade import Evidence, Fact, Facts, Frequency, Value, Wait
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.knowledge.operation_waits import Form
from torchperf_lint.model import impact as measured
from torchperf_lint.model.finding import (
    AddImport,
    Edit,
    Fix,
    InsertAfter,
    InsertBefore,
    Remove,
    Replace,
    Safety,
    Severity,
)
from torchperf_lint.model.impact import Claim, Faster, LessMemory, Wrong

__all__ = [
    "EVERY_FORM", "AddImport", "Draft", "Edit", "Evidence", "Fact", "Facts", "Faster", "Findings", "Fix", "Frequency", "InsertAfter",
    "InsertBefore", "LessMemory", "Remove", "Replace", "Rule", "Safety", "Severity", "Value", "Wait", "Wrong", "rule", "safe_if",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draft:
    """A finding as a rule writes it: on a node. The engine turns it into a `Finding` on text."""

    node: cst.CSTNode
    """What is underlined."""
    message: str
    because: tuple[Fact[Any], ...] = ()
    """The facts it stands on: their evidence is printed, and the least sure of them is its confidence."""
    fix: Fix[Edit] | None = None
    about: cst.CSTNode | None = None
    """What the finding is about, where that is not what is underlined: another rule may claim that."""
    is_hint: bool = False
    """Whether it is a case that is worth less than what was measured of the rule: information, whatever the rule is."""
    needs_many: bool = False
    """Whether one gains next to nothing, a launch or a read behind another: it is left out unless a step is seen to have many."""


def safe_if(*facts: Fact[Any], otherwise: Safety = Safety.UNSAFE) -> Safety:
    """SAFE if all facts are proven that the equivalence of a fix rests on."""
    return Safety.SAFE if all(fact.proven for fact in facts) else otherwise


Findings = Iterator[Draft]
Check = Callable[[Any, Facts], Findings]
Among = Callable[[Module], Iterable[ast.AST]]
"""The nodes of a file on which a rule may fire, as far as words and form tell: nothing is evaluated for it."""
Screen = Callable[[Facts, ast.AST], bool]
"""Whether a rule may have something to say of a node of Python's own tree: asked before LibCST is shown the statement."""
FileScreen = Callable[[Facts], bool]
"""Whether a rule may have something to say of a file: asked before any of its nodes, so it must cost next to nothing."""

EVERY_FORM: Final[tuple[Form, ...]] = get_args(Form)
"""All forms of waits, for a rule that speaks of any."""

SECTIONS: Final = ("Why", "Instead", "When it is fine")
"""What the docstring of a rule must explain; `Fix safety` and others may follow."""

NODES: Final[dict[str, type[ast.AST]]] = {
    "Call": ast.Call, "Subscript": ast.Subscript, "BinaryOperation": ast.BinOp, "BooleanOperation": ast.BoolOp,
    "UnaryOperation": ast.UnaryOp, "Comparison": ast.Compare, "IfExp": ast.IfExp, "FormattedString": ast.JoinedStr,
    "If": ast.If, "While": ast.While, "For": ast.For, "With": ast.With, "Try": ast.Try, "Assert": ast.Assert,
    "Assign": ast.Assign, "AnnAssign": ast.AnnAssign, "AugAssign": ast.AugAssign, "Return": ast.Return,
    "Expr": ast.Expr, "FunctionDef": ast.FunctionDef, "ClassDef": ast.ClassDef, "ListComp": ast.ListComp,
    "DictComp": ast.DictComp, "GeneratorExp": ast.GeneratorExp, "SetComp": ast.SetComp, "CompFor": ast.comprehension,
}  # fmt: skip
"""What a rule may ask for, in LibCST's words, and what Python's own tree calls it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, with all that is declared and derived of it."""

    code: str
    name: str
    family: str
    check: Check
    nodes: tuple[type[ast.AST], ...]
    names: frozenset[str]
    """The prescreen: a call fires only if its last name is among these, another node only if one is in the file."""
    among: Among | None
    """Which nodes are looked at, where kinds and names alone would bring far too many; it may bring too many, never too few."""
    frequency: Frequency | None
    """How often the code must run at least, and not behind a gate; None: however often."""
    waits: tuple[Form, ...]
    """Fires only on a node that makes the host wait for the GPU in one of these forms; none: on any node."""
    screen: Screen | None
    """The question about Python's own tree to which the answer must be yes; it may say yes too often, never no."""
    file: FileScreen | None
    """The same of the file as a whole."""
    default: bool
    impact: Claim | None
    """Which measurements show what it is worth; None: nothing was measured, and what it finds is a hint."""
    safety: Safety | None
    """The best that its fix can be; None: it has no fix."""
    needs: str | None
    """What the rule needs beyond the file, for its page: a setting or a target version."""

    @property
    def severity(self) -> Severity:
        """How bad its findings are: what was measured decides."""
        return measured.severity(self.code)

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.check) or "").partition("\n")[0]

    @property
    def sections(self) -> dict[str, str]:
        """The sections of the docstring by title; the text before the first has the title ""."""
        parts = re.split(r"^([A-Z][a-z ]+)\n-{3,}\n", inspect.getdoc(self.check) or "", flags=re.MULTILINE)
        return {"": parts[0].strip()} | {
            title: text.strip() for title, text in zip(parts[1::2], parts[2::2], strict=True)
        }


def rule(
    code: str,
    *,
    names: tuple[str, ...] = (),
    among: Among | None = None,
    frequency: Frequency | None = None,
    waits: tuple[Form, ...] = (),
    screen: Screen | None = None,
    file: FileScreen | None = None,
    default: bool = True,
    impact: Claim | None = None,
    fix: Safety | None = None,
    needs: str | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule; see `Rule` for what each argument means."""

    def declare(check: Check) -> Rule:
        _, _, family, stem = check.__module__.rsplit(".", 3)
        return Rule(
            code=code,
            name=stem.replace("_", "-"),
            family=family,
            check=check,
            nodes=_wanted(check),
            names=frozenset(names),
            among=among,
            frequency=frequency,
            waits=waits,
            screen=screen,
            file=file,
            default=default,
            impact=impact,
            safety=fix,
            needs=needs,
        )

    return declare


def _wanted(check: Check) -> tuple[type[ast.AST], ...]:
    """The nodes of a rule, from the annotation of its first parameter: its text, as LibCST is not imported for that."""
    first = next(iter(inspect.signature(check).parameters))
    if not isinstance(check.__annotations__.get(first), str):
        cure = (
            "start the file with `from __future__ import annotations`, and annotate it with what it wants: `cst.Call`"
        )
        raise TypeError(f"{place(check)}: the annotation of `{first}` is no text: {cure}")
    kinds = [part.strip() for part in str(check.__annotations__.get(first)).split("|")]
    known = {f"cst.{name}": node for name, node in NODES.items()}
    unknown = [kind for kind in kinds if kind not in known]
    if unknown:
        raise TypeError(
            f"{place(check)}: `{first}` must be annotated with LibCST nodes out of {sorted(known)}, not {unknown}"
        )
    return tuple(known[kind] for kind in kinds)


def place(check: Check) -> str:
    """The file and the line of a rule, for who must change it."""
    return f"{inspect.getsourcefile(check)}:{check.__code__.co_firstlineno}"


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule there is, by code; found by looking into the folders."""
    found = []
    for family in pkgutil.iter_modules(rules.__path__, rules.__name__ + "."):
        folder = importlib.import_module(family.name).__path__
        for module in pkgutil.iter_modules(folder, family.name + "."):
            loaded = importlib.import_module(module.name)
            found += [value for value in vars(loaded).values() if isinstance(value, Rule)]
    return _each_once(sorted(found, key=lambda each: (each.code, each.family, each.name)))


def _each_once(found: Sequence[Rule]) -> tuple[Rule, ...]:
    """Refuse a code that two rules have: one of them would never be asked."""
    for one, other in pairwise(found):
        if one.code == other.code:
            free = next(f"{one.code[:4]}{number:02}" for number in range(1, 100) if _is_free(one, number, found))
            raise TypeError(f"{place(other.check)}: {place(one.check)} has the code {one.code} too; {free} is free")
    return tuple(found)


def _is_free(rule: Rule, number: int, found: Sequence[Rule]) -> bool:
    return all(each.code != f"{rule.code[:4]}{number:02}" for each in found)
