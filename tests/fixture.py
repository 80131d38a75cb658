"""Fixtures of rules: one Python file a rule, read as sections, each a program of its own.

    import torch                                  the preamble, part of every section

    # doc: A mask is built on the CPU             a section that the rule's page shows
    def f(n):
        return torch.zeros(n).cuda()              # expect: TPL201 @ torch.zeros(n).cuda()

    # ok: it stays on the CPU                     a section in which the rule must be silent
    def g(n):
        return torch.zeros(n)

Sections: `doc: title`, `case: title` (findings that the page does not show), `ok: why`, `missed: why` (should fire and
does not: known gap), `noise: why` (fires and should not: known fault). A line with findings says which, with the text
that is underlined; a line without a mark is silent. Several on one line are parted by ` && `. A line `# set: name = value`
gives the section a setting, in Python's words: `# set: alignment-min-dim = 1`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

RULES = Path(__file__).parent / "rules"

_SECTION = re.compile(r"^# (doc|case|ok|missed|noise): (.+)$")
_EXPECT = re.compile(r"[ \t]*# expect: (.+)$")
_RUN = re.compile(r"^# run: (.+)$", re.MULTILINE)
_SET = re.compile(r"^# set: (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, order=True)
class Expected:
    """A finding that a line announces."""

    line: int
    code: str
    text: str


@dataclass(frozen=True)
class Section:
    """One program of a fixture; its lines stand where they stand in the file."""

    kind: str
    title: str
    first: int
    text: str
    """With the preamble before it and without marks; what other sections hold is blank."""
    expected: tuple[Expected, ...]

    @property
    def closed_up(self) -> str:
        """The text without the many blank lines that stand for other sections: LibCST makes a node of each."""
        return re.sub(r"\n{4,}", "\n\n\n", self.text)

    @property
    def runs(self) -> list[str]:
        """The calls for which the section must give the same before and after a SAFE fix."""
        return _RUN.findall(self.text)

    @property
    def settings(self) -> dict[str, object]:
        """The settings under which the section is linted, by field of the configuration."""
        said = (line.partition("=") for line in _SET.findall(self.text))
        return {name.strip().replace("-", "_"): ast.literal_eval(value.strip()) for name, _, value in said}


@dataclass(frozen=True)
class Fixture:
    """The fixture of one rule."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem.replace("_", "-")

    @property
    def family(self) -> str:
        return self.path.parent.name

    @property
    def fixed(self) -> Path:
        return self.path.with_suffix(".fixed.py")

    @cached_property
    def preamble(self) -> str:
        """The text above the first section."""
        text = self.path.read_text(encoding="utf-8")
        return text[: text.index("# " + self.sections[0].kind + ": ")].rstrip() + "\n"

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        lines = self.path.read_text(encoding="utf-8").splitlines()
        starts = [number for number, line in enumerate(lines) if _SECTION.match(line)]
        ends = [*starts[1:], len(lines)]
        return tuple(self._section(lines, starts[0], start, end) for start, end in zip(starts, ends, strict=True))

    @property
    def codes(self) -> set[str]:
        """Every code that the fixture speaks of."""
        return {expected.code for section in self.sections for expected in section.expected}

    def _section(self, lines: list[str], preamble: int, start: int, end: int) -> Section:
        mark = _SECTION.match(lines[start])
        assert mark is not None
        kept: list[str] = []
        expected: list[Expected] = []
        for number, line in enumerate(lines[:end]):
            if number == start or preamble <= number < start:
                kept.append("")
                continue
            found = _EXPECT.search(line)
            if found:
                for part in found[1].split(" && "):
                    code, _, text = part.partition(" @ ")
                    expected.append(Expected(number + 1, code.strip(), " ".join(text.split())))
                line = line[: found.start()]
            kept.append(line)
        return Section(mark[1], mark[2], start + 1, "\n".join(kept).rstrip() + "\n", tuple(sorted(expected)))


@cache
def fixtures() -> tuple[Fixture, ...]:
    """Every fixture there is; each is read once in a process."""
    return tuple(Fixture(path) for path in sorted(RULES.glob("*/*.py")) if not path.name.endswith(".fixed.py"))
