"""What belongs to a cache of keys and values by what it is called."""

from __future__ import annotations

import re
from typing import Final

_PAST: Final = re.compile(r"(^|_)(past|cached?|prev|previous)(_|$)|^(past|cache)", re.IGNORECASE)
_KEYS: Final = re.compile(r"key|value|kv|past|^[kv]$|(^|_)[kv](_|$)|cache", re.IGNORECASE)
_CHUNKS: Final = re.compile(r"chunk|stream", re.IGNORECASE)


def is_past(name: str) -> bool:
    """`past_key`, `cache["v"]`, `prev_k`: what a cache holds of the tokens before."""
    return _PAST.search(name) is not None


def is_of_keys(name: str) -> bool:
    """`k`, `new_values`, `kv`: keys or values, which grow by a token at each turn."""
    return _KEYS.search(name) is not None


def is_of_chunks(name: str) -> bool:
    """`chunk_size`, `streaming`: a function that says so adds large parts, and few of them."""
    return _CHUNKS.search(name) is not None
