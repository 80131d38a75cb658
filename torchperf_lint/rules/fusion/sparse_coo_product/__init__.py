from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Replace, Safety, rule
from torchperf_lint.rules.fusion.sparse_coo_product import match

SINCE = (2, 0)
"""The torch whose products of rows have all gradients that those of coordinates have."""


@rule(
    "TPL616",
    names=("spmm", "mm", "matmul", "addmm"),
    screen=match.may_take_coordinates,
    frequency=Frequency.INFERENCE,
    fix=Safety.UNSAFE,
    impact=Faster(host_work=(0,)),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A sparse matrix of coordinates (COO) is multiplied at every step, and its entries sorted each time.

    A product wants the entries of a sparse matrix row by row. `torch.sparse_coo_tensor` and `torch.sparse.FloatTensor` give a
    matrix that nobody has looked at, so each product sorts it first and adds up what stands at one place. The backward pass
    needs the transposed matrix, and sorts that, even if the matrix was coalesced.

    Why
    ---
    To sort takes several kernels, and the host waits five times in each product, forward and backward, to learn how many entries
    there are. A training step of a graph network with two layers waits 20 times, with a coalesced matrix 10 times, and with one
    of rows (CSR) twice, and the kernels of rows are quicker: on an H200 a step on 160,000 nodes took a third of the time, one on
    2,700 nodes three quarters; GRAND, a public program with 32 products a step, took 65 % less.
    `torch.cuda.set_sync_debug_mode` does not tell of these waits.

    Instead
    -------
    Make it one of rows once, where it is made: `torch.sparse_coo_tensor(indices, values, size).to_sparse_csr()`. Products, `.to()`
    and gradients of what it is multiplied by work as before. `.coalesce()` at the same place spares half of it and changes less.

    When it is fine
    ---------------
    A matrix that is made anew at each step has to be put in order at each step. Products that run once, as of features that are
    smoothed before the training, and projects that name a CSR matrix, or that never call `backward`, are not reported. With a
    torch before 2.0, and where the project asks a matrix for its coordinates (`_indices()`, `is_sparse`), it is a hint to coalesce it, and
    nothing where it may be coalesced. Where nothing shows what makes the matrix, but the project makes such and none of rows, it is
    a hint: some of them are made anew at each step, by dropout or from a part of the edges. Nothing is gained where the GPU waits for
    the host anyway, as in recommenders whose pairs are drawn in Python.

    Fix safety
    ----------
    Sums are taken in another order, so the last bits may differ. A matrix of rows has no `_indices()` and no `coalesce()`: no fix is
    offered where the project says one of these.
    """
    matrix = facts.find(match.matrix, call)
    if matrix is None or not facts.may_use_gpu() or facts.in_compiled(call):
        return
    has_rows = facts.settings.target >= SINCE and not facts.ask(match.needs_coordinates, call)
    if not has_rows and facts.ask(match.may_be_coalesced, matrix):
        return
    cure = "make it CSR once" if has_rows else "`coalesce()` it once"
    message = f"`{facts.source(call.func)}` puts the entries of a COO matrix in order anew, and waits: {cure}"
    fix = _fix(matrix, facts) if has_rows else None
    is_hint = not has_rows or not facts.ask(match.is_seen, matrix)
    yield Draft(call, message, because=(facts.ask(match.shown, matrix),), fix=fix, is_hint=is_hint)


def _fix(matrix: cst.BaseExpression, facts: Facts) -> Fix[Edit] | None:
    """Rows in place of coordinates, where the matrix is made in this file and nothing needs its coordinates."""
    made = facts.find(match.making, matrix)
    if made is None or facts.ask(match.orders, matrix):
        return None
    return Fix("Make it one of rows", (Replace(made, f"{facts.source(made)}.to_sparse_csr()"),), Safety.UNSAFE)
