"""A fuzzer for whole projects: several files with names of any kind, settings, links, pipes, notebooks, caches, patterns.

    python tests/robustness/projects.py --seconds 600

Each project is drawn from a seed, linted or fixed by a process of its own, and looked at: how it ended, that nothing
outside of it has changed, that inside of it only what was asked for has, that no file of it has run, and that what
compiled still compiles. What is at fault is told with the seed that draws it again. Exit code 1 if anything was.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz import SETTINGS, mutated
from test_inputs import DATA, NOTEBOOKS

from torchperf_lint.cli.main import main as tool
from torchperf_lint.config.settings import LINE_ONLY
from torchperf_lint.run.marked import is_ours

LIMIT: Final = 60
"""Seconds of processor time, after which a project hangs."""
TELLS: Final = 300
"""Seconds between two lines of how far it is, so that a run that is cut has said what it did."""
LARGEST: Final = 20_000
STEP: Final = "import torch\nfor x in loader:\n    y = torch.zeros(4096, 4096).cuda()\n    model(x + y).backward()\n    opt.step()\n"
MARKER: Final = "from pathlib import Path\nPath({!r}).touch()\n"
FIXTURES: Final = [path.read_bytes() for path in sorted((Path(__file__).parent.parent / "rules").glob("*/*.py"))]
PROGRAMS: Final = [data for data in (*FIXTURES, *DATA.values(), STEP.encode()) if len(data) <= LARGEST]
CELLS: Final = [data for data in NOTEBOOKS.values() if len(data) <= LARGEST]
NAMES: Final = (
    "a", "b", "model", "train", "torch", "click", "sitecustomize", "conftest", "__init__", "__main__", "libcst", "torchperf_lint",
    "-o", "--fix", "new\nline", "esc\x1b[31m", "::set-output name=a::b", "##[debug]x", "import os;os.system('touch PWNED')#",
    "touch PWNED;#", "$(touch PWNED)", "名前", "\udcff", " space ", "a" * 200, "%s{0}", "..a", "a:b", "'", '"', "\u202egnp",
)  # fmt: skip
FOLDERS: Final = (
    "", "", "", "src", "src/deep/deeper", "tests", "data", ".git", ".git/hooks", "build", ".torchperf_lint_cache", "0" * 32, "-",
)  # fmt: skip
PATTERNS: Final = (
    "*", "!*", "a*b*c*d*e*f*g*h*", "**/", "**/*", "/", "[", "[!a]", "\\", "src/", "!src/a.py", "*.py", "#", " ", "é?", "[z-a]", "a**/b",
)  # fmt: skip
COMMANDS: Final = (
    (), (), (), ("--fix",), ("--fix", "--unsafe-fixes"), ("--diff",), ("--add-ignores",), ("--add-ignores=because # of \n it",),
    ("--select", "ALL"), ("--statistics",), ("--force-exclude",), ("--no-gitignore", "--exclude", ""), ("--jobs", "2"), ("--no-cache",),
    ("--isolated", "--fix"), ("--config", "a.toml"), ("--baseline", "b.json"), ("--write-baseline", "b.json"),
    ("-o", "report.json", "--format", "json"), ("--format", "sarif=out/r.sarif"), ("--cache-dir", "data"), ("--cache-dir", ".c"),
    ("--show-settings",), ("--show-files",), ("--fail-level", "info"), ("--target-torch", "2.0"), ("--confidence", "proven"),
)  # fmt: skip
FORMATS: Final = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")
WRITTEN: Final = {"b.json": "b.json", "report.json": "report.json", "sarif=out/r.sarif": "out/r.sarif"}
"""What a word of a command line lets be written."""

State = dict[str, str]


class Drawn:
    """A project in a folder, drawn by chance."""

    def __init__(self, scratch: Path, chance: random.Random) -> None:
        self.chance = chance
        self.root = scratch / "repository"
        self.outside = scratch / "other"
        self.marker = scratch / "marker"
        for folder in (self.root, self.outside, self.outside / "folder"):
            folder.mkdir()
        (self.outside / "victim.py").write_text(STEP, encoding="utf-8")
        (self.outside / "secret.json").write_text("{}", encoding="utf-8")

    def fill(self) -> None:
        for _ in range(self.chance.randint(1, 9)):
            with suppress(OSError):  # a name that is there already, or is too long with its folder
                self.entry()
        with suppress(OSError):
            self.settings()

    def path(self, suffix: str) -> Path:
        path = self.root / self.chance.choice(FOLDERS) / f"{self.chance.choice(NAMES)}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def entry(self) -> None:
        """One thing that a project may hold."""
        what = self.chance.randrange(12)
        if what < 5:
            put(self.path(".py"), self.program())
        elif what == 5:
            put(self.path(".ipynb"), self.mutated(self.chance.choice(CELLS), CELLS))
        elif what == 6:
            place = self.chance.choice((".gitignore", "src/.gitignore", ".git/info/exclude"))
            (self.root / place).parent.mkdir(parents=True, exist_ok=True)
            lines = self.chance.choices(PATTERNS, k=self.chance.randint(1, 8))
            put(self.root / place, "\n".join(lines).encode())
        elif what < 10:
            self.link()
        elif what == 10:
            os.mkfifo(self.path(self.chance.choice((".py", ".ipynb", "", ".toml", ".json"))))
        else:
            name = self.chance.choice(("b.json", "report.json", "a.toml", "out/r.sarif", ".c/CACHEDIR.TAG"))
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            chosen = self.chance.choice((b'{"version": 1, "findings": []}', *SETTINGS))
            put(self.root / name, self.mutated(chosen, SETTINGS))

    def link(self) -> None:
        targets = (
            *[self.outside / "victim.py"] * 6, self.outside / "folder", self.outside / "secret.json", self.outside / "new.py", self.root,
            "/dev/zero", "/dev/stdin", "/proc/self/environ", "a.py", "loop.py", "src", "..",
        )  # fmt: skip
        fixed = ("b.json", "report.json", "out", ".c", "data", "src", ".gitignore", "pyproject.toml", "a.toml", ".git")
        name = (
            self.root / self.chance.choice(fixed)
            if self.chance.random() < 0.4
            else self.path(self.chance.choice((".py", ".ipynb", "")))
        )
        name.symlink_to(self.chance.choice(targets))

    def program(self) -> bytes:
        names = [name for name in NAMES if name.isidentifier()]
        imports = "".join(f"import {name}\n" for name in self.chance.choices(names, k=2))
        marker = MARKER.format(str(self.marker)) + f"\nfrom src import {self.chance.choice(names)}\n{imports}"
        data = STEP.encode() if self.chance.random() < 0.4 else self.chance.choice(PROGRAMS)
        if self.chance.random() < 0.3:
            return self.mutated(data, PROGRAMS)
        return data if data[:3] == b"\xef\xbb\xbf" or b"coding" in data[:200] else marker.encode() + data

    def mutated(self, data: bytes, others: list[bytes]) -> bytes:
        return mutated(data, self.chance.choice(others), self.chance) if self.chance.random() < 0.5 else data

    def settings(self) -> None:
        if self.chance.random() < 0.7:
            return
        lines = [
            text.decode().partition("\n")[2] for text in self.chance.choices(SETTINGS, k=self.chance.randint(0, 2))
        ]
        if self.chance.random() < 0.2:
            lines.append(
                f'{self.chance.choice(list(LINE_ONLY))} = "{self.chance.choice(("a.py", "data", ".git/hooks/pre-commit"))}"\n'
            )
        if self.chance.random() < 0.3:
            lines.append("fix = true\n")
        put(self.root / "pyproject.toml", ("[tool.torchperf-lint]\n" + "".join(lines)).encode())

    def command(self) -> list[str]:
        fix = ("--fix", "--unsafe-fixes") if self.chance.random() < 0.5 else ()
        words = [word for part in (fix, *self.chance.sample(COMMANDS, self.chance.randint(0, 2))) for word in part]
        words += ["--format", self.chance.choice(FORMATS)] if "--format" not in words else []
        files = [
            f"./{path.relative_to(self.root)}" for path in self.root.rglob("*") if path.suffix in (".py", ".ipynb")
        ]
        return [*words, *(self.chance.sample(files, 1) if files and self.chance.random() < 0.2 else [])]


def put(path: Path, data: bytes) -> None:
    """Write a new file. What is there already may be a pipe that was drawn before: to open that waits for ever."""
    with path.open("xb") as file:
        file.write(data)


def state(folder: Path) -> State:
    """All that lies in a folder, links by where they lead."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {os.readlink(path)}"  # noqa: PTH115
        else:
            found[name] = f"{path.stat().st_mode} {path.read_bytes().hex() if path.is_file() else ''}"
    return found


