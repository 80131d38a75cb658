"""Sparse tensors of coordinates (COO): what makes one, and which methods keep that or change it. Data.

torch.sparse_coo_tensor(indices, values, size)     in any order, and some twice: not coalesced
adjacency.coalesce()                               in order, each once
adjacency.t()                                      not in order again
adjacency.to_sparse_csr()                          of rows: no coordinates any more
"""

from __future__ import annotations

from typing import Final

UNCOALESCED: Final = "sparse, not coalesced"
COALESCED: Final = "sparse, coalesced"
LAYOUTS: Final = (UNCOALESCED, COALESCED)
"""What the `ref` of such a tensor says."""

CLASSES: Final = tuple(f"torch.{where}sparse.{dtype}Tensor" for where in ("", "cuda.") for dtype in ("Float", "Double"))
"""The old classes, which are called with indices, values and a size."""
OF_ROWS: Final = (
    "to_sparse_csr", "to_sparse_csc", "sparse_csr_tensor", "sparse_csc_tensor", "sparse_csr", "torch_sparse",
)  # fmt: skip
"""Who says one of these has matrices of rows, or of columns."""
OF_COORDINATES: Final = ("_indices", "_values", "sparse_dim", "is_sparse")
"""What asks a matrix for its coordinates, or for what only such a matrix has."""
OF_ORDER: Final = ("coalesce", "is_coalesced")
"""What puts its coordinates in order, or asks whether they are: what has rows has neither."""
_MAKERS: Final = frozenset(("torch.sparse_coo_tensor", *CLASSES))
_ORDERING: Final = frozenset(("coalesce", "to_sparse", "to_sparse_coo"))
_TURNING: Final = frozenset(("t", "transpose"))
_KEEPING: Final = frozenset("clone cpu cuda detach double float half requires_grad_ to type".split())


def makes(name: str) -> bool:
    """Whether a function of torch makes such a tensor."""
    return name in _MAKERS


def after(name: str, layout: object) -> str | None:
    """The layout of what a method gives, called on a tensor of a layout; None where it is not known."""
    known = layout if isinstance(layout, str) and layout in LAYOUTS else None
    if name in _KEEPING:
        return known
    if name in _TURNING:
        return UNCOALESCED if known is not None else None
    return COALESCED if name in _ORDERING else None
