from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Findings, Wrong, rule
from torchperf_lint.rules.compile.capture_hazard import match

LONGEST = 20


@rule(
    "TPL705",
    screen=match.is_hazard,
    file=match.may_capture,
    impact=Wrong("the capture of a CUDA graph fails, and the program stops"),
)
def check(
    node: cst.Call
    | cst.Subscript
    | cst.If
    | cst.While
    | cst.IfExp
    | cst.Assert
    | cst.Comparison
    | cst.BooleanOperation
    | cst.UnaryOperation
    | cst.CompFor
    | cst.FormattedString
    | cst.Assign,
    facts: Facts,
) -> Findings:
    """A CUDA graph cannot capture this, or does not do it again when it is replayed.

    In `with torch.cuda.graph(graph):` and in what `torch.cuda.make_graphed_callables` is given, the GPU does nothing yet: its work is
    written down, with the addresses of the tensors. A replay does that work again, at the same addresses. Python does not run.

    Why
    ---
    What waits for the GPU can not be captured, for no work is done meanwhile, and neither can a copy of memory that is not pinned: both
    end the capture with an error. What the host does, such as drawing a number, is done once, and each replay has that number.
    An output lives where the next replay writes: a list of outputs holds the last one many times.
    `torch.compile(mode="reduce-overhead")` replays graphs too: reading one of its outputs after the next call is an error. An input is
    read where it was: a new tensor under the old name is never seen. On an H200 a step that is replayed as one graph took 129 µs, with a
    number read in between, as two graphs, 270 µs, and without a graph 697 µs.

    Instead
    -------
    Read values after the replay. Choose with `torch.where`, count in a tensor, draw with torch, whose random numbers are new at
    each replay. Fill inputs in place, `x.copy_(batch)`, and keep `y.clone()` of an output. Make constants of the GPU before the
    capture.

    When it is fine
    ---------------
    Behind `if not torch.cuda.is_current_stream_capturing()`. Code of which the file does not show that a graph captures it is
    not reported, nor what stands behind a gate. Numbers of torch (dropout, `torch.rand_like`) are drawn anew at each replay, and copies
    of pinned memory are captured. Numbers of the host that stay, and tensors that are overwritten or never read, are hints, for they
    may be meant. [What an H200 said of each](graph-breaks.md#cuda-graphs) is written down.
    """
    found = facts.ask(match.found, node)
    if found is None:
        return
    shown = facts.node(found.shown)
    name = f"`{found.says}`" if len(found.says) <= LONGEST else "this"
    if found.kind == "wait":
        yield Draft(
            facts.waiting_part(node), f"the capture of a CUDA graph fails here: {found.says}", because=found.because
        )
    elif found.kind == "copy":
        message = "the capture of a CUDA graph fails here: the copied memory is not pinned"
        yield Draft(shown, message, because=found.because)
    elif found.kind == "once":
        yield Draft(
            shown,
            "this runs once, at the capture: each replay has the same number",
            because=found.because,
            is_hint=True,
        )
    elif found.kind == "kept":
        yield Draft(shown, f"the next replay overwrites {name}: keep a `clone()`", is_hint=True)
    else:
        yield Draft(shown, f"the graph still reads the old {name}: fill it with `copy_`", is_hint=True)
