"""A page of Markdown as people read it at a prompt: headings stand out, tables are straight, links end in themselves.

For the pages of rules, which are what `rules_docs/` holds: headings, paragraphs, lists, tables, code, pictures.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from torchperf_lint.report.terminal import Ink, Pen, visible, width

_FENCE: Final = "```"
_HEADING: Final = re.compile(r"#{1,6} +(.*)")
_ITEM: Final = re.compile(r"(\s*(?:[-*]|\d+\.) +)(.*)")
_RULED: Final = re.compile(r"[\s|:-]+")
_PICTURE: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
_BOLD: Final = re.compile(r"\*\*([^*]+)\*\*")


def render(markdown: str, pen: Pen, columns: int) -> str:
    """The page, no wider than so many columns where its text can be broken."""
    lines = [line for block in _blocks(markdown.splitlines()) for line in (*_block(block, pen, columns), "")]
    return "\n".join(lines).rstrip() + "\n"


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Paragraphs, and code from fence to fence."""
    block: list[str] = []
    fenced = False
    for line in lines:
        if line.startswith(_FENCE):
            if block and not fenced:
                yield block
                block = []
            block.append(line)
            if fenced:
                yield block
                block = []
            fenced = not fenced
        elif fenced or line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _block(block: list[str], pen: Pen, columns: int) -> Iterator[str]:
    if block[0].startswith(_FENCE):
        yield from (f"    {visible(line)}".rstrip() for line in block[1:] if not line.startswith(_FENCE))
    elif block[0].startswith("|"):
        yield from _table(block, pen, columns)
    elif match := _HEADING.fullmatch(block[0]):
        for line in textwrap.wrap(visible(_plain(match[1])), columns):
            yield pen(line, Ink.BOLD)
        if block[1:]:
            yield from _block(block[1:], pen, columns)
    else:
        yield from _text(block, pen, columns)


def _text(block: list[str], pen: Pen, columns: int) -> Iterator[str]:
    """A paragraph, or the items of a list, each wrapped anew."""
    items: list[tuple[str, list[str]]] = []
    for line in block:
        match = _ITEM.fullmatch(line)
        if match is not None:
            items.append((match[1], [match[2]]))
        elif items:
            items[-1][1].append(line.strip())
        else:
            items.append(("", [line.strip()]))
    for mark, parts in items:
        text = visible(_plain(" ".join(parts)))
        if text.strip():
            wrapped = textwrap.fill(
                text, columns, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False,
                break_long_words=False,
            )  # fmt: skip
            yield _inked(wrapped, pen)


def _plain(text: str) -> str:
    """Text without pictures; a link becomes its words, and where it leads if that is no page beside this one."""
    return _LINK.sub(
        lambda found: f"{found[1]} ({found[2]})" if "://" in found[2] else found[1], _PICTURE.sub("", text)
    )


def _inked(text: str, pen: Pen) -> str:
    return _BOLD.sub(lambda found: pen(found[1], Ink.BOLD), text)


def _table(block: list[str], pen: Pen, columns: int) -> Iterator[str]:
    """A table with straight columns; one that is too wide has a line for each cell."""
    rows = [[visible(_plain(cell.strip())) for cell in _cells(line)] for line in block if not _RULED.fullmatch(line)]
    rows = [row + [""] * (max(map(len, rows)) - len(row)) for row in rows]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= columns:
        for number, row in enumerate(rows):
            line = "  ".join(cell + " " * (most - width(cell)) for cell, most in zip(row, widths, strict=True)).rstrip()
            yield pen(line, Ink.BOLD) if number == 0 else _inked(line, pen)
        return
    head, *body = rows
    for row in body:
        named = [(name, cell) for name, cell in zip(head, row, strict=True) if cell]
        for name, cell in named:
            label = f"{name}: " if name else ""
            yield _inked(textwrap.fill(label + cell, columns, subsequent_indent="  ", break_on_hyphens=False), pen)
        if len(body) > 1:
            yield ""


def _cells(line: str) -> list[str]:
    """The cells of a row; a bar inside of code, or behind a backslash, parts none."""
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [part.replace("\\|", "|") for part in parts]
