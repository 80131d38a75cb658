"""Everything a rule may ask about the code, in torch's words.

A rule holds LibCST nodes; it asks here, and only here, what they are. Each answer is a `Fact`: a value or UNKNOWN, how
sure it is, and the places that prove it. Nothing is worked out before it is asked, and nothing twice.

    questions/     what several rules ask, by subject; `Facts` has it all, and what one rule asks stands in its folder
    sync/          what makes the host wait for the GPU
    context/       where code stands: how often it runs, behind which gate, in which mode
    idioms/        forms of code, and when they are what they look like
    interpret/     what every expression can be, worked out by running functions on abstract values
    guesses/       what identifiers and uses suggest where nothing is proven
    project/       the files around the linted one
    index/         modules, functions, classes and names, found in one walk
    knowledge/     what is known of torch and the libraries around it: data alone
    domain/        what answers are made of
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from torchperf_lint.facts.context.frequency import Frequency, seeming
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.questions.base import NEWEST, Settings
from torchperf_lint.facts.questions.masks import MaskQuestions
from torchperf_lint.facts.sync.host_wait import Wait

__all__ = [
    "NEWEST",
    "UNKNOWN",
    "Evidence",
    "Fact",
    "Facts",
    "Frequency",
    "Settings",
    "Sure",
    "Value",
    "Wait",
    "seeming",
]


if TYPE_CHECKING:
    import libcst as cst

A = TypeVar("A", bound=ast.AST)
P = ParamSpec("P")
T = TypeVar("T")


class Facts(MaskQuestions):
    """The facts of one module of a program: all questions, by subject in `questions/`."""

    def ask(
        self, question: Callable[Concatenate[Facts, A, P], T], node: cst.CSTNode, *more: P.args, **named: P.kwargs
    ) -> T:
        """What a rule's own question, which looks at Python's tree, says of a LibCST node; `node` leads back from there."""
        return question(self, self.at(node), *more, **named)  # type: ignore[arg-type]

    def find(self, question: Callable[[Facts, A], ast.expr | None], node: cst.CSTNode) -> cst.BaseExpression | None:
        """The LibCST node of the expression that a rule's own question finds."""
        found = self.ask(question, node)
        return self.node(found) if found is not None else None
