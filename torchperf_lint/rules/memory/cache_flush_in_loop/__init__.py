from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Facts, Faster, Findings, Fix, Frequency, Remove, Safety, rule
from torchperf_lint.rules.memory.cache_flush_in_loop import match

UNMEASURABLE = "torch.cuda.ipc_collect"
FLUSHES = {
    "torch.cuda.empty_cache": "gives the cached memory back, only to ask for it again",
    UNMEASURABLE: "looks for shared memory that others have let go of",
    "gc.collect": "visits every Python object while the GPU runs dry",
}


@rule(
    "TPL501",
    names=("empty_cache", "ipc_collect", "collect"),
    frequency=Frequency.STEP,
    fix=Safety.UNSAFE,
    impact=Faster(only={"flush": ("torch.cuda.empty_cache", "gc.collect")}),
)
def check(call: cst.Call, facts: Facts) -> Findings:
    """Memory is flushed at every step: the allocator's cache is emptied, or all garbage is collected.

    PyTorch keeps freed GPU memory to hand it out again at once. `torch.cuda.empty_cache()` gives it back to the driver,
    so the next step has to ask the driver for the same memory again, and both ways wait for the GPU. `gc.collect()`
    walks over every object that Python knows, and in that time nothing is queued.

    Why
    ---
    Emptying the cache frees nothing that is in use, so it does not lower the peak of a step: tensors that are alive
    stay, and memory that is not is reused anyway. What it changes is what `nvidia-smi` shows, and the speed. Before
    anything has been allocated it does nothing at all. Reported slowdowns: huggingface/transformers#31372.

    Instead
    -------
    Take it out of the loop. Drop the last references to what is no longer needed (`del`, `.detach()` on what is kept,
    `zero_grad()` before the forward pass); where fragmentation is the trouble, `PYTORCH_CUDA_ALLOC_CONF` with
    `expandable_segments:True` helps. Collect garbage once an epoch, or every so many steps with `gc.disable()`.

    When it is fine
    ---------------
    In the handler of an out-of-memory error, between two stages or models, once an epoch, every so many steps, where
    the peak of memory is measured, in a warm-up of a few turns, behind an option that asks for memory (`offload`,
    `low_vram`), behind `if not self.training`, where each turn writes files, and in tests: none of these is reported. Where nothing
    shows a step of a training it is a hint: turns of an inference or an evaluation may be few and long. So it is beside a
    whole generation, of many steps of a model, or the solution of a differential equation, and so is
    `torch.cuda.ipc_collect()` by itself, which does not wait for the GPU: where no memory is shared it took no time that
    could be measured. Where another process needs the memory it is right as well; say so in a comment,
    `# tpl: ignore[TPL501] the other process needs it`.

    Fix safety
    ----------
    The call is removed. Results stay as they are; the process holds on to more of the GPU's memory, which other
    processes then do not get, and objects in reference cycles live until Python's own collector finds them. A call in a
    helper, which others may call from elsewhere, is left to you.
    """
    name = facts.name(call.func)
    if name not in FLUSHES or not facts.may_use_gpu():
        return
    if facts.mentions("reset_peak_memory_stats", "reset_max_memory_allocated"):
        return  # it measures what each turn needs, from a clean slate
    if facts.ask(match.lets_go_of_model, call) or facts.ask(match.stops_early, call):
        return  # one model makes room for another, or it is a warm-up
    if facts.ask(match.is_wanted, call):
        return
    statement = facts.parent(call)
    fix = None
    if isinstance(statement, cst.Expr) and (facts.loop(call) is not None or facts.in_forward(call)):
        fix = Fix("Take it out of the loop", (Remove(facts.whole(statement)),), Safety.UNSAFE)
    is_dear = facts.in_training_step(call) and not facts.ask(match.is_beside_generation, call)
    yield Draft(
        call,
        f"`{facts.source(call)}` at every step {FLUSHES[name]}",
        fix=fix,
        is_hint=name == UNMEASURABLE or not is_dear,
    )
