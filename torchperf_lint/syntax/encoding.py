"""Bytes of a Python file -> text, as Python itself reads them, and back.

Newlines stay what they are; a byte order mark belongs to the encoding, not to the text.
"""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from typing import Final

_COOKIE: Final = re.compile(rb"\A(?:[^\n]*\n)?[^\n]*coding[=:]")


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


def _encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UndecodableError("UTF-16 is no encoding for Python source")
    if not data.startswith(codecs.BOM_UTF8) and not _COOKIE.match(data[:1000]):
        return "utf-8"
    from tokenize import detect_encoding

    try:
        return detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        raise UndecodableError(str(error.msg)) from None


def _shown(encoding: str) -> str:
    return "UTF-8" if encoding in ("utf-8", "utf-8-sig") else encoding
