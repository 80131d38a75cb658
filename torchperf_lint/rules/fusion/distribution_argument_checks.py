from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule

CHECKING = (
    "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Dirichlet", "Exponential", "Gamma", "Geometric", "Gumbel", "HalfNormal",
    "Laplace", "LogNormal", "LowRankMultivariateNormal", "Multinomial", "MultivariateNormal", "NegativeBinomial", "Normal",
    "OneHotCategorical", "OneHotCategoricalStraightThrough", "Pareto", "Poisson", "RelaxedBernoulli", "RelaxedOneHotCategorical",
    "StudentT", "Uniform", "VonMises", "Weibull",
)  # fmt: skip
"""Distributions that look at all their arguments, and at all values that they are asked about."""
WITHIN = (
    "Multinomial", "OneHotCategorical", "OneHotCategoricalStraightThrough", "RelaxedBernoulli", "RelaxedOneHotCategorical", "StudentT",
)  # fmt: skip
"""Those that make others within, which check whatever these are told (torch 2.13)."""
SINCE = (1, 8)
"""The torch that checks unless it is told not to."""
READS = ("item", "cpu", "numpy", "tolist")
SWITCHED = ("set_default_validate_args", "__validate_args")


@rule(
    "TPL614",
    names=CHECKING,
    frequency=Frequency.INFERENCE,
    fix=Safety.UNSAFE,
    impact=Faster("for that distribution alone", many=True),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A distribution of torch checks its arguments at every step, and the host waits for the answer.

    `Normal(mean, std)` asks whether all of `std` is positive before it does anything, and `log_prob(value)` whether the values
    are in its support. The answer is a number of the GPU, which the host has to wait for.

    Why
    ---
    Each check costs a few kernels and a wait, when a distribution is made and when it is asked. A policy that is sampled
    from at every step of an environment waits twice for each step, and then once more in the update.

    Instead
    -------
    `Normal(mean, std, validate_args=False)`, or once for the whole program
    `torch.distributions.Distribution.set_default_validate_args(False)`. `Multinomial`, `OneHotCategorical`, `StudentT` and the
    relaxed ones make another distribution within, which checks whatever they are told: there only the latter helps, so that
    they are hints. Leave the checks on while you look for a NaN.

    When it is fine
    ---------------
    On the CPU, outside of loops, behind a gate, and with a torch before 1.8, which checks nothing unasked: that is not reported.
    Python that is started with `-O` has the checks off, and so has a program from its first `torch.compile` on: Dynamo switches
    them off for the whole process. So nothing is said where anything in sight may be compiled. The checks were measured
    against the distribution alone: it is a warning where a step
    is seen to make many, as in a loop that draws one number after the other, whose turns they are a good part of.
    What is drawn and read at once, as by `Categorical(p).sample().item()`, makes the host wait in any case and is not reported.

    Fix safety
    ----------
    Arguments that are no parameters of a distribution, NaN among them, no longer raise an error: the results are NaN or
    meaningless instead.
    """
    name = facts.name(call.func) or ""
    if (
        facts.settings.target < SINCE
        or not name.startswith("torch.distributions.")
        or facts.mentions(*SWITCHED)
        or not facts.may_use_gpu()
    ):
        return
    if any(arg.star or (arg.keyword is not None and arg.keyword.value == "validate_args") for arg in call.args):
        return
    given = [facts.value(arg.value) for arg in call.args]
    if not given or any(each.known and each.value.on_host for each in given) or facts.in_compiled(call):
        return
    if facts.may_compile() or facts.has_no_distribution_checks():
        return
    if all(each.known and each.value.kind == "number" for each in given) or _is_read_at_once(call, facts):
        return
    called = name.rpartition(".")[2]
    because = tuple(each for each in given if each.known)[:1]
    if called in WITHIN:
        message = f"`{called}` checks, within too: say `Distribution.set_default_validate_args(False)`"
        yield Draft(call, message, because, is_hint=True)  # for the whole program, and what draws reads counts as well
        return
    fix = Fix(
        "Switch the checks off",
        (Replace(call, facts.with_arguments(call, call, validate_args="False")),),
        Safety.UNSAFE,
    )
    yield Draft(
        call, f"`{called}` checks its arguments, and the host waits: say `validate_args=False`", because, fix=fix
    )


def _is_read_at_once(call: cst.Call, facts: Facts) -> bool:
    """Whether what is drawn goes to the host in the same expression, which waits in any case: `Categorical(p).sample().item()`."""
    above = facts.parent(call)
    while isinstance(above, (cst.Attribute, cst.Call)):
        if isinstance(above, cst.Attribute) and above.attr.value in READS:
            return True
        above = facts.parent(above)
    return False
