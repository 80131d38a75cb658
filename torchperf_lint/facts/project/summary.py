"""What one file of a project says of others: which modules it imports, what it defines, and which words it uses.

    from .engine import train as run        imports: .engine  .engine.train
    def go(loader): run(loader)             defines: go
                                            words: as def engine from go import loader run train
    net = torch.compile(net)                compiles

Found by patterns in the bytes, not by parsing: a fortieth of the time, and it says a little too much alone, as what strings
and comments hold is among the words. So who lacks a word is no caller, and who has it is looked at by the interpreter.
Does not depend on any other file, so it can be kept by content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from torchperf_lint.facts.project import given_keys, uses

_DIGITS: Final = b"0123456789"
_APART: Final = bytes(
    each if each == ord("_") or each >= 0x80 or chr(each).isalnum() else ord(" ") for each in range(256)
)
"""What is no part of a word becomes a space."""
_DEFINED: Final = [re.compile(rb"%b[ \t]+([\w\x80-\xff]+)" % each) for each in (b"def", b"class")]
_BEFORE_DEFINED: Final = (b"", b"async")
# These look for a line break, of which one is put ahead of a file: the start of a line is looked for six times as slowly.
_FROM: Final = re.compile(
    rb"\n[ \t]*from[ \t]+(\.[. \t]*(?:[\w\x80-\xff][.\w\x80-\xff]*)?|[\w\x80-\xff][.\w\x80-\xff]*)[ \t]*\bimport\b[ \t]*"
    rb"(?:\(((?:[\w\x80-\xff\s,\\]|#[^\n]*)*)\)|((?:[^\n\\(]|\\\n)+))?"
)
"""A module, `.. nets` too, and what is imported of it: names and comments in brackets, or up to the end of a line that is not
continued. All of that is read here, so that what it holds is not read as the start of the next one."""
_IMPORT: Final = re.compile(rb"\n[ \t]*import[ \t]+([^\n#;]+)")
_BEHIND: Final = re.compile(rb"[:;][ \t]*(?=(?:from|import)[ \t])")
"""What may stand before an import on its line: `try: import apex`."""
_COMMENT: Final = re.compile(rb"#[^\n]*")
ALL: Final = "*"
"""What an import of all names brings."""
_NAME: Final = re.compile(rb"\*|[.\w\x80-\xff]+")
_COMPILES: Final = re.compile(rb"\btorch[ \t]*\.[ \t]*compile\b|(?<!\bre)\.compile\(|\btorch_compile\w*[ \t]*=")
"""`torch.compile`, a `compile` that is no regular expression's, or a setting of what trains."""
_SET: Final = re.compile(rb"\bdynamo_(?:backend|plugin)[ \t]*=")
"""Another such setting, which does not say `compile`."""
_COMMENTED: Final = re.compile(rb"\n[ \t]*#[^\n]*")
_CALLED: Final = {
    each: re.compile(
        rb"%b(?<![.\w\x80-\xff]%b)(?:(?<!def %b)[ \t]*\(|(?:(?<=[(,=]%b)|(?<=[,=] %b))(?![\w\x80-\xff]))"
        % ((each,) * 5)
    )
    for each in uses.CALLED
}
"""How code calls a function of Python, or hands it on; what is looked for starts with the name, which is fast."""
_IMPORTS: Final = re.compile(rb"\b(?:import|compile)\b|\n")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a file says of others."""

    imports: tuple[str, ...]
    """Dotted names of all that may be modules; those that start with dots are relative."""
    defines: bytes
    """The names of all functions, methods and classes, between spaces."""
    words: bytes
    """All words, between spaces, and what says more than a word: of `uses.CALLED` which it calls, and what is given to keys of settings."""
    compiles: bool = False
    """Whether it may give something to `torch.compile`."""

    def says(self, word: bytes) -> bool:
        return b" %b " % word in b" %b " % self.words

    def says_that_it_defines(self, word: bytes) -> bool:
        return b" %b " % word in b" %b " % self.defines

    @property
    def looks_up(self) -> bool:
        """Whether the file may import what a text says, or look up what a module has."""
        return not (uses.FINDS | uses.OF_MODULE).isdisjoint(self.words.split())

    @property
    def emptied(self) -> tuple[str, ...]:
        """The modules of which all names are imported."""
        return tuple(each[: -len(ALL) - 1] or "." for each in self.imports if each.endswith(f".{ALL}"))

    def whole(self, *, with_all: bool) -> tuple[str, ...]:
        """The modules of which no name is imported: the file has them as a whole; those of which all names are, if they count."""
        names = self.imports
        taken = {each for each in names if with_all and f"{each}.{ALL}" in names}
        return tuple(taken | (set(names) - {above for each in names for above in _above(each)}))

    def to_bytes(self) -> bytes:
        """One line."""
        names = ",".join(self.imports).encode("utf-8", "surrogateescape")
        return b"\t".join((names, self.defines, self.words, b"compiles" if self.compiles else b""))

    @classmethod
    def from_bytes(cls, line: bytes) -> Summary:
        """What a line shows; a `ValueError` where it shows nothing."""
        names, defines, words, compiles = line.split(b"\t")
        imports = tuple(names.decode("utf-8", "surrogateescape").split(",")) if names else ()
        return cls(imports, defines, words, bool(compiles))


def _above(name: str) -> Iterator[str]:
    """The modules that a name may be in: each part of it that ends at a dot, or, of relative ones, with one."""
    at = name.find(".")
    while at >= 0:
        yield name[:at]
        if at + 1 < len(name):
            yield name[: at + 1]
        at = name.find(".", at + 1)


def words(data: bytes) -> frozenset[bytes]:
    """All words of a file: what starts with digits is a word from its first letter on."""
    found = frozenset(data.translate(_APART).split())
    numbered = {each for each in found if each[0] in _DIGITS}
    return (found - numbered) | ({each.lstrip(_DIGITS) for each in numbered} - {b""})


def summary_of(data: bytes) -> Summary:
    """The summary of a file's content."""
    lines = b"\n" + data
    said = words(data)
    said |= _called(lines, said) | given_keys.of_program(data)
    defines, spoken = (b" ".join(sorted(each)) for each in (set(_defines(lines)), said))
    return Summary(tuple(sorted(set(_imports(lines)))), defines, spoken, _may_compile(data))


