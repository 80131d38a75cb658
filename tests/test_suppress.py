"""Comments that silence findings."""

from __future__ import annotations

import re
import sys
from types import FrameType

import pytest

from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Place, Source, Span
from torchperf_lint.syntax.suppress import IN_A_COMMENT, Suppressions, Unused, read

ITEM = ("TPL101", "scalar-read-every-step")
OTHER = ("TPL102", "element-writes")
RULES = frozenset({*ITEM, *OTHER})


def read_text(text: str) -> Suppressions:
    source = Source(text, "a.py")
    return read(source, parse(source))


def at(text: str, code: str) -> Span:
    """Where some code stands."""
    source, start = Source(text), text.index(code)
    return Span(source.place(start), source.place(start + len(code)))


def hides(text: str, code: str = "a.item()", rule: tuple[str, str] = ITEM) -> bool:
    return read_text(text).hides(*rule, at(text, code))


def unused(text: str, *found: str, rule: tuple[str, str] = ITEM, unasked: frozenset[str] = frozenset()) -> list[Unused]:
    """What is of no use once a rule has found some code."""
    suppressions = read_text(text)
    for code in found:
        suppressions.hides(*rule, at(text, code))
    return list(suppressions.unused(unasked=unasked, rules=RULES))


@pytest.mark.parametrize(
    "comment",
    [
        "# tpl: ignore[TPL101] why",
        "# tpl: ignore[TPL101]",
        "#tpl:ignore[TPL101]",
        "# TPL: ignore[tpl101]",
        "# tpl: ignore[TPL102, TPL101]",
        "# tpl: ignore[ TPL102 TPL101 ]",
        "# tpl: ignore[scalar-read-every-step]",
        "# tpl: ignore",
        "# tpl: ignore: it is cold",
        "# tpl: ignore TPL101, TPL102 brackets forgotten",
        "# tpl: ignore: TPL101",
        "# tpl: ignore=TPL102,TPL101",
        "# tpl: ignore(TPL101)",
        "# type: ignore # tpl: ignore[TPL101]",
        "# noqa",
        "# NOQA",
        "# noqa: TPL101",
        "#noqa:TPL101",
        "# noqa: E501, TPL101",
        "# noqa: E501,TPL101 TPL102",
        "# noqa: F401 # noqa: TPL101",
        "# why not # tpl: ignore[TPL101] because",
    ],
)
def test_what_silences(comment: str) -> None:
    assert hides(f"x = a.item()  {comment}\n")
    assert not hides(f"x = a.item()\ny = 1  {comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# tpl: ignore[TPL102]",
        "# tpl: ignore TPL102",
        "# tpl: ignore: TPL102",
        "# tpl: ignore(TPL102)",
        "# tpl: ignore[TPL10]",
        "# tpl: see TPL101",
        "# tpl: a template",
        "# noqa: E501",
        "# noqa: ",
        "# noqa: because",
        "# noqanda",
        "# ignore[TPL101]",
        "# type: ignore",
        "# http://noqa.org",
    ],
)
def test_what_does_not(comment: str) -> None:
    assert not hides(f"x = a.item()  {comment}\n")
    assert unused(f"x = b  {comment}\n", rule=OTHER) == [] or "TPL10" in comment


@pytest.mark.parametrize(
    "comment",
    [
        "# tpl: ignore[]",
        "# tpl: ignor[TPL101]",
        "# tpl: ignored[TPL101]",
        "# tpl: ignore-files[TPL101]",
        "# tpl: ignore-next-line",
        "# tpl: disable=TPL101",
        "# tpl: noqa: TPL101",
        "# tpl: TPL101",
        "# tpl : ignore[TPL101]",
        "# torchperf-lint: ignore[TPL101]",
        "# torchperf-lint: disable=TPL101 it is cold",
    ],
)
def test_what_was_meant_to_silence_and_does_not_is_told_and_stays(comment: str) -> None:
    text = f"x = a.item()  # type: ignore {comment}\n"
    assert not hides(text)
    (told,) = unused(text)
    assert told.message.startswith(f"`{comment}` silences nothing: write `# tpl: ignore[CODE]`")
    assert (told.span, told.removal) == (at(text, comment), None)


