"""The difference between two texts, as a patch that `git apply` takes.

`difflib` looks through all that is left of a text for each stretch that stayed, which for thousands of changes is the square
of them. So long texts are cut at lines that stand once in each of them, and what lies between is for `difflib`.
"""

from __future__ import annotations

from collections import Counter
from difflib import Match, SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ESCAPES: Final = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_NO_NEWLINE: Final = "\\ No newline at end of file\n"

CONTEXT: Final = 3
SHORT: Final = 400
"""So many lines are compared by `difflib` at once. What is longer and has no line of its own is one change."""


def diff(old: str, new: str, path: str) -> str:
    """A unified patch from one text to the other; empty where they are equal.

    Lines end at `\\n` alone, as they do for git: a `\\r` before it belongs to the line.
    """
    before, after = _lines(old), _lines(new)
    hunks = [
        line for group in _Compared(before, after).get_grouped_opcodes(CONTEXT) for line in _hunk(group, before, after)
    ]
    names = (f"--- {_name('a', path)}\n", f"+++ {_name('b', path)}\n")
    return "".join(_ended([*names, *hunks])) if hunks else ""


def _lines(text: str) -> list[str]:
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


class _Compared(SequenceMatcher[str]):
    """Two texts by their lines, in time that grows with their length."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        super().__init__()
        self.before, self.after = before, after

    def get_matching_blocks(self) -> list[Match]:
        """The stretches that stayed, in order, and an empty one at the end; two that touch are one."""
        found: list[Match] = []
        at, new = 0, 0
        for end, new_end in (*_anchors(self.before, self.after), (len(self.before), len(self.after))):
            for start, new_start, size in _stayed(self.before[at:end], self.after[new:new_end]):
                _add(found, Match(at + start, new + new_start, size))
            at, new = end, new_end
        return [*found, Match(len(self.before), len(self.after), 0)]


def _add(found: list[Match], match: Match) -> None:
    last = found[-1] if found else None
    if last is not None and (last.a + last.size, last.b + last.size) == (match.a, match.b):
        found[-1] = Match(last.a, last.b, last.size + match.size)
    elif match.size:
        found.append(match)


def _anchors(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where long texts are cut: lines that stand once in each, in the order of both. Fixes move few lines, and not far."""
    if max(len(before), len(after)) <= SHORT:
        return
    counts, new_counts = Counter(before), Counter(after)
    places = {line: at for at, line in enumerate(after) if new_counts[line] == 1}
    last = -1
    for at, line in enumerate(before):
        new = places.get(line, -1) if counts[line] == 1 else -1
        if new > last:
            yield at, new
            last = new


def _stayed(before: Sequence[str], after: Sequence[str]) -> Sequence[tuple[int, int, int]]:
    """The stretches of some lines that stayed: where they begin in both, and how long they are."""
    if max(len(before), len(after)) <= SHORT:
        return list(SequenceMatcher(None, before, after).get_matching_blocks())
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    foot = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    return [(0, 0, head), (len(before) - foot, len(after) - foot, foot)]


def _hunk(
    group: Sequence[tuple[str, int, int, int, int]], before: Sequence[str], after: Sequence[str]
) -> Iterator[str]:
    """The lines of one stretch of a patch."""
    (_, start, _, new_start, _), (_, _, end, _, new_end) = group[0], group[-1]
    yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
    for tag, first, last, new_first, new_last in group:
        if tag == "equal":
            yield from (f" {line}" for line in before[first:last])
            continue
        yield from (f"-{line}" for line in before[first:last])
        yield from (f"+{line}" for line in after[new_first:new_last])


def _range(start: int, end: int) -> str:
    """Lines as a patch counts them: from 1, and the line before where there are none."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + 1 if length else start},{length}"


def _ended(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if not line.endswith("\n"):
            yield "\n" + _NO_NEWLINE


def _name(side: str, path: str) -> str:
    """A path as git writes it: in quotes where it holds what would break the line, a tab after it for its blanks."""
    name = f"{side}/{path.lstrip('/')}"
    if any(character in _ESCAPES or not _is_plain(character) for character in name):
        return '"' + "".join(_escaped(character) for character in name) + '"'
    return f"{name}\t" if " " in name else name


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return "\\" + _ESCAPES[character]
    return character if _is_plain(character) else f"\\{ord(character) & 0xFF:03o}"


def _is_plain(character: str) -> bool:
    """Whether git writes a character as it is; a byte of a name that is no UTF-8 stands in it as half a surrogate pair."""
    return 32 <= ord(character) != 127 and not 0xD800 <= ord(character) <= 0xDFFF
