"""A fuzzer for what meets raw files first: decoding, the scan, the guard, the trees, notebooks, settings.

    python tests/robustness/fuzz.py --seconds 600

Inputs that reach an edge that none has reached before are kept and bred from, as coverage-guided fuzzers do; the edges
are those of our own Python code. An input that raises what it must not is written to `fuzz-faults/` and told, with the
seed that finds it again. Exit code 1 if there was any.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))

from same_settings import SameSettings
from test_inputs import ALL, DATA, NOTEBOOKS

import torchperf_lint
from torchperf_lint.config import settings
from torchperf_lint.config.config import Config, load
from torchperf_lint.files import notebook
from torchperf_lint.model.catalogue import RULE_RAISED
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.run.fix_file import FixFile
from torchperf_lint.run.lint_file import lint_bytes
from torchperf_lint.syntax.scan import scan

PACKAGE = str(Path(torchperf_lint.__file__).parent)
LARGEST = 4000
SLOW = 60
"""Seconds, under the trace that makes all slower, after which an input hangs."""
WORDS = (
    b"torch.zeros(3).cuda()", b"def f(x):\n    ", b"lambda: ", b"match x:\n  case ", b'"""', b"f'{", b"}'", b"\\\n", b"\r", b"\x0c",
    b"# tpl: ignore[TPL201]", b"# noqa", b"# coding: latin-1\n", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80", b"async ", b"await ", b"(" * 60,
    b"[" * 60, b"{1:" * 20, b"elif x:\n", b"%%bash\n", b"!ls\n", b'"source": ', b"\\ud800", b"9" * 50, b"[tool.torchperf-lint]\n", b"a.b.c",
)  # fmt: skip
VALUES = (
    "1", "-3", "1.5", "nan", "true", '"x"', '"2.4"', '"hopper"', '"json"', '"../x"', "2020-01-01", "[]", "[[1]]", '["TPL1"]', "{}",
    '["[", "**", "/", "!x"]', '["a.b", "c"]', '{ a = ["TPL2"] }', '{ n = 3, "*" = 0 }', '{ a = { b = 1 } }', '["json=x", "text"]',
)  # fmt: skip
SETTINGS = [f"[tool.torchperf-lint]\n{key} = {value}\n".encode() for key in settings.KINDS for value in VALUES]

Target = Callable[[bytes, Path], None]


def module(data: bytes, root: Path) -> None:
    text = data.decode("utf-8", "replace")
    last = 0
    for _, start, end in scan(text):
        assert last <= start <= end <= len(text)
        last = end
    config = Config(root=root, rules=ALL, cache=False, fix=True, unsafe_fixes=True)
    found = lint_bytes(data + b" # torch", "fuzzed.py", config)
    assert not [each.message for each in found if each.code == RULE_RAISED]
    mended = FixFile(SameSettings(config)).content(str(root / "fuzzed.py"), data + b" # torch")[1]
    assert FixFile(SameSettings(config)).content(str(root / "fuzzed.py"), mended)[1] == mended


def cells(data: bytes, root: Path) -> None:
    try:
        found = notebook.read(data)
    except notebook.NotANotebookError:
        return
    assert found.with_texts({cell.number: cell.text for cell in found.cells}) == data
    lint_bytes(data, "fuzzed.ipynb", Config(root=root, rules=ALL, cache=False))


def configuration(data: bytes, root: Path) -> None:
    path = root / "pyproject.toml"
    path.write_bytes(data)
    with suppress(ConfigError):
        load(root, file=path)


TARGETS: dict[str, tuple[Target, list[bytes]]] = {
    "module": (module, [data for data in DATA.values() if len(data) <= LARGEST]),
    "notebook": (cells, [data for data in NOTEBOOKS.values() if len(data) <= LARGEST]),
    "settings": (configuration, SETTINGS),
}


class Edges:
    """Which line of ours follows which, over all inputs so far."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int, int]] = set()
        self.last = 0
        self.new = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> Edges | None:
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE):
            return None
        edge = (code.co_filename, self.last, frame.f_lineno)
        self.last = frame.f_lineno
        if event != "return" and edge not in self.seen:
            self.seen.add(edge)
            self.new += 1
        return self


def mutated(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """A child of two inputs."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randint(0, len(data))
        end = min(len(data), start + int(chance.expovariate(0.1)))
        at = chance.randint(0, len(other))
        data = chance.choice(
            [
                data[:start] + data[end:],
                data[:start] + chance.choice(WORDS) + data[start:],
                data[:start] + other[at : at + 40] + data[end:],
                data[:end] + data[start:],
                data[:start] + bytes([chance.randrange(256)]) + data[start + 1 :],
            ]
        )
    return data[:LARGEST]


def inputs(seeds: list[bytes], kept: list[bytes], chance: random.Random) -> Iterator[bytes]:
    yield from seeds
    while True:
        yield mutated(chance.choice(kept), chance.choice(kept), chance)


def fuzz(name: str, seconds: float, chance: random.Random) -> int:
    """Tries inputs on one target; how many were at fault."""
    target, seeds = TARGETS[name]
    kept, edges, faults, tried = list(seeds), Edges(), 0, 0
    end = time.monotonic() + seconds
    with TemporaryDirectory() as folder:
        for data in inputs(seeds, kept, chance):
            if time.monotonic() > end:
                break
            edges.new, tried = 0, tried + 1
            signal.alarm(SLOW)
            sys.settrace(edges)
            try:
                target(data, Path(folder))
            except Exception:
                sys.settrace(None)
                faults += 1
                path = Path("fuzz-faults") / f"{name}-{faults}"
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(data)
                print(f"{path}:\n{traceback.format_exc()}", flush=True)
            finally:
                sys.settrace(None)
                signal.alarm(0)
            if edges.new:
                kept.append(data)
    print(
        f"{name}: {tried:,} inputs in {seconds:.0f} s, {len(kept):,} kept, {len(edges.seen):,} edges, faults {faults}",
        flush=True,
    )
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    said = parser.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    return int(sum(fuzz(name, said.seconds, random.Random(said.seed)) for name in said.targets) > 0)


def _hangs(*_: object) -> None:
    raise TimeoutError("it hangs")


if __name__ == "__main__":
    sys.exit(main())
