from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Replace, Safety, rule
from torchperf_lint.rules.memory.checkpoint_back_to_gpu import match


@rule(
    "TPL507",
    names=("load",),
    screen=match.is_back_on_gpu,
    fix=Safety.UNSAFE,
    impact=Faster("for the load alone, which then adds nothing to the memory of the GPU"),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """A checkpoint is loaded onto the GPU that saved it, beside the model that takes it.

    `torch.load` puts each tensor back to where it was saved from, unless it is told where to. `load_state_dict` then copies it
    into the tensors of the model.

    Why
    ---
    The GPU holds the weights twice, and the state of the optimizer too, until the last name of the checkpoint goes: in a `main`
    that is when the program ends. Of a program on several GPUs each process loads onto the one that saved, GPU 0 as a rule, and that
    one runs out of memory first. On a machine without that GPU the load raises. By way of the host the load itself takes longer,
    as pageable memory is copied: it is memory that is gained, and no time.

    Instead
    -------
    `torch.load(path, map_location="cpu")`: `load_state_dict` copies each tensor to where the one of the model is, also those of an
    optimizer.

    When it is fine
    ---------------
    Where there is memory to spare. A load that says `map_location` or `mmap`, one of which nothing takes the state, and files that
    save no state from a GPU, or move it to the host before that, are not reported, nor is one that no name holds, in a program of one
    process: `model.load_state_dict(torch.load(path))`, which is freed at once. In a file that saves nothing itself, an optimizer that
    takes its state shows that the checkpoint is one of the program's own.

    Fix safety
    ----------
    What else stands in the checkpoint, and is not given to `load_state_dict`, is then on the CPU.
    """
    if not facts.ask(match.is_back_on_gpu, call) or not facts.may_use_gpu():
        return
    fix = Fix(
        "Load it to the CPU", (Replace(call, facts.with_arguments(call, call, map_location='"cpu"')),), Safety.UNSAFE
    )
    message = 'the checkpoint goes back to the GPU that saved it, beside the model: say `map_location="cpu"`'
    yield Draft(call, message, fix=fix, is_hint=True)
