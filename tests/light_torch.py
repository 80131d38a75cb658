"""The first words of a program that trains in a process of its own, where the test is about something else than torch."""

from __future__ import annotations

NO_META = ", 'torch._meta_registrations': N()"
"""What torch knows of the meta device is a quarter of its import. A program that makes a `torch.Generator` needs it."""
_MADE_UP = f"'torch._dynamo': N(disable=lambda f, *_, **__: f, graph_break=bool){NO_META}"
"""The first optimizer of a process imports torch._dynamo, which takes as long as all else of torch, and is not asked for here."""

LIGHT = f"import sys; from types import SimpleNamespace as N; sys.modules |= {{{_MADE_UP}}}"

PROFILED = (
    "import sys; from types import SimpleNamespace as N; made = N(triton=N(cudagraphs=False)); sys.modules |= {"
    f"{_MADE_UP}, 'torch._inductor': N(config=made), 'torch._inductor.config': made}}"
)
"""Of a program under the profiler, which asks torch._inductor for its settings, and so imports all of that too."""
