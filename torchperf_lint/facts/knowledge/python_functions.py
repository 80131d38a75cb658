"""Functions of Python that look at the number, the text or the order of what they are given. Data."""

from __future__ import annotations

from typing import Final

NUMBERS: Final = frozenset(("bin", "bool", "chr", "complex", "float", "hex", "int", "oct", "range", "round"))
"""They ask for a number."""
TEXTS: Final = frozenset(("format", "print", "repr", "str"))
"""They write out what is in it."""
ORDER: Final = frozenset(("max", "min", "sorted"))
"""They compare items, and ask how each comparison came out."""
TRUTH: Final = frozenset(("all", "any"))
"""They ask for the truth of items."""
CONTAINER_METHODS: Final = frozenset(
    ("append", "extend", "insert", "items", "keys", "values", "get", "update", "join", "format")
)
"""Methods of containers and strings."""
ALL: Final = NUMBERS | TEXTS | ORDER | TRUTH