class TestLines:
    """A comment speaks for its statement, whole, and of a compound one for its header."""

    @pytest.mark.parametrize("line", range(1, 5))
    def test_any_line_of_a_statement(self, line: int) -> None:
        lines = ["x = f(", "    a.item(),", "    b,", ")", "y = 1"]
        assert hides("\n".join([*lines[: line - 1], f"{lines[line - 1]}  # tpl: ignore[TPL101]", *lines[line:]]))

    @pytest.mark.parametrize(
        ("text", "code", "silent"),
        [
            ("if a.item():  # noqa\n    b.item()\n", "a.item()", True),
            ("if a.item():  # noqa\n    b.item()\n", "b.item()", False),
            ("if a.item():\n    b.item()  # noqa\n", "a.item()", False),
            ("if (\n    a.item()\n    and b  # noqa\n):\n    c\n", "a.item()", True),
            ("if (\n    a.item()\n):  # noqa\n    c\n", "a.item()", True),
            ("if (\n    # noqa\n    a.item()\n):\n    c\n", "a.item()", True),
            ("if a.item():\n    # noqa\n    c\n", "a.item()", False),
            ("if b:\n    # noqa\n    a.item()\n", "a.item()", False),
            ("# noqa\na.item()\n", "a.item()", False),
            ("if a.item(): b  # noqa\n", "a.item()", True),
            ("if b: a.item()  # noqa\n", "a.item()", True),
            ("if b: f(\n  a.item()\n)  # noqa\n", "a.item()", True),
            ("if b:\n    c\nelif a.item():  # noqa\n    d\n", "a.item()", True),
            ("if b:  # noqa\n    c\nelif a.item():\n    d\n", "a.item()", False),
            ("if b:\n    c\nelse:  # noqa\n    a.item()\n", "a.item()", False),
            ("@d(a.item())\n@e  # noqa\ndef f():\n    pass\n", "a.item()", True),
            ("@d(a.item())\n@e\ndef f(\n    x,\n):  # noqa\n    pass\n", "a.item()", True),
            ("@d  # noqa\ndef f():\n    a.item()\n", "a.item()", False),
            ("def f(x=a.item(), *,  # noqa\n      y): return x\n", "a.item()", True),
            ("class A(b):  # noqa\n    x = a.item()\n", "a.item()", False),
            ("with open(b) as c, \\\n    d(a.item()):  # noqa\n    e\n", "a.item()", True),
            ("for b in a.item():  # noqa\n    c\nelse:\n    d\n", "a.item()", True),
            ("try:  # noqa\n    a.item()\nexcept b:\n    c\n", "a.item()", False),
            ("try:\n    b\nexcept c(a.item()):  # noqa\n    d\n", "a.item()", True),
            ("try:\n    b\nexcept c:  # noqa\n    a.item()\n", "a.item()", False),
            ("try:\n    b\nfinally:\n    a.item()  # noqa\n", "a.item()", True),
            ("match a.item():  # noqa\n    case 1:\n        b\n", "a.item()", True),
            ("match b:\n    case 1 if a.item():  # noqa\n        c\n    case 2:\n        d\n", "a.item()", True),
            ("match b:  # noqa\n    case 1 if a.item():\n        c\n", "a.item()", False),
            ("x = 1; y = a.item(); z = (\n  2)  # noqa\n", "a.item()", False),
            ("x = 1; y = a.item()  # noqa\n", "a.item()", True),
            ("x = '''\n''' + a.item()  # noqa\n", "a.item()", True),
            ("ä = 'ö'; ü = a.item()  # noqa\n", "a.item()", True),
        ],
    )
    def test_which_lines_are_of_a_statement(self, text: str, code: str, silent: bool) -> None:
        assert hides(text, code) is silent

    def test_the_whole_statement_is_flagged(self) -> None:
        text = "for x in y:  # tpl: ignore[TPL101]\n    a.item()\n"
        assert hides(text, text.strip())

    @pytest.mark.parametrize(
        "comment", ["# tpl: ignore-file[TPL101]", "# tpl: ignore-file", "#tpl:ignore-file[TPL9,TPL101] x"]
    )
    @pytest.mark.parametrize(
        "text", ["{}\nx = a.item()\n", "x = a.item()\n{}", "def f():\n    return a.item()\n\n    {}\n"]
    )
    def test_whole_files(self, text: str, comment: str) -> None:
        assert hides(text.format(comment))
        assert hides(text.format(comment), rule=OTHER) is ("[" not in comment)

    @pytest.mark.parametrize(
        "text",
        [
            "x = '''\n# tpl: ignore-file\n''', a.item()\n",
            "x = '# noqa', a.item()\n",
            "x = f'# noqa {b} # noqa', a.item()\n",
            'x = f"{b:# noqa}", a.item()\n',
            "x = a.item() \\\n  + '# noqa'\n",
        ],
    )
    def test_strings_are_no_comments(self, text: str) -> None:
        assert not hides(text)

    def test_several_comments_may_be_of_use(self) -> None:
        text = "x = f(a.item(),  # tpl: ignore[TPL101]\n  b)  # noqa: TPL101\n"
        assert unused(text, "a.item()") == []


