"""What the settings, scripts and pages of a project give keys, by patterns in their bytes: no format is parsed.

    fp16: false            of YAML
    "fp16": null,          of JSON
    train.py --fp16        a command
    test.py MODEL.FP16 1   another
    _C.MODEL.FP16 = False  of a program, which writes the keys of such a tree in capitals

Only what is off is told apart: False, None, 0, and an empty text. All else, also what nobody understands, is given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.project.test_files import is_test

if TYPE_CHECKING:
    from torchperf_lint.facts.project.summary import Summary

_KEY: Final = re.compile(rb"(?<!\w)([A-Za-z_]\w*)[\"']?[ \t]*[:=][ \t]*([^\s,#;}\])]*)")
_PAIR: Final = re.compile(rb"\.([A-Z][A-Z0-9_]*)[ \t]+([^\s,#;}\])]*)")
"""A key of a tree, and what a command gives it."""
_FLAG: Final = re.compile(rb"(?<![\w-])--?(?:no[-_])?([A-Za-z_][\w-]*)")
_OFF: Final[dict[bytes, object]] = {
    b"false": False, b"off": False, b"no": False, b"null": None, b"none": None, b"~": None,
    b"0": 0, b"0.0": 0.0, b"0.": 0.0, b"''": "", b'""': "",
}  # fmt: skip
_GIVEN: Final = b"given"
_CAPITALS: Final = re.compile(
    rb"(?<!\w)([A-Z][A-Z0-9_]*)[ \t]*[-+*/|&]?=(?!=)[ \t]*([^\n#;]*)" rb"|[\"'](?:[\w.]*\.)?([A-Z][A-Z0-9_]*)[\"']"
)
"""A key of a tree that a program binds to what stands on the line, or names in a text: whoever does may give it anything."""
_TREE: Final = b":="


def of(data: bytes) -> frozenset[bytes]:
    """The keys of a text, each with what it is given, as `key=off` and `key=given`."""
    values = ((key, value.lower()) for pattern in (_KEY, _PAIR) for key, value in pattern.findall(data))
    found = {b"%s=%s" % (key, value if value in _OFF else _GIVEN) for key, value in values}
    return frozenset(found.union(b"%s=%s" % (flag.replace(b"-", b"_"), _GIVEN) for flag in _FLAG.findall(data)))


def of_program(data: bytes) -> set[bytes]:
    """The keys of trees of settings in a program, each with what it is given, as `KEY:=off` and `KEY:=given`."""
    bound = ((key or named, value.strip().lower() if key else _GIVEN) for key, value, named in _CAPITALS.findall(data))
    return {b"%s%s%s" % (key, _TREE, value if value in _OFF else _GIVEN) for key, value in bound}


class Keys:
    """Who says keys, and what settings give them: each file is looked at once, however many keys somebody asks about."""

    def __init__(
        self, summaries: Mapping[str, Summary], texts: frozenset[bytes] | None, notebooks: frozenset[bytes] | None
    ) -> None:
        self._texts = texts
        self._notebooks = notebooks
        self._sayers: dict[bytes, str | None] = {}
        """The one file that says a word, tests aside; None where several do."""
        for path, summary in summaries.items():
            for word in () if is_test(path) else summary.words.split():
                self._sayers[word] = path if self._sayers.setdefault(word, path) == path else None

    def by_all(self, path: str, key: str) -> list[object] | None:
        """All that settings give a key where it is always off; nothing where it may be on. None where a file but one says it, and
        no program that gives it anything switches it off."""
        word = key.encode("utf-8", "surrogatepass")
        by_programs = values(self._sayers.keys(), word, _TREE)
        if self._notebooks is None or word in self._notebooks:
            return None
        if not by_programs and self._sayers.get(word, path) != path:
            return None
        if self._texts is None or b"%s=%s" % (word, _GIVEN) in self._texts:
            return []
        return [*by_programs, *values(self._texts, word)]


def values(told: Set[bytes], key: bytes, between: bytes = b"=") -> list[object]:
    """All that a key is given where it is always off; nothing where it may be on, or nothing gives it anything."""
    if b"%s%s%s" % (key, between, _GIVEN) in told:
        return []
    return [value for word, value in _OFF.items() if b"%s%s%s" % (key, between, word) in told]
