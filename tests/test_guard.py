"""What would end the process never reaches a parser."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchperf_lint.syntax.guard import before_libcst
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Source, SyntaxFault

DEEP = {
    "parentheses": lambda n: "(" * n + "a" + ")" * n,
    "lists": lambda n: "[" * n + "]" * n,
    "dicts": lambda n: "{1:" * n + "a" + "}" * n,
    "calls in calls": lambda n: "f(" * n + "a" + ")" * n,
    "subscripts": lambda n: "a[" * n + "0" + "]" * n,
    "f-strings": lambda n: 'f"{' * n + "a" + '}"' * n,
    "calls of calls": lambda n: "f" + "()" * n,
    "attributes": lambda n: "a" + ".b" * n,
    "methods": lambda n: "a" + ".b()" * n,
    "sums": lambda n: "a" + " + a" * n,
    "powers": lambda n: "a" + "**a" * n,
    "conjunctions": lambda n: "a" + " and a" * n,
    "not": lambda n: "not " * n + "a",
    "signs": lambda n: "-" * n + "a",
    "lambdas": lambda n: "lambda: " * n + "a",
    "conditions": lambda n: "a if b else " * n + "a",
    "strings": lambda n: "'a' " * n,
    "clauses": lambda n: "[a " + "for a in b " * n + "]",
    "elif": lambda n: "if a:\n  b\n" + "elif a:\n  b\n" * n,
    "blocks": lambda n: "".join(" " * i + "if a:\n" for i in range(n)) + " " * n + "b",
    "imports": lambda n: "import a" + ".a" * n,
    "patterns": lambda n: "match a:\n case " + "[" * n + "]" * n + ": pass",
}

BOTH = """
import json, sys
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Source, SyntaxFault
for kind, texts in json.load(sys.stdin).items():
    for text in texts:
        try:
            tree = parse(Source(text))
            tree.span(tree.cst(tree.root.body[0]))
        except SyntaxFault as fault:
            print(kind, "fault", sep=": ", flush=True)
        else:
            print(kind, "read", sep=": ", flush=True)
"""


@cache
def said_of_all() -> list[str]:
    """What a process says that reads every kind, of each depth; what it says last is where it ended."""
    depths = {kind: (5, 20, 450, 3000, *([60000] if kind != "blocks" else [])) for kind in DEEP}
    texts = json.dumps({kind: [DEEP[kind](depth) for depth in depths[kind]] for kind in DEEP})
    done = subprocess.run([sys.executable, "-c", BOTH], input=texts, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stdout[-80:], done.stderr[-2000:])
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("kind", DEEP)
def test_no_depth_ends_the_process(kind: str) -> None:
    short, longer, *rest = (line.rpartition(": ")[2] for line in said_of_all() if line.startswith(f"{kind}: "))
    assert (short, longer) == ("read", "read" if kind != "patterns" else "fault")
    assert set(rest) == {"fault"}


@pytest.mark.parametrize("pattern", ["{1: ", "(", "A(b=", "["])
def test_patterns_that_would_take_hours(pattern: str) -> None:
    depth = 20
    closing = {"{": "}", "(": ", c)", "A": ")", "[": "]"}[pattern[0]]
    with pytest.raises(SyntaxFault, match="brackets inside each other"):
        before_libcst(Source(f"match a:\n    case {pattern * depth}b{closing * depth}: pass\n"))
    before_libcst(Source(f"match a:\n    case {pattern * 5}b{closing * 5}: pass\n"))


def test_a_line_that_would_fill_the_memory() -> None:
    with pytest.raises(SyntaxFault, match="tokens that build on each other"):
        parse(Source("import a" + ".a" * 50_000))


@pytest.mark.parametrize(
    "text",
    [
        "'" + "(" * 5000 + "'",
        '"""' + "[\n" * 5000 + '"""',
        "# " + "{" * 5000,
        "f'" + "{{" * 5000 + "'",
        "f(" + "a, " * 5000 + ")",
        "f(" + "(a), " * 5000 + ")",
        "a\n" * 5000,
        "a;" * 5000,
        "[" + "'a' + b, " * 5000 + "]",
        "{" + "'a': [1, 2],\n" * 5000 + "}",
        "if a:\n b\n" * 5000,
        "if a:\n b\nelif c:\n d\n" * 5000,
        "x = \\\n1\n" * 5000,
    ],
)
def test_what_is_long_and_not_deep(text: str) -> None:
    before_libcst(Source(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(" * 150, "brackets inside each other"),
        ("a" + ".b" * 500, "tokens that build on each other"),
        ("".join(" " * n + "if a:\n" for n in range(99)), "blocks inside each other"),
        ("if a: b\n" + "elif a: b\n" * 500, "times `elif` in a row"),
    ],
)
def test_the_fault_says_what_is_too_deep(text: str, words: str) -> None:
    with pytest.raises(SyntaxFault, match=words):
        before_libcst(Source(text))


def test_python_alone_reads_deeper_than_libcst_may() -> None:
    tree = parse(Source("a = 1\nb = a" + " + a" * 600 + "\nc = 2\n"))
    assert tree.span(tree.cst(tree.root.body[2])).start.line == 3
    with pytest.raises(SyntaxFault) as caught:
        tree.cst(tree.root.body[1])
    assert caught.value.place.line == 2


PIECES = (
    "a", " 1or ", "\n", "\r\n ", "  ", "(", "]", "{", "}", ",", ";", "elif", "case ", "'b'", 'f"', '"', "\\\n", "\x1f", ".", "\f", ":", "#",
)  # fmt: skip
"""What a text is drawn of: all that makes it deeper, and what hides that."""


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(min_value=2, max_value=200))
def test_what_is_too_short_to_be_deep_is_not(pieces: list[str], budget: int) -> None:
    """A short text is let through unread; with lines before it that need nothing it is read, and nothing else is said."""
    text = "".join(pieces)
    assert is_refused(text, budget) == is_refused("0\n" * 100 + text, budget)


def is_refused(text: str, budget: int) -> bool:
    try:
        before_libcst(Source(text), budget=budget)
    except SyntaxFault:
        return True
    return False
