"""LibCST's tree, lowered, is the tree that Python's own parser makes."""

from __future__ import annotations

import ast
import sys
import warnings
from pathlib import Path

import libcst as cst
import programs
import pytest
from forms import telling

from torchperf_lint.syntax.lower import lower
from torchperf_lint.syntax.pieces import read
from torchperf_lint.syntax.positions import give_positions
from torchperf_lint.syntax.source import Source

HERE = Path(__file__).parent
OURS = sorted(each for each in HERE.rglob("*.py") if not each.name.endswith(".fixed.py"))
"""Programs of many people and of ours; what a fix makes of one is nearly that, and the package is written as the tests are."""

STRINGS = r'''
"a" 'b' """c""" r"\d" u"e" "\n\x41\u00e9\N{EM DASH}\
joined"
b"x" b'\x00' rb"\x" Rb'y' BR"z"
"" '' """""" f"" f'' F"x" fr"\d{x}" Rf"{x}\n"
"a" f"{b}" 'c' f'd' "" f"" "e"
u"a" "b"; u'c' f"{d}"
f"{{}} {{{x}}} {x!r} {x!s:>10} {x:{w}.{p}f} {x:%Y-%m-%d} {x:}"
f"{x = } {x=!s} {x=:>5} { x +  1 = }"
f'{x["a"]} {(lambda y: y)(1)} {x if y else z} {"nested"} {d[f"{k}"]}'
f"""{
    x
} and
{y:{
    w}}"""
f"\N{EM DASH} \{x} \x41{x}\t"
f"{x}" "{y}" rf"\{z}"
f"""say "{x}""" f'{x}"'
'''
NUMBERS = "0 + 00 + 1_000 + 0xFF + 0o17 + 0b1_0 + 1. + .5 + 1e-3 + 1_0.0_1e+1_0 + 1j + 1.5J + 0_0 + 1E5 + 10**-2"
EXPRESSIONS = """
a and b and c or d and (e and f) and not g
(a and b) and c; a and (b and c); a or b and c or d
a < b <= c != d == e is f is not g in h not in i > j >= k
a if b else c if d else e
lambda: 0; lambda x: x; lambda x, /, y=1, *z, w, v=2, **k: (x, y); lambda *, a: a; lambda *a: a; lambda **k: k
f(a, *b, c=1, *d, **e, f=2, **g); f(*a, b); f(x for x in y); f((x for x in y), 1); f(a,); f(a)(b)[c].d()
f(a := 1); (a := b); [a := 1, 2]; {a: (b := 1)}; x[a := 0]
a[b]; a[b,]; a[b, c]; a[:]; a[::]; a[b:c:d]; a[b:, :c, ::d]; a[(b, c)]; a[...]; a[-1]; a[b][c]
(); (a,); (a, b); a, b; a,; [a, *b]; {a, *b}; *a, b; {}; {a: b, **c}; {**a}
[x for x in y for z in w if a if b]; {x for x, in y}; {x: y for x, y in z}; (x async for x in y)
-a ** -b; not not a; ~-+a; a @ b % c // d << e >> f & g ^ h | i
(yield); x = yield a; x = yield from b; x = await c; y = (yield x), 1
None; True; False; ...; __debug__; print >>a, b
"""
STATEMENTS = """
import a, b.c as d, e.f.g
from . import a
from .. import *
from ...a.b import (c as d, e,)
a = b = c, d = [e, *f] = g
(a, b), [c, *d] = e.f, g[0] = h
a: int; a.b: int = 1; a[0]: "str"; c: int = yield
a += 1; a.b -= 2; a[0] **= 3; a //= 4; a |= b; a ^= b; a &= b; a <<= b; a >>= b; a /= b; a %= b; a *= b; a @= b
del a; del a, b[0], c.d; del (a, b); del [a]; del a,; del (a)
raise; raise a; raise a from b
assert a; assert a, b; global c, d; pass
for a, in b: break
for a.b in c, d: continue
else: pass
while a: pass
else: pass
with a: pass
with a as b, c as (d, e), f: pass
with (a as b, c,): pass
with (a, b): pass
with (a), (b) as c.d: pass
with (yield a): pass
try: a
except: b
try: a
finally: b
try: a
except A: pass
except (B, C) as d: pass
else: e
finally: f
if a: b
elif c:
    d
elif e: f
else:
    if g: h
def f(): pass
def f(a, b: int = 1, /, c=2, *args: str, d, e: int = 3, **kwargs: dict) -> None: return
def f(a, /): return a,
def f(*, a): return *a, b
@a.b
@c(d)
@(lambda f: f)
async def f(a=1, *, b=2):
    async for x in y: await z
    async with a as b, c: pass
    return [x async for x in y]
class A: pass
class A(): a = 1
class A(B, *C, metaclass=D, **E):
    def f(self): return super().f()
"""
MATCHES = """
match a:
    case 1 | -2 | 3.5 | 1 + 2j | "x" "y" | b"z" | None | True | (False): pass
    case a.b.c: pass
    case _: pass
    case x: pass
    case [a, *_, 1] | (b, [c, *d]) | (): pass
    case a, b: pass
    case a,: pass
    case {"k": v, 1: [x], a.b: _, None: n, **rest}: pass
    case {}: pass
    case A(): pass
    case a.B(1, x, y=2, z=C(),): pass
    case (1 | 2) as x if x > 1: pass
    case [1, 2] as y: pass
match a, *b:
    case *c, d: pass
match (x):
    case _: match = case = 1
match = type = 1
match[a]; match(a); type(b)
"""


