"""Which operations autograd keeps the result of, asked of torch: a copy of that may be written over, the result itself may not."""

from __future__ import annotations

import types

import pytest

from torchperf_lint.rules.memory.needless_copy import fresh

torch = pytest.importorskip("torch")


def _keeps_its_result(result: object) -> bool:
    """Whether the gradient of what an operation gave is worked out from that."""
    first = result[0] if isinstance(result, (tuple, list)) and result else result
    node = getattr(first, "grad_fn", None)
    saved = (each for each in dir(node) if each.startswith(("_saved_result", "_saved_out", "_saved_values")))
    return node is not None and any(isinstance(getattr(node, each, None), torch.Tensor) for each in saved)


def _kept(operations: types.ModuleType | type) -> set[str]:
    """The names of the operations of torch that keep their results, of those that take one or two tensors, and numbers."""
    x = torch.rand(4, 4, requires_grad=True) + 0.5
    y = torch.rand(4, 4, requires_grad=True) + 0.5
    found = set()
    for name in (each for each in dir(operations) if not each.startswith("_") and not each.endswith("_")):
        for given in ((x,), (x, y), (x, 1), (x, 1, 1), (x, y, 0.5), (x[None], y[None], y[None])):
            try:
                result = getattr(operations, name)(*given)
            except Exception:
                continue
            if _keeps_its_result(result):
                found.add(name)
            break
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("operations", [torch._C._VariableFunctions, torch.nn.functional], ids=["torch", "functional"])
def test_a_copy_of_what_autograd_keeps_is_needed(operations: types.ModuleType | type) -> None:
    kept = _kept(operations)
    assert {"exp", "sigmoid"} & kept or {"softmin", "gumbel_softmax"} <= kept
    assert kept <= fresh.KEPT
