"""Edits on nodes become edits on text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst
import pytest

from torchperf_lint.fixes.resolve import BadEdit, resolve
from torchperf_lint.fixes.splice import Splice
from torchperf_lint.model.finding import AddImport, Edit, Fix, InsertAfter, InsertBefore, Remove, Replace, Safety
from torchperf_lint.syntax.parse import parse
from torchperf_lint.syntax.source import Source
from torchperf_lint.syntax.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable


def the(tree: Tree, code: str) -> cst.CSTNode:
    """The LibCST node of the first expression or statement that is written so."""
    for kind in (ast.stmt, ast.expr):
        for node in ast.walk(tree.root):
            if isinstance(node, kind) and ast.get_source_segment(tree.source.text, node) == code:
                return tree.cst(node)
    raise LookupError(code)


def arg(tree: Tree, code: str) -> cst.Arg:
    """The argument that is written so."""
    for node in ast.walk(tree.root):
        for call in [tree.cst(node)] if isinstance(node, (ast.Call, ast.ClassDef)) else []:
            assert isinstance(call, (cst.Call, cst.ClassDef))
            for each in call.args if isinstance(call, cst.Call) else (*call.bases, *call.keywords):
                if tree.source.cut(tree.span(each)) == code:
                    return each
    raise LookupError(code)


def fixed(text: str, edits: Callable[[Tree], list[Edit]]) -> str:
    """A text with some edits done."""
    tree = parse(Source(text, "a.py"))
    fix = resolve(Fix("title", tuple(edits(tree)), Safety.SAFE), tree)
    result = Splice(tree.source, fix.edits).text
    parse(Source(result))
    assert all(edit.path == "a.py" for edit in fix.edits)
    return result


class TestReplace:
    @pytest.mark.parametrize(
        ("text", "code", "content", "result"),
        [
            ("x = a.item()\n", "a.item()", "a", "x = a\n"),
            ("x = (a + b) * c\n", "a + b", "d", "x = (d) * c\n"),
            ("x = a\n", "x = a", "y = b", "y = b\n"),
            ("if x:\n    a\n", "a", "with b:\n    a", "if x:\n    with b:\n        a\n"),
            ("if x:\n\ta\n", "a", "with b:\n    if c:\n        a", "if x:\n\twith b:\n\t\tif c:\n\t\t\ta\n"),
            ("if x:\n  a\n", "a", "with b:\n    a", "if x:\n  with b:\n    a\n"),
            ("if x:\r\n    a\r\n", "a", "b\nc", "if x:\r\n    b\r\n    c\r\n"),
            ("if x:\n    a  # why\n", "a", "b\nc", "if x:\n    b\n    c  # why\n"),
            ("if x:\n    a(1)\n", "1", "[\n    1,\n]", "if x:\n    a([\n        1,\n    ])\n"),
            ("if x:\n    a\n", "a", 'b = """\n  c\n"""\nd', 'if x:\n    b = """\n  c\n"""\n    d\n'),
            ("if x:\n    a\n", "a", "b\n\nc\n", "if x:\n    b\n\n    c\n"),
            ("a; b; c\n", "b", "d", "a; d; c\n"),
            ("a; b; c\n", "b", "d\ne", "a\nd\ne\nc\n"),
            ("a; b; c  # d\n", "c", "if d:\n    e", "a; b\nif d:\n    e  # d\n"),
            ("a; b\n", "a", "if d: e", "if d: e\nb\n"),
            ("if x: a\n", "a", "b", "if x: b\n"),
            ("if x: a\n", "a", "b; c", "if x: b; c\n"),
            ("if x: a\n", "a", "b\nc", "if x:\n    b\n    c\n"),
            ("if x: a; b; c\nelse: d\n", "b", "if e: f", "if x:\n    a\n    if e: f\n    c\nelse: d\n"),
            ("if x: y\nelif z: a\n", "a", "b\nc", "if x: y\nelif z:\n    b\n    c\n"),
            ("for x in y:\n  if x: a\n", "a", "b\nc", "for x in y:\n  if x:\n    b\n    c\n"),
            ("class A:\n    def f(self): return self.x  # d\n", "return self.x", "b\nreturn c",
             "class A:\n    def f(self):\n        b\n        return c  # d\n"),
            ("if x:\n    if a:\n        b\n    c\n", "if a:\n        b", "b\nd", "if x:\n    b\n    d\n    c\n"),
            ("@d\ndef f():\n    a\n", "def f():\n    a", "def g():\n    b", "@d\ndef g():\n    b\n"),
            ("ä = 'é' + ñ  # ü\n", "ñ", "名", "ä = 'é' + 名  # ü\n"),
            ("x = a", "a", "b", "x = b"),
            ("for x in y:\n    a  # why\nb\n", "for x in y:\n    a", "with c:\n    for x in y:\n        a  # why\n",
             "with c:\n    for x in y:\n        a  # why\nb\n"),
            ("a  # why\n", "a", "b  # what", "b  # what  # why\n"),
        ],
    )  # fmt: skip
    def test_in_its_place(self, text: str, code: str, content: str, result: str) -> None:
        assert fixed(text, lambda tree: [Replace(the(tree, code), content)]) == result

    @pytest.mark.parametrize(
        ("text", "code", "content", "result"),
        [
            ("if x:\n  y = f(a)[0]  # why\n", "f(a)", "f(a, B)", "if x:\n  y = f(\n    a, B\n  )[0]  # why\n"),
            ("\ty = f(a)\n", "f(a)", "f(B, b=B)", "\ty = f(\n\t\tB,\n\t\tb=B,\n\t)\n"),
            ("# CC\ny = f(a)\n", "f(a)", "f(a, B)", "# CC\ny = f(a, B)\n"),
            ("y = f'{f(a)}'\n", "f(a)", "f(B, a)", "y = f'{f(B, a)}'\n"),
            ("y = f(a)\n", "f(a)", "f(B for a in b)", "y = f(B for a in b)\n"),
            ("y = f(a)\n", "f(a)", "B + B", "y = B + B\n"),
            ("y = f(a)\n", "f(a)", "f(B).c(d)", "y = f(B).c(d)\n"),
            ("y = g(f(a))\n", "f(a)", "f(B)", "y = g(f(B))\n"),
            ("B, c = a\n", "a", "something(a)", "B, c = something(a)\n"),
        ],
    )
    def test_a_call_that_gets_too_long(self, text: str, code: str, content: str, result: str) -> None:
        head = "if z:\n" * text.startswith("\t")
        text, content, result = (
            each.replace("B", "b" * 110).replace("C", "c" * 70) for each in (text, content, result)
        )
        assert fixed(head + text, lambda tree: [Replace(the(tree, code), content)]) == head + result

    @pytest.mark.parametrize(
        ("text", "content", "result"),
        [
            ("x = 'b'\na\n", 'f(k="cuda", m="it\'s")', "x = 'b'\nf(k='cuda', m=\"it's\")\n"),
            ("x = 'b'\ny = \"c\"\nz = 'c'\na\n", 'f("c", "d")', "x = 'b'\ny = \"c\"\nz = 'c'\nf(\"c\", 'd')\n"),
            ('x = "b"\na\n', 'f(k="cuda")', 'x = "b"\nf(k="cuda")\n'),
            ("a\n", 'f(k="cuda")', 'f(k="cuda")\n'),
            ("x = 'b'\na\n", 'f"{b}" """c"""', 'x = \'b\'\nf"{b}" """c"""\n'),
        ],
    )
    def test_strings_have_the_quotes_of_the_file(self, text: str, content: str, result: str) -> None:
        assert fixed(text, lambda tree: [Replace(the(tree, "a"), content)]) == result

    def test_a_whole_line(self) -> None:
        text = "if x: a; b  # c\nd; e\n"
        line = fixed(text, lambda tree: [Replace(tree.statement(the(tree, "b")), "f\ng")])
        assert line == "if x:\n    f\n    g  # c\nd; e\n"
        line = fixed(text, lambda tree: [Replace(tree.statement(the(tree, "d")), "if f:\n    g")])
        assert line == "if x: a; b  # c\nif f:\n    g\n"

    def test_an_argument(self) -> None:
        assert fixed("f(a, b=1,)\n", lambda tree: [Replace(arg(tree, "b=1"), "c=2")]) == "f(a, c=2,)\n"

    def test_what_was_code_comes_back_as_it_was(self) -> None:
        text = 'if x:\n    if y:\n        a(\n            b,  # why\n            """\n  c""",\n        )\n        d\n'
        whole = fixed(text, lambda tree: [Replace(node := the(tree, text[10:-1]), tree.code(node))])
        assert whole == text


class TestInsert:
    @pytest.mark.parametrize(
        ("text", "code", "content", "before", "after"),
        [
            ("a\nb\nc\n", "b", "x", "a\nx\nb\nc\n", "a\nb\nx\nc\n"),
            ("a\n# why\nb\n", "b", "x\ny", "a\n# why\nx\ny\nb\n", "a\n# why\nb\nx\ny\n"),
            ("a\nb", "b", "x", "a\nx\nb", "a\nb\nx"),
            ("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\nb\r\n", "a\r\nb\r\nx\r\ny\r\n"),
            ("if z:\n\ta  # c\n\tb\n", "a", "if x:\n    y", "if z:\n\tif x:\n\t\ty\n\ta  # c\n\tb\n",
             "if z:\n\ta  # c\n\tif x:\n\t\ty\n\tb\n"),
            ("if z:\n    a(b,\n      c)\n", "c", "x", "if z:\n    x\n    a(b,\n      c)\n", "if z:\n    a(b,\n      c)\n    x\n"),
            ("if z:\n    a\n    # b\n\n# c\n", "z", "x", "x\nif z:\n    a\n    # b\n\n# c\n", "if z:\n    a\n    # b\nx\n\n# c\n"),
            ("@d(z)\ndef f():\n    a\nb\n", "z", "x", "x\n@d(z)\ndef f():\n    a\nb\n", "@d(z)\ndef f():\n    a\nx\nb\n"),
            ("if a:\n    b\nelif c:\n    d\ne\n", "c", "x", "x\nif a:\n    b\nelif c:\n    d\ne\n",
             "if a:\n    b\nelif c:\n    d\nx\ne\n"),
            ("a; b; c\n", "b", "x", "a\nx\nb; c\n", "a; b\nx\nc\n"),
            ("a; b; c\n", "a", "x", "x\na; b; c\n", "a\nx\nb; c\n"),
            ("a; b ;c ;  # d\n", "c", "x", "a; b\nx\nc ;  # d\n", "a; b ;c ;  # d\nx\n"),
            ("if z: a; b\nelse: c\n", "a", "x", "if z:\n    x\n    a; b\nelse: c\n", "if z:\n    a\n    x\n    b\nelse: c\n"),
            ("if z: a; b\nelse: c\n", "b", "x", "if z:\n    a\n    x\n    b\nelse: c\n", "if z:\n    a; b\n    x\nelse: c\n"),
            ("if z:\n  for y in z: a(y)  # why\n", "a(y)", "x", "if z:\n  for y in z:\n    x\n    a(y)  # why\n",
             "if z:\n  for y in z:\n    a(y)  # why\n    x\n"),
            ("while z: a", "a", "x", "while z:\n    x\n    a", "while z:\n    a\n    x"),
            ("if (y and\n    z): a\n", "a", "x", "if (y and\n    z):\n    x\n    a\n", "if (y and\n    z):\n    a\n    x\n"),
            ("a = 1 \\\n\nb\n", "a = 1", "x", "x\na = 1 \\\n\nb\n", "a = 1 \\\n\nx\nb\n"),
            ("if z:\n    '''\n  a'''\n    b\n", "b", "x = '''\n  y\n'''", "if z:\n    '''\n  a'''\n    x = '''\n  y\n'''\n    b\n",
             "if z:\n    '''\n  a'''\n    b\n    x = '''\n  y\n'''\n"),
        ],
    )  # fmt: skip
    def test_whole_lines(self, text: str, code: str, content: str, before: str, after: str) -> None:
        assert fixed(text, lambda tree: [InsertBefore(the(tree, code), content)]) == before
        assert fixed(text, lambda tree: [InsertAfter(the(tree, code), content)]) == after

    def test_the_line_itself(self) -> None:
        text = "a; b\nif c: d; e\n"
        around = fixed(text, lambda tree: [
            edit for code in ("b", "d") for edit in (InsertBefore(tree.statement(the(tree, code)), "x"),
                                                     InsertAfter(tree.statement(the(tree, code)), "y"))
        ])  # fmt: skip
        assert around == "x\na; b\ny\nif c:\n    x\n    d; e\n    y\n"

    def test_several_at_one_place_keep_their_order(self) -> None:
        text = fixed("a\nb\n", lambda tree: [
            InsertBefore(the(tree, "b"), "3"), InsertAfter(the(tree, "a"), "1"), InsertBefore(the(tree, "b"), "4"),
            InsertAfter(the(tree, "a"), "2"),
        ])  # fmt: skip
        assert text == "a\n1\n2\n3\n4\nb\n"
        text = fixed("if x: a; b\n", lambda tree: [
            InsertBefore(the(tree, "b"), "2"), InsertAfter(the(tree, "a"), "1"), Replace(the(tree, "a"), "c\nd"),
        ])  # fmt: skip
        assert text == "if x:\n    c\n    d\n    1\n    2\n    b\n"


class TestRemove:
    @pytest.mark.parametrize(
        ("text", "codes", "result"),
        [
            ("a\nb\nc\n", ["b"], "a\nc\n"),
            ("a\n# why\nb\nc\n", ["b"], "a\n# why\nc\n"),
            ("a\nb", ["b"], "a\n"),
            ("a\r\nb\r\n", ["a"], "b\r\n"),
            ("if x:\n    a  # why\n    b\n", ["a"], "if x:\n    # why\n    b\n"),
            ("if x:\n    a\n", ["a"], ""),
            ("if f(x):\n    a\n", ["a"], "if f(x):\n    pass\n"),
            ("if x:\n    a\nelse:\n    b\n", ["a"], "if x:\n    pass\nelse:\n    b\n"),
            ("if x:\n    a\nelif y:\n    b\n", ["b"], "if x:\n    a\nelif y:\n    pass\n"),
            ("if x and not y.z > 3:\n    if torch.cuda.is_available():\n        a\nb\n", ["a"], "b\n"),
            ("def f():\n    if x:\n        a\n", ["a"], "def f():\n    pass\n"),
            ("for x in y:\n    a\n", ["a"], "for x in y:\n    pass\n"),
            ("if x:\n    a  # why\n", ["a"], "if x:\n    pass  # why\n"),
            ("if x:\n    # why\n    a\n    # end\n", ["a"], "if x:\n    # why\n    pass\n    # end\n"),
            ("if x:\n    a\n    b\n    c\nd\n", ["a", "b", "c"], "d\n"),
            ("if x:\n    a\n    b\n    c\n", ["a", "c"], "if x:\n    b\n"),
            ("if x: a\n", ["a"], ""),
            ("if x(): a\n", ["a"], "if x(): pass\n"),
            ("if x: a; b  # c\n", ["a", "b"], "if x: pass  # c\n"),
            ("if x: a; b\n", ["a"], "if x: b\n"),
            ("a; b; c\n", ["a"], "b; c\n"),
            ("a; b; c\n", ["b"], "a; c\n"),
            ("a; b; c ;\n", ["c"], "a; b ;\n"),
            ("a; b; c; d\n", ["b", "c"], "a; d\n"),
            ("a; b; c; d\n", ["a", "d"], "b; c\n"),
            ("a; b\nc\n", ["a", "b"], "c\n"),
            ("if x:\n    a; b\n", ["a", "b"], ""),
            ("a\n@d\ndef f():\n    b\n\nc\n", ["def f():\n    b"], "a\n\nc\n"),
            ("class A:\n    @d\n    def f(self):\n        b\n", ["def f(self):\n        b"], "class A:\n    pass\n"),
            ("if x:\n    for y in z:\n        a  # in\n", ["for y in z:\n        a"], "if x:\n    pass  # in\n"),
            ("a(\n    b,  # in\n)  # out\nc\n", ["a(\n    b,  # in\n)"], "# in\n# out\nc\n"),
            ("x = '''\n# no\n'''\nc\n", ["x = '''\n# no\n'''"], "c\n"),
            ("a = 1 \\\n\nb\n", ["a = 1"], "b\n"),
            ("if x:\n    a\n\n    b\n\n    c\n", ["b"], "if x:\n    a\n\n    c\n"),
            ("if x:\n    a\n    b\n\n    c\n", ["b"], "if x:\n    a\n\n    c\n"),
            ("if x:\n    a\n\n    b\n    c\n", ["b"], "if x:\n    a\n\n    c\n"),
            ("try:\n    a\nfinally:\n    b\n", ["b"], "try:\n    a\nfinally:\n    pass\n"),
        ],
    )
    def test_statements(self, text: str, codes: list[str], result: str) -> None:
        assert fixed(text, lambda tree: [Remove(the(tree, code)) for code in codes]) == result
        if ";" not in text and "if x: a\n" not in text:
            assert fixed(text, lambda tree: [Remove(tree.statement(the(tree, code))) for code in codes]) == result

    def test_a_block_that_is_filled_again_needs_no_pass(self) -> None:
        text = fixed("if x:\n    a\n", lambda tree: [Remove(the(tree, "a")), InsertBefore(the(tree, "a"), "b")])
        assert text == "if x:\n    b\n"

    @pytest.mark.parametrize(
        ("text", "codes", "result"),
        [
            ("f(a, b, c)", ["a"], "f(b, c)"),
            ("f(a, b, c)", ["b"], "f(a, c)"),
            ("f(a, b, c)", ["c"], "f(a, b)"),
            ("f(a, b, c)", ["a", "b"], "f(c)"),
            ("f(a, b, c)", ["b", "c"], "f(a)"),
            ("f(a, b, c)", ["a", "c"], "f(b)"),
            ("f(a, b, c)", ["a", "b", "c"], "f()"),
            ("f(a, b,)", ["b"], "f(a,)"),
            ("f(a,)", ["a"], "f()"),
            ("f( a )", ["a"], "f()"),
            ("(f)(*a)", ["*a"], "(f)()"),
            ("f(g(1)[0])(a)", ["a"], "f(g(1)[0])()"),
            ("f((a), b)", ["(a)"], "f(b)"),
            ("f(\n    a,\n    b=1,\n    c=2,\n)", ["b=1"], "f(\n    a,\n    c=2,\n)"),
            ("f(\n    a,\n    b=1,\n)", ["b=1"], "f(\n    a,\n)"),
            ("f(\n    a,\n    b=1\n)", ["b=1"], "f(\n    a\n)"),
            ("f(\n    a,\n)", ["a"], "f()"),
            ("if x:\n    f(\n        a,  # one\n        b,  # two\n        c,\n    )", ["b"],
             "if x:\n    # two\n    f(\n        a,  # one\n        c,\n    )"),
            ("f(  # one\n    a,  # two\n)", ["a"], "# one\n# two\nf()"),
            ("f(x=1, **k)", ["x=1"], "f(**k)"),
            ("class A(B, metaclass=M): pass", ["metaclass=M"], "class A(B): pass"),
            ("class A(B): pass", ["B"], "class A(): pass"),
        ],
    )  # fmt: skip
    def test_arguments(self, text: str, codes: list[str], result: str) -> None:
        assert fixed(text, lambda tree: [Remove(arg(tree, code)) for code in codes]) == result

    def test_next_to_what_is_replaced(self) -> None:
        text = fixed(
            "f(a, b, c)",
            lambda tree: [Remove(arg(tree, "b")), Replace(arg(tree, "a"), "x"), Replace(arg(tree, "c"), "y")],
        )
        assert text == "f(x, y)"


class TestComments:
    """No edit loses one."""

    @pytest.mark.parametrize(
        ("text", "code", "content", "result"),
        [
            ("x = f(\n    a,  # one\n)\n", "f(\n    a,  # one\n)", "g(a)", "# one\nx = g(a)\n"),
            ("if z:\n    x = f(\n        a,  # one\n    )\n", "f(\n        a,  # one\n    )", "a",
             "if z:\n    # one\n    x = a\n"),
            ("x = f(\n    a,  # one\n    b,  # one\n)\n", "f(\n    a,  # one\n    b,  # one\n)", "g(\n    a,  # one\n)",
             "# one\nx = g(\n    a,  # one\n)\n"),
            ("if z: x = [\n  # one\n]\n", "[\n  # one\n]", "a", "# one\nif z: x = a\n"),
            ("if z:  # one\n    a\n", "if z:  # one\n    a", "a", "# one\na\n"),
        ],
    )  # fmt: skip
    def test_what_would_be_swallowed_moves_up(self, text: str, code: str, content: str, result: str) -> None:
        assert fixed(text, lambda tree: [Replace(the(tree, code), content)]) == result


class TestAddImport:
    @pytest.mark.parametrize(
        ("text", "module", "name"),
        [
            ("import torch\n", "torch", None),
            ("import torch.nn\n", "torch", None),
            ("import os, torch.nn as nn, torch\n", "torch", None),
            ("import torch as torch\n", "torch", None),
            ("import torch.nn.functional\n", "torch.nn", None),
            ("import torch.nn as nn\n", "torch", "nn"),
            ("from torch import nn\n", "torch", "nn"),
            ("from torch import (\n    cuda,\n    nn as nn,\n)\n", "torch", "nn"),
        ],
    )
    def test_it_is_there(self, text: str, module: str, name: str | None) -> None:
        assert fixed(text, lambda _: [AddImport(module, name)]) == text

    @pytest.mark.parametrize(
        ("text", "result"),
        [
            ("from torch import a\n", "from torch import a, nn\n"),
            ("from torch import a, b  # c\n", "from torch import a, b, nn  # c\n"),
            ("from torch import (a, b)\n", "from torch import (a, b, nn)\n"),
            ("from torch import (a, b,)\n", "from torch import (a, b, nn,)\n"),
            ("from torch import (\n    a,\n    b as c,  # d\n)\n", "from torch import (\n    a,\n    b as c,  # d\n    nn,\n)\n"),
            ("from torch import (\n    a,\n    b\n)\n", "from torch import (\n    a,\n    b,\n    nn\n)\n"),
            ("from torch import (\n    a, b)\n", "from torch import (\n    a, b, nn)\n"),
            ("from torch import (\n    a,\n    b)\n", "from torch import (\n    a,\n    b,\n    nn)\n"),
            ("from torch import a, \\\n    b\n", "from torch import a, \\\n    b, nn\n"),
            ("from torch import \\\n    b\n", "from torch import \\\n    b, nn\n"),
            ("from torch import (\r\n\ta,\r\n)\r\n", "from torch import (\r\n\ta,\r\n\tnn,\r\n)\r\n"),
            ("import torch as th\n", "import torch as th\nfrom torch import nn\n"),
            ("from torch import *\n", "from torch import *\nfrom torch import nn\n"),
            ("from .torch import a\n", "from .torch import a\nfrom torch import nn\n"),
            ("from torch import nn as n\n", "from torch import nn as n, nn\n"),
            ("import a; b = 1\nc\n", "import a; b = 1\nfrom torch import nn\nc\n"),
            ("import a\nimport b  # c\n\nx = 1\n", "import a\nimport b  # c\nfrom torch import nn\n\nx = 1\n"),
            ("import a\nx = 1\nimport b\nif y:\n    import c\nz = 1\n",
             "import a\nx = 1\nimport b\nfrom torch import nn\nif y:\n    import c\nz = 1\n"),
            ("import a\ndef f():\n    import b\nimport c\n", "import a\nfrom torch import nn\ndef f():\n    import b\nimport c\n"),
            ('"""Doc."""\nx = 1\n', '"""Doc."""\n\nfrom torch import nn\n\nx = 1\n'),
            ('"""Doc."""\n\nx = 1\n', '"""Doc."""\n\nfrom torch import nn\n\nx = 1\n'),
            ('"""Doc."""', '"""Doc."""\n\nfrom torch import nn'),
            ("from __future__ import annotations\n\nx = 1\n", "from __future__ import annotations\nfrom torch import nn\n\nx = 1\n"),
            ("#!/bin/python\n# licence\n\nx = 1\n", "#!/bin/python\n# licence\nfrom torch import nn\n\nx = 1\n"),
            ("x = 1\n", "from torch import nn\n\nx = 1\n"),
            ("def f():\n    from torch import nn\n", "from torch import nn\n\ndef f():\n    from torch import nn\n"),
            ("try:\n    from torch import nn\nexcept ImportError:\n    nn = None\n",
             "from torch import nn\n\ntry:\n    from torch import nn\nexcept ImportError:\n    nn = None\n"),
            ("import a", "import a\nfrom torch import nn"),
            ("", "from torch import nn\n"),
        ],
    )  # fmt: skip
    def test_it_is_added(self, text: str, result: str) -> None:
        assert fixed(text, lambda _: [AddImport("torch", "nn")]) == result
        assert fixed(result, lambda _: [AddImport("torch", "nn")]) == result

    def test_a_module(self) -> None:
        assert fixed("import a\nx\n", lambda _: [AddImport("torch.nn")]) == "import a\nimport torch.nn\nx\n"
        assert (
            fixed("import torch.nn as nn\n", lambda _: [AddImport("torch.nn")])
            == "import torch.nn as nn\nimport torch.nn\n"
        )

    def test_several(self) -> None:
        wanted: list[Edit] = [
            AddImport("torch", "a"),
            AddImport("b"),
            AddImport("torch", "c"),
            AddImport("torch", "a"),
            AddImport("b.d"),
        ]
        assert fixed("import x\n", lambda _: wanted) == "import x\nfrom torch import a, c\nimport b\nimport b.d\n"
        assert fixed("from torch import x\n", lambda _: wanted) == "from torch import x, a, c\nimport b\nimport b.d\n"


class TestBadEdits:
    def test_edits_that_overlap_are_an_error_of_the_rule(self) -> None:
        with pytest.raises(BadEdit, match="Replace at 2:5 and Replace at 2:7 overlap"):
            fixed("a\nx = f(b)\n", lambda tree: [Replace(the(tree, "b"), "c"), Replace(the(tree, "f(b)"), "d")])
        with pytest.raises(BadEdit, match="Remove at 1:1 and InsertBefore at 2:1 overlap"):
            fixed(
                "if a:\n    b\n",
                lambda tree: [InsertBefore(the(tree, "b"), "c"), Remove(tree.statement(the(tree, "a")))],
            )

    @pytest.mark.parametrize("code", ["f(b)", "b"])
    def test_only_statements_and_arguments_can_be_removed(self, code: str) -> None:
        with pytest.raises(BadEdit, match="Remove takes statements and arguments"):
            fixed("x = f(b)\n", lambda tree: [Remove(the(tree, code))])

    def test_touching_is_no_overlap(self) -> None:
        assert (
            fixed("x = a+b\n", lambda tree: [Replace(the(tree, "a"), "c"), Replace(the(tree, "b"), "d")]) == "x = c+d\n"
        )
