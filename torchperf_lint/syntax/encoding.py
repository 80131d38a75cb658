"""Bytes of a Python file -> text, as Python itself reads them, and back.

Newlines stay what they are; a byte order mark belongs to the encoding, not to the text.
"""

from __future__ import annotations

import codecs
import io
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

_CODING: Final = b"coding"
_END: Final = re.compile(rb"\r\n?|\n")
_DECLARED: Final = re.compile(rb"\A(?:[ \t\f]*(?:#[^\n]*)?\n)?[ \t\f]*#[^\n]*?coding[=:][ \t]*([-\w.]+)")

_ONE_WAY: Final = ("utf-8", "utf-8-sig", "ascii", "iso-8859-1")
"""Encodings in which each text has one form."""
_FSTRINGS: Final = b"future_fstrings"
"""The codec of a package that gave f-strings to old versions of Python: UTF-8, whether it is installed or not."""
_SQUARED: Final = ("punycode", "idna")
"""Encodings of names of machines, which take the square of the length of a text."""


class UndecodableError(ValueError):
    """Bytes that are no text in their encoding; says where the first such byte is."""

    def __init__(self, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the encoding that turns it back into the same bytes."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded:
    """The text of a Python file."""
    encoding = _encoding(data)
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UndecodableError(f"byte 0x{data[error.start]:02x} is not {_shown(encoding)}", line) from None
    except (LookupError, ValueError) as error:  # a codec that is none for text, or `undefined`
        raise UndecodableError(f"the encoding {encoding!r} cannot be read: {error}") from None


def encode(decoded: Decoded) -> bytes:
    """The bytes of a text; `UnicodeEncodeError` where its encoding has no place for a character."""
    return decoded.text.encode(decoded.encoding)


def as_file(text: str) -> bytes:
    """The bytes of a file that is read as this text, if there are any; UTF-8 where the text names an encoding amiss."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        encoding = _encoding(data)
        return data if encoding.startswith("utf-8") else text.encode(encoding)
    except (LookupError, ValueError):
        return data


def mended(data: bytes, decoded: Decoded, text: str) -> bytes:
    """The bytes of a file with a mended text; a `ValueError` where bytes of lines that stay would not stay."""
    new = encode(Decoded(text, decoded.encoding))
    if decoded.encoding not in _ONE_WAY and not (
        _by_line(decoded) == data and _by_line(Decoded(text, decoded.encoding)) == new
    ):
        raise ValueError(
            f"{decoded.encoding} writes letters in more than one way, and others than the mended would change"
        )
    return new


def _by_line(decoded: Decoded) -> bytes:
    """A text written line by line: if that is how a file is written, what happens in a line changes no other."""
    return b"\n".join(line.encode(decoded.encoding) for line in decoded.text.split("\n"))


def may_declare(data: bytes) -> bool:
    """Whether a file may say in what encoding it is: few do."""
    return _CODING in _head(data)


def _head(data: bytes) -> bytes:
    """The first two lines, in which Python looks for an encoding, however long and however they end."""
    return b"\n".join(_END.split(data, maxsplit=2)[:2])


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UndecodableError("UTF-16 is no encoding for Python source")
    head = _head(data)
    if not data.startswith(codecs.BOM_UTF8) and _CODING not in head:
        return "utf-8"
    declared = _DECLARED.match(head)
    if declared is not None:
        if declared[1].replace(b"-", b"_") == _FSTRINGS and not data.startswith(codecs.BOM_UTF8):
            return "utf-8"
        _refuse_squared(declared[1].decode("ascii", "replace"))  # before Python 3.14 reads a line in it
    from tokenize import detect_encoding

    try:
        encoding = detect_encoding(io.BytesIO(head).readline)[0]
    except SyntaxError as error:
        raise UndecodableError(str(error.msg)) from None
    except (LookupError, ValueError) as error:  # Python 3.14 asks the codec
        name = declared[1].decode("ascii", "replace") if declared is not None else "declared"
        raise UndecodableError(f"the encoding {name!r} cannot be read: {error}") from None
    _refuse_squared(encoding)
    return encoding


def _refuse_squared(encoding: str) -> None:
    with suppress(LookupError):
        if codecs.lookup(encoding).name in _SQUARED:
            raise UndecodableError(f"{encoding!r} is no encoding for Python source")


def _shown(encoding: str) -> str:
    return "UTF-8" if encoding in ("utf-8", "utf-8-sig") else encoding