def run(root: Path, words: list[str], output: Path) -> int:
    """The exit code of a run in a process of its own; negative if a signal ended it."""
    child = os.fork()
    if not child:
        os.chdir(root)
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(handle, stream)
        os.close(0)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        signal.alarm(20 * LIMIT)  # of waiting, on a machine that may be busy with others
        code = 3
        try:
            code = tool(words)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def faults(seed: int, scratch: Path, ends: Counter[str]) -> list[str]:
    """What is wrong with how a project was treated; how it ended is counted."""
    drawn = Drawn(scratch, random.Random(seed))
    drawn.fill()
    words = drawn.command()
    os.environ["XDG_CACHE_HOME"] = str(scratch / "kept")
    before, around = state(drawn.root), state(drawn.outside)
    said = scratch / "said"
    code = run(drawn.root, words, said)
    text = said.read_text(encoding="utf-8", errors="replace")
    after = state(drawn.root)
    ends[f"exit code {code}"] += 1
    ends["fixed"] += any(
        before.get(name, text) != text for name, text in after.items() if name.endswith((".py", ".ipynb"))
    )
    found = []
    if code not in (0, 1, 2):
        found.append(f"it ended with {code}")
    found += [f"it said {word!r}" for word in ("Traceback", "please report") if word in text]
    if state(drawn.outside) != around:
        found.append("something outside has changed")
    if drawn.marker.exists() or any(scratch.rglob("PWNED")):
        found.append("something of it has run")
    found += [f"changed: {name!r}" for name in changed(before, after, words, drawn.root)]
    kept = scratch / "kept/torchperf-lint"
    if kept.exists() and not all(map(is_ours, kept.iterdir())):
        found.append("what is kept is not marked")
    return [f"seed {seed}: {each}: {' '.join(words)!r}\n{text[-1500:]}" for each in found]