NAMES = {
    (3, 11): {"a", "b", "group", "x", "y", "z", "Ts"},
    (3, 12): {"items", "T", "Base", "Pair", "A", "names", "n", "x"},
    (3, 13): {"T", "x"},
    (3, 14): {"a", "b", "ValueError", "TypeError", "name", "width", "age"},
}
"""Which of the names of `programs.NEWER` are seen on every Python."""


def dumped(root: ast.AST) -> str:
    if sys.version_info[:2] == (3, 12):
        # 3.12.0 to 3.12.3 put an empty text behind a field in a format specification.
        for node in ast.walk(root):
            if isinstance(node, ast.JoinedStr):
                node.values = [each for each in node.values if getattr(each, "value", None) != ""]
    return ast.dump(root, indent=1)


def assert_same(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert dumped(lower(cst.parse_module(text)).root) == dumped(ast.parse(text))


@pytest.mark.parametrize("text", [*STRINGS.strip().split('\nf"""')[0].splitlines()[2:], STRINGS])
def test_strings(text: str) -> None:
    assert_same(text)


@pytest.mark.parametrize("text", [NUMBERS, *EXPRESSIONS.strip().splitlines()])
def test_expressions(text: str) -> None:
    assert_same(text)


@pytest.mark.parametrize("text", [STATEMENTS, MATCHES, programs.TRAINING, programs.WINDOWS, *programs.PLACES.values()])
def test_statements(text: str) -> None:
    assert_same(text)


@pytest.mark.parametrize("text", [STATEMENTS, MATCHES, programs.TRAINING, STRINGS])
@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_other_newlines(text: str, newline: str) -> None:
    assert_same(text.replace("\n", newline))


@pytest.mark.slow
def test_every_form_in_the_files_of_the_tests() -> None:
    for text in telling(path.read_text("utf-8") for path in OURS):
        assert_same(text)


@pytest.mark.parametrize("version", programs.NEWER)
def test_what_this_python_reads_of_newer_syntax(version: tuple[int, int]) -> None:
    text = programs.NEWER[version]
    if sys.version_info >= version:
        assert_same(text)
    lowered = lower(cst.parse_module(text))
    assert lowered.needs == version
    names = {getattr(node, "id", None) for node in ast.walk(lowered.root)}
    assert names >= NAMES[version]


def test_names_are_those_that_python_compares() -> None:
    assert_same("ﬁeld = ª.ﬁeld(ﬁeld=1)\nimport ﬁ.ª as ª\ndef ﬁ(ª): global ﬃ\nclass ﬁ: pass\n")


class TestPairs:
    """Which LibCST node an `ast` node came from."""

    @staticmethod
    def origins(text: str, kind: type[ast.AST]) -> list[cst.CSTNode]:
        lowered = lower(cst.parse_module(text))
        return [lowered.pairs[node] for node in ast.walk(lowered.root) if isinstance(node, kind)]

    def test_everything_has_an_origin_but_what_libcst_has_no_node_for(self) -> None:
        lowered = lower(cst.parse_module(programs.TRAINING))
        lone = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
        orphans = [each for each in ast.walk(lowered.root) if not isinstance(each, lone) and each not in lowered.pairs]
        # The tuples of `x[..., ::2, 1:-1, None]` and `dict[str, Any]`.
        assert [type(each) for each in orphans] == [ast.Tuple, ast.Tuple]

    def test_the_outermost_of_nested_operations(self) -> None:
        (origin,) = self.origins("a and b and c", ast.BoolOp)
        match origin:
            case cst.BooleanOperation(left=cst.BooleanOperation(), right=cst.Name("c")):
                pass
            case _:
                pytest.fail(str(origin))

    @pytest.mark.parametrize(
        ("text", "kind", "expected"),
        [
            ("f(a=1, **b)", ast.keyword, [cst.Arg, cst.Arg]),
            ("f(*a)", ast.Starred, [cst.Arg]),
            ("[*a]", ast.Starred, [cst.StarredElement]),
            ("def f(a, *b): pass", ast.arg, [cst.Param, cst.Param]),
            ("def f(): pass", ast.arguments, [cst.Parameters]),
            ("[a for b in c for d in e]", ast.comprehension, [cst.CompFor, cst.CompFor]),
            ("with a: pass", ast.withitem, [cst.WithItem]),
            ("import a, b", ast.alias, [cst.ImportAlias, cst.ImportAlias]),
            ("x[a:b]", ast.Slice, [cst.Slice]),
            ("f'{a}'", ast.JoinedStr, [cst.FormattedString]),
            ("'a' f'{b}'", ast.JoinedStr, [cst.ConcatenatedString]),
            ("if a: pass\nelif b: pass", ast.If, [cst.If, cst.If]),
        ],
    )
    def test_kinds(self, text: str, kind: type[ast.AST], expected: list[type[cst.CSTNode]]) -> None:
        assert [type(origin) for origin in self.origins(text, kind)] == expected


class TestPositions:
    """Where lowered nodes stand: where Python says it, outside of f-strings, of which older ones say no truth."""

    @staticmethod
    def placed(root: ast.AST) -> list[tuple[object, ...]]:
        found: list[tuple[object, ...]] = []
        stack = [root]
        while stack:
            node = stack.pop()
            places = [getattr(node, name, None) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")]
            found.append((type(node).__name__, *places))
            if not isinstance(node, ast.JoinedStr):
                stack += ast.iter_child_nodes(node)
        return found

    @pytest.mark.parametrize(
        "text", [STATEMENTS, EXPRESSIONS, programs.TRAINING, programs.WINDOWS, *programs.PLACES.values()]
    )
    def test_they_are_those_of_python(self, text: str) -> None:
        piece = read(Source(text))
        give_positions(piece)
        ours, theirs = self.placed(piece.lowered.root), self.placed(ast.parse(text))
        differing = [each for each in zip(ours, theirs, strict=True) if each[0] != each[1]]
        if text == EXPRESSIONS:  # the tuple of `a[b,]` ends behind its comma for Python
            assert [(a[0], b[0]) for a, b in differing] == [("Tuple", "Tuple")]
        else:
            assert differing == []
