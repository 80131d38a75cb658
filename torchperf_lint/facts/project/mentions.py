"""Whether a file may use what has a name, by a look at its text: cheaper than its outline, and most files that say a name do not.

    def reset(self): ...            defines another one
    # reset is called later         says it in a comment, or in a text
    build(reset=True)               names an argument, or binds something
    self.reset()                    uses it
    from model import reset         uses it where others get it from here

What is in doubt is a use. Who asks whether anybody uses something at all also wants to hear of texts that may be looked up:

    getattr(model, "reset")         names it
    "--reset", "to reset it"        do not
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from torchperf_lint.facts.project.uses import LOOKING_UP

Sort = Literal["call", "top", "run", "method", "file", "field"]
"""What has a name: something that is called by it; something on the top of a file, a method, or a file, however it is used; what
stands on the top where it is asked who runs it, and not who gives it to others; a field that a call may give a value."""

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
_FORMATTED: Final = re.compile(r"\{[^{}]*\}")
_BOUND: Final = re.compile(r"[ \t]*=[^=}!:]")
_VALUE: Final = re.compile(r"[ \t]*=(?!=)[ \t]*(?:\w+\.)*(\w*)")
_DEFINED: Final = re.compile(r"\b(?:def|class)[ \t]+\Z")
_BEFORE_BOUND: Final = ("\n", ".", ",", "(")
_IMPORT: Final = re.compile(
    r"^[ \t]*from[ \t]+[\w.]+[ \t]+import\b[ \t]*(?:\([^)]*\)|[^\n\\;]*(?:\\\r?\n[^\n\\;]*)*)", re.MULTILINE
)
_ALL: Final = re.compile(r"^__all__[ \t]*\+?=[ \t]*(?:\[[^\]]*\]|\([^)]*\))", re.MULTILINE)
_OTHERWISE: Final = re.compile(r"\b\w+[ \t]+as[ \t]+\w+")
_LOOKING_UP: Final = re.compile(rf"\b(?:{'|'.join(sorted(LOOKING_UP - {'eval'}))})\b|(?<![.\w])(?<!def )eval[ \t]*\(")
"""`model.eval()` looks nothing up, nor does who defines that."""
_OF_TORCH: Final = re.compile(r"(?<![\w.])(?:torch(?:\.\w+)*|nn)\.\Z")
"""`nn.SiLU` is torch's, whoever else has one."""
_FAR: Final = 32
"""So many characters are looked at before a word."""
RECENT: Final = 16
"""So many texts are kept for the next names that somebody asks about."""


def may_use(text: str, name: str) -> bool:
    """Whether a text may call something by a name, or hand it on."""
    if not name.isascii():
        return True
    return _says(text, name) and _says(_code(text), name)


def may_name(text: str, name: str, sort: Sort, *, hands_on: bool = True) -> bool:
    """Whether a text may use what has a name in any way, or look it up by that. Who only imports it, or says it in `__all__`, uses
    it where somebody out of sight may take it from there."""
    if sort == "call" or not name.isascii():
        return may_use(text, name)  # who calls something says it in code
    if sort == "field":
        code = _code(text)
        return any(_is_given(code, at, name) for at in _words(code, name))
    gives_nothing = sort == "run" or (sort == "top" and not hands_on)
    if gives_nothing:
        text = _ALL.sub("", text)
    if any(True for each in _texts(text) for _ in _words(each, name)):
        return True
    if sort == "file":
        return False
    code = _expressions(text)
    if gives_nothing and _LOOKING_UP.search(code) is None:
        code = _IMPORT.sub(_renamed, code)
    uses = (at for at in _words(code, name) if not _is_no_use(code, at, at + len(name)))
    if sort in ("top", "run"):
        return any(_OF_TORCH.search(code, max(at - _FAR, 0), at) is None for at in uses)
    return any(code[max(at - _FAR, 0) : at].rstrip().endswith(".") for at in uses)


@lru_cache(maxsize=RECENT)
def _code(text: str) -> str:
    """A text without its comments, and without texts that hold no expressions: one file is asked about many names."""
    return _SILENT.sub(r" \g<kept>", text)


@lru_cache(maxsize=RECENT)
def _expressions(text: str) -> str:
    """The same without the words of texts that hold expressions, which are looked at with those of other texts."""
    return _SILENT.sub(_held, text)


def _held(found: re.Match[str]) -> str:
    return f" {' '.join(_FORMATTED.findall(found['kept'] or ''))} "


def _renamed(found: re.Match[str]) -> str:
    """What an import gives another name, which may be the one that is used."""
    return " ".join(_OTHERWISE.findall(found[0]))


def _texts(text: str) -> Iterator[str]:
    """The texts of a program that may name something."""
    for found in _SILENT.finditer(text):
        said = found[0]
        is_list = text.startswith(".split(", found.end())
        if found["kept"]:
            yield from (each for each in _FORMATTED.split(said) if not is_prose(each))
        elif is_list or not (said.startswith("#") or is_prose(said.strip("\"'"))):
            yield said


def is_prose(said: str) -> bool:
    """Whether a text names nothing that is looked up: a sentence, or an option of a command line."""
    return said.startswith("-") or len(said.split()) > 1


def _is_given(code: str, at: int, name: str) -> bool:
    """Whether a name is given a value where it stands, as by `Config(fp16=True)`; `fp16=args.fp16` hands the same on."""
    bound = _VALUE.match(code, at + len(name))
    return bound is not None and bound[1] != name and code[max(at - 1, 0)] != "."


def _says(text: str, name: str) -> bool:
    return any(not _is_no_use(text, at, at + len(name)) for at in _words(text, name))


def _words(text: str, name: str) -> Iterator[int]:
    """Where a text says a word."""
    at, size = text.find(name), len(name)
    while at >= 0:
        end = at + size
        if not (_is_in_word(text, at - 1) or _is_in_word(text, end)):
            yield at
        at = text.find(name, end)


def _is_in_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at] == "_" or text[at].isalnum() or not text[at].isascii())


def _is_no_use(text: str, at: int, end: int) -> bool:
    """Whether a word is what is defined or bound where it stands."""
    if _BOUND.match(text, end) is not None:
        return text[max(at - _FAR, 0) : at].rstrip(" \t")[-1:] in _BEFORE_BOUND  # behind a colon it is an annotation
    return _DEFINED.search(text, max(at - _FAR, 0), at) is not None
