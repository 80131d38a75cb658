"""What an import that leads to no file may mean all the same: projects put folders on `sys.path`, and are checked out by other names.

layers/utils.py        from layers.utils import fit       may be this one, and so may `from utils import fit`
                       from torch.utils.data import ...   is not
"""

from __future__ import annotations

import sys
from collections.abc import Container
from typing import Final

_OUTSIDE: Final = sys.stdlib_module_names | {
    "torch",
    "torchvision",
    "torchaudio",
    "numpy",
    "scipy",
    "matplotlib",
    "PIL",
}


def may_mean(name: str, stem: str, folder: str | None, found: Container[str]) -> bool:
    """Whether a dotted name that is not found may be a module in a folder, or something in it: it says both, and no part of it leads
    to another file. What the folder at the top, None, is called nobody knows."""
    parts = name.split(".")
    if parts[0] in _OUTSIDE or any(".".join(parts[:size]) in found for size in range(1, len(parts))):
        return False
    before = ("", *parts) if folder is None else ("", folder)
    return any(part == stem and (not at or parts[at - 1] in before) for at, part in enumerate(parts))
