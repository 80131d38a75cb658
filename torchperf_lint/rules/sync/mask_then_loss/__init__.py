from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Remove, Replace, Safety, rule
from torchperf_lint.rules.sync.mask_then_loss import match


@rule(
    "TPL109",
    names=("cross_entropy", "nll_loss", "CrossEntropyLoss", "NLLLoss"),
    waits=("shape",),
    fix=Safety.UNSAFE,
    impact=Faster(many=True),
)
def check(node: cst.Subscript, facts: Facts) -> Findings:
    """Labels that do not count are masked out before the loss, which has an argument for them.

    `criterion(logits[mask], target[mask])` with `mask = target != -1` makes copies of what the mask selects. How much
    that is, only the GPU knows, so the host waits for it, for the logits and for the labels, and in the backward pass
    once more.

    Why
    ---
    The loss passes over ignored labels by itself, in the same kernel and without a wait. On an H200 a segmentation loss
    of ten classes took 11.6 ms with the masks and 4.5 ms without them, and the host was free in the meantime.

    Instead
    -------
    Give the loss all logits and labels, and `ignore_index=`. Classes belong in dimension 1, `(N, C, H, W)` for images,
    so logits need not be permuted for it.

    When it is fine
    ---------------
    Where the mask says more than which label does not count, or the selected elements are used for other things too:
    that is not reported. Where nearly all labels are ignored and the classes are many, masking may be faster.

    Fix safety
    ----------
    The mean is taken over the same elements, in another order, so the loss and its gradients differ by rounding. If
    all labels are ignored the mean is NaN, before and after. Labels must be of a dtype that the loss takes before the
    mask was applied as well, and other labels out of range raise an error or, on the GPU, an assertion. Logits that are
    NaN beside an ignored label make their own gradients NaN.
    """
    found = facts.ask(match.masked_loss, node) if not facts.runs_seldom(node) else None
    if found is not None:
        yield Draft(
            node,
            "masked out before the loss, which makes the host wait; `ignore_index` passes over labels",
            because=(facts.host_wait(node),),
            fix=_fix(found, facts),
        )


def _fix(found: match.MaskedLoss, facts: Facts) -> Fix[Edit] | None:
    """All logits and labels for the loss, and the label that does not count."""
    if found.maker is None:
        return None
    call, maker, ignored_label = facts.node(found.call), facts.node(found.maker), facts.node(found.ignored)
    is_same = facts.ask(match.means_the_same, ignored_label, found.maker)
    if any(arg.star for arg in (*call.args, *maker.args)) or not is_same:
        return None
    settings = {arg.keyword.value: arg.value for arg in maker.args if arg.keyword is not None}
    if facts.argument(maker, "reduction").known and facts.constant(settings["reduction"]) not in ("mean", "sum"):
        return None
    ignored, old = facts.source(ignored_label), settings.get("ignore_index")
    if old is not None and facts.source(old) != ignored:
        return None
    logits, labels = facts.operand(facts.node(found.logits)), facts.operand(facts.node(found.labels))
    if found.classes_last:
        logits, labels = f"{logits}.flatten(0, -2)", f"{labels}.flatten()"
    labels += ".long()" if found.is_cast else ""
    others = [facts.source(arg) for arg in call.args if _is_setting(arg, call)]
    given = [f"ignore_index={ignored}"] if maker is call and old is None else []
    edits: list[Edit] = [Replace(call, f"{facts.source(call.func)}({', '.join([logits, labels, *others, *given])})")]
    if maker is not call and old is None:
        edits.append(Replace(maker, facts.with_arguments(maker, maker, ignore_index=ignored)))
    edits += [Remove(facts.node(statement)) for statement in found.gone]
    return Fix(f"Ignore the label: `ignore_index={ignored}`", tuple(edits), Safety.UNSAFE)


def _is_setting(arg: cst.Arg, call: cst.Call) -> bool:
    """Whether an argument is neither the logits nor the labels."""
    return arg.keyword.value not in ("input", "target") if arg.keyword is not None else call.args.index(arg) > 1
