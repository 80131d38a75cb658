"""One file as two trees."""

from __future__ import annotations

import ast
import contextlib
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import fixture
import libcst as cst
import programs
import pytest

from torchperf_lint.facts.facade import Facts
from torchperf_lint.facts.index.module import Module
from torchperf_lint.facts.index.program import Program
from torchperf_lint.syntax import pieces
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Place, Source, Span, SyntaxFault
from torchperf_lint.syntax.tree import PLAIN, NotAlone, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = {"training": programs.TRAINING, "windows": programs.WINDOWS, **programs.PLACES}
PROGRAMS = TEXTS | {each.name: each.path.read_text(encoding="utf-8") for each in fixture.fixtures()[::3]}
LONE = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)


def tree_of(text: str) -> Tree:
    return parse(Source(text, "a.py"))


def nodes(tree: Tree) -> Iterator[ast.AST]:
    """Every node that LibCST has too: not the tuple of `x[a, b]`, and not the empty texts of Python 3.12.0 to 3.12.3."""
    indices = {each.slice for each in ast.walk(tree.root) if isinstance(each, ast.Subscript)}
    strings = [each for each in ast.walk(tree.root) if isinstance(each, ast.JoinedStr)]
    empty = {each for string in strings for each in string.values if getattr(each, "value", None) == ""}
    for node in ast.walk(tree.root):
        if not isinstance(node, LONE) and not (isinstance(node, ast.Tuple) and node in indices) and node not in empty:
            yield node


