"""Whether a file may bind a name, by a look at its bytes: cheaper than its outline, and most files that say a word do not.

    def reset(self): ...      may
    reset = 3                 may
    reset(x)                  only calls what has the name
    x.reset = 3               is about an attribute

What is in doubt may.
"""

from __future__ import annotations

import re
from typing import Final

_DEFINING: Final = re.compile(rb"\b(?:def|class)[ \t\\\r\n]+\Z")
_LINE: Final = ord("_")
_FOREIGN: Final = 0x80
"""From here on a byte is part of a letter."""
_FAR: Final = 20
"""So many bytes are looked at before a word, and behind it."""


def may_bind(data: bytes, name: bytes) -> bool:
    """Whether a file may bind a name: it says the word neither as an attribute only, nor as what it calls only."""
    at, size = data.find(name), len(name)
    while at >= 0:
        end = at + size
        if not (_is_letter(data, at - 1) or _is_letter(data, end)) and data[at - 1 : at] != b".":
            is_called = data[end : end + _FAR].lstrip(b" \t")[:1] == b"("
            if not is_called or _DEFINING.search(data, max(at - _FAR, 0), at) is not None:
                return True
        at = data.find(name, end)
    return False


def _is_letter(data: bytes, at: int) -> bool:
    return 0 <= at < len(data) and (data[at] == _LINE or data[at] >= _FOREIGN or data[at : at + 1].isalnum())
