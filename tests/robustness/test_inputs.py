"""Files of every kind: none crashes the linter, hangs it or is damaged, and TPL001 is where Python refuses a file."""

from __future__ import annotations

import ast
import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from same_settings import SameSettings
from shell import Shell

from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.model.catalogue import DOES_NOT_PARSE, RULE_RAISED
from torchperf_lint.run.fix_file import FixFile
from torchperf_lint.run.lint_file import Done, LintFile
from torchperf_lint.run.parallel import Died, together

ALL = chosen([Layer(select=("ALL",))])
HEAD = "import torch\nfor x in loader:\n    loss = model(torch.zeros(4096, 4096).cuda())\n"
STEP = f"{HEAD}    loss.backward()\n    torch.cuda.empty_cache()\n"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="names and pipes of POSIX")


def nested(opening: str, inner: str, closing: str, levels: int) -> str:
    return f"import torch\nx = {opening * levels}{inner}{closing * levels}\n"


def blocks(levels: int) -> str:
    return "import torch\n" + "".join(f"{' ' * level}if x:\n" for level in range(levels)) + " " * levels + "pass\n"


TEXTS = {
    "empty": "",
    "only torch": "torch",
    "only a comment": "# torch",
    "no final newline": STEP.rstrip("\n"),
    "only newlines": "\n\n\n# torch\n\n",
    "carriage returns": STEP.replace("\n", "\r"),
    "windows": STEP.replace("\n", "\r\n"),
    "newlines of all kinds": "import torch\r\nx = 1\ry = 2\n\r\nz = torch.zeros(1).cuda()",
    "form feeds": STEP.replace("\nfor", "\n\f\nfor"),
    "form feed in an indentation": "import torch\nif x:\n\f    y = torch.zeros(1).cuda()\n",
    "tabs": STEP.replace("    ", "\t"),
    "tabs and blanks": "import torch\nif x:\n\tif y:\n        z = 1\n",
    "a null": STEP + "x = '\0'\n",
    "a null in a comment": STEP + "# \0\n",
    "backslash at the end": STEP + "x = 1 + \\",
    "backslash and blanks": STEP + "x = 1 \\ \n",
    "no-break space": "import torch\nx\u00a0= 1\n",
    "a line separator": "import torch\nx = 'a\u2028b'  # \u2029\ny = torch.zeros(1).cuda()\n",
    "wide characters": 'import torch\nx = "\U0001f600é"; y = torch.zeros(1).cuda()\n',
    "names of other scripts": "import torch\nпотеря = torch.zeros(1).cuda()\nｘ = потеря\n",
    "a soft hyphen": "import torch\nx\u00ad = 1\n",
    "escapes": 'import torch\nx = "\x1b[2J\x1b]0;title\x07"; y = torch.zeros(1).cuda()\n',
    "unclosed bracket": "import torch\nf(torch.zeros(1)\n",
    "unclosed string": 'import torch\nx = """abc\n',
    "bad indentation": "import torch\nif x:\ny\n",
    "return outside": "import torch\nreturn 1\n",
    "star outside": "import torch\nprint(*)\n",
    "python 2": "import torch\nprint 'x'\nexec 'y'\n",
    "merge marks": "import torch\n<<<<<<< a\nx = 1\n=======\nx = 2\n>>>>>>> b\n",
    "long chain": "import torch\nx = a" + ".b()" * 300 + "\n",
    "longer chain": "import torch\nx = a" + ".b()" * 3000 + "\n",
    "long sum": "import torch\nx = " + " + ".join(["a"] * 3000) + "\n",
    "long list": "import torch\nx = [" + ", ".join(["torch.zeros(1).cuda()"] * 300) + "]\n",
    "brackets": nested("(", "1", ")", 150),
    "more brackets": nested("[", "1", "]", 5000),
    "calls": nested("f(", "1", ")", 120),
    "subscripts": nested("f[", "1", "]", 2500),
    "lambdas": nested("lambda: ", "1", "", 3000),
    "nots": nested("not ", "1", "", 3000),
    "conditionals": nested("1 if a else ", "1", "", 900),
    "strings": "import torch\nx = " + "'a' " * 4000 + "\n",
    "formatted strings": nested('f"{', "1", '}"', 4) if sys.version_info >= (3, 12) else "import torch\n",
    "blocks": blocks(18),
    "more blocks": blocks(60),
    "elifs": "import torch\nif a:\n    pass\n" + "elif b:\n    pass\n" * 1500,
    "dictionary patterns": "import torch\nmatch x:\n    case " + "{1: " * 12 + "y" + "}" * 12 + ":\n        pass\n",
    "many decorators": "import torch\n" + "@d\n" * 500 + "def f(): pass\n",
    "many arguments": f"import torch\ndef f({', '.join(f'a{n}' for n in range(600))}): pass\n",
    "many targets": "import torch\n" + " = ".join(f"a{n}" for n in range(400)) + " = torch.zeros(1).cuda()\n",
    "one name many times": "import torch\n" + "x = torch.zeros(1).cuda() + x\n" * 400,
    "one long line": "import torch; x = '" + "a" * 1_000_000 + "'\n",
    "one long comment": "import torch  # " + "tpl: ignore[" * 20_000 + "\n",
    "one long noqa": "import torch  # noqa: " + "TPL101," * 20_000 + "\n",
    "a huge number": "import torch\nx = " + "9" * 5000 + "\ny = torch.zeros(" + "9" * 4000 + ").cuda()\n",
    "a huge power": "import torch\nx = torch.zeros(10 ** 10 ** 10, 1 << 99999999, 'a' * 10 ** 12).cuda()\n",
    "recursion": "import torch\ndef f(x): return g(x).cuda()\ndef g(x): return f(x).cpu()\nf(torch.zeros(1)).item()\n",
    "a class of itself": "import torch\nclass A(A):\n    def f(self): return self.f().f()\nA().f().item()\n",
    "inheritance in a circle": "import torch\nclass A(B): pass\nclass B(A):\n    def f(self): return self.g\nB().f().item()\n",
    "import of itself": "import torch\nfrom . import *\nfrom .section import f\nf().item()\n",
    "imports of nothing": "import torch\nfrom .... import x\nfrom ...... a import y\n",
    "a long name": f"import torch\nimport {'a' * 300}.{'b' * 300}\n{'a' * 300}.{'b' * 300}.f().item()\n",
    "new syntax": "import torch\ntype X[T] = list[T]\ndef f[T: int](x: T) -> T: return torch.zeros(1).cuda()\n",
    "newer syntax": "import torch\ntry:\n    pass\nexcept A, B:\n    x = torch.zeros(1).cuda()\n",
    "template strings": 'import torch\nx = t"{torch.zeros(1).cuda()}"\n',
    "quotes in quotes": 'import torch\nx = f"{d["a"]} {torch.zeros(1).cuda()}"\n',
    "type comments": "import torch\nx = []  # type: (((((\ndef f(a):  # type: (int) ->\n    pass\n",
}
DATA = {
    **{name: text.encode("utf-8", "surrogatepass") for name, text in TEXTS.items()},
    "byte order mark": b"\xef\xbb\xbf" + STEP.encode(),
    "two marks": b"\xef\xbb\xbf" * 2 + STEP.encode(),
    "latin-1": b"# -*- coding: latin-1 -*-\nimport torch\nx = '\xe9'; y = torch.zeros(1).cuda()\n",
    "latin-1 without a word": b"import torch\nx = '\xe9'\n",
    "utf-7": b"# coding: utf-7\nimport torch\nx = '+AGE-'; y = torch.zeros(1).cuda()\n",
    "an encoding that is none": b"# coding: klingon\nimport torch\n",
    "an encoding of bytes": b"# coding: rot13\nimport torch\n",
    "an encoding that refuses": b"# coding: undefined\nimport torch\n",
    "punycode": b"# coding: punycode\nimport torch\n",
    "mark and other encoding": b"\xef\xbb\xbf# coding: latin-1\nimport torch\n",
    "utf-16": STEP.encode("utf-16"),
    "utf-32": STEP.encode("utf-32"),
    "half a character": STEP.encode() + b"# \xf0\x9f\x98",
    "surrogates": b"import torch\nx = '\xed\xa0\x80'\n",
    "any bytes": bytes(range(256)) + b"torch",
    "an archive": b"PK\x03\x04torch" + bytes(range(255, 0, -1)) * 20,
    "end of a file of old": STEP.encode() + b"\x1a",
}
NOTEBOOKS = {
    "no notebook": b"torch",
    "a list": b'["torch"]',
    "deep": b'{"torch": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep output": b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "import torch", "outputs": '
    + b"[" * 5000 + b"]" * 5000 + b"}]}",
    "a huge number": b'{"nbformat": 4, "torch": ' + b"9" * 5000 + b', "cells": []}',
    "an old one": b'{"nbformat": 3, "torch": 1, "worksheets": []}',
    "cells of anything": b'{"nbformat": 4, "cells": [1, null, {"cell_type": "code"}, {"cell_type": "code", "source": [1]}, '
    b'{"cell_type": "code", "source": "import torch\\nx = torch.zeros(1).cuda()"}]}',
    "keys twice": b'{"nbformat": 4, "cells": [], "cells": [{"cell_type": "code", "source": "import torch", "source": '
    b'"import torch\\ntorch.zeros(1).cuda()"}]}',
    "cells that are none, and then some": b'{"nbformat": 4, "cells": 4, "cells": [{"cell_type": "code", "source": "torch"}]}',
    "magic alone": b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["%torch\\n", "!x\\\\\\n", "y\\n", "??"]}]}',
    "cut": b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "import torch',
    "half of a pair": b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "import torch\\nx = \'\\ud800\'"}]}',
    "many lines of magic": b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "import torch\\n'
    + b"!x\\n" * 3000 + b'"}]}',
    "not utf-8": b'{"nbformat": 4, "torch": "\xff"}',
    "empty": b"torch {}",
}  # fmt: skip


