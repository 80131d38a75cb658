"""Full state dicts of sharded models, and who asks for them; files that are written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.guesses import call_names
from torchperf_lint.facts.index import definitions, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name, may_hide, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_DISTRIBUTED: Final = frozenset(
    ("init_process_group", "DistributedDataParallel", "FullyShardedDataParallel", "fully_shard")
)
_GETTERS: Final = "torch.distributed.checkpoint.state_dict."


def may_be(facts: Facts, call: ast.AST) -> bool:
    """Whether a call saves something in a program of several processes, or asks for the state of a sharded model."""
    return is_save(facts, call) or gathers_everywhere(facts, call)


def is_save(facts: Facts, call: ast.AST) -> bool:
    """Whether a call is `torch.save` in a program of several processes."""
    assert isinstance(call, ast.Call)
    module = facts.module
    return (
        not _DISTRIBUTED.isdisjoint(module.names) and names.dotted(module.function_of(call), call.func) == "torch.save"
    )


def gathers_everywhere(facts: Facts, call: ast.AST) -> bool:
    """Whether every rank gets the full state of a sharded model, on its GPU, to save it."""
    assert isinstance(call, ast.Call)
    module = facts.module
    if may_hide(call):
        return False
    if last_name(call.func) == "state_dict_type":
        return _is_for_saving(module, call) and _wants_full_everywhere(module, call)
    name = names.dotted(module.function_of(call), call.func) or ""
    if not name.startswith(_GETTERS):
        return False
    options = _made(module, next((each.value for each in call.keywords if each.arg == "options"), None))
    return options is not None and _is_true(options, "full_state_dict") and not _says(options, "cpu_offload")


def _wants_full_everywhere(module: Module, call: ast.Call) -> bool:
    """`FSDP.state_dict_type(model, FULL_STATE_DICT)` without a configuration, or with one that does not name rank 0."""
    every = [*call.args, *(each.value for each in call.keywords)]
    if not any(isinstance(each, ast.Attribute) and each.attr == "FULL_STATE_DICT" for each in every):
        return False
    config = next((each.value for each in call.keywords if each.arg == "state_dict_config"), None)
    if config is None and len(call.args) > 2:
        config = call.args[2]
    if config is None:
        return not any(name in module.calls for name in ("FullStateDictConfig", "set_state_dict_type"))
    made = _made(module, config)
    return made is not None and last_name(made.func) == "FullStateDictConfig" and not _says(made, "rank0_only")


def _is_for_saving(module: Module, call: ast.Call) -> bool:
    """Whether the block that a call opens takes the state and loads none."""
    block = next((each for each in module.ancestors(call) if isinstance(each, ast.With)), None)
    if block is None or not any(call is item.context_expr for item in block.items):
        return False
    called = {last_name(node.func) for each in block.body for node in walk(each) if isinstance(node, ast.Call)}
    return "state_dict" in called and not any(call_names.loads(name) for name in called)


def _made(module: Module, node: ast.expr | None) -> ast.Call | None:
    """The call that makes a configuration, also through a name."""
    value = definitions.only_binding(module, node) if isinstance(node, ast.Name) else node
    return value if isinstance(value, ast.Call) and not may_hide(value) else None


def _says(made: ast.Call, name: str) -> bool:
    """Whether a configuration says something else than no."""
    given = next((each.value for each in made.keywords if each.arg == name), None)
    return bool(made.args) or (given is not None and not (isinstance(given, ast.Constant) and given.value is False))


def _is_true(made: ast.Call, name: str) -> bool:
    return any(
        each.arg == name and isinstance(each.value, ast.Constant) and each.value.value is True for each in made.keywords
    )
