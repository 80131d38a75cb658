"""What the settings, scripts, pages and programs of a project give keys, by patterns in their bytes: no format is parsed.

    fp16: false                                    of YAML
    "fp16": null,                                  of JSON
    train.py --fp16 --kind window                  a command, and one of a tree: test.py MODEL.FP16 1
    _C.MODEL.FP16 = False                          of a program, which writes the keys of a tree in capitals
    parser.add_argument("--fp16", default=False)   of a program, too
    fp16: bool = field(default=False)              of a dataclass, unless a call in sight gives it another value

Only constants are told. All else, also what nobody understands, is given.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.project.test_files import is_test

if TYPE_CHECKING:
    from torchperf_lint.facts.project.summary import Summary

# Each of these begins with what is rare, or at the start of a line: a pattern that may begin anywhere takes several times as long.
# So what must not stand before is asked behind the first letter.
_KEY: Final = re.compile(rb"([A-Za-z_](?<![\w-][A-Za-z_])\w*)[\"']?[ \t]*[:=][ \t]*([^\s,#;}\])]*)")
_PAIR: Final = re.compile(rb"\.([A-Z][A-Z0-9_]*)[ \t]+([^\s,#;}\])]*)")
"""A key of a tree, and what a command gives it."""
_FLAG: Final = re.compile(
    rb"-(?<![\w-]-)-?(no[-_])?([A-Za-z_][\w-]*)(?:[= \t][ \t]*([^\s\\-]\S*))?([ \t]+[^\s\\-]|[^\s=])?"
)
"""An option of a command, what stands behind it, and what stands behind that."""
_PLAIN: Final = re.compile(rb"[\"']?([A-Za-z_][\w./-]*)[\"']?|([+-]?[0-9]+(?:\.[0-9]*)?)|\"\"|''")
_BY_WORD: Final[dict[bytes, object]] = {
    b"false": False, b"off": False, b"no": False, b"null": None, b"none": None, b"~": None,
    b"true": True, b"on": True, b"yes": True,
}  # fmt: skip
_GIVEN: Final = b"given"
_IN_PROGRAM: Final = b":="
_IN_FIELD: Final = b":~"
_ATTRIBUTE: Final = re.compile(rb"\.(\w+)[ \t]*[-+*/|&]?=(?!=)[ \t]*")
_CAPITALS: Final = re.compile(rb"\n[ \t]*([A-Z][A-Z0-9_]*)[ \t]*=(?!=)[ \t]*")
_KEYWORD_IN_CAPITALS: Final = re.compile(rb"[(,][ \t\n]*([A-Z][A-Z0-9_]*)=(?!=)")
_TREES: Final = (b"CN(", b"CfgNode(", b".update(")
_TEXT: Final = re.compile(rb"[\"'](?:[\w.]*\.)?(\w+)[\"'](?=([ \t]*(?:\][ \t]*=(?!=)|:))?)")
"""A text, and what binds it as a key behind it."""
_HAVING: Final = re.compile(rb"[ \t]*(?:\w+\.)*(\w+)[ \t]*(?=[,})\n\r#])")
_SETS: Final = re.compile(rb"\bsetattr\([^\n,]*,[ \t]*\Z")
_FAR: Final = 40
"""So many bytes are looked at before a text."""
_REST: Final = re.compile(rb"[^\n#;]*")
_ARGUMENT: Final = re.compile(rb"\.add_argument\(\s*((?:[\"']--?[\w-]+[\"']\s*,?\s*)+)([^()]*(?:\([^()]*\)[^()]*)*)\)")
_OPTION: Final = re.compile(rb"--?([A-Za-z_][\w-]*)")
_LONG: Final = re.compile(rb"--([A-Za-z_][\w-]*)")
_SETTING: Final = re.compile(
    rb"\b(default|action|type|required|nargs|dest)[ \t]*=[ \t]*(\"[^\"\n]*\"|'[^'\n]*'|[^\s,]+)"
)
_FIELD: Final = re.compile(
    rb"\n[ \t]+(\w+)[ \t]*:[^\n=#]*=[ \t]*(?:(?:dataclasses\.)?field\(([^()]*(?:\([^()]*\)[^()]*)*)\)|([^\n,#()]+?)[ \t]*(?=[#\r\n]))"
)
"""A field of a dataclass: its name, and what `field` is told, or what stands for it."""
_DEFAULTS: Final = re.compile(rb"(?:set_defaults|Namespace)\(([^()]*)\)")
_KEYWORDS: Final = re.compile(rb"(\w+)[ \t]*=(?!=)")
_CONSTANT: Final = re.compile(rb"None|True|False|(-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]*)?)|\"[^\s\"\\]*\"|'[^\s'\\]*'")


def of(data: bytes) -> frozenset[bytes]:
    """The keys of a text, each with what it is given, as `key='window'` and `key=given`."""
    told = ((key, _of_text(value)) for pattern in (_KEY, _PAIR) for key, value in set(pattern.findall(data)))
    return frozenset(b"%s=%s" % each for found in (told, _flags(data)) for each in found)


def _flags(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The options of commands, by the names under which programs have them."""
    for negated, flag, value, more in _FLAG.findall(data):
        is_alone = not negated and not more
        yield flag.replace(b"-", b"_"), (_of_text(value) if value else b"True") if is_alone else _GIVEN