def the(tree: Tree, code: str) -> cst.CSTNode:
    """The LibCST node of the first expression or statement that is written so."""
    for kind in (ast.expr, ast.stmt):
        for node in ast.walk(tree.root):
            if isinstance(node, kind) and ast.get_source_segment(tree.source.text, node) == code:
                return tree.cst(node)
    raise LookupError(code)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What LibCST is shown."""
    texts: list[str] = []
    parse_module = cst.parse_module

    def spy(text: str) -> cst.Module:
        texts.append(text)
        return parse_module(text)

    monkeypatch.setattr(cst, "parse_module", spy)
    return texts


class TestPairs:
    @pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
    def test_every_node_has_its_counterpart(self, text: str) -> None:
        tree = tree_of(text)
        for node in nodes(tree):
            counterpart = tree.cst(node)
            if isinstance(node, ast.Name):
                assert tree.source.cut(tree.span(counterpart)) == node.id
            if not isinstance(node, (ast.Module, ast.JoinedStr)):
                assert tree.ast(counterpart) is node

    @pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
    def test_counterparts_start_at_the_same_place(self, text: str) -> None:
        tree = tree_of(text)
        strings = [each for each in ast.walk(tree.root) if isinstance(each, ast.JoinedStr)]
        inside = {inner for string in strings for inner in ast.walk(string) if inner is not string}
        bracketed = (ast.Tuple, ast.GeneratorExp, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        for node in nodes(tree):
            if isinstance(node, (ast.expr, ast.stmt)) and node not in inside and not isinstance(node, bracketed):
                assert tree.span(tree.cst(node)).start == tree.place(node)

    def test_what_libcst_has_no_node_for(self) -> None:
        tree = tree_of("x[a, b]")
        (index,) = (each for each in ast.walk(tree.root) if isinstance(each, ast.Tuple))
        with pytest.raises(LookupError):
            tree.cst(index)
        with pytest.raises(LookupError):
            tree.cst(index.ctx)

    def test_parts_without_a_counterpart(self) -> None:
        tree = tree_of("f(a)")
        call = the(tree, "f(a)")
        assert isinstance(call, cst.Call)
        assert tree.ast(call.args[0]) is None
        assert isinstance(tree.ast(call.args[0].value), ast.Name)


class TestPieces:
    """LibCST sees the statements that are asked for, each once."""

    def test_one_statement(self, shown: list[str]) -> None:
        tree = tree_of("import a\n\n# why\n@b\ndef f():\n    return a.b(1)\n\n# end\nc = 2\n")
        the(tree, "a.b(1)")
        the(tree, "2")
        the(tree, "return a.b(1)")
        assert shown == ["\n# why\n@b\ndef f():\n    return a.b(1)\n", "\n# end\nc = 2\n"]

    @pytest.mark.parametrize(
        ("text", "code", "piece"),
        [
            ("a; b; c\nd\n", "b", "a; b; c\n"),
            ("if a: b; c\nd", "c", "if a: b; c\n"),
            ("a\nif b: c", "c", "if b: c"),
            ('x = """\n""" ; y = [\n1]; z = 3\nw\n', "3", 'x = """\n""" ; y = [\n1]; z = 3\n'),
            ("a = 1; \\\nb = 2\nc\n", "1", "a = 1; \\\nb = 2\n"),
            ("a = 1 \\\n\nb = 2\n", "1", "a = 1 \\\n\n"),
            ("a = 1 \\\n\nb = 2\n", "2", "b = 2\n"),
            ("a\r\n\r\n# é\r\nb\r\nc", "b", "\r\n# é\r\nb\r\n"),
            ("a\x0c\n\x0cb\nc", "b", "\x0cb\n"),
            ("a\rb\rc", "b", "b\r"),
        ],
    )
    def test_where_pieces_end(self, shown: list[str], text: str, code: str, piece: str) -> None:
        tree = tree_of(text)
        assert tree.source.cut(tree.span(the(tree, code))) == code
        assert shown == [piece]

    @pytest.mark.parametrize(
        ("text", "code", "piece"),
        [
            ("@d(e)\nclass A(B, c=f):\n  def f(self): g\n", "e", None),
            ("@d(e)\nclass A(B, c=f):\n  def f(self): g\n", "B", None),
            ("class A:\n  x = y\n  def f(self): g\n  z\n", "y", None),
            ("class A:\n  x = y\n  def f(self): g\n  z\n", "z", None),
            ("class A: x = y; z\n", "y", None),
            ("class A: \\\n  x = y\n", "y", None),
            ("class A:\n  x = y  # \\\n  def f(self): g\n", "g", None),
            ("class A:\n  def f(self): g  # \\\n  x = y\n", "g", None),
            ("class A:\n  if a:\n    def f(self): g\n", "g", None),
            ("class A:\n  class B:\n    def f(self): g\n", "g", None),
            ("class A:\n  def f(self): g\n", "def f(self): g", "  def f(self): g\n"),
            ("class A:\n  def f(self): g", "g", "  def f(self): g"),
            ("class A(\n  B,  # (\n): # b\n\n  # c\n  def f(self): g\n", "g", "\n  # c\n  def f(self): g\n"),
            ("class A: \\\n\n  def f(self): g\n", "g", "  def f(self): g\n"),
            ("class A:\n  x = 1; y = 2 # z\n  def f(self): g\n", "g", "  def f(self): g\n"),
            ("class A:\n  x = 1 \\\n\n  def f(self): g\n", "g", "  def f(self): g\n"),
            ("class A:\n  def f(self): g \\\n\n  x = y\n", "g", "  def f(self): g \\\n\n"),
            ("class A:\n  @(\n  d)\n  def f(self): g\n", "d", "  @(\n  d)\n  def f(self): g\n"),
            ("class A:\n  @d\n  async def f(self=h): g\n", "h", "  @d\n  async def f(self=h): g\n"),
            ("class A:\n\tdef f(self):\n\t\tif a:\n\t\t\tg\n", "g", "\tdef f(self):\n\t\tif a:\n\t\t\tg\n"),
            ('class A:\n  def f(self):\n    """\na\n"""\n    g\n', "g", '  def f(self):\n    """\na\n"""\n    g\n'),
            ("class A:\n  '''\n# x'''\n  def f(self): g\n", "g", "  def f(self): g\n"),
            ("class A:\n  def f(self): g\n# x\n", "g", "  def f(self): g\n"),
            ("class A:\r\n\r\n  def é(self): g\r\n", "g", "\r\n  def é(self): g\r\n"),
            ("class A:\r  def f(self): g\r", "g", "  def f(self): g\r"),
            ("class A:\n\x0c\n  def f(self): g\n", "g", "\x0c\n  def f(self): g\n"),
            ("class A:\n  def f(self): g\n\n\x0c\n  x\n", "g", "  def f(self): g\n"),
            (
                "class A:\n  def f(self):\n    g\n\n    # x\n   # y\n\n  h\n",
                "g",
                "  def f(self):\n    g\n\n    # x\n   # y\n",
            ),
            ("class A:\n  def f(self): g\n  # x\n    # y\n  h\n", "g", "  def f(self): g\n"),
            ("class A:\n  def f(self): g\n# x\n    # y\n  h\n", "g", "  def f(self): g\n"),
            ("class A:\n  def f(self): a\n# x\n  # y\n  def h(self): g\n", "g", "# x\n  # y\n  def h(self): g\n"),
        ],
    )
    def test_methods_are_shown_alone(self, shown: list[str], text: str, code: str, piece: str | None) -> None:
        tree = tree_of(text)
        node = the(tree, code)
        assert tree.source.cut(tree.span(node)) == code
        newline = next(each for each in ("\r\n", "\r", "\n") if each in text)
        assert shown == [text if piece is None else f"class _:{newline}{piece}"]

    def test_trees_that_differ_are_read_as_one(self, shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        pair = pieces.pair

        def differing(parsed: list[ast.stmt], piece: pieces.Piece) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
            if piece.start:
                raise pieces.Mismatch
            return pair(parsed, piece)

        monkeypatch.setattr(pieces, "pair", differing)
        tree = tree_of("a\nb(c)\nd\n")
        assert tree.source.cut(tree.span(the(tree, "c"))) == "c"
        the(tree, "d")
        assert shown == ["b(c)\n", "a\nb(c)\nd\n"]

    def test_a_method_that_differs_is_read_with_its_class(
        self, shown: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pair = pieces.pair

        def differing(parsed: list[ast.stmt], piece: pieces.Piece) -> Iterator[tuple[ast.AST, cst.CSTNode]]:
            if piece.header:
                raise pieces.Mismatch
            return pair(parsed, piece)

        monkeypatch.setattr(pieces, "pair", differing)
        tree = tree_of("class A:\n  def f(self): a\n  def g(self): b\nc\n")
        for name in "aba":
            assert tree.source.cut(tree.span(the(tree, name))) == name
        assert shown == [
            "class _:\n  def f(self): a\n",
            "class A:\n  def f(self): a\n  def g(self): b\n",
        ]

    def test_libcst_is_loaded_when_it_is_needed(self) -> None:
        program = textwrap.dedent("""
            import sys
            from torchperf_lint.syntax.source import Source
            from torchperf_lint.syntax.suppress import read
            from torchperf_lint.syntax.parse import parse
            tree = parse(Source("x = f'{a}'  # noqa"))
            read(tree.source, tree)
            tree.place(tree.root.body[0].value.values[0])
            assert "libcst" not in sys.modules
            tree.cst(tree.root.body[0])
            assert "libcst" in sys.modules
        """)
        subprocess.run([sys.executable, "-c", program], check=True)


METHODS = {name: text for name, text in TEXTS.items() if "class" in text and "def" in text}
METHODS["tabs in a class"] = METHODS["methods"].replace("    ", "\t")
METHODS["windows in a class"] = METHODS["methods"].replace("\n", "\r\n")


def classes(tree: Tree) -> list[ast.ClassDef]:
    return [each for each in tree.root.body if isinstance(each, ast.ClassDef)]


def methods(tree: Tree) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    body = [each for owner in classes(tree) for each in owner.body]
    return [each for each in body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


class TestMethods:
    """A method that LibCST was shown alone is what it is in its class."""

    @pytest.mark.parametrize("text", METHODS.values(), ids=METHODS)
    def test_it_is_the_same(self, text: str, shown: list[str]) -> None:
        alone, whole = tree_of(text), tree_of(text)
        for owner in classes(whole):
            whole.cst(owner)
        shown.clear()
        pairs = list(zip(methods(alone), methods(whole), strict=True))
        assert all(alone.cst(left).deep_equals(whole.cst(right)) for left, right in pairs)
        known = set(nodes(alone))
        every = [each for pair in pairs for each in zip(*map(ast.walk, pair), strict=True) if each[0] in known]
        for left, right in every:
            assert alone.extent(alone.cst(left)) == whole.extent(whole.cst(right))
            assert alone.code(alone.cst(left)) == whole.code(whole.cst(right))
            assert alone.ast(alone.cst(left)) is left or isinstance(left, ast.JoinedStr)
        assert all(each.startswith("class _:") for each in shown)
        assert len(shown) == len(pairs)
        for left, right in every:
            above, over = alone.ancestors(alone.cst(left)), whole.ancestors(whole.cst(right))
            assert [type(each) for each in above] == [type(each) for each in over]

    def test_its_class_is_read_when_it_is_asked_for(self, shown: list[str]) -> None:
        tree = tree_of("class A(B):\n    def f(self):\n        if a: b\n\n    def g(self):\n        c\n")
        node = the(tree, "b")
        assert tree.code(tree.statement(node)) == "b"
        assert tree.code(tree.statement(the(tree, "a"))) == "if a: b"
        assert len(shown) == 1
        *_, method, block, owner, module = tree.ancestors(node)
        assert method is tree.cst(tree.root.body[0].body[0])  # type: ignore[attr-defined]
        assert owner is tree.cst(tree.root.body[0])
        assert isinstance(module, cst.Module)
        assert tree.parent(module) is None
        assert tree.code(owner) == tree.source.text.rstrip()
        assert tree.span(block) == Span(Place(2, 5), Place(6, 10))
        assert len(shown) == 2

    def test_it_stands_in_its_class_once_more(self) -> None:
        tree = tree_of("class A:\n    x = 1\n    def f(self): a\n    def g(self): b\n")
        (owner,) = tree.root.body
        assert isinstance(owner, ast.ClassDef)
        alone, node = tree.cst(owner.body[1]), the(tree, "a")
        block = tree.cst(owner).body  # type: ignore[attr-defined]
        twin = block.body[1]
        assert twin is not alone
        assert tree.ast(twin) is tree.ast(alone) is owner.body[1]
        assert tree.cst(owner.body[1]) is alone
        assert the(tree, "a") is node
        assert tree.extent(twin) == tree.extent(alone)
        assert tree.parent(twin) is tree.parent(alone) is block
        assert tree.body(block) == [block.body[0], alone, tree.cst(owner.body[2])]
        assert tree.cst(owner.body[2]) is block.body[2]


ALONE = """
def f(x):
    # above
    y = x.item()  # beside
    if y:
        return x[
            0
        ]
    elif x: a
    else:
        with b as c: pass
    d; e
    async def g():
        await h
