from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.compile.cudnn_benchmark_mismatch import match


@rule("TPL704", names=("benchmark",), screen=match.is_set, fix=Safety.UNSAFE)
def check(assignment: cst.Assign, facts: Facts) -> Findings:
    """cuDNN is told to time its kernels for each new size, and the program changes the size.

    With `torch.backends.cudnn.benchmark = True` each convolution runs all kernels that could do it, once for each new shape, and
    keeps the fastest. Where shapes change from step to step it never stops searching.

    Why
    ---
    Seen on an H200: the first step of a new shape takes 4 to 15 s longer for a ResNet-50 or an EfficientNet, and after it
    the steps of ResNet-50, EfficientNet and a U-Net took as long with the search as without. Older GPUs gain more from it.

    Instead
    -------
    Leave it off, which is the default, or bring the images to one of a few sizes.

    When it is fine
    ---------------
    Where all images have one size. Only files in which a size is seen to be drawn at random, or which make a detector of
    torchvision, are reported. How much of a training it costs depends on how many sizes there are, so it is a hint.

    Fix safety
    ----------
    Other kernels may be chosen, whose results differ by rounding.
    """
    if not facts.ask(match.is_set, assignment) or not facts.may_use_gpu():
        return
    fix: Fix[Edit] = Fix("Leave the search off", (Replace(assignment.value, "False"),), Safety.UNSAFE)
    yield Draft(
        assignment, "cuDNN searches kernels anew for each size of an image, and the size changes", fix=fix, is_hint=True
    )
