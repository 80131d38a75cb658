from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.sync.hidden_sync_api import match

UNCHECKED = {
    "inv": ("torch.linalg.inv_ex", "inverse"),
    "inverse": ("torch.linalg.inv_ex", "inverse"),
    "cholesky": ("torch.linalg.cholesky_ex", "L"),
    "solve": ("torch.linalg.solve_ex", "result"),
}
"""By the last name of a call, the one that leaves out the check, and the part of its result that is wanted."""
SAID = {
    "clip_grad_norm_": "`error_if_nonfinite=True` makes the host read the norm: a scaler or the loss tells of NaN as well",
    "get_scale": "`get_scale` copies the scale to the host at every step: for a log read it every so many steps",
    "lu_factor": "`lu_factor` makes the host read whether the matrix is singular: `lu_factor_ex` does not",
    "segment_reduce": "`segment_reduce` checks its lengths on the host: say `unsafe=True`",
}
NOT_MEASURED = ("get_scale", "segment_reduce")
EXACT = ("gpytorch", "botorch", "linear_operator", "pyro")
"""Who solves for a living: matrices that are not positive are its errors, and its programs run on the host as often as not."""


@rule(
    "TPL116",
    names=(*UNCHECKED, *SAID),
    frequency=Frequency.INFERENCE,
    waits=("library", "read"),
    fix=Safety.UNSAFE,
    impact=Faster(host_work=(5, 10), many=True),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A call of torch reads something back to check it, and there is one that does not.

    `torch.linalg.inv(x)` asks the GPU whether the matrix is singular, and the host waits for the answer, to raise an error if so.
    `torch.linalg.inv_ex(x)` gives that answer as a tensor, which nobody has to read.

    Why
    ---
    Nothing in the line says that it waits. The queue of the GPU runs dry at each such call, and what the host has to do in a step
    can no longer hide behind the GPU's work.

    Instead
    -------
    `torch.linalg.inv_ex(x).inverse`, `torch.linalg.cholesky_ex(x).L`, `torch.linalg.solve_ex(a, b).result`. Clip gradients without
    `error_if_nonfinite=True`, and read the scale of a scaler only where it is logged. What distributions check is TPL614's.

    When it is fine
    ---------------
    Where the error is wanted: inside of a `try` that catches something nothing is said. Nor is anything of eigenvalues and
    singular values, whose algorithms read back by themselves. In files of Gaussian processes it is a hint, and so is a scale
    that is read: whether a step was skipped is known no other way.

    Fix safety
    ----------
    A singular matrix no longer raises an error: its inverse holds NaN or infinity, and the results do from there on.
    """
    if facts.ask(match.wants_error, call) or facts.in_compiled(call) or facts.runs_seldom(call):
        return
    wait, name, is_exact = facts.host_wait(call), _last(call), facts.imports(*EXACT)
    if name in UNCHECKED:
        made, part = UNCHECKED[name]
        message = f"`{name}` makes the host read whether it went well: `{made}(...).{part}` does not"
        yield Draft(facts.spot(call), message, because=(wait,), fix=_fix(call, made, part, facts), is_hint=is_exact)
    else:
        yield Draft(facts.spot(call), SAID[name], because=(wait,), is_hint=is_exact or name in NOT_MEASURED)


def _last(call: cst.Call) -> str:
    match call.func:
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name
    return ""


def _fix(call: cst.Call, made: str, part: str, facts: Facts) -> Fix[Edit] | None:
    """The call that leaves out the check, with the same arguments."""
    written = facts.spelling(made)
    if written is None or any(arg.keyword is not None and arg.keyword.value == "out" for arg in call.args):
        return None
    given = [facts.source(arg) for arg in call.args]
    if facts.name(call.func) is None and isinstance(call.func, cst.Attribute):
        given.insert(0, facts.source(call.func.value))
    text = f"{written}({', '.join(given)}).{part}"
    return Fix(f"Leave out the check: `{made}`", (Replace(call, text),), Safety.UNSAFE)