def _of_text(value: bytes) -> bytes:
    """What a value of a text is in Python, where it is a constant."""
    found = _PLAIN.fullmatch(value)
    if found is None and value != b"~":
        return _GIVEN
    if value.lower() in _BY_WORD:
        return repr(_BY_WORD[value.lower()]).encode("ascii")
    if found is not None and found[2]:
        return _constant(found[2].lstrip(b"+"))
    return repr((found[1] or b"").decode("latin-1") if found is not None else None).encode("latin-1")


def of_program(data: bytes) -> set[bytes]:
    """The keys of settings in a program, each with what it is given, as `key:=False` and `key:=given`."""
    told = {(key, _GIVEN) for key in _bound_by_texts(data)}
    for found in (*_ATTRIBUTE.finditer(data), *_CAPITALS.finditer(b"\n" + data)):
        if found[1].isupper():
            told.add((found[1], _constant(_rest(found))))
        elif not (data.endswith(b"self", 0, found.start()) or _is_handed_on(found[1], data, found.end())):
            told.add((found[1], _GIVEN))
    if any(each in data for each in _TREES):
        told |= {(key, _GIVEN) for key in _KEYWORD_IN_CAPITALS.findall(data)}
    if b"set_defaults(" in data or b"Namespace(" in data:
        told |= {(key, _GIVEN) for given in _DEFAULTS.findall(data) for key in _KEYWORDS.findall(given)}
    if b"--" in data:
        told |= {_default(options, given) for options, given in _ARGUMENT.findall(data)}
        told |= {(flag.replace(b"-", b"_"), _GIVEN) for flag in _LONG.findall(_ARGUMENT.sub(b"", data))}
    fields = set(_fields(data)) if b"dataclass" in data else set()
    return {
        b"%s%s%s" % (key, sign, value)
        for sign, keys in ((_IN_PROGRAM, told), (_IN_FIELD, fields))
        for key, value in keys
    }


def _rest(found: re.Match[bytes]) -> bytes:
    """What stands behind a match on its line."""
    rest = _REST.match(found.string, found.end())
    return rest[0].strip() if rest is not None else b""


def _is_handed_on(key: bytes, data: bytes, at: int) -> bool:
    """Whether what a key is given is what has the same name: `"kind": args.kind` gives it nothing new."""
    given = _HAVING.match(data, at)
    return given is not None and given[1] == key


