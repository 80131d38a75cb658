"""The first words of a program that trains in a process of its own, where the test is about something else than torch."""

from __future__ import annotations

LIGHT = 'import sys, types; sys.modules["torch._dynamo"] = types.SimpleNamespace(disable=lambda f, *_, **__: f, graph_break=bool)'
"""The first optimizer of a process imports torch._dynamo, which takes as long as all else of torch, and is not asked for here."""

PROFILED = (
    "import sys; from types import SimpleNamespace as N; made = N(triton=N(cudagraphs=False)); sys.modules |= {"
    "'torch._dynamo': N(disable=lambda f, *_, **__: f, graph_break=bool), "
    "'torch._inductor': N(config=made), 'torch._inductor.config': made}"
)
"""Of a program under the profiler, which asks torch._inductor for its settings, and so imports all of that too."""
