"""Loaders without workers, and how much Python does for each item of their datasets."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.context import loops
from torchperf_lint.facts.idioms import datasets, item_work, loaders
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.walk import last_name, walk

if TYPE_CHECKING:
    from torchperf_lint.facts.facade import Facts

_WORKS: Final = frozenset("to cuda backward step no_grad inference_mode eval train forward generate".split())
"""What is called where a GPU or a model has to do with a batch."""


def has_no_workers(facts: Facts, call: ast.AST) -> bool:
    """Whether a call makes a loader that is told to have no workers, or nothing of them."""
    assert isinstance(call, ast.Call)
    loader = datasets.made(facts.analysis, facts.module, call)
    if loader is None:
        return False
    workers = datasets.setting(loader, "num_workers")
    return workers is None or (workers.const == 0 and workers.const is not False)


def is_for_host(facts: Facts, call: ast.AST) -> bool:
    """Whether all loops over a loader take arrays of the host from its batches, and nothing goes to a GPU, or through a model."""
    module, statement = facts.module, facts.module.statement(call)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
            loads = facts.module.function_of(call).scope.loads.get(name, ())
            loops = [_loop_over(module, each) for each in loads]
            return bool(loops) and all(each is not None and _stays_on_host(facts, each) for each in loops)
    return False


def _loop_over(module: Module, load: ast.AST) -> ast.For | None:
    """The loop that goes through what a name holds, bare or in `enumerate`, `tqdm` and their like."""
    above = module.parents.get(load)
    while isinstance(above, ast.Call) and load in above.args:
        load, above = above, module.parents.get(above)
    return above if isinstance(above, ast.For) and above.iter is load else None


def _stays_on_host(facts: Facts, loop: ast.For) -> bool:
    calls = [each for each in walk(loop) if isinstance(each, ast.Call)]
    named = {last_name(each.func) for each in calls}
    if "numpy" not in named or named & _WORKS:
        return False
    return not any(facts.analysis.value(each.func, facts.module).kind == "module" for each in calls)


def is_beside_workers(facts: Facts, call: ast.AST) -> bool:
    """Whether its function gives workers to another loader: who left them out here knew of them."""
    here = facts.module.function_of(call)
    others = (each for each in facts.module.calls.get("DataLoader", ()) if facts.module.function_of(each) is here)
    return any(
        keyword.arg == "num_workers" and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
        for each in others
        for keyword in each.keywords
    )


def work(facts: Facts, call: ast.AST) -> item_work.Work:
    """How much Python does for each item of the dataset that a loader is given."""
    return item_work.of(facts.analysis, facts.analysis.value(call, facts.module))


def is_told_to_train(facts: Facts, call: ast.AST) -> bool:
    """Whether a loader is told what those of trainings are."""
    return datasets.is_for_training(facts.analysis.value(call, facts.module))


def may_take_long(facts: Facts, call: ast.AST) -> bool:
    """Whether items that nobody knows the time of may take long: their dataset is one of the program, and the loader that of a training."""
    dataset = datasets.setting(facts.analysis.value(call, facts.module), "dataset")
    return datasets.getter(facts.analysis, dataset) is not None and is_told_to_train(facts, call)


def is_of_training(facts: Facts, call: ast.AST) -> bool:
    """Whether a loader is that of a training: it is seen to be trained on, or told so, and its file does not only look at it."""
    is_looked_at = facts.module.function_of(call).is_module and "backward" not in facts.module.calls
    return is_trained_on(facts, call) or (is_told_to_train(facts, call) and not is_looked_at)


def is_trained_on(facts: Facts, call: ast.AST) -> bool:
    """Whether a loop of the same function takes the steps of a training on what a loader gives."""
    module, loader = facts.module, facts.analysis.value(call, facts.module)
    function = module.function_of(call)
    return any(
        isinstance(each, ast.For)
        and module.function_of(each) is function
        and loops.step(facts.analysis, module, each, within_loops=False) is not None
        and loaders.of(facts.analysis, module, each.iter)[0] == loader
        for each in module.by_type.get(ast.For, ())
    )


def runs_when_asked(facts: Facts, call: ast.AST) -> bool:
    """Whether a place does not run by importing its file: it is in a function, or behind `if __name__ == "__main__"`."""
    if not facts.module.function_of(call).is_module:
        return True
    return any(
        isinstance(above, ast.If) and "__name__" in ast.unparse(above.test) for above in facts.module.ancestors(call)
    )
