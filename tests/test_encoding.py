"""Bytes to text and back, as Python reads them."""

from __future__ import annotations

import codecs

import pytest

from torchperf_lint.syntax.encoding import UndecodableError, decode, encode


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"a = 1\r\nb = 2\rc\n", "a = 1\r\nb = 2\rc\n"),
        ("x = 'é名'\n".encode(), "x = 'é名'\n"),
        (codecs.BOM_UTF8 + b"x", "x"),
        (codecs.BOM_UTF8 + b"# coding: utf-8\nx", "# coding: utf-8\nx"),
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "# -*- coding: latin-1 -*-\nx = 'é'\n"),
        (
            b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'\x80'",
            "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'€'",
        ),
        (b"\x0c\n\tx", "\x0c\n\tx"),
    ],
)
def test_the_text_and_the_way_back(data: bytes, text: str) -> None:
    decoded = decode(data)
    assert decoded.text == text
    assert encode(decoded) == data


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"a\nb\n\xff\n", 3, "byte 0xff is not UTF-8"),
        ("a".encode("utf-16"), 1, "UTF-16"),
        (b"# coding: no-such-thing\n", 1, "unknown encoding"),
        (b"# coding: rot13\nx\n", 1, "rot13"),
        (b"# coding: undefined\nx\n", 1, "undefined"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", 1, "encoding problem"),
        (b"# coding: ascii\n\xe9\n", 2, "byte 0xe9 is not ascii"),
    ],
)
def test_what_is_no_text_is_told_where(data: bytes, line: int, message: str) -> None:
    with pytest.raises(UndecodableError, match=message) as wrong:
        decode(data)
    assert wrong.value.line == line


def test_a_cookie_below_the_second_line_is_a_comment() -> None:
    assert decode(b"\n\n# coding: latin-1\n").encoding == "utf-8"
