"""Reads signatures out of torch's stubs and sources, as overloads in the codes of `schema`.

Only `generate` uses it. Knows Python's syntax and how torch spells its types; never imports torch.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from torchperf_lint.facts.knowledge.schema import Overload, Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Fields = dict[str, tuple[str, ...]]
"""What the named tuples of `torch.return_types` hold."""

_WORDS: Final = {
    "Tensor": "T", "Parameter": "T", "bool": "b", "int": "i", "SymInt": "i", "IntLikeType": "i", "float": "f",
    "Number": "f", "complex": "f", "SymFloat": "f", "str": "s", "dtype": "d", "device": "D", "DeviceLikeType":
    "D", "Device": "D", "Generator": "g", "size": "I", "symsize": "I", "Size": "I", "Literal[True]": "True",
    "Literal[False]": "False", "list[Tensor]": "L", "tuple[Tensor, ...]": "L", "list[Tensor | None]": "L",
    "tuple[Tensor | None, ...]": "L", "Sequence[Tensor]": "L", "_ListOrSeq": "L",
}  # fmt: skip

_RETURNS: Final = {
    "b": "bool", "i": "int", "f": "float", "s": "str", "d": "dtype", "D": "device", "L": "L", "T": "T", "I": "size",
}  # fmt: skip

_KINDS: Final = {
    "None": "none", "NoneType": "none", "Number": "number", "complex": "number", "Self": "self", "Size": "size",
    "list": "list", "ndarray": "ndarray", "Tensor | None": "T?", "unique_impl_out": "any",
}  # fmt: skip


def _plain(annotation: str) -> str:
    """An annotation without quotes, `torch.` and the underscores of torch's own names."""
    text = annotation.replace("'", "").replace('"', "")
    text = re.sub(r"\bUnion\[([^\[\]]+)\]", lambda union: union[1].replace(",", " |"), text)
    text = re.sub(r"\bOptional\[([^\[\]]+)\]", r"\1 | None", text)
    text = re.sub(r"\b(torch|numpy|typing|types|nn)\.", "", text)
    return re.sub(r"\b_(?=[a-z])", "", text).replace("List[", "list[").replace("Tuple[", "tuple[").strip()


def _members(text: str) -> list[str]:
    """The parts of a union."""
    return re.split(r" \| (?![^\[]*\])", text)


def code(annotation: str | None) -> str:
    """The type code of a parameter."""
    if annotation is None:
        return "?"
    members = _members(_plain(annotation))
    codes = {_word(member) for member in members if member != "None"}
    if codes == {"T"}:
        return "T?" if "None" in members else "T"
    if codes == {"i", "I"}:
        return "I"
    if "T" in codes and codes <= {"T", "f", "i", "b"}:
        return "N"
    if codes <= {"f", "i", "b"} and "f" in codes:
        return "f"
    if codes <= {"D", "i", "s"} and "D" in codes:
        return "D"
    return codes.pop() if len(codes) == 1 else "?"


def _word(member: str) -> str:
    if re.fullmatch(r"(Sequence|list|tuple)\[(int|SymInt)( \| SymInt)?(, \.\.\.)?\]|size_(\d|any)(_opt)?_t", member):
        return "I"
    return _WORDS.get(member, "?")


def returned(annotation: str | None, named: Fields) -> tuple[str | tuple[str, ...], tuple[str, ...]]:
    """The return kind, and the names of its items where it is a named tuple."""
    if annotation is None:
        return "any", ()
    text = _plain(annotation)
    fields = named.get(text.rpartition("return_types.")[2]) if "return_types." in text else None
    if fields is not None:
        return "T" * len(fields), fields
    items = re.fullmatch(r"tuple\[((?:[^\[\],]+, )+[^\[\],.]+)\]", text)
    if items:
        kinds = tuple(_kind(item) for item in items[1].split(", "))
        return "T" * len(kinds) if set(kinds) == {"T"} else kinds, ()
    return _kind(text), ()


def _kind(text: str) -> str:
    if text in _KINDS:
        return _KINDS[text]
    known = code(text)
    if known == "I":
        return "size" if text == "size" else "list"
    return _RETURNS.get(known, "any")