def through(data: bytes, path: str, root: Path) -> tuple[Done, bytes]:
    """What is found in some bytes, and what becomes of them with all fixes."""
    config = Config(root=root, rules=ALL, cache=False, fix=True, unsafe_fixes=True)
    done, _ = LintFile(SameSettings(config)).content(str(root / path), data)
    mended, after = FixFile(SameSettings(config)).content(str(root / path), data)
    assert (after != data) is bool(mended.fixed)
    assert FixFile(SameSettings(config)).content(str(root / path), after)[1] == after, "a second fix changes something"
    assert not [each.message for each in done.findings if each.code == RULE_RAISED]
    return done, after


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
def test_a_file_of_any_kind(data: bytes, tmp_path: Path) -> None:
    done, after = through(data, "section.py", tmp_path)
    refused = [each for each in done.findings if each.code == DOES_NOT_PARSE]
    error = refusal(data)
    if error is None:
        assert all("too deep" in each.message or "UTF-8" in each.message for each in refused)
    elif error.lineno and b"torch" in data and not _newer(data):
        assert [each.span.start.line for each in refused] == [error.lineno]
    assert not refused or after == data or error is None


def refusal(data: bytes) -> SyntaxError | None:
    """Why Python refuses some bytes; None where it reads them, or cannot say where it stumbles."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError):
        return SyntaxError("it does not say where")
    return None


def _newer(data: bytes) -> bool:
    """Whether a text is of a Python that is newer than the oldest we run on."""
    return data in [DATA[name] for name in ("new syntax", "newer syntax", "template strings", "quotes in quotes")]


@pytest.mark.parametrize("data", NOTEBOOKS.values(), ids=NOTEBOOKS)
def test_a_notebook_of_any_kind(data: bytes, tmp_path: Path) -> None:
    through(data, "section.ipynb", tmp_path)


def test_what_ends_a_parser_does_not_end_a_process(tmp_path: Path) -> None:
    """In processes of their own, as a death of the parser would take this one along."""
    paths = []
    for number, data in enumerate(DATA.values()):
        (tmp_path / f"{number}.py").write_bytes(data)
        paths.append(str(tmp_path / f"{number}.py"))
    answers = dict(together(LintFile(SameSettings(Config(root=tmp_path, rules=ALL))), paths, 2))
    assert sorted(answers) == sorted(paths)
    assert not [path for path, answer in answers.items() if isinstance(answer, Died)]


# ---- names and kinds of files


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(capsys)


FORMATS = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")


@POSIX
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "name", ["a b.py", "new\nline.py", b"\xff\xfe.py", "\x1b[2J.py", "é\u202e.py", "::error::.py", "-x.py"]
)
def test_names(name: str | bytes, form: str, run: Shell) -> None:
    path = os.fsdecode(name)
    Path(path).write_text(STEP, encoding="utf-8")
    assert run("--isolated", "--no-cache", "--format", form, "--color", "never", f"./{path}") == 1
    assert "\x1b" not in run.out + run.err
    assert "internal error" not in run.err
    assert run("--isolated", "--fix", "--quiet", "--format", form) == 1
    assert "device=" in Path(path).read_text(encoding="utf-8")


@POSIX
def test_pipes_devices_and_links(run: Shell) -> None:
    os.mkfifo("pipe.py")
    Path("loop").symlink_to(".")
    Path("self.py").symlink_to("self.py")
    Path("gone.py").symlink_to("nowhere.py")
    Path("zero.py").symlink_to("/dev/zero")
    Path("folder.py").mkdir()
    Path("real.py").write_text(STEP, encoding="utf-8")
    Path("link.py").symlink_to("real.py")
    Path("user.py").write_text("import torch\nimport pipe, zero, loop, folder\npipe.f().item()\n", encoding="utf-8")
    assert run("--isolated", "--no-cache", "--format", "concise", "--select", "TPL201") == 1
    assert [line.partition(":")[0] for line in run.out.splitlines()] == ["real.py"]
    for named in ("pipe.py", "zero.py"):
        assert run("--isolated", named) == 2
        assert f"{named}: not a regular file" in run.err
    for named in ("self.py", "gone.py"):
        assert run("--isolated", named) == 2
        assert f"error: {named}: " in run.err
    assert run("--isolated", "--fix", "--quiet", "link.py") == 1
    assert Path("link.py").is_symlink()
    assert "device=" in Path("real.py").read_text(encoding="utf-8")


@POSIX
@pytest.mark.usefixtures("permissions_hold")
def test_what_may_not_be_read_is_told_and_the_rest_is_linted(run: Shell) -> None:
    Path("closed").mkdir(mode=0)
    Path("secret.py").write_text(STEP, encoding="utf-8")
    Path("secret.py").chmod(0)
    Path("open.py").write_text(STEP, encoding="utf-8")
    assert run("--isolated", "--no-cache", "--format", "concise") == 2
    assert "open.py" in run.out
    assert "error: closed: Permission denied" in run.err
    assert "error: secret.py: Permission denied" in run.err
    Path("closed").chmod(0o755)


@pytest.mark.parametrize("is_there", [True, False], ids=["modules in a circle", "modules that are missing"])
def test_stars_that_lead_round_are_followed_once(is_there: bool, tmp_path: Path) -> None:
    count = 30
    package = tmp_path / "package"
    package.mkdir()
    stars = "".join(f"from .part{number} import *\n" for number in range(count))
    for number in range(count if is_there else 0):
        (package / f"part{number}.py").write_text(stars, encoding="utf-8")
    calls = "".join(f"    name{number}(x[0].item())\n" for number in range(8))
    (package / "__init__.py").write_text(f"import torch\n{stars}\n\ndef f(x):\n{calls}", encoding="utf-8")
    start = time.process_time()
    config = Config(root=package if not is_there else tmp_path, rules=ALL, cache=False)
    path = str(package / "__init__.py")
    assert not LintFile(SameSettings(config)).content(path, Path(path).read_bytes())[0].failure
    assert time.process_time() - start < 10


def test_of_hundreds_of_modules_behind_stars_not_all_are_read(tmp_path: Path) -> None:
    numbers = range(400)
    for number in numbers:
        (tmp_path / f"part{number}.py").write_text(f"def f{number}(x):\n    return x\n", encoding="utf-8")
    (tmp_path / "parts.py").write_text("".join(f"from part{number} import *\n" for number in numbers), encoding="utf-8")
    path = tmp_path / "program.py"
    path.write_text(
        "import torch\nimport parts\n\ndef f(x):\n    parts.f3(x[0].item())\n    parts.f399(x[1].item())\n",
        encoding="utf-8",
    )
    done, _ = LintFile(SameSettings(Config(root=tmp_path, rules=ALL, cache=False))).content(
        str(path), path.read_bytes()
    )
    assert 4 <= len(done.reads.found) < 300


Change = Callable[[Path], object]


@pytest.mark.parametrize(
    "change",
    [lambda path: path.unlink(), lambda path: path.write_text("changed = 1\n"), lambda path: path.write_bytes(b"\xff")],
    ids=["gone", "changed", "no text any more"],
)
def test_a_file_that_changes_while_it_is_mended_is_left_as_it_is(
    change: Change, run: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    from torchperf_lint.run import fix_file

    path = Path("a.py")
    path.write_text(STEP, encoding="utf-8")
    whole = FixFile.content

    def content(job: FixFile, name: str, data: bytes) -> tuple[Done, bytes]:
        done = whole(job, name, data)
        change(path)
        return done

    monkeypatch.setattr(fix_file.FixFile, "content", content)
    code = run("--isolated", "--no-cache", "--fix", "--jobs", "1", "--format", "concise")
    expected = path.read_bytes() if path.exists() else None
    assert expected in (None, b"changed = 1\n", b"\xff")
    assert code in (0, 1, 2)
    assert "Traceback" not in run.err
    assert [each.name for each in Path().iterdir()] in (["a.py"], [])
