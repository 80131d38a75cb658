"""What a loader gives at each turn: tensors of the dtypes of what its dataset gives, and on the host unless that moves them.

    class Images(Dataset):
        def __getitem__(self, i):
            return torch.from_numpy(load(i).astype(np.uint8)), self.labels[i]
    for image, label in DataLoader(Images(), 64): ...        image: a uint8 tensor on the host

Knows how torch's own `collate_fn` puts items together; another one may do anything.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.domain.fact import Sure
from torchperf_lint.facts.domain.value import CPU, CUDA, INT, MAYBE, Value
from torchperf_lint.facts.interpret.arguments import COLLATE, DATASET, Args
from torchperf_lint.facts.knowledge import data_loading

if TYPE_CHECKING:
    from torchperf_lint.facts.interpret.run import Run

_NUMBERS: Final = {"int": "int64", "float": "float64", "bool": "bool"}
_ON_GPU: Final = (CUDA, MAYBE)


def _of_dataset(run: Run, loader: Value) -> Value | None:
    """What the dataset of a loader gives for one index; None where another function makes batches of it."""
    given = loader.items if isinstance(loader.items, dict) else {}
    dataset = next((given[name] for name in DATASET if name in given), None)
    if dataset is None or dataset.kind != "dataset" or any(name in given for name in COLLATE):
        return None
    item = _of_tensors(dataset) or run.send(dataset, "__getitem__", Args((INT,)))
    return item if item is not None and _tells(item) else None


def _of_tensors(dataset: Value) -> Value | None:
    """`TensorDataset(x, y)`: a row of each of its tensors, where that is."""
    held = dataset.items
    if dataset.ref != data_loading.TENSORS or not isinstance(held, dict) or not held:
        return None
    if any(each.kind != "tensor" for each in held.values()):
        return None
    return Value("tuple", items=tuple(each.but(rank=each.rank - 1 if each.rank else None) for each in held.values()))


def _tells(item: Value) -> bool:
    """Whether anything is known of the tensors that an item holds."""
    if isinstance(item.items, (tuple, dict)):
        parts = item.items.values() if isinstance(item.items, dict) else item.items
        return item.kind in ("tuple", "list", "dict") and any(_tells(part) for part in parts)
    return item.kind == "tensor" and (item.dtype is not None or item.device in _ON_GPU)


def batch(run: Run, loader: Value, node: ast.AST | None) -> Value:
    """What a loader gives at each turn, unless something moves it."""
    why = run.why(node, "the loader gives a batch of tensors") if node is not None else loader.why
    whole = Value(
        "tensor_tree", Sure.LIKELY, ref="batch", device=loader.device or CPU, why=why, where=loader.where or why
    )
    item = loader.elem or _of_dataset(run, loader)
    return _collated(item, whole) if item is not None else whole


def _collated(item: Value, whole: Value) -> Value:
    """What becomes of many items of one kind."""
    if item.kind in ("tuple", "list") and isinstance(item.items, tuple):
        return Value("list", Sure.LIKELY, items=tuple(_collated(part, whole) for part in item.items))
    if item.kind == "dict" and isinstance(item.items, dict) and item.elem is None:
        return Value("dict", Sure.LIKELY, items={name: _collated(part, whole) for name, part in item.items.items()})
    if item.kind == "tensor":
        rank = item.rank + 1 if item.rank is not None else None
        batch_of = whole.but(kind="tensor", ref=None, dtype=item.dtype, rank=rank)
        is_moved = item.device in _ON_GPU and whole.device == CPU  # by the dataset: what is stacked stays where it is
        return batch_of.but(device=item.device, where=item.where) if is_moved else batch_of
    if item.kind == "number" and item.dtype in _NUMBERS:
        return whole.but(kind="tensor", ref=None, dtype=_NUMBERS[item.dtype], rank=1)
    return whole