def _called(lines: bytes, said: frozenset[bytes]) -> frozenset[bytes]:
    """Which functions of Python code that says some words calls: each as `eval(`, which is no word. What is commented out calls nothing."""
    sought = uses.CALLED & said
    code = _COMMENTED.sub(b"\n", lines) if sought else b""
    return frozenset(b"%b(" % each for each in sought if _CALLED[each].search(code))


def _defines(lines: bytes) -> Iterator[bytes]:
    """The names of functions and classes: of lines that hold nothing before `def`, which is rarer than the start of a line."""
    for pattern in _DEFINED:
        end = 0
        for found in pattern.finditer(lines):
            start = lines.rfind(b"\n", end, found.start())
            if start >= 0 and lines[start : found.start()].strip() in _BEFORE_DEFINED:
                yield found[1]
            end = found.end()


def _may_compile(data: bytes) -> bool:
    """Whether a line, of those that say so, may give something to `torch.compile`."""
    at = data.find(b"compile")
    while at >= 0:
        end = data.find(b"\n", at)
        line = data[data.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(data)]
        if _COMPILES.search(line) or _imports_compile(line):
            return True
        at = data.find(b"compile", end) if end >= 0 else -1
    return b"dynamo_" in data and _SET.search(data) is not None


def _imports(data: bytes) -> Iterator[str]:
    data = _BEHIND.sub(b"\n", data)
    for found in _FROM.finditer(data):
        module = b"".join(found[1].split()).decode("utf-8", "surrogateescape")
        yield module
        for name in _names(_COMMENT.sub(b"", found[2] or found[3] or b"")):
            yield f"{module}{name}" if module.endswith(".") else f"{module}.{name}"
    for found in _IMPORT.finditer(data):
        yield from _names(found[1])


def _imports_compile(data: bytes) -> bool:
    """Whether a line says `compile` behind `import`."""
    is_import = False
    for found in _IMPORTS.finditer(data):
        if is_import and found[0] == b"compile":
            return True
        is_import = found[0] == b"import" or (is_import and found[0] != b"\n")
    return False


def _names(listed: bytes) -> Iterator[str]:
    """The names in `a, b as c`."""
    for part in listed.split(b","):
        name = _NAME.match(part.lstrip(b" \t\r\n\\"))
        if name is not None:
            yield name[0].decode("utf-8", "surrogateescape")


def saying(summaries: Mapping[str, Summary]) -> dict[bytes, set[str]]:
    """By the words that some files define, which of them say each."""
    defined = {each for summary in summaries.values() for each in summary.defines.split()}
    found: dict[bytes, set[str]] = {}
    for path, summary in summaries.items():
        for word in defined.intersection(summary.words.split()):
            found.setdefault(word, set()).add(path)
    return found