def changed(before: State, after: State, words: list[str], root: Path) -> list[str]:
    """What has changed that should not have."""
    fixes = any(word.startswith(("--fix", "--add-ignores")) for word in words) or b"fix = true" in _settings(root)
    may = {path for word, path in WRITTEN.items() if word in words} | (
        {"out"} if "sarif=out/r.sarif" in words else set()
    )
    caches = tuple(f"{folder}/" for word, folder in pairwise(words) if word == "--cache-dir")
    wrong = []
    for name in before.keys() | after.keys():
        if before.get(name) == after.get(name) or name in may:
            continue
        if name not in before and (f"{name}/".startswith(caches) if caches else False):
            continue
        is_program = name in before and name.endswith((".py", ".ipynb")) and not before[name].startswith("->")
        if not (fixes and is_program and name in after and still_compiles(name, before[name], after[name])):
            wrong.append(name)
    return wrong


def still_compiles(name: str, before: str, after: str) -> bool:
    """Whether what could be read before can be read after."""
    old, new = (bytes.fromhex(text.partition(" ")[2]) for text in (before, after))

    def reads(data: bytes) -> bool:
        try:
            json.loads(data) if name.endswith(".ipynb") else compile(data, name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True

    return before.partition(" ")[0] == after.partition(" ")[0] and (reads(new) or not reads(old))


def _settings(root: Path) -> bytes:
    path = root / "pyproject.toml"
    return path.read_bytes() if path.is_file() else b""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--projects", type=int, default=10**9)
    said = parser.parse_args()
    start = told = time.monotonic()
    ends, tried, wrong, slowest = Counter[str](), 0, 0, 0.0

    def tell() -> None:
        how = ", ".join(f"{end}: {count:,}" for end, count in sorted(ends.items()))
        print(
            f"{tried:,} projects from seed {said.seed} in {time.monotonic() - start:.0f} s ({how}), "
            f"the slowest in {slowest:.1f} s, faults {wrong}",
            flush=True,
        )

    for seed in range(said.seed, said.seed + said.projects):
        now = time.monotonic()
        if now > start + said.seconds:
            break
        if now > told + TELLS:
            tell()
            told = now
        with TemporaryDirectory() as scratch:
            found = faults(seed, Path(scratch), ends)
        slowest = max(slowest, time.monotonic() - now)
        tried, wrong = tried + 1, wrong + len(found)
        for each in found:
            print(each, flush=True)
    tell()
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
