"""The house rules as code: who may import whom, where torch may stand, how long things may be, what names are kept.

Every import counts, those inside of functions and those for type checkers too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from fixture import RULES as FIXTURES
from for_each import for_each

import torchperf_lint
from torchperf_lint.rule import Rule, all_rules

PACKAGE: Final = Path(torchperf_lint.__file__).parent
TESTS: Final = Path(__file__).parent
MODULES: Final = sorted(PACKAGE.rglob("*.py"))

ROOMS: Final = {
    "disk": frozenset[str](),
    "syntax": frozenset[str](),
    "model": frozenset({"disk", "syntax"}),
    "facts": frozenset({"disk", "model", "syntax"}),
    "rule": frozenset({"facts", "model", "rules"}),
    "rules": frozenset({"facts", "rule"}),
    "config": frozenset({"disk", "model", "rule", "syntax"}),
    "fixes": frozenset({"model", "syntax"}),
    "files": frozenset({"config", "disk", "fixes", "model", "syntax"}),
    "engine": frozenset({"config", "facts", "fixes", "model", "rule", "syntax"}),
    "report": frozenset({"config", "disk", "files", "model", "syntax", "version"}),
    "trace": frozenset({"disk", "model", "report", "syntax", "version"}),
    "run": frozenset({"config", "disk", "engine", "facts", "files", "fixes", "model", "report", "syntax"}),
    "fleet": frozenset({"config", "disk", "files", "model", "report", "run", "syntax", "version"}),
    "server": frozenset(
        {"cli", "config", "disk", "engine", "facts", "files", "fixes", "model", "report", "run", "syntax", "version"}
    ),
}
"""The rooms in the order in which a file passes through them, and what each may import; those not named here are the shell."""
MAY_BE_IMPORTED_BY: Final = {
    "engine": {"run", "server", "verify", "docs"},
    "facts": {"engine", "rule", "rules", "run", "server", "verify"},
    "rule": {"docs", "engine", "rules", "verify", "config"},
    "rules": {"rule", "verify"},  # a bench asks of a place what its rule asks
    "fixes": {"docs", "engine", "files", "run", "server", "verify"},
    "docs": {"cli"},
    "trace": {"__init__", "cli", "verify"},
    "verify": {"cli", "docs"},
    "cli": {"__main__", "api", "docs", "flake8", "server", "verify"},
}
"""Who may import a room, besides itself."""
LIBCST: Final = {
    "docs",
    "engine",
    "facts/facade.py",
    "facts/questions",
    "model/finding.py",
    "fixes",
    "rule",
    "rules",
    "syntax",
    "verify",
}
TORCH: Final = (
    "verify/worker.py", "verify/rank.py", "verify/gpu.py", "verify/graphs.py", "verify/switches.py", "verify/observe.py",
    "verify/parity.py", "verify/benches/", "facts/knowledge/generate.py", "trace/recorder/",
)  # fmt: skip
"""The only places where torch may be imported, all of them beside the path of a lint."""
CLICK: Final = {"cli", "verify", "report/console.py", "server/command.py", "fleet/command.py"}
PROTOCOL: Final = {"lsprotocol", "pygls"}
"""What the extra `lsp` installs."""
MANY: Final = {"fsspec", "pyarrow", "ray"}
"""What the extra `fleet` installs."""
DEPENDENCIES: Final = {"click", "libcst", "tomli", "torch", *PROTOCOL, *MANY}

TABLES: Final = {"facts/knowledge/operations.py", "facts/knowledge/members.py"}
"""Data: as long as what they know."""
LONGEST_FILE: Final = 300
LONGEST_RULE: Final = 150
LONGEST_FUNCTION: Final = 40
"""Lines without the docstring."""
FAMILIES: Final = ("sync", "transfer", "precision", "autograd", "memory", "fusion", "compile", "distributed", "misuse")
"""In the order of their digits: TPL1.. to TPL9.."""


def inside(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def part(path: Path) -> str:
    """The part of the house that a file is, or is in."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of them: many tests look through them."""
    return tuple(ast.walk(tree(path)))


def imports(path: Path) -> Iterator[str]:
    """The dotted names that a file imports."""
    for node in nodes(path):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module="torchperf_lint", names=aliases):
                yield from (f"torchperf_lint.{alias.name}" for alias in aliases)
            case ast.ImportFrom(module=str(module), level=0):
                yield module
            case ast.ImportFrom():
                raise AssertionError(f"{inside(path)}:{node.lineno}: a relative import")


def of_ours(path: Path) -> set[str]:
    """The other parts that a file imports."""
    parts = {name.split(".")[1] for name in imports(path) if name.startswith("torchperf_lint.")}
    return parts - {part(path)}


def outside(path: Path) -> set[str]:
    """The libraries that a file imports, those of Python left out."""
    return {name.partition(".")[0] for name in imports(path)} - set(sys.stdlib_module_names) - {"torchperf_lint"}


