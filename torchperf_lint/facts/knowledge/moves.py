"""Methods that put a tensor, or a module, onto a device. Data, of torch 2.13."""

from __future__ import annotations

from typing import Final

OF_TENSORS: Final = frozenset(("cpu", "cuda", "to", "type", "type_as"))
"""Methods of tensors that may copy to another device: `type` to that of a class, as `torch.cuda.FloatTensor`."""
OF_BOTH: Final = frozenset(("cpu", "cuda", "to"))
"""Those of modules, and of the batches of most libraries, as well."""
TO_GPU: Final = frozenset(("cuda", "to", "type_as"))
"""Those by which a program brings something to the GPU."""
