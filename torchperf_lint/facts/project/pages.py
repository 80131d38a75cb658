"""Which words of a text for people, or of settings and scripts, name something, by patterns in its bytes.

Encoder layers are stacked ...        an English word names nothing, whatever the project calls so
depth: 3  # of the Encoder            nor in a comment
An `Encoder` stacks them.             as code it does
a RankLoss, box_iou, nets.Encoder     and so does what is no English word
"""

from __future__ import annotations

import re
from typing import Final

from torchperf_lint.facts.project.summary import words

_CODE: Final = re.compile(
    rb"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)"  # a block of code
    rb"|^(?: {3}|\t|>>>|\.\. |:::|[ \t]*\[\[)[^\n]*"  # lines of code, and of what makes pages out of it
    rb"|^[^`\n]*[ \t]--\w[^\n]*"  # a command
    rb"|`[^`\n]+`",
    re.MULTILINE | re.DOTALL,
)
_COMMENT: Final = re.compile(rb"#[^\n]*")
_TAG: Final = re.compile(rb"[<>]|\]\(")
_MARKS: Final = b".,;:!?()[]<>\"'*#|-"
"""Marks of sentences, and of pages: what stands beside another is part of something else."""


def of_page(data: bytes) -> frozenset[bytes]:
    """The words of a page that may name something."""
    code: list[bytes] = []

    def take(found: re.Match[bytes]) -> bytes:
        code.append(found[0])
        return b" "

    said = _CODE.sub(take, data)
    return of_settings(b"\n".join(code)) | _names(_TAG.sub(b" ", said))


def of_settings(data: bytes) -> frozenset[bytes]:
    """The same of settings and scripts, whose comments are for people."""
    return words(_COMMENT.sub(b" ", data)) | _names(b"\n".join(_COMMENT.findall(data)))


def _names(said: bytes) -> frozenset[bytes]:
    """The words of sentences, but for English ones."""
    parts = {part for each in set(said.split()) for part in each.strip(_MARKS).split(b"-")}
    return words(b" ".join(each for each in parts if not _is_english(each)))


def _is_english(word: bytes) -> bool:
    return word.isalpha() and (word[1:].islower() or word.isupper() or len(word) == 1)
