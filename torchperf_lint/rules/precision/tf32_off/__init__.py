from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, InsertBefore, Safety, rule
from torchperf_lint.rules.precision.tf32_off import match

SETTING = "torch.set_float32_matmul_precision"


@rule(
    "TPL302",
    names=("backward",),
    screen=match.begins_here,
    fix=Safety.UNSAFE,
    impact=Faster("for a step of wide linear layers", only={"width": (2048,)}),
    needs="a GPU of the Ampere generation (2020) or newer",
)
def check(statement: cst.If, facts: Facts) -> Findings:
    """A program trains in float32, and leaves the tensor cores of the GPU idle.

    Products of float32 matrices run on the ordinary units of a GPU unless the program allows TF32, which rounds the factors
    to ten bits behind the point and adds up in float32. torch leaves that off for products since 1.12, and on for convolutions.

    Why
    ---
    On an Ampere GPU or a newer one the tensor cores multiply several times as fast. It is one line for a whole program, and
    the largest gain of one line for what trains in float32.

    Instead
    -------
    `torch.set_float32_matmul_precision("high")` where the program begins. Training in bfloat16, `torch.autocast("cuda",
    torch.bfloat16)`, is faster still.

    When it is fine
    ---------------
    Where digits matter: simulations, losses that cancel, comparisons with other numbers. Nothing is said of files that
    name float64, check gradients by differences or decompose matrices, of projects that support a torch older than 1.12,
    where TF32 is on, of programs that use half precision or settle this anywhere in sight, of those that a framework runs
    (Lightning, Accelerate), of libraries, and where the file and what it imports make more convolutions than products. What
    is measured is a step of layers of 2,048: where the
    file, or one that it imports, makes no layer of 1,024 or more on both sides it is a hint.

    Fix safety
    ----------
    Products differ by about one part in a thousand. Training goes on as before as a rule; look at your metrics.
    """
    if not facts.ask(match.begins_here, statement) or not match.trains_in_float32(facts):
        return
    written = facts.spelling(SETTING)
    fix: Fix[Edit] | None = None
    if written is not None:
        fix = Fix("Allow TF32", (InsertBefore(statement, f'{written}("high")'),), Safety.UNSAFE)
    message = f'the program multiplies in float32: say `{SETTING}("high")`'
    yield Draft(statement.test, message, fix=fix, about=statement, is_hint=not match.is_wide(facts))