def _bound_by_texts(data: bytes) -> Iterator[bytes]:
    """The keys in texts: whoever names one in capitals, or binds one, may give it anything."""
    sets = b"setattr(" in data
    for found in _TEXT.finditer(data):
        if (
            found[1].isupper()
            or (found[2] and not _is_handed_on(found[1], data, found.end(2)))
            or (sets and _SETS.search(data, max(found.start() - _FAR, 0), found.start()) is not None)
        ):
            yield found[1]


def _fields(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The fields of dataclasses, and what each holds by default."""
    for name, told, plain in _FIELD.findall(data):
        yield name, _constant(plain or dict(_SETTING.findall(told)).get(b"default", b""))


def _constant(value: bytes) -> bytes:
    """What an expression of a program is, where it is a constant without spaces."""
    found = _CONSTANT.fullmatch(value)
    if found is None:
        return _GIVEN
    if found[1]:
        return repr(float(value) if b"." in value else int(value)).encode("ascii")
    return repr(value[1:-1].decode("latin-1")).encode("latin-1") if value[:1] in b"\"'" else value


def _default(options: bytes, given: bytes) -> tuple[bytes, bytes]:
    """Under which name a command line has an option, and its default."""
    names = _LONG.findall(options) or _OPTION.findall(options)
    told = dict(_SETTING.findall(given))
    name = names[0].replace(b"-", b"_") if names else b""
    key, action = told.get(b"dest", name).strip(b"\"'"), told.get(b"action", b"").strip(b"\"'")
    if action in (b"store_true", b"store_false"):
        return key, repr(action == b"store_false").encode("ascii")
    default = told.get(b"default", b"None")
    is_made = default[:1] in (b"'", b'"') and told.get(b"type", b"str") != b"str"
    is_told = not (action or is_made or b"required" in told or b"nargs" in told)
    return key, _constant(default) if is_told else _GIVEN


class Keys:
    """Who says keys, and what settings give them: each file is looked at once, however many keys somebody asks about."""

    def __init__(
        self, summaries: Mapping[str, Summary], texts: frozenset[bytes] | None, notebooks: frozenset[bytes] | None
    ) -> None:
        self._are_texts_known = texts is not None
        self._notebooks = notebooks
        self._in_texts = _by_key(texts or (), b"=")
        self._summaries = summaries
        self._sayers: dict[bytes, str | None] = {}
        """The one file that says a word, tests aside; None where several do."""
        for path, summary in summaries.items():
            for word in () if is_test(path) else summary.words.split():
                self._sayers[word] = path if self._sayers.setdefault(word, path) == path else None
        self._in_programs = _by_key(self._sayers, _IN_PROGRAM)
        self._in_fields = _by_key(self._sayers, _IN_FIELD)

    def by_all(self, path: str, key: str) -> list[object] | None:
        """All that settings give a key; nothing where one may give it anything. None where a file but one says it, and no program
        that gives it anything gives it constants alone."""
        word = key.encode("utf-8", "surrogatepass")
        by_texts = self._in_texts.get(word, set())
        by_programs = self._in_programs.get(word, set()) | self._in_fields.get(word, set())
        if self._notebooks is None or word in self._notebooks:
            return None
        if not by_programs or _GIVEN in by_programs:
            by_programs = set()
            if self._sayers.get(word, path) != path:
                return None
        given = by_programs | by_texts
        if not self._are_texts_known or _GIVEN in given:
            return []
        return [ast.literal_eval(each.decode("latin-1")) for each in sorted(given)]

    def saying_field(self, key: str) -> list[str]:
        """The files, tests aside, that say a key which is a field of a dataclass: who makes one may give it anything."""
        word = key.encode("utf-8", "surrogatepass")
        sayers = self._summaries.items() if word in self._in_fields else ()
        return sorted(path for path, summary in sayers if summary.says(word) and not is_test(path))


def _by_key(told: Iterable[bytes], between: bytes) -> dict[bytes, set[bytes]]:
    """By each key all that it is given."""
    found: dict[bytes, set[bytes]] = {}
    for each in told:
        key, sign, value = each.partition(between)
        if sign and key:
            found.setdefault(key, set()).add(value)
    return found