"""


def statement(tree: Tree, code: str) -> ast.stmt:
    """The outermost statement that starts so."""
    every = (each for each in ast.walk(tree.root) if isinstance(each, ast.stmt))
    return next(each for each in every if ast.unparse(each).startswith(code))


class TestAlone:
    """A statement that LibCST is shown alone is what it is in its function, as far as anybody can see it."""

    @pytest.mark.slow
    @pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
    def test_it_is_the_same(self, text: str) -> None:
        lone, whole = tree_of(text), tree_of(text)
        known = set(nodes(whole))
        for left, right in zip(ast.walk(lone.root), ast.walk(whole.root), strict=True):
            if not isinstance(left, ast.stmt):
                continue
            with contextlib.suppress(NotAlone), lone.alone(left):
                for ours, theirs in zip(ast.walk(left), ast.walk(right), strict=True):
                    if theirs in known:
                        node, twin = lone.cst(ours), whole.cst(theirs)
                        assert type(node) is type(twin)
                        assert lone.ast(node) is not None
                        assert ast.dump(lone.ast(node)) == ast.dump(whole.ast(twin))
                        assert lone.span(node) == whole.span(twin)
                        assert lone.code(node) == whole.code(twin)

    @pytest.mark.parametrize(
        ("code", "text"),
        [
            ("y =", "    y = x.item()  # beside\n"),
            ("return", "        return x[\n            0\n        ]\n"),
            ("with", "        with b as c: pass\n"),
            ("await", "        await h\n"),
        ],
    )
    def test_it_has_its_lines_to_itself(self, shown: list[str], code: str, text: str) -> None:
        tree = tree_of(ALONE)
        found = statement(tree, code)
        with tree.alone(found):
            assert tree.cst(found)
        with tree.alone(found):
            assert tree.cst(found)
        assert shown == ["class _:\n" + text]

    @pytest.mark.parametrize("code", ["d", "e", "a", "pass", "if x:", "def f", "async def g"])
    def test_what_is_no_such_statement(self, code: str) -> None:
        tree = tree_of(ALONE)
        for _ in range(2):
            with pytest.raises(NotAlone), tree.alone(statement(tree, code)):
                pass

    def test_nothing_else_is_there(self) -> None:
        tree = tree_of(ALONE)
        found = statement(tree, "y =")
        with tree.alone(found):
            node = tree.cst(found)
            line = tree.parent(node)
            assert line is tree.statement(node)
            assert isinstance(line, cst.SimpleStatementLine)
            with pytest.raises(NotAlone):
                tree.parent(line)
            with pytest.raises(NotAlone):
                tree.cst(statement(tree, "return"))
        with pytest.raises(NotAlone):
            tree.parent(line)
        assert tree.code(node) == "y = x.item()"

    def test_a_block_of_it(self) -> None:
        tree = tree_of("def f(x):\n    for a in b:\n        if c: d\n        e\n")
        loop = statement(tree, "for")
        with tree.alone(loop):
            block = tree.cst(loop).body  # type: ignore[attr-defined]
            assert tree.body(block) == list(block.body)

    def test_it_is_read_anew_with_what_is_around_it(self, shown: list[str]) -> None:
        tree = tree_of(ALONE)
        found = statement(tree, "y =")
        with tree.alone(found):
            node = tree.cst(found)
        around = tree.cst(found)
        assert around is not node
        assert tree.ast(around) is tree.ast(node) is found
        assert tree.cst(tree.root.body[0]) in list(tree.ancestors(around))
        with pytest.raises(NotAlone), tree.alone(found):
            pass
        assert len(shown) == 2


class TestAround:
    def test_parents(self) -> None:
        tree = tree_of("if a:\n    b = f(c)\n")
        kinds = [type(each).__name__ for each in tree.ancestors(the(tree, "c"))]
        assert kinds == ["Arg", "Call", "Assign", "SimpleStatementLine", "IndentedBlock", "If", "Module"]
        module = [*tree.ancestors(the(tree, "c"))][-1]
        assert tree.parent(module) is None

    @pytest.mark.parametrize(
        ("text", "code", "statement"),
        [
            ("a; b(c)\n", "c", "a; b(c)"),
            ("if a: b; c\n", "c", "b; c"),
            ("if a: b; c\n", "a", "if a: b; c"),
            ("if a:\n    b\nelif c:\n    d\nelif e: f\n", "e", "if a:\n    b\nelif c:\n    d\nelif e: f"),
            ("if a:\n    b\nelif c:\n    d\n", "d", "d"),
            ("try:\n    a\nexcept b:\n    c\n", "b", "try:\n    a\nexcept b:\n    c"),
            ("@a(b)\ndef f(x=c): pass\n", "b", "def f(x=c): pass"),
            ("class A:\n    def f(self): return self.x\n", "self.x", "return self.x"),
            ("with a as b:\n    c\n", "a", "with a as b:\n    c"),
            ("match a:\n    case 1 if b: c\n", "b", "match a:\n    case 1 if b: c"),
            ("x = lambda: y", "y", "x = lambda: y"),
        ],
    )
    def test_the_statement_of_a_node(self, text: str, code: str, statement: str) -> None:
        tree = tree_of(text)
        assert tree.source.cut(tree.span(tree.statement(the(tree, code)))) == statement

    @pytest.mark.parametrize(
        ("text", "code", "place"),
        [
            ("a\nb = (c + d)\n", "c + d", (2, 6)),
            ('x = "é", y\n', "y", (1, 10)),
            ('x = "🎉🎉", "名" + y\n', "y", (1, 17)),
            ("\ta = 1" if False else "if a:\n\tb = 1\n", "b = 1", (2, 2)),
            ("é = [\r\n  ñ,\r\n  z]", "z", (3, 3)),
        ],
    )
    def test_places_and_spans_count_code_points(self, text: str, code: str, place: tuple[int, int]) -> None:
        tree = tree_of(text)
        node = the(tree, code)
        counterpart = tree.ast(node)
        assert counterpart is not None
        assert tree.place(counterpart) == Place(*place)
        assert tree.span(node) == Span(Place(*place), Place(place[0], place[1] + len(code)))

    @pytest.mark.parametrize("text", ["a\nx = é, f'{y}'", "a\nx = é, 'b' f'''{\ny}'''", "a\nx = é, f'{a:{y}}'"])
    def test_the_place_inside_of_an_f_string_is_that_of_the_string(self, text: str) -> None:
        tree = tree_of(text)
        (name,) = (each for each in ast.walk(tree.root) if isinstance(each, ast.Name) and each.id == "y")
        assert tree.place(Module(tree.root).with_string(name)) == Place(2, 8)
        assert tree.source.cut(tree.span(tree.cst(name))) == "y"

    @pytest.mark.slow
    @pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
    def test_python_says_of_most_where_they_stand(self, text: str) -> None:
        tree = tree_of(text)
        facts = Facts(Program(), Module(tree.root), tree)
        for node in nodes(tree):
            if isinstance(node, PLAIN):
                assert facts.span(tree.cst(node)) == tree.span(tree.cst(node)), ast.unparse(node)

    def test_python_says_it_without_a_tree_that_is_written_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tree = tree_of("x = (  (f)(a)[0])\nlog(f'{x.item()}')\n")
        facts = Facts(Program(), Module(tree.root), tree)
        extents: list[cst.CSTNode] = []
        monkeypatch.setattr(pieces.Piece, "extent", lambda _, node: extents.append(node) or (0, 0))
        assert tree.source.cut(facts.span(the(tree, "(f)(a)[0]"))) == "(f)(a)[0]"
        assert not extents
        (inside,) = (
            each for each in ast.walk(tree.root) if isinstance(each, ast.Call) and "item" in ast.dump(each.func)
        )
        facts.span(tree.cst(inside))
        assert len(extents) == 1, "up to Python 3.11 its position is not to be trusted"

    def test_the_place_of_what_has_none(self) -> None:
        tree = tree_of("[a for b in c]")
        (clause,) = (each for each in ast.walk(tree.root) if isinstance(each, ast.comprehension))
        assert tree.place(clause) == Place(1, 8)

    @pytest.mark.parametrize(
        ("text", "code", "moved"),
        [
            ("if a:\n    x = f(\n        b,\n    )\n", "x = f(\n        b,\n    )", "x = f(\n    b,\n)"),
            ("if a:\n    x = f(b,\n          c)\n", "f(b,\n          c)", "f(b,\n      c)"),
            ('if a:\n    x = """\n    a\n"""\n', '"""\n    a\n"""', '"""\n    a\n"""'),
            ("if a:\n    x = [\n  b]\n", "[\n  b]", "[\nb]"),
            ("if a:\n    if b:\n        c\n    else:\n        d\n", None, "if b:\n    c\nelse:\n    d"),
        ],
    )
    def test_code_is_moved_to_the_left(self, text: str, code: str | None, moved: str) -> None:
        tree = tree_of(text)
        if code is None:
            outer = tree.root.body[0]
            assert isinstance(outer, ast.If)
            assert tree.code(tree.cst(outer.body[0])) == moved
        else:
            assert tree.code(the(tree, code)) == moved


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("x = 1\ny = (\n", (2, 5), "'(' was never closed"),
            ("é = 1; ö = = 3", (1, 12), "invalid syntax"),
            ("if x:\n  a\n b\n", (3, 3), "unindent does not match"),
            ("for x in y:\n", (1, 12), "expected an indented block"),
            ("x = 'a\n", (1, 5), "unterminated string literal"),
            ("f(**k, *a)", (1, None), "iterable argument unpacking"),
            ("\n\n  x\n", (3, 2), "unexpected indent"),
            ("a\n\0", (2, 1), "null bytes"),
            ("x = '\\N{foo}'", (1, None), "unicodeescape"),
            ("b = b'é'", (1, None), "bytes can only contain ASCII"),
            ("a = '\udc80'", (1, 6), "surrogate"),
            ("x = " + "(" * 300 + ")" * 300, (1, 205), "too many nested parentheses"),
            ("def f(x):\n" + "".join("  " * n + "if x:\n" for n in range(1, 120)), (101, 1), "too many levels"),
        ],
    )
    def test_python_refuses(self, text: str, place: tuple[int, int | None], message: str) -> None:
        with pytest.raises(SyntaxFault) as caught:
            tree_of(text)
        assert message in caught.value.message
        assert caught.value.place.line == place[0]
        if place[1] is not None:  # where all Pythons say the same, but for one here and there
            assert abs(caught.value.place.column - place[1]) <= 1

    @pytest.mark.parametrize("text", [" \\\n x", "x = '\\N{foo}'", "b'é'"])
    def test_libcst_is_no_judge_of_what_python_is(self, text: str) -> None:
        cst.parse_module(text)
        with pytest.raises(SyntaxFault):
            tree_of(text)

    def test_what_libcst_refuses_is_told_when_it_is_asked_for(self) -> None:
        tree = tree_of("a = 1\n\n(b): int = 2\nc = 3\n")
        assert tree.source.cut(tree.span(the(tree, "c = 3"))) == "c = 3"
        with pytest.raises(SyntaxFault) as caught:
            tree.cst(tree.root.body[1])
        assert caught.value.place.line == 3
        assert caught.value.message == "LibCST cannot parse this"
        with pytest.raises(SyntaxFault) as again:
            tree.cst(tree.root.body[1].target)  # type: ignore[attr-defined]
        assert again.value is caught.value

    @pytest.mark.parametrize("first", [0, 1, 2])
    def test_what_libcst_refuses_in_a_method(self, first: int) -> None:
        tree = tree_of("a\n\nclass A:\n  x = 1\n\n  def f(self):\n    (b): int = 2\n\n  def g(self): c\n")
        owner = tree.root.body[1]
        assert isinstance(owner, ast.ClassDef)
        faults = []
        for node in [owner, *owner.body[:2], owner.body[1].body[0]][first:]:  # type: ignore[attr-defined]
            with pytest.raises(SyntaxFault) as caught:
                tree.cst(node)
            faults.append(caught.value)
        assert faults[0].place == Place(7, 9)
        assert all(each is faults[0] for each in faults)
        assert tree.source.cut(tree.span(the(tree, "c"))) == "c"


class TestNewerSyntax:
    """What this Python is too old for."""

    @pytest.mark.parametrize("version", programs.NEWER)
    def test_it_is_read_all_the_same(self, version: tuple[int, int]) -> None:
        tree = tree_of("import a\n" + programs.NEWER[version])
        for node in ast.walk(tree.root):
            if isinstance(node, ast.Name):
                assert tree.source.cut(tree.span(tree.cst(node))) == node.id
            elif isinstance(node, (ast.stmt, ast.expr)):
                assert node.lineno >= 1
                assert node.end_lineno is not None
                assert (node.end_lineno, node.end_col_offset) > (node.lineno, node.col_offset)
        assert isinstance(tree.root.body[0], ast.Import)

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("def f[T](x): pass\n\nx = = 1\n", 3),
            ("def f(x: pass\n\ndef g[T](x): pass\n", 1),
            ("x = = 1\ndef f[T](x): pass\n", 1),
            ("type X = int\ny = f'{d['a']}'\nx = = 1\n", 3),
            ("x = f'{a\ny = 1\n", 1),
            ("x = 1 if t'{a\ny = 1\n", 1),
            ("x = f'{\n    a\n}'\ny = = 1\n", 4),
        ],
    )
    def test_a_fault_is_told_where_it_is(self, text: str, line: int) -> None:
        with pytest.raises(SyntaxFault) as caught:
            tree_of(text)
        assert caught.value.place.line == line
