"""Samplers that hand out a tensor of indices element by element: each is a tensor of its own, and goes to a worker as one.

    class Shuffled(Sampler):
        def __iter__(self):
            return iter(torch.randperm(len(self.data)))        iter(torch.randperm(...).tolist())

    BatchSampler(torch.randperm(n), 64, drop_last=False)       torch.randperm(n).split(64)

Knows syntax, and what is a tensor.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchperf_lint.facts.guesses import value_names
from torchperf_lint.facts.index.walk import last_name

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts


def hands_out_tensor(facts: Facts, call: ast.Call) -> bool:
    """Whether a call makes the iterator of a sampler, or batches of indices, of a tensor."""
    if last_name(call.func) == "BatchSampler":
        held = (
            call.args[0] if call.args else next((each.value for each in call.keywords if each.arg == "sampler"), None)
        )
        return held is not None and facts.analysis.value(held, facts.module).kind == "tensor"
    function = facts.module.function_of(call)
    if function.name != "__iter__" or len(call.args) != 1 or not isinstance(call.func, ast.Name):
        return False
    above = facts.module.parents.get(function.node)
    if not isinstance(above, ast.ClassDef) or not any(value_names.is_sampler(last_name(base)) for base in above.bases):
        return False
    if not isinstance(facts.module.parents.get(call), ast.Return):
        return False
    return facts.analysis.value(call.args[0], facts.module).kind == "tensor"
