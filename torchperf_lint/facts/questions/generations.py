"""Questions about whole generations, of many steps of a model, beside which little is worth a word."""

from __future__ import annotations

import ast

from torchperf_lint.facts.context import generations, once_a_generation
from torchperf_lint.facts.domain.budget import GaveUpError
from torchperf_lint.facts.domain.fact import Evidence
from torchperf_lint.facts.questions.places import PlaceQuestions


class GenerationQuestions(PlaceQuestions):
    """Questions about whole generations, of many steps of a model, beside which little is worth a word."""

    def generation_at(self, node: ast.AST) -> Evidence | None:
        """The call that generates beside a node, each time that the node runs."""
        return generations.beside(self.module, node)

    def once_a_generation_at(self, node: ast.AST) -> Evidence | None:
        """The generation beside which all that is seen to run a node runs it once."""
        try:
            return once_a_generation.shown(self.plain, node)
        except GaveUpError:
            return None
