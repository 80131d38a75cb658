"""A model that is sharded at its root, and nowhere inside."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.idioms import replicas
from torchperf_lint.facts.index import blocks, names
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.scopes import Class
from torchperf_lint.facts.index.walk import last_name, may_hide, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_OTHER_WORDS: Final = (
    "auto_wrap_policy", "ModuleWrapPolicy", "transformer_auto_wrap_policy", "size_based_auto_wrap_policy", "enable_wrap", "wrap",
    "NO_SHARD", "apply_fsdp", "parallelize_module", "distribute_module",
)  # fmt: skip
_LAYERS: Final = "torch.nn."


def shards_root_alone(facts: Facts, call: ast.AST) -> bool:
    """Whether a call shards a whole model that its function has made, as the only one of the file."""
    assert isinstance(call, ast.Call)
    module = facts.module
    if replicas.kind_of(module, call) not in ("fsdp", "fully_shard") or may_hide(call):
        return False
    others = (
        each
        for name in module.spelled(frozenset(("FullyShardedDataParallel", "fully_shard")))
        for each in module.calls.get(name, ())
    )
    if any(each is not call for each in others) or blocks.loop(module, call) is not None:
        return False
    if facts.mentions(*_OTHER_WORDS):
        return False
    model = replicas.model_of(call)
    return model is not None and _is_model_with_parts(facts, model)


def _is_model_with_parts(facts: Facts, node: ast.expr) -> bool:
    """Whether an expression is a model of several layers that is seen to be made there."""
    made = replicas.made(facts.module, node)
    if made is None:
        return False
    name = names.dotted(facts.module.function_of(made), made.func) or ""
    if name.startswith(("torchvision.models.", "transformers.", "timm.create_model")):
        return True
    held = facts.analysis.value(made.func, facts.module).ref
    return isinstance(held, Class) and held.module is facts.module and _has_layers(facts.module, held)


def _has_layers(module: Module, owner: Class) -> bool:
    """Whether the constructor of a model makes a list of blocks, or several layers; the blocks of the file count too."""
    init = owner.methods.get("__init__")
    if init is None:
        return False
    made = [node for node in walk(init.node) if isinstance(node, ast.Call)]
    called = [names.dotted(module.function_of(each), each.func) or "" for each in made]
    layers = [each for each in called if each.startswith(_LAYERS) and not each.startswith("torch.nn.functional")]
    return any(last_name(each.func) == "ModuleList" for each in made) or len(layers) >= 4
