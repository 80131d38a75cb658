"""Everything a rule may ask about the code, in torch's words.

A rule holds LibCST nodes; it asks here, and only here, what they are. Each answer is a `Fact`: a value or UNKNOWN, how
sure it is, and the places that prove it. Nothing is worked out before it is asked, and nothing twice.

    questions/     what rules may ask, by subject; `Facts` has it all
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

from torchperf_lint.facts.context.frequency import Frequency
from torchperf_lint.facts.context.modes import Autocast
from torchperf_lint.facts.domain.fact import UNKNOWN, Evidence, Fact, Sure
from torchperf_lint.facts.domain.value import Value
from torchperf_lint.facts.idioms.evaluation import Evaluation
from torchperf_lint.facts.idioms.graphs import Kept
from torchperf_lint.facts.idioms.ignored import MaskedLoss
from torchperf_lint.facts.idioms.masked import Selection
from torchperf_lint.facts.idioms.neighbours import Use
from torchperf_lint.facts.interpret.transfers import Move
from torchperf_lint.facts.questions.asks import Asks
from torchperf_lint.facts.questions.base import NEWEST, Settings
from torchperf_lint.facts.questions.uses import Choice, Series, Total
from torchperf_lint.facts.sync.host_wait import Wait

__all__ = [
    "NEWEST",
    "UNKNOWN",
    "Autocast",
    "Choice",
    "Evaluation",
    "Evidence",
    "Fact",
    "Facts",
    "Frequency",
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


class Facts(Asks):
    """The facts of one module of a program: all questions, by subject in `questions/`."""
