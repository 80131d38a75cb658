"""Whether findings in real packages depend on any order; what differs is printed.

    python tests/order_packages.py PATH...      folders and files; as `python tests/order_packages.py --files 200 PATH...`, a sample

Asked in another order: the rules (reversed, shuffled), the files of one process (reversed, shuffled), and the same by
several processes, and from a cache that is cold and warm. Findings must be the same to the byte. Ends with 1 if one is not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

from same_settings import SameSettings

from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen
from torchperf_lint.engine import lint_text
from torchperf_lint.files.discover import discover, mentions_torch
from torchperf_lint.model.record import to_plain
from torchperf_lint.rule import Rule, all_rules
from torchperf_lint.run.lint_file import Done, LintFile
from torchperf_lint.run.run_files import over

Rules = tuple[Rule, ...]
Found = dict[str, list[str]]
"""By path: its findings, each as text, and what it stands on besides."""


@contextmanager
def asked_in(rules: Rules) -> Iterator[None]:
    before, lint_text.all_rules = lint_text.all_rules, lambda: rules  # type: ignore[assignment]
    try:
        yield
    finally:
        lint_text.all_rules = before


def one_by_one(files: Sequence[str], config: Config) -> list[Done]:
    configs = SameSettings(replace(config))  # of its own: what another run has read of the project is not known
    job = LintFile(configs)
    return [Done.from_bytes(job(path)).shown(configs) for path in files]


def written(done: Sequence[Done]) -> Found:
    return {
        each.path: [
            *(json.dumps(to_plain(finding), sort_keys=True) for finding in each.findings),
            *filter(None, [each.failure]),
        ]
        for each in done
    }


def circumstances(files: Sequence[str], config: Config, cache: Path) -> Iterator[tuple[str, Callable[[], list[Done]]]]:
    rules, random = all_rules(), Random(0)

    def with_rules(order: Rules) -> list[Done]:
        with asked_in(order):
            return one_by_one(files, config)

    cached = SameSettings(replace(config, cache=True, cache_dir=cache, jobs=2))
    yield "rules reversed", lambda: with_rules(tuple(reversed(rules)))
    yield "rules shuffled", lambda: with_rules(tuple(random.sample(rules, len(rules))))
    yield "files reversed", lambda: one_by_one(list(reversed(files)), config)
    yield "files shuffled", lambda: one_by_one(random.sample(files, len(files)), config)
    yield "two processes, cold cache", lambda: over(files, LintFile(cached))
    yield "warm cache", lambda: over(files, LintFile(cached))


def differences(expected: Found, found: Found) -> Iterator[str]:
    for path, findings in expected.items():
        lost, gained = Counter(findings) - Counter(found[path]), Counter(found[path]) - Counter(findings)
        for sign, each in [*(("-", one) for one in lost), *(("+", one) for one in gained)]:
            yield f"  {sign} {path}: {each}"


def torch_files(paths: Sequence[str], config: Config, most: int | None) -> list[str]:
    found = [path for path in discover(paths, SameSettings(config)).files if mentions_torch(Path(path).read_bytes())]
    return sorted(found if most is None or len(found) <= most else Random(0).sample(found, most))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--files", type=int, help="at most so many, drawn")
    parser.add_argument("--only", default="", help="circumstances whose name holds this")
    said = parser.parse_args(arguments)
    config = Config(root=Path.cwd(), rules=chosen([Layer(select=("ALL",))]), cache=False, exclude=(), gitignore=False)
    files = torch_files(said.paths, config, said.files)
    expected = written(one_by_one(files, config))
    print(f"{len(files)} files, {sum(map(len, expected.values()))} findings")
    count = 0
    with tempfile.TemporaryDirectory() as cache:
        for name, ask in circumstances(files, config, Path(cache)):
            if said.only in name:
                different = list(differences(expected, written(ask())))
                print(f"{name}: {len(different)} lines differ", *different, sep="\n", flush=True)
                count += len(different)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