def is_rule(path: Path) -> bool:
    """Whether a file is a rule, and not what one rule alone asks, which stands beside it in a folder of its own."""
    return part(path) == "rules" and (path.name == "__init__.py" or len(path.relative_to(PACKAGE).parts) == 3)


def file_of(rule: Rule) -> Path:
    home = PACKAGE / "rules" / rule.family / rule.name.replace("-", "_")
    return home / "__init__.py" if home.is_dir() else home.with_suffix(".py")


every_module = for_each(MODULES, inside)
every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)


@every_module
def test_who_imports_whom(path: Path) -> None:
    taken = of_ours(path)
    assert taken <= ROOMS.get(part(path), taken)
    for name, by in MAY_BE_IMPORTED_BY.items():
        assert name not in taken or part(path) in by, f"{inside(path)} imports {name}"


@every_module
def test_libraries_are_imported_where_they_belong(path: Path) -> None:
    taken, here = outside(path), {part(path), inside(path), inside(path.parent)}
    assert taken <= DEPENDENCIES
    assert "libcst" not in taken or here & LIBCST
    assert "click" not in taken or here & CLICK
    assert "torch" not in taken or inside(path).startswith(TORCH)
    assert not PROTOCOL & taken or part(path) == "server"
    assert not MANY & taken or part(path) == "fleet" or inside(path) == "disk/parquet.py"
    assert "ray" not in taken or inside(path) == "fleet/on_ray.py"
    assert not {name for name in imports(path) if name.startswith(("libcst.matchers", "libcst.metadata"))}


def test_torch_in_the_library_of_facts_is_a_name_and_not_an_import() -> None:
    mentions = [path for path in MODULES if part(path) == "facts" and "torch" in outside(path)]
    assert [inside(path) for path in mentions] == ["facts/knowledge/generate.py"]


@every_module
def test_nothing_of_the_linted_code_can_run(path: Path) -> None:
    """No pickle and no evaluation; `compile` is asked whether a text compiles, in one place, and verify runs our benches.

    One file runs the program of the user, where the user has asked to measure it.
    """
    if inside(path) == "trace/prepare.py":
        return
    dangerous = {"pickle", "marshal", "shelve", "dill", "runpy", "code", "imp"}
    assert not dangerous & {name.partition(".")[0] for name in imports(path)}
    called = {node.func.id for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not {"eval", "__import__"} & called
    assert "compile" not in called or inside(path) == "fixes/apply.py" or part(path) == "verify"
    assert "exec" not in called or part(path) == "verify"


OPENING: Final = {
    "open",
    "open_code",
    "fdopen",
    "openat",
    "read_bytes",
    "read_text",
    "write_bytes",
    "write_text",
    "mkstemp",
}
OPENED_BY: Final = (
    "disk/",
    "docs/",
    "verify/ranks.py",
    "verify/serve.py",
    "cli/main.py",
    "facts/knowledge/generate.py",
    "facts/knowledge/stubs.py",
)
"""What opens files: the room for it, the tools of our own developers, files of ours that nobody else names, and what closes
the standard output."""


REMOVING: Final = {"docs", "verify", "disk/remove.py"}
"""What removes or copies whole folders."""


@every_module
def test_one_room_opens_files(path: Path) -> None:
    """What is read may be a pipe, a device or a link to one; what is written may be: there is one place that knows."""
    calls = [node.func for node in nodes(path) if isinstance(node, ast.Call)]
    names = {ast.unparse(each).rpartition(".")[2] for each in calls if isinstance(each, (ast.Name, ast.Attribute))}
    assert not OPENING & names or inside(path).startswith(OPENED_BY)
    assert (
        not {"rmtree", "removedirs", "copytree", "copyfile"} & names
        or part(path) in ("docs", "verify")
        or inside(path) == "disk/remove.py"
    )


@every_module
def test_a_file_says_what_it_is_for(path: Path) -> None:
    if tree(path).body and path.name != "__init__.py":
        doc = ast.get_docstring(tree(path))
        assert doc or is_rule(path), "no docstring"
    assert path.stem not in {"utils", "util", "helpers", "helper", "common", "misc"}


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str()), lineno=int(first), end_lineno=int(last)):
            return lines - (last - first + 1)
    return lines


