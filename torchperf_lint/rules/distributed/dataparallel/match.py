"""A model that is spread over the GPUs of one process, to train."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import replicas
from torchperf_lint.facts.index import names
from torchperf_lint.facts.index.module import Module

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_NAMES: Final = frozenset(
    ("torch.nn.DataParallel", "torch.nn.parallel.DataParallel", "torch.nn.parallel.data_parallel.DataParallel")
)
_OFFERED: Final = frozenset(
    ("DistributedDataParallel", "FullyShardedDataParallel", "fully_shard", "init_process_group")
)
"""Words of a program that can do better, and is asked to by its settings."""


def trains_on_several(facts: Facts, call: ast.AST) -> bool:
    """Whether a call spreads a model over several GPUs, in a file that trains and knows no other way."""
    assert isinstance(call, ast.Call)
    module = facts.module
    if names.dotted(module.function_of(call), call.func) not in _NAMES or "backward" not in module.attributes:
        return False
    return not _has_one_device(module, call) and module.names.isdisjoint(_OFFERED) and not replicas.may_wrap(module)


def _has_one_device(module: Module, call: ast.Call) -> bool:
    """`device_ids=[0]`, also where a parameter is that by default."""
    given = next((each.value for each in call.keywords if each.arg == "device_ids"), None)
    if given is None and len(call.args) > 1:
        given = call.args[1]
    if isinstance(given, ast.Name):
        given = module.function_of(call).defaults.get(given.id)
    return isinstance(given, (ast.List, ast.Tuple)) and len(given.elts) == 1
