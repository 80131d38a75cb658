from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.memory.materialised_intermediate import match


@rule(
    "TPL504",
    names=("one_hot", "norm", "sqrt", "sum"),
    screen=match.is_form,
    fix=Safety.UNSAFE,
    impact=Faster("for that operation alone"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A large tensor is made for an operation that torch can do without it.

    `F.one_hot(i, n).float() @ w` makes a matrix of zeros with a one in each row, in 64-bit integers and again in floats, and
    multiplies it with `w`: each row of the result is a row of `w`. `torch.norm(a[:, None] - b[None], dim=-1)` makes the
    difference of each pair, with all its coordinates, for one number a pair. `(a.unsqueeze(-2) * b.unsqueeze(-3)).sum(-1)` makes
    the product of each pair of rows, with all its elements, where `a @ b.mT` sums as it multiplies.

    Why
    ---
    These tensors are larger than what goes in and what comes out, by the number of classes or of coordinates. They are kept for
    the backward pass, too: the distances of 4,096 points to 1,000 in 256 dimensions took 12 GiB, and 76 MiB with `torch.cdist`.

    Time is gained where that is much: these distances took an eighteenth. For 1,024 points in 3 dimensions, and for picking
    4,096 rows out of 1,000, the GPU had less to do, but the host more, for the backward pass is of more kernels; where the
    host is what a step waits for, it became slower; the table below has both. The product of each pair of 1,024 rows of 64 took 9.4
    times as long as `a @ b.mT`, 1.8 times with the backward pass, and 260 MiB where that took 4 (once, on an H200).

    Instead
    -------
    `F.embedding(i, w)` or `w[i]`; `torch.cdist(a, b)`; `a @ b.mT`. A sum of rows with weights,
    `(weights.unsqueeze(-1) * x).sum(-2)`, is not reported: as a product of matrices it took half the time forward, but up to 1.7
    times with the backward pass.

    When it is fine
    ---------------
    For small tensors, on the CPU, and where it runs once. Lengths other than the Euclidean, differences that are read
    elsewhere, and one-hot vectors that are used for more than a product are not reported.

    Fix safety
    ----------
    `F.embedding` gives the very rows; a product adds zeros to them, so that an `inf` or NaN anywhere in `w` would spread. With
    more than 25 points `torch.cdist` multiplies matrices, which loses digits for points that lie close together far from the
    origin: `compute_mode="donot_use_mm_for_euclid_dist"` does not. Its gradient at distance 0 is 0, where that of `sqrt` is NaN.
    Squared distances have no root to take: they are not reported. A product of matrices rounds otherwise than a sum of
    products: with TF32, where that is on, and in the lower precision of autocast. `cdist` and `matmul` want tensors of one floating
    dtype: where one of them is known to have another, no fix is offered.
    """
    form = facts.ask(match.form, call)
    if form is None or not facts.may_use_gpu() or facts.in_compiled(call) or facts.runs_seldom(call):
        return
    tensor = facts.value_at(form.of)
    if not tensor.known or tensor.value.kind != "tensor" or tensor.value.on_host:
        return
    if form.cure.startswith("cdist(") and tensor.value.rank == 1:
        return  # lists of numbers: nothing is summed over coordinates
    whole, (name, _, rest) = facts.node(form.whole), form.cure.partition("(")
    written = facts.spelling(f"{form.home}.{name}")
    fix: Fix[Edit] | None = None
    if written is not None and form.is_taken:
        fix = Fix(f"Use `{name}`", (Replace(whole, f"{written}({rest}"),), Safety.UNSAFE)
    is_hot = facts.frequency(call).value >= Frequency.INFERENCE and not facts.gated(call)
    yield Draft(whole, form.said, because=(tensor,), fix=fix, is_hint=not is_hot)
