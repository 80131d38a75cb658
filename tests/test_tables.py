"""The tables of libraries: each fact stands once, and is what the installed library says."""

from __future__ import annotations

import importlib

import pytest

from torchperf_lint.facts import knowledge
from torchperf_lint.facts.knowledge import members, tensor_classes

torch = pytest.importorskip("torch")
np = pytest.importorskip("numpy")


def resolve(name: str) -> object:
    """What a dotted name stands for in the installed library."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


def rows(table: str) -> list[str]:
    """The names of a table whose lines say: kind, module, names."""
    lines = [line.split() for line in table.strip().splitlines() if not line.startswith("#")]
    return [f"{place}.{name}" for _, place, *names in lines for name in names]


ROOTS = {
    "dataset": torch.utils.data.Dataset, "device": torch.device, "distribution": torch.distributions.Distribution,
    "dtype": torch.dtype, "event": torch.Event, "generator": torch.Generator, "loader": torch.utils.data.DataLoader,
    "module": torch.nn.Module, "ndarray": np.ndarray, "optimizer": torch.optim.Optimizer, "sampler": torch.utils.data.Sampler,
    "size": torch.Size, "stream": torch.Stream, "scheduler": torch.optim.lr_scheduler.LRScheduler,
}  # fmt: skip


def test_the_kind_of_a_class_stands_once() -> None:
    named = [*rows(members.CONSTRUCTS), *rows(members.INSTANCES)]
    assert sorted(name for name in named if named.count(name) > 1) == []


def test_classes_of_torch_and_numpy_are_of_their_kind() -> None:
    checked = 0
    for name in (*rows(members.CONSTRUCTS), *rows(members.INSTANCES)):
        if not name.startswith(("torch.", "numpy.")) or name.startswith(("torch.cuda.", "torch_")):
            continue
        found, kind = resolve(name), knowledge.instance(name)
        if isinstance(found, type) and kind in ROOTS:
            assert issubclass(found, ROOTS[kind]), (name, kind)
            checked += 1
    assert checked > 100


def test_classes_of_torch_nn_are_modules_and_no_others() -> None:
    for home in (torch.nn, torch.nn.parallel, torch.nn.modules, torch.nn.utils.rnn, torch.nn.attention):
        for name, found in vars(home).items():
            if isinstance(found, type) and name[0].isupper():
                is_module = knowledge.instance(knowledge.canonical(f"{home.__name__}.{name}")) == "module"
                assert is_module is issubclass(found, torch.nn.Module), (home.__name__, name)


def test_the_old_classes_of_tensors_stand_for_their_dtype() -> None:
    for name, dtype in tensor_classes.DTYPES.items():
        assert getattr(torch, name).dtype is getattr(torch, dtype)
        assert knowledge.instance(f"torch.{name}") == knowledge.instance(f"torch.cuda.{name}") == "tensor"
    old = {name for name in vars(torch) if name.endswith("Tensor") and name != "Tensor"}
    assert old == set(tensor_classes.DTYPES)