class TestUnused:
    @pytest.mark.parametrize(
        ("text", "message", "rest"),
        [
            (
                "x = b  # tpl: ignore[TPL101] why so\ny\n",
                "`# tpl: ignore[TPL101] why so` silences nothing",
                "x = b\ny\n",
            ),
            ("x = b  # tpl: ignore\n", "`# tpl: ignore` silences nothing", "x = b\n"),
            ("x = b # noqa: TPL101\r\n", "`# noqa: TPL101` silences nothing", "x = b\r\n"),
            ("x\n    # tpl: ignore[TPL101]\ny\n", "`# tpl: ignore[TPL101]` silences nothing", "x\ny\n"),
            ("x\n# tpl: ignore-file[TPL101]", "`# tpl: ignore-file[TPL101]` silences nothing", "x\n"),
            ("x  # type: ignore # noqa: TPL101\n", "`# noqa: TPL101` silences nothing", "x  # type: ignore\n"),
            ("x  # noqa: TPL101 # type: ignore\n", "`# noqa: TPL101` silences nothing", "x  # type: ignore\n"),
            ("x  # noqa: E501, TPL101\n", "`TPL101` silences nothing", "x  # noqa: E501\n"),
            ("x  # noqa: TPL101,E501 why\n", "`TPL101` silences nothing", "x  # noqa: E501 why\n"),
            ("x  # tpl: ignore[TPL101,\tTPL102]\n", "`# tpl: ignore[TPL101,\tTPL102]` silences nothing", "x\n"),
            ("é = 'ñ'  # tpl: ignore[TPL101]\n", "`# tpl: ignore[TPL101]` silences nothing", "é = 'ñ'\n"),
        ],
    )
    def test_what_it_says_and_how_it_goes(self, text: str, message: str, rest: str) -> None:
        (found,) = unused(text)
        source = Source(text)
        start, end = source.extent(found.removal)
        assert found.message == message
        assert f"`{source.cut(found.span)}` silences nothing" == message
        assert text[:start] + text[end:] == rest

    @pytest.mark.parametrize(
        ("words", "rest"),
        [
            ("TPL101, TPL102", "TPL101"),
            ("TPL102, TPL101", "TPL101"),
            ("TPL102,TPL101,  element-writes", "TPL101,  element-writes"),
            ("scalar-read-every-step, TPL102", "scalar-read-every-step"),
            ("TPL102 TPL101", "TPL101"),
        ],
    )
    def test_one_word_of_several(self, words: str, rest: str) -> None:
        text = f"x = a.item()  # tpl: ignore[{words}] why\n"
        found, *_ = unused(text, "a.item()")
        start, end = Source(text).extent(found.removal)
        assert found.message == "`TPL102` silences nothing"
        assert text[:start] + text[end:] == f"x = a.item()  # tpl: ignore[{rest}] why\n"

    def test_of_rules_that_were_not_asked_nothing_is_said(self) -> None:
        text = "x  # tpl: ignore[TPL101, TPL102]\ny  # tpl: ignore[element-writes]\n"
        found = unused(text, unasked=frozenset(OTHER))
        assert [(each.message, each.span.start) for each in found] == [("`TPL101` silences nothing", Place(1, 18))]

    def test_what_is_of_use(self) -> None:
        assert unused("x = a.item()  # tpl: ignore\n", "a.item()") == []
        assert unused("x = a.item()  # tpl: ignore[TPL101]\n", "a.item()") == []
        assert unused("# tpl: ignore-file[TPL101]\nx = a.item()\n", "a.item()") == []
        assert len(unused("x = a.item()  # tpl: ignore[TPL102]\n", "a.item()")) == 1

    def test_noqa_alone_is_meant_for_others_too(self) -> None:
        assert unused("x  # noqa\ny  # noqa: E501\n") == []


def test_a_text_that_tokenize_refuses() -> None:
    """A newer Python's text, on an older one."""
    text = "type A[B] = C\nx = f'{d['#']}', a.item()  # tpl: ignore[TPL101]\n"
    assert hides(text)


MANY = {
    "statements": lambda count: "x.item()  # tpl: ignore[TPL101]\n" * count,
    "lines of a statement": lambda count: "[\n" + "x.item(),  # tpl: ignore[TPL101]\n" * count + "]\n",
    "for the file": lambda count: "x.item()\n" * count + "# tpl: ignore-file[TPL101]\n" * count,
    "on a line": lambda count: "x.item()" + "  # tpl: ignore[TPL101]" * count + "\n",
    "never closed": lambda count: "x.item()" + "  # tpl: ignore[TPL101" * count + "\n",
    "blocks": lambda count: "if x:\n    x.item()  # noqa: TPL101\nelse:\n    x.item()  # noqa\n" * count,
}


@pytest.mark.parametrize("family", MANY)
def test_many_suppressions_take_as_many_steps(family: str) -> None:
    """By counting: eight times the text is eight times the work and a little, not sixty-four times."""

    def steps(count: int) -> int:
        source = Source(MANY[family](count), "a.py")
        tree, taken = parse(source), 0

        def counting(frame: FrameType, event: str, _: object) -> object:
            nonlocal taken
            taken += event == "line"
            return counting

        before = sys.gettrace()
        sys.settrace(counting)
        try:
            suppressions = read(source, tree)
            places = [source.place(match.start()) for match in re.finditer("x.item", source.text)]
            hidden = [suppressions.hides(*ITEM, Span(place, place)) for place in places]
            list(suppressions.unused(unasked=frozenset(), rules=RULES))
        finally:
            sys.settrace(before)
        assert all(hidden)
        return taken

    assert steps(512) < 12 * steps(64)


def test_a_comment_that_is_nothing_but_directives_is_read_to_an_end() -> None:
    """Two hundred thousand of them in one line took a minute: each looks at the whole line."""
    assert len(read_text("x = 1  " + "# tpl: ignore[TPL101] " * 1000).found) == IN_A_COMMENT
