"""Every setting: how its value is read, with what is wrong in words, and what an editor is told of it.

Knows nothing of files; `settings_file` and the command line bring the values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from torchperf_lint.config.globs import is_pattern
from torchperf_lint.config.selection import meant, suggestion
from torchperf_lint.config.target import GPUS
from torchperf_lint.model.formats import FORMATS


class UnfitError(Exception):
    """A value that a setting does not take; the message says what it takes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a setting takes."""

    read: Callable[[object, Path], object]
    """Turns a value, found in a file in a folder, into what `Config` holds, or raises `UnfitError`."""
    schema: Mapping[str, object]
    """The same for editors, as JSON Schema of a value in a file; it may let pass what `read` refuses."""


ANYWHERE: Final = Path()
"""The folder of what the command line says, which is not kept inside of one."""


def _flag(value: object, _: Path) -> bool:
    if isinstance(value, bool):
        return value
    raise UnfitError("`true` or `false`")


def _count(value: object, _: Path) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1_000_000:
        return value
    raise UnfitError("a whole number from 1 up")


def _text(value: object, _: Path) -> str:
    if isinstance(value, str):
        return value
    raise UnfitError("a string")


def _texts(value: object, _: Path) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise UnfitError("a list of strings")


def _patterns(value: object, folder: Path) -> tuple[str, ...]:
    patterns = _texts(value, folder)
    for pattern in patterns:
        if not is_pattern(pattern):
            raise UnfitError(f"a list of patterns as `.gitignore` writes them, and `{pattern[:80]}` is none")
    return patterns


def _rules(value: object, folder: Path) -> tuple[str, ...]:
    selectors = _texts(value, folder)
    for selector in selectors:
        meant(selector)
    return selectors


def _rules_by_file(value: object, folder: Path) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise UnfitError('a table such as {"tests/*" = ["TPL1"]}')
    _patterns([pattern.removeprefix("!") for pattern in value], folder)
    if not all(isinstance(selectors, list) for selectors in value.values()):
        raise UnfitError('a table of lists such as {"tests/*" = ["TPL1"]}')
    return tuple((pattern, _rules(selectors, folder)) for pattern, selectors in value.items())


def _functions(value: object, folder: Path) -> tuple[str, ...]:
    names = _texts(value, folder)
    if all(re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*", name) for name in names):
        return names
    raise UnfitError('a list of dotted names such as ["trainer.Trainer.step"]')


def _choice(*choices: str) -> Kind:
    def choose(value: object, _: Path) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise UnfitError("one of " + ", ".join(f'"{choice}"' for choice in choices))

    return Kind(choose, {"enum": choices})


def _version(value: object, _: Path) -> str:
    if isinstance(value, str) and re.fullmatch(r"\d{1,3}\.\d{1,3}(\.\d{1,3})?", value):
        return value
    raise UnfitError('a version such as "2.4"')


def _formats(value: object, folder: Path) -> tuple[tuple[str, Path | None], ...]:
    wanted = (value,) if isinstance(value, str) else _texts(value, folder)
    parts = [each.partition("=") for each in wanted]
    for name, equals, file in parts:
        if name not in FORMATS or bool(equals) != bool(file):
            near = suggestion(name[:80], FORMATS)
            raise UnfitError(f"{', '.join(FORMATS)}, or one of them with `=FILE`, not `{name[:80]}`{near}")
        if file and folder is not ANYWHERE:
            raise UnfitError(f"a format alone: {NOT_HERE} `--format {name}=FILE`")
    return tuple((name, Path.cwd() / file if file else None) for name, _, file in parts)


def _inside(value: object, folder: Path) -> Path:
    """A path below the folder of the file: what is read of a project from elsewhere is a part of it."""
    if folder is ANYWHERE:
        return Path.cwd() / _text(value, folder)
    path = (folder / _text(value, folder)).resolve()
    if path != folder.resolve() and path.is_relative_to(folder.resolve()):
        return path
    raise UnfitError("a path inside the folder of the configuration (the command line may name any)")


def _folder(value: object, folder: Path) -> Path:
    """A folder that holds the settings file, or that it holds."""
    path = (folder / _text(value, folder)).resolve()
    if path.is_relative_to(folder.resolve()) or folder.resolve().is_relative_to(path):
        return path
    raise UnfitError("a folder above or below that of the configuration")


def _sizes(value: object, folder: Path) -> dict[str, int]:
    if isinstance(value, dict) and value and value.keys() <= {"linear", "conv"}:
        return {key: _count(size, folder) for key, size in value.items()}
    if isinstance(value, int):
        return dict.fromkeys(("linear", "conv"), _count(value, folder))
    raise UnfitError("a whole number, or a table such as {linear = 512, conv = 32}")


def _list_of(items: Mapping[str, object]) -> Mapping[str, object]:
    return {"type": "array", "items": items}


RULE: Final = {"$ref": "#/definitions/rule"}
"""What selects rules; which words do is for who writes the schema."""
_WHOLE: Final = {"type": "integer", "minimum": 1, "maximum": 1_000_000}
_TEXT: Final = {"type": "string"}
_SIZES: Final = {
    "type": "object",
    "properties": {"linear": _WHOLE, "conv": _WHOLE},
    "additionalProperties": False,
    "minProperties": 1,
}
FLAG: Final = Kind(_flag, {"type": "boolean"})
COUNT: Final = Kind(_count, _WHOLE)
RULES: Final = Kind(_rules, _list_of(RULE))
PATTERNS: Final = Kind(_patterns, _list_of(_TEXT))
INSIDE: Final = Kind(_inside, _TEXT)
FUNCTIONS: Final = Kind(_functions, _list_of({"type": "string", "pattern": r"^[^\s.]+(\.[^\s.]+)*$"}))

KINDS: Final[Mapping[str, Kind]] = {
    "select": RULES,
    "extend-select": RULES,
    "ignore": RULES,
    "per-file-ignores": Kind(_rules_by_file, {"type": "object", "additionalProperties": _list_of(RULE)}),
    "confidence": _choice("likely", "proven"),
    "fail-level": _choice("info", "warning", "error"),
    "fix": FLAG,
    "unsafe-fixes": FLAG,
    "format": Kind(_formats, {"anyOf": [{"enum": FORMATS}, _list_of({"enum": FORMATS})]}),
    "sort": _choice("impact", "path"),
    "output-file": INSIDE,
    "exclude": PATTERNS,
    "extend-exclude": PATTERNS,
    "gitignore": FLAG,
    "force-exclude": FLAG,
    "baseline": INSIDE,
    "project-root": Kind(_folder, _TEXT),
    "jobs": COUNT,
    "cache": FLAG,
    "cache-dir": INSIDE,
    "target-torch": Kind(_version, {"type": "string", "pattern": r"^\d{1,3}\.\d{1,3}(\.\d{1,3})?$"}),
    "target-gpu": _choice(*GPUS),
    "assume-compiled": FLAG,
    "hot-functions": FUNCTIONS,
    "sync-allowed": FUNCTIONS,
    "alignment-min-dim": Kind(_sizes, {"anyOf": [_WHOLE, _SIZES]}),
}
"""Every setting, with what its value must be."""

NOT_HERE: Final = "a settings file may come from strangers, so it names no files to write; use"
LINE_ONLY: Final[Mapping[str, str]] = {
    "cache-dir": "--cache-dir FOLDER",
    "output-file": "--output-file FILE",
    "write-baseline": "--write-baseline FILE",
}
"""What the command line alone may say, and how it says it."""
