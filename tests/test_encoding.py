"""Bytes to text and back, as Python reads them."""

from __future__ import annotations

import codecs

import pytest

from torchperf_lint.syntax.encoding import UndecodableError, decode, encode, mended


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
        ("# -*- coding: future_fstrings -*-\nf'{é}'\n".encode(), "# -*- coding: future_fstrings -*-\nf'{é}'\n"),
        (b"#!/usr/bin/python\n# coding: future-fstrings\n", "#!/usr/bin/python\n# coding: future-fstrings\n"),
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
        (b"# coding: punycode\nx-" + b"a" * 1_000_000, 1, "'punycode' is no encoding for Python source"),
        (b"# coding: IDNA\nx\n", 1, "is no encoding for Python source"),
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
    assert decode(b"#\r\r# coding: utf-7\r").encoding == "utf-8"


@pytest.mark.parametrize("first", [b"#" * 5000 + b"\n", b"# x\r", b"\r", b"\x0c\r\n", b""])
def test_a_cookie_in_the_second_line_however_the_first_is(first: bytes) -> None:
    """Python reads it: a file of which we read other text than Python could say what we do not see."""
    data = first + b"# coding: latin-1\rx = '\xe9'\n"
    compile(data, "x.py", "exec", dont_inherit=True)
    assert decode(data).encoding == "iso-8859-1"
    assert encode(decode(data)) == data


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("cp932", b"x = '\x81\xe0'"),
        ("shift_jis", "x = '名'".encode("shift_jis")),
        ("gbk", "x = '名'".encode("gbk")),
        ("gb18030", "x = '😀'".encode("gb18030")),
        ("euc_jp", "x = '名'".encode("euc_jp")),
        ("big5", "x = '名'".encode("big5")),
        ("koi8-r", "x = 'ж'".encode("koi8-r")),
        ("iso2022_jp", "x = '名'".encode("iso2022_jp")),
        ("utf-7", "x = '名' +- 3".encode("utf-7")),
        ("hz", "x = '名'".encode("hz")),
    ],
)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_lines_that_stay_keep_each_byte(encoding: str, line: bytes, newline: bytes) -> None:
    data = newline.join([b"# coding: " + encoding.encode(), line, b"old = 1", line, b""])
    decoded = decode(data)
    assert mended(data, decoded, decoded.text.replace("old", "new")) == data.replace(b"old", b"new")


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("cp932", b"x = '\x87\x90'"),  # a second form of the sign above, which a writer never gives
        ("utf-7", b"x = '+AGE-'"),
        ("iso2022_jp", b"x = '\x1b$B\x1b(B'"),
        ("iso2022_jp", b"x = '\x1b(Ja\x1b(B'"),
        ("hz", b"x = '~{~}'"),
        ("unicode_escape", b"x = '\\x41'"),
    ],
)
def test_what_cannot_be_kept_is_refused(encoding: str, line: bytes) -> None:
    data = b"# coding: " + encoding.encode() + b"\n" + line + b"\nold = 1\n"
    decoded = decode(data)
    with pytest.raises(ValueError, match="more than one way"):
        mended(data, decoded, decoded.text.replace("old", "new"))


def test_a_letter_that_the_encoding_lacks_is_refused() -> None:
    data = b"# coding: cp932\nold = 1\n"
    with pytest.raises(ValueError, match="encode"):
        mended(data, decode(data), "# coding: cp932\né = 1\n")
