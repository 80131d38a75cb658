from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, rule
from torchperf_lint.rules.distributed.find_unused_parameters import match


@rule("TPL802", names=("DistributedDataParallel",), screen=match.searches)
def check(call: cst.Call, facts: Facts) -> Findings:
    """`DistributedDataParallel` looks for unused parameters in a model that uses all of them.

    With `find_unused_parameters=True` the reducer walks the graph after every forward pass, to learn which parameters will get
    no gradient, and tells the other ranks in a collective of its own.

    Why
    ---
    The walk runs on the host at every step, between forward and backward, and takes longer the more operations there are. Where
    every parameter is used it finds nothing; torch then warns about it once.

    Instead
    -------
    Leave the option out. Where the same parameters are unused at every step, `static_graph=True` finds them once.

    When it is fine
    ---------------
    Models with branches, with heads that are not always used, or with parts that may be skipped need it: they fail or wait for ever
    without. So it is reported only of models whose `forward` is in sight, has no branch and uses each part that the constructor
    makes, and of classifiers of torchvision of which that is known.
    """
    if facts.ask(match.searches, call) and facts.may_use_gpu():
        option = facts.given(call, "find_unused_parameters")
        message = "the graph is searched for unused parameters at every step, and this model has none"
        yield Draft(option if option is not None else call, message, about=call)