def signature(node: ast.FunctionDef, named: Fields, *, skip: int = 0) -> Overload:
    """A function as an overload; `skip` leaves leading parameters such as `self` out."""
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    without_default = len(positional) - len(args.defaults)
    found = [_parameter(arg, default=place >= without_default) for place, arg in enumerate(positional)][skip:]
    if args.vararg is not None:
        found.append(Parameter(args.vararg.arg, _repeated(args.vararg.annotation), many=True))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(_parameter(arg, default=default is not None, keyword=True))
    returns, fields = returned(_text(node.returns), named)
    if returns == "T" and re.fullmatch(r"[a-z0-9_]*[a-z0-9]_|__i[a-z]+__", node.name) and skip:
        returns = "self"
    return Overload(tuple(found), returns, fields)


def _parameter(arg: ast.arg, *, default: bool, keyword: bool = False) -> Parameter:
    annotation = _text(arg.annotation)
    kind = code(annotation)
    none = not default and kind not in ("T?", "?") and annotation is not None and annotation.endswith("| None")
    return Parameter(arg.arg, kind, default, keyword, none)


def _repeated(annotation: ast.expr | None) -> str:
    each = code(_text(annotation))
    return {"i": "I", "T": "L"}.get(each, each)


def _text(annotation: ast.expr | None) -> str | None:
    return None if annotation is None else ast.unparse(annotation)


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def functions(body: list[ast.stmt], named: Fields, *, skip: int = 0) -> dict[str, tuple[Overload, ...]]:
    """The functions of a body with their overloads; of a source the implementation counts where it has annotations."""
    found: dict[str, list[Overload]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            static = any(_text(decorator) == "staticmethod" for decorator in node.decorator_list)
            overload = signature(node, named, skip=0 if static else skip)
            known = found.setdefault(node.name, [])
            if overload not in known:
                known.append(overload)
    return {name: tuple(overloads) for name, overloads in found.items()}


def class_body(tree: ast.Module, name: str) -> list[ast.stmt]:
    return next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def attributes(body: list[ast.stmt], named: Fields) -> Iterator[tuple[str, str]]:
    """The annotated attributes of a class, and its properties, with their kinds."""
    for node in body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            kind, _ = returned(_text(node.annotation), named)
            yield node.target.id, kind if isinstance(kind, str) else "any"
        elif isinstance(node, ast.FunctionDef) and any(_text(each) == "property" for each in node.decorator_list):
            kind, _ = returned(_text(node.returns), named)
            yield node.name, kind if isinstance(kind, str) else "any"


def from_schema(text: str, *, out: bool) -> Overload:
    """An operator's schema as an overload of the Python function: `fft_fft(Tensor self, int? n=None) -> Tensor`."""
    inside, _, result = text.partition("(")[2].rpartition(") -> ")
    found, keyword = [], False
    for word in _arguments(inside):
        if word == "*":
            keyword = True
            continue
        kind, _, name = word.partition("=")[0].rpartition(" ")
        found.append(Parameter("input" if name == "self" else name, _schema_code(kind), "=" in word, keyword))
    if out:
        found.append(Parameter("out", "T?", default=True, keyword=True))
    items = re.findall(r"(Tensor(?:\[\])?)(?:\([^)]*\))?(?: (\w+))?", result)
    kinds = ["L" if kind == "Tensor[]" else "T" for kind, _ in items]
    if not kinds:
        return Overload(tuple(found), _RETURNS.get(_schema_code(result), "any"))
    if len(kinds) == 1:
        return Overload(tuple(found), kinds[0])
    fields = tuple(name for _, name in items) if all(name for _, name in items) else ()
    return Overload(tuple(found), "T" * len(kinds) if set(kinds) == {"T"} else tuple(kinds), fields)


def _arguments(text: str) -> list[str]:
    """The arguments of a schema; commas in brackets part nothing."""
    return [part.strip() for part in re.split(r",(?![^\[(]*[\])])", text) if part.strip()]


def _schema_code(kind: str) -> str:
    plain = re.sub(r"\([^)]*\)", "", kind)
    if plain == "Tensor?":
        return "T?"
    word = re.sub(r"\[\d*\]", "[]", plain.replace("?", ""))
    return {
        "Tensor": "T", "Tensor[]": "L", "int": "i", "SymInt": "i", "int[]": "I", "SymInt[]": "I", "Scalar": "f",
        "float": "f", "bool": "b", "str": "s", "ScalarType": "d", "Device": "D", "Generator": "g",
    }.get(word, "?")  # fmt: skip
