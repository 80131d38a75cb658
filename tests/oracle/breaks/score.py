"""Hold what the linter claims of graph breaks against what Dynamo said of the same lines.

    python tests/oracle/breaks/score.py breaks.json NAME=FOLDER ... [--half first|other|all] [--show 40]

`NAME=FOLDER` says where the library, or the repository, lies that was recorded. Each file belongs to one of two halves, by a
hash of its name: nobody looks at the breaks of the `first` one before its figure is taken; `all` is for what nobody has looked at
yet. All modules are assumed to be compiled, and a file beside the library compiles those of its functions that were recorded.

*right*: of the claims about statements that Dynamo traced, those in which it broke. A statement that it never came to, as
one after a break in a loop, says nothing. *found*: of the statements in which it broke, those that a claim names. Breaks
that somebody asked for (`torch.compiler.disable`) are none to be found.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from oracle.breaks import recorder

MEANT = ("Skip calling `torch.compiler.disable()`d function", "Call to `torch._dynamo.graph_break()`")
"""Kinds of breaks that the author asked for."""


@dataclass
class Figures:
    """The figures of a library, and what they are made of."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    unasked: int = 0
    found: int = 0
    missed: list[str] = field(default_factory=list)

    def row(self) -> dict[str, int]:
        return {
            "claims": self.right + len(self.wrong), "right": self.right, "not traced": self.unasked,
            "breaks": self.found + len(self.missed), "found": self.found,
        }  # fmt: skip


def half(library: str, file: str) -> str:
    """Which half a file is in."""
    return ("first", "other")[hashlib.sha256(f"{library}/{file}".encode()).digest()[0] % 2]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("breaks", type=Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--half", choices=("first", "other", "all"), default="first")
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    recorded = json.loads(given.breaks.read_text("utf-8"))
    rows = {}
    for name, _, folder in (each.partition("=") for each in given.folders):
        said = recorded["libraries"].get(name)
        if said is None:
            parser.error(f"{name} is not recorded; what is: {', '.join(sorted(recorded['libraries']))}")
        if not Path(folder or "?").is_dir():
            parser.error(
                f"{name}=FOLDER must name the folder of its modules, version {said['version']}, not `{folder}`"
            )
        figures = of_library(name, Path(folder), said, given.half)
        rows[f"{name} {said['version']}"] = figures.row()
        for line in (*figures.wrong, *figures.missed)[: given.show]:
            print(line, file=sys.stderr)
    rows["all"] = {key: sum(row[key] for row in rows.values()) for key in Figures().row()}
    json.dump({"torch": recorded["torch"], "half": given.half, "rows": rows}, sys.stdout, indent=1)
    print()


def of_library(name: str, folder: Path, said: dict[str, Any], wanted: str) -> Figures:
    """The figures of the files of one half of a library."""
    figures = Figures()
    files = {file: each for file, each in said["files"].items() if wanted in ("all", half(name, file))}
    claims = claimed(folder, sorted(files), [*said["models"]])
    for file, each in sorted(files.items()):
        source = (folder / file).read_bytes()
        if hashlib.md5(source).hexdigest() != each["md5"]:
            raise SystemExit(f"{folder / file} is not the file that was recorded")
        compare(figures, f"{name}/{file}", statements(source), each, claims.get(file, []))
    return figures


def compare(
    figures: Figures, shown: str, spans: list[range], said: dict[str, Any], claims: list[tuple[int, str]]
) -> None:
    """Add what is right, wrong, found and missed in one file."""
    broken = {}
    for line, each in said["breaks"].items():
        kinds = [kind for kind in each["kinds"] if kind not in MEANT]
        if kinds:
            broken[innermost(spans, int(line))] = (int(line), kinds)
    meant = {innermost(spans, int(line)) for line in said["breaks"]} - broken.keys()
    traced = {innermost(spans, line) for line in recorder.lines_of(said["traced"])}
    named = {}
    for line, message in claims:
        named.setdefault(innermost(spans, line), (line, message))
    for span, (line, message) in sorted(named.items(), key=lambda each: each[1]):
        if span in broken:
            figures.right += 1
        elif span in traced and span not in meant:
            figures.wrong.append(f"wrong   {shown}:{line} {message}")
        else:
            figures.unasked += 1
    figures.found += len(broken.keys() & named.keys())
    figures.missed += [
        f"missed  {shown}:{line} {kinds[0]}" for span, (line, kinds) in broken.items() if span not in named
    ]


def statements(source: bytes) -> list[range]:
    """The lines of each statement, of one that holds others those of its head, the innermost last."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno or node.lineno
            spans.append(range(node.lineno, max(last, node.lineno) + 1))
    return sorted(spans, key=lambda each: (-len(each), each.start))


def innermost(spans: list[range], line: int) -> range:
    return next((span for span in reversed(spans) if line in span), range(line, line + 1))


def compiling(folder: Path, models: list[str]) -> str:
    """A file that compiles what was recorded that is a function: who audits a library says so of its modules alone. It
    imports the modules, so that none of them counts as code that nobody uses."""
    homes: dict[str, list[str]] = {}
    functions = set()
    for each in folder.rglob("*.py"):
        module = ".".join((*_prefix(folder), *each.relative_to(folder).with_suffix("").parts))
        for kind, name in re.findall(r"^(def|class) (\w+)", each.read_text("utf-8", "replace"), re.MULTILINE):
            homes.setdefault(name, []).append(module)
            functions.update([name] if kind == "def" else [])
    short = {name.partition(" ")[0].rpartition(".")[2] for name in models}
    known = [(homes[name][0], name) for name in short if len(homes.get(name, ())) == 1]
    lines = [
        f"from {home} import {name}\n{f'torch.compile({name})' if name in functions else ''}"
        for home, name in sorted(known)
    ]
    return "\n".join(["import torch", *lines, ""])


def _prefix(folder: Path) -> tuple[str, ...]:
    """What stands before the names of the modules: the package; nothing in a repository."""
    return (folder.name,) if (folder / "__init__.py").exists() else ()


def claimed(folder: Path, files: list[str], models: list[str]) -> dict[str, list[tuple[int, str]]]:
    """The lines that the linter names, by file; in a copy of the library alone, for beside others nobody knows who calls what."""
    if not files:
        return {}
    command = [
        sys.executable,
        "-m",
        "torchperf_lint",
        "check",
        "--isolated",
        "--no-cache",
        "--select",
        "TPL702",
        "--assume-compiled",
    ]
    with tempfile.TemporaryDirectory() as home:
        for each in folder.rglob("*.py"):
            place = Path(home, *_prefix(folder), each.relative_to(folder))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(each.read_bytes())
        Path(home, "compiling.py").write_text(compiling(folder, models), "utf-8")
        paths = ["/".join((*_prefix(folder), file)) for file in files]
        done = subprocess.run(
            [*command, "--format", "json", *paths], capture_output=True, text=True, check=False, cwd=home
        )
    found: dict[str, list[tuple[int, str]]] = {}
    for each in json.loads(done.stdout)["findings"]:
        file = Path(each["path"]).relative_to("/".join(_prefix(folder))).as_posix()
        lines = [
            each["start"]["line"],
            *(other["line"] for other in each.get("also", ()) if other["path"] == each["path"]),
        ]
        found.setdefault(file, []).extend((line, each["message"]) for line in lines)
    return found


if __name__ == "__main__":
    main()