def too_long(path: Path) -> list[str]:
    """What of a file is longer than it may be."""
    length = len(path.read_text(encoding="utf-8").splitlines())
    most = LONGEST_RULE + _preamble(path) if is_rule(path) else LONGEST_FILE
    functions = [node for node in nodes(path) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    long = [f"{each.name}: {_lines(each)} lines" for each in functions if _lines(each) > LONGEST_FUNCTION]
    return ([f"{length} lines"] if length > most else []) + long


def _preamble(path: Path) -> int:
    """The lines of a rule's imports, which a formatter spreads out: nobody has to read those."""
    return max(
        (each.end_lineno or 0 for each in tree(path).body if isinstance(each, (ast.Import, ast.ImportFrom))), default=0
    )


@every_module
def test_size(path: Path) -> None:
    if inside(path) not in TABLES:
        assert not too_long(path)


def test_exceptions_are_needed() -> None:
    assert {name for name in TABLES if not too_long(PACKAGE / name)} == set()


@every_rule
def test_a_rule_is_one_pure_function_in_one_file(rule: Rule) -> None:
    path = file_of(rule)
    taken = {name for name in imports(path) if name.partition(".")[0] not in sys.stdlib_module_names}
    own = {rule.check.__module__} if path.name == "__init__.py" else set()
    assert taken <= {"libcst", "torchperf_lint.rule", *own}, "a rule imports libcst, the rule module and its own match"
    kinds = (ast.ClassDef, ast.Global, ast.Nonlocal)
    assert not [node for node in nodes(path) if isinstance(node, kinds)], "a rule has no class and no state"
    decorated = [node for node in tree(path).body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    assert [each.name for each in decorated if any("rule" in ast.unparse(d) for d in each.decorator_list)] == ["check"]
    opened = {ast.unparse(node.func) for node in nodes(path) if isinstance(node, ast.Call)}
    assert not {"open", "print", "input"} & opened


@every_rule
def test_what_one_rule_asks_speaks_of_facts_and_not_of_libcst(rule: Rule) -> None:
    folder = file_of(rule).parent
    for path in folder.glob("[!_]*.py") if file_of(rule).name == "__init__.py" else ():
        taken = {name for name in imports(path) if name.partition(".")[0] not in sys.stdlib_module_names}
        assert all(f"{name}.".startswith(("torchperf_lint.facts.", f"{rule.check.__module__}.")) for name in taken), (
            path.name
        )
        assert not [each for each in nodes(path) if isinstance(each, (ast.Global, ast.Nonlocal))]


@every_rule
def test_a_code_says_the_family(rule: Rule) -> None:
    assert re.fullmatch(r"TPL[1-9]\d\d", rule.code), f"{rule.code} is no TPL and three digits"
    digit = FAMILIES.index(rule.family) + 1
    assert rule.code[3] == str(digit), f"{rule.code} stands among {rule.family}, whose codes begin with TPL{digit}"


def test_every_bench_is_of_a_rule() -> None:
    rules = {f"{rule.family}/{rule.name.replace('-', '_')}" for rule in all_rules()}
    benches = {
        path.relative_to(PACKAGE / "verify/benches").with_suffix("").as_posix()
        for family in FAMILIES
        for path in (PACKAGE / "verify/benches" / family).glob("*.py")
        if path.name != "__init__.py"
    }
    assert benches <= rules


def test_every_fixture_stands_where_its_rule_does() -> None:
    rules = {f"{rule.family}/{rule.name.replace('-', '_')}.py" for rule in all_rules()}
    fixtures = {path.relative_to(FIXTURES).as_posix() for path in FIXTURES.glob("*/*.py")}
    assert {name for name in fixtures if not name.endswith(".fixed.py")} <= rules
    assert {name.replace(".fixed.py", ".py") for name in fixtures} <= rules


# ---- the page that shows all this to people

PAGE: Final = TESTS.parent / "ARCHITECTURE.md"
CONTRIBUTING: Final = TESTS.parent / "CONTRIBUTING.md"
checkout_only = pytest.mark.skipif(not PAGE.is_file(), reason="no checkout")


@checkout_only
def test_the_page_shows_the_rooms_and_what_each_may_import() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .+ \| ((?:`\w+` ?)*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {room: frozenset(re.findall(r"\w+", imported)) for room, imported in rows}
    assert shown == ROOMS, "ARCHITECTURE.md and ROOMS differ: change the one that is behind"
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name not in ("__pycache__", "pages")}
    assert rooms <= {*ROOMS, "cli", "verify", "docs"}, "a room that ARCHITECTURE.md does not show"


@checkout_only
def test_the_page_shows_the_folders_of_facts() -> None:
    rows = re.findall(r"^\| `(\w+)/` \| .+ \| `(\w+\.py)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name for name, _ in rows} == {
        path.name for path in (PACKAGE / "facts").iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    for name, start in rows:
        assert (PACKAGE / "facts" / name / start).is_file(), f"ARCHITECTURE.md: {name}/{start} is gone"


@checkout_only
@pytest.mark.parametrize("page", [PAGE, CONTRIBUTING], ids=lambda page: page.name)
def test_files_that_the_pages_for_developers_name_are_there(page: Path) -> None:
    """What is in backticks and looks like a path is one, of the checkout, the package, `facts/` or a table below."""
    folders = (
        TESTS.parent, PACKAGE, PACKAGE / "facts", PACKAGE / "facts/knowledge", PACKAGE / "facts/domain", PACKAGE / "facts/index",
        TESTS / "facts", PACKAGE / "verify", *(PACKAGE / "facts").iterdir(),
    )  # fmt: skip
    named = re.findall(r"`([\w./]+(?:\.(?:py|txt|json|md)|/))`", page.read_text(encoding="utf-8"))
    gone = {name for name in named if not any((folder / name).exists() for folder in folders)}
    assert gone <= {"fixed.py"}, f"{page.name} names what is not there"
