"""What the settings, scripts and pages of a project give keys, by patterns in their bytes: no format is parsed.

    fp16: false            of YAML
    "fp16": null,          of JSON
    train.py --fp16        a command

Only what is off is told apart: False, None, 0, and an empty text. All else, also what nobody understands, is given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from typing import Final

from torchperf_lint.facts.project.summary import Summary
from torchperf_lint.facts.project.test_files import is_test

_KEY: Final = re.compile(rb"(?<!\w)([A-Za-z_]\w*)[\"']?[ \t]*[:=][ \t]*([^\s,#;}\])]*)")
_FLAG: Final = re.compile(rb"(?<![\w-])--?(?:no[-_])?([A-Za-z_][\w-]*)")
_OFF: Final[dict[bytes, object]] = {
    b"false": False, b"off": False, b"no": False, b"null": None, b"none": None, b"~": None,
    b"0": 0, b"0.0": 0.0, b"0.": 0.0, b"''": "", b'""': "",
}  # fmt: skip
_GIVEN: Final = b"given"


def of(data: bytes) -> frozenset[bytes]:
    """The keys of a text, each with what it is given, as `key=off` and `key=given`."""
    values = ((key, value.lower()) for key, value in _KEY.findall(data))
    found = {b"%s=%s" % (key, value if value in _OFF else _GIVEN) for key, value in values}
    return frozenset(found.union(b"%s=%s" % (flag.replace(b"-", b"_"), _GIVEN) for flag in _FLAG.findall(data)))


class Keys:
    """Who says keys, and what settings give them: each file is looked at once, however many keys somebody asks about."""

    def __init__(
        self, summaries: Mapping[str, Summary], texts: frozenset[bytes] | None, notebooks: frozenset[bytes] | None
    ) -> None:
        self._texts = texts or frozenset()
        self._notebooks = notebooks
        self._sayers: dict[bytes, str | None] = {}
        """The one file that says a word, tests aside; None where several do."""
        for path, summary in summaries.items():
            for word in () if is_test(path) else summary.words.split():
                self._sayers[word] = path if self._sayers.setdefault(word, path) == path else None

    def by_all(self, path: str, key: str) -> list[object] | None:
        """All that settings give a key where it is always off; nothing where it may be on, None where a file but one says it."""
        word = key.encode("utf-8", "surrogatepass")
        if self._notebooks is None or word in self._notebooks or self._sayers.get(word, path) != path:
            return None
        return values(self._texts, word)


def values(told: Set[bytes], key: bytes) -> list[object]:
    """All that a key is given where it is always off; nothing where it may be on, or no text gives it anything."""
    if b"%s=%s" % (key, _GIVEN) in told:
        return []
    return [value for word, value in _OFF.items() if b"%s=%s" % (key, word) in told]
