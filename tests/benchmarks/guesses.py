"""How often each guess is right: the waits that the linter claims, with the guess and without it, held against what CUDA said.

    python tests/benchmarks/guesses.py TRUTH.json NAME=FOLDER... [--only GUESS...] [--record]

TRUTH.json says of each file which lines `ran` on a GPU, as ranges, and in how many steps of the program which lines made the
host wait (`waits`; two and more: at every step), with the `md5` of the file that ran; FOLDER holds the package NAME.
A guess is a function of `torchperf_lint/facts/guesses/` that answers yes or no, or one thing or None, or gives a list or
(`from_*.py`) a value. Each is switched off by itself: it says no, None or nothing. On the lines that are claimed with it
alone it was right if they waited, on those that are claimed without it alone if they did not. Of the packages those files
are linted in which something waits, or is claimed with all guesses, or with none of them. `all` counts every wait that is
claimed (TPL100 too), `hot` what is reported by default, against the lines that waited at every step. With `--record` the table goes to
`torchperf_lint/facts/guesses/measured.json`, which a test holds against the list of guesses; those that were not
measured yet stand below it. `said` is the number of different words of these packages to which a guess of words says yes: one
that says it to none changes no claim, and is not switched off to see that. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import inspect
import json
import multiprocessing
import re
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torchperf_lint
from torchperf_lint import lint_paths
from torchperf_lint.facts.domain.value import ANY

HOME = Path(torchperf_lint.__file__).parent / "facts/guesses"
RECORD = HOME / "measured.json"
CLAIMS = re.compile(r"TPL(1\d\d|201|202|203|205)$")
AUDIT = "TPL100"
"""Claims whatever may wait, however seldom it runs."""
UNSEEN = re.compile(r"nms\(|coalesce\(|unique\([^)]*dim|non_blocking=True|empty_cache\(")
"""Waits that CUDA does not tell of: a claim of one counts neither way where none was seen."""
OF_WORDS = ("Iterable[str]", "AbstractSet[str]", "Collection[str]")
LONGEST = 8
"""A span of more lines counts as its first line."""

Claims = frozenset[tuple[str, int, int]]
"""The file, and the lines from and to."""


def guesses() -> dict[str, Callable[..., Any]]:
    """Every guess by its name, `FILE.FUNCTION`."""
    found = {}
    for path in sorted(HOME.glob("[!_]*.py")):
        module = importlib.import_module(f"torchperf_lint.facts.guesses.{path.stem}")
        for name, function in vars(module).items():
            is_own = isinstance(function, types.FunctionType) and function.__module__ == module.__name__
            if is_own and name[0] != "_" and silent(path.stem, function) is not ...:
                found[f"{path.stem}.{name}"] = function
    return found


def silent(stem: str, function: Callable[..., Any]) -> Any:
    """What a guess says that is switched off; `...` of what is no guess by itself."""
    says = str(inspect.signature(function).return_annotation)
    if says == "bool":
        return False
    if says == "Value" and stem.startswith("from_"):
        return ANY
    return None if says.endswith("| None") else [] if says.startswith("list[") else ...


def switch_off(guess: str) -> None:
    """Let a guess say no, here and in all that imports its module."""
    stem, _, name = guess.partition(".")
    module = importlib.import_module(f"torchperf_lint.facts.guesses.{stem}")
    answer = silent(stem, getattr(module, name))
    setattr(module, name, lambda *_, **__: answer)


def count(said: dict[str, set[object]]) -> None:
    """Let each guess of words keep those to which it says yes, here and in all that imports its module."""
    for name, guess in guesses().items():
        stem, _, function = name.partition(".")
        given = inspect.signature(guess).parameters.values()
        if given and all(str(each.annotation) in ("str", "bool", *OF_WORDS) for each in given):
            module = importlib.import_module(f"torchperf_lint.facts.guesses.{stem}")
            setattr(module, function, _counted(guess, said.setdefault(name, set())))


def _counted(guess: Callable[..., Any], said: set[object]) -> Callable[..., Any]:
    def counted(first: Any, *others: Any, **more: Any) -> Any:
        words = first if isinstance(first, str) else frozenset(first)
        found = guess(words, *others, **more)
        if found not in (False, None):
            said.add(words)
        return found

    return counted


def spoken(paths: list[str]) -> tuple[Claims, Claims, dict[str, int]]:
    """All that is claimed with all guesses, and to how many words each says yes."""
    said: dict[str, set[object]] = {}
    count(said)
    return *claimed(paths, []), {name: len(words) for name, words in said.items()}


def claimed(paths: list[str], off: list[str]) -> tuple[Claims, Claims]:
    """All waits that are claimed, and those that are reported by default."""
    for guess in off:
        switch_off(guess)
    every, default = set(), set()
    for finding in lint_paths(paths, extend_select=[AUDIT], jobs=1, cache=False):
        if CLAIMS.match(finding.code):
            start, end = finding.span.start.line, finding.span.end.line
            claim = (str(Path(finding.path).resolve()), start, end if end - start < LONGEST else start)
            every.add(claim)
            if finding.code != AUDIT:
                default.add(claim)
    return frozenset(every), frozenset(default)


class Truth:
    """What CUDA said of some packages."""

    def __init__(self, path: Path, packages: dict[str, Path]) -> None:
        self.ran: dict[str, set[int]] = {}
        self.waits: dict[str, dict[int, int]] = {}
        self.texts: dict[str, list[str]] = {}
        for label, entry in json.loads(path.read_text())["files"].items():
            package, _, inside = label.partition("/")
            file = packages[package] / inside if package in packages else None
            if file is None or not file.exists() or hashlib.md5(file.read_bytes()).hexdigest() != entry["md5"]:
                continue
            name = str(file.resolve())
            self.ran[name] = {line for first, last in entry["ran"] for line in range(first, last + 1)}
            self.waits[name] = {int(line): steps for line, steps in entry["waits"].items()}
            self.texts[name] = file.read_text(errors="replace").splitlines()

    def is_wait(self, claim: tuple[str, int, int], *, hot: bool) -> bool | None:
        """Whether what is claimed waited, at every step if `hot`; None where nobody knows."""
        name, start, end = claim
        lines = range(start, end + 1)
        waited = [self.waits.get(name, {}).get(line, 0) for line in lines]
        if any(waited):
            return max(waited) >= (2 if hot else 1)
        if any(UNSEEN.search(text) for text in self.texts.get(name, [])[start - 1 : end]):
            return None
        return False if any(line in self.ran.get(name, ()) for line in lines) else None

    def score(self, claims: Claims, *, hot: bool) -> dict[str, int]:
        """How many claims are true and false, and how many of the lines that wait are claimed."""
        judged = [self.is_wait(claim, hot=hot) for claim in claims]
        lines = {(name, line) for name, start, end in claims for line in range(start, end + 1)}
        waits = {
            (name, line) for name, at in self.waits.items() for line, steps in at.items() if steps >= (2 if hot else 1)
        }
        return {
            "true": judged.count(True),
            "false": judged.count(False),
            "found": len(lines & waits),
            "waits": len(waits),
        }

    def right(self, using: Claims, without: Claims, *, hot: bool) -> dict[str, int]:
        """How often a guess was right, and how often wrong, by the claims that it adds and those that it takes away."""
        added = [self.is_wait(claim, hot=hot) for claim in using - without]
        taken = [self.is_wait(claim, hot=hot) for claim in without - using]
        return {"right": added.count(True) + taken.count(False), "wrong": added.count(False) + taken.count(True)}


def measured(truth: Truth, folders: list[str], names: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each guess with how often it was right, the state of all of them first."""
    (*every, said), none = alone(spoken, folders), alone(claimed, folders, list(guesses()))
    claimed_in = {name for claims in (*every, *none) for name, _, _ in claims}
    files = sorted(name for name in truth.ran if name in claimed_in or truth.waits[name])
    using = alone(
        claimed, files, []
    )  # beside all of its package more of a file is known, so these are no claims of `every`
    yield "", {"all": truth.score(using[0], hot=False), "hot": truth.score(using[1], hot=True)}
    for name in names:
        without = alone(claimed, files, [name]) if said.get(name) != 0 else using
        row: dict[str, Any] = {"said": said.get(name)}
        for key, mine, other, hot in (("all", using[0], without[0], False), ("hot", using[1], without[1], True)):
            row[key] = truth.right(mine, other, hot=hot) | {"without": truth.score(other, hot=hot)}
        yield name, row


def alone(ask: Callable[..., Any], *given: Any) -> Any:
    """What a process of its own answers, in which nothing is remembered of another guess."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(ask, given)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=Path)
    parser.add_argument("packages", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--only", nargs="+", default=[], metavar="GUESS")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_intermixed_args()
    packages = {name: Path(folder).resolve() for name, _, folder in (each.partition("=") for each in options.packages)}
    record: dict[str, Any] = json.loads(RECORD.read_text()) if RECORD.exists() else {"guesses": {}}
    known = guesses()
    begun = time.monotonic()
    truth = Truth(options.truth, packages)
    for name, row in measured(truth, [str(each) for each in packages.values()], options.only or list(known)):
        print(f"{time.monotonic() - begun:5.0f} s  {name or 'with all of them':40s} {json.dumps(row)}", flush=True)
        if name:
            record["guesses"][name] = row
        else:
            record["with all"] = {"packages": sorted(packages), **row}
        if options.record:
            record["guesses"] = {name: record["guesses"][name] for name in known if name in record["guesses"]}
            record["not measured yet"] = [name for name in known if name not in record["guesses"]]
            RECORD.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
