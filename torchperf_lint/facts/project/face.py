"""The face of a file: all of it but the bodies of functions, comments and empty lines aside."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from torchperf_lint.facts.index.scopes import Function
from torchperf_lint.facts.project.contents import code_of
from torchperf_lint.syntax.digest import digest

if TYPE_CHECKING:
    from torchperf_lint.facts.index.module import Module


def face_of(text: str, module: Module) -> str:
    """A name for the face of a text, by its outline."""
    data = text.encode("utf-8", "surrogatepass")
    starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
    kept, at = [], 0
    for first, last in sorted(
        each.extent for each in module.places if isinstance(each, Function) and each.extent and not each.is_inner
    ):
        start, end = starts[first[0] - 1] + first[1], starts[last[0] - 1] + last[1]
        kept.append(data[at:start])
        at = end
    return digest([code_of(b"\0".join([*kept, data[at:]]))])
