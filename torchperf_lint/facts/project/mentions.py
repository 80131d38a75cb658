"""Whether a file may use what has a name, by a look at its text: cheaper than its outline, and most files that say a name do not.

    def reset(self): ...            defines another one
    # reset is called later         says it in a comment, or in a text
    build(reset=True)               names an argument, or binds something
    self.reset()                    uses it

What is in doubt is a use.
"""

from __future__ import annotations

import re
from typing import Final

_SILENT: Final = re.compile(
    r"(?P<kept>\b(?:[fFtT][rR]?|[rR][fFtT])(?:"
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""' r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"' r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'))"
    r"|#[^\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""' r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"' r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'",
    re.DOTALL,
)  # fmt: skip
"""Comments and texts, but for those that hold expressions: they are kept."""
_BOUND: Final = re.compile(r"[ \t]*=[^=}!:]")
_DEFINED: Final = re.compile(r"\b(?:def|class)[ \t]+\Z")
_BEFORE_BOUND: Final = ("\n", ".", ",", "(")
_FAR: Final = 20
"""So many characters are looked at before a word."""


def may_use(text: str, name: str) -> bool:
    """Whether a text may call something by a name, or hand it on."""
    if not name.isascii():
        return True
    return _says(text, name) and _says(_SILENT.sub(r" \g<kept>", text), name)


def _says(text: str, name: str) -> bool:
    at, size = text.find(name), len(name)
    while at >= 0:
        end = at + size
        if not (_is_in_word(text, at - 1) or _is_in_word(text, end) or _is_no_use(text, at, end)):
            return True
        at = text.find(name, end)
    return False


def _is_in_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at] == "_" or text[at].isalnum() or not text[at].isascii())


def _is_no_use(text: str, at: int, end: int) -> bool:
    """Whether a word is what is defined or bound where it stands."""
    if _BOUND.match(text, end) is not None:
        return text[max(at - _FAR, 0) : at].rstrip(" \t")[-1:] in _BEFORE_BOUND  # behind a colon it is an annotation
    return _DEFINED.search(text, max(at - _FAR, 0), at) is not None
