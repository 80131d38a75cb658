"""Where LibCST nodes stand in the text they were parsed from.

LibCST keeps no positions: a tree says where its nodes are only by writing itself out again. This writes a tree out
once and remembers for each node between which tokens it stood; the lengths of the tokens then give the offsets. The
provider that LibCST has for this counts lines in every token and takes six times as long.

The stretch of a node leaves out the blanks and comments around it and an expression's own parentheses.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from libcst._nodes.internal import CodegenState

if TYPE_CHECKING:
    import libcst as cst


class _Extent:
    """Notes where the code of a node starts and ends; ends given by other nodes are theirs."""

    __slots__ = ("end_node", "node", "start", "start_node", "state")

    def __init__(
        self, state: _Recorder, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> None:
        self.state = state
        self.node = node
        self.start_node = start_node
        self.end_node = end_node

    def __enter__(self) -> None:
        self.start = len(self.state.tokens)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            extents = self.state.extents
            start = self.start if self.start_node is None else extents[self.start_node][0]
            end = len(self.state.tokens) if self.end_node is None else extents[self.end_node][1]
            extents[self.node] = (start, end)


class _Recorder(CodegenState):
    """LibCST's writer, with an ear on which node is being written."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.extents: dict[cst.CSTNode, tuple[int, int]] = {}
        self.starts: list[int] = []

    def before_codegen(self, node: cst.CSTNode) -> None:  # noqa: ARG002
        self.starts.append(len(self.tokens))

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.starts.pop()
        if node not in self.extents:
            self.extents[node] = (start, len(self.tokens))

    def pop_trailing_newline(self) -> None:
        """A text without a last newline: the token goes, its place in the list stays, for extents end after it."""
        if self.tokens:
            self.tokens[-1] = ""

    def record_syntactic_position(  # type: ignore[override]
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> _Extent:
        return _Extent(self, node, start_node, end_node)


class Spans:
    """The stretches of all nodes of one tree, as offsets in its text."""

    def __init__(self, module: cst.Module, text: str) -> None:
        state = _Recorder(module)
        module._codegen(state)
        self._extents = state.extents
        self._starts, self._ends = _align(state.tokens, text)

    def of(self, node: cst.CSTNode) -> tuple[int, int]:
        """Start and end of a node; the end is exclusive."""
        start, end = self._extents[node]
        return self._starts[start], self._ends[end] if end > start else self._starts[start]


def _align(tokens: list[str], text: str) -> tuple[list[int], list[int]]:
    """Where each token starts, and where the one before each ends: the same, but where LibCST has lost a blank."""
    offsets = [0, *accumulate(map(len, tokens))]
    if offsets[-1] == len(text) and "".join(tokens) == text:
        return offsets, offsets
    # `except A :` comes back as `except A:`, and a form feed at the start of a text not at all (libcst 1.9).
    starts, ends, position = [], [], 0
    for token in tokens:
        ends.append(position)
        while not text.startswith(token, position):
            if text[position : position + 1] not in (" ", "\t", "\f"):
                raise ValueError(f"LibCST does not give this text back: {token!r} is not at {position}")
            position += 1
        starts.append(position)
        position += len(token)
    return [*starts, position], [*ends, position]
