"""Hold what the linter says of waits against what CUDA said of programs that nobody had looked at.

    python tests/gpu/score_programs.py SOURCES          what it comes to, by program; `--show` names the lines
    python tests/gpu/score_programs.py SOURCES --note first|now      and writes it to rules_docs/measured/precision.json

`SOURCES/NAME/` is as for `record_programs.py`, which made programs.json. A claim is a finding about a wait, TPL100 included, on
a line that ran; it is true where a line that it underlines waited. A wait is hot if it came in two steps or more, and found
if a claim underlines it. Of what is longer than eight lines the first counts; several claims that begin on a line are one.
TPL306 and TPL614, which speak of waits too, count since the second set.
What the record cannot see (`nms`, `coalesce`, `unique(dim=)`, `non_blocking=True`, `empty_cache`) counts neither way.
`first` is the first look at what was not scored before: before anything is mended for it. After that it is known, and the next
set is a new one; `SOURCES` then needs the new ones alone, named by `--only`.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORD = HERE / "programs.json"
NOTED = HERE.parents[1] / "rules_docs" / "measured" / "precision.json"
CLAIMS = re.compile(r"TPL(1\d\d|201|202|203|205|306|614)$")
UNSEEN = re.compile(r"nms\(|coalesce\(|unique\([^)]*dim|non_blocking=True|empty_cache\(")
LONG = 8
HOT = 2


class Score:
    """The counts of one program, and the lines that are behind them."""

    def __init__(self) -> None:
        self.claims = self.true = self.hot = self.found = 0
        self.false: list[str] = []
        self.missed: list[str] = []

    def file(self, label: str, told: dict[str, Any], text: list[str], claims: list[tuple[int, int, str]]) -> None:
        ran = {line for first, last in told["ran"] for line in range(first, last + 1)}
        waits = {int(line): steps for line, steps in told["waits"].items()}
        seen, found = set(), set()
        for start, end, code in sorted(claims):
            span = set(range(start, end + 1)) if end - start < LONG else {start}
            found |= span & set(waits)
            hidden = not span & set(waits) and any(UNSEEN.search(text[line - 1]) for line in span)
            if start in seen or hidden or not span & ran:
                continue
            seen.add(start)
            self.claims += 1
            self.true += bool(span & set(waits))
            if not span & set(waits):
                self.false.append(f"{label}:{start}: {code}: {text[start - 1].strip()[:100]}")
        hot = {line for line, steps in waits.items() if steps >= HOT}
        self.hot += len(hot)
        self.found += len(hot & found)
        self.missed += [f"{label}:{line}: {text[line - 1].strip()[:100]}" for line in sorted(hot - found)]

    def to_plain(self) -> dict[str, Any]:
        return {"claims": self.claims, "true": self.true, "hot": self.hot, "found": self.found}


def scored(sources: Path, only: list[str]) -> dict[str, Score]:
    """Every program that was recorded, or some of them, as they were then."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    scores: dict[str, Score] = {}
    for name in only or record["programs"]:
        folder = (sources / name).resolve()
        claims, scores[name] = claimed(folder, record["meta"]["torch"]), Score()
        for label, told in record["files"].items():
            owner, _, inside = label.partition("/")
            path = folder / inside
            if owner != name:
                continue
            if not path.is_file() or hashlib.md5(path.read_bytes()).hexdigest() != told["md5"]:
                sys.exit(f"{path}: not the file that was recorded: {record['programs'][name]['what']}")
            text = path.read_text(encoding="utf-8", errors="replace").splitlines()
            scores[name].file(label, told, text, claims[inside])
    return scores


def claimed(folder: Path, torch: str) -> dict[str, list[tuple[int, int, str]]]:
    """What the linter says of waits in a version of torch, by file: the first and the last line, and the rule."""
    command = [sys.executable, "-m", "torchperf_lint", "--isolated", "--no-cache", "--no-gitignore", "--exit-zero"]
    command += [
        "--extend-select",
        "TPL100",
        "--target-torch",
        torch.partition("+")[0],
        "--format",
        "json",
        "--quiet",
        ".",
    ]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    claims: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for finding in json.loads(told)["findings"]:
        if CLAIMS.match(finding["code"]):
            claims[finding["path"]].append((finding["start"]["line"], finding["end"]["line"], finding["code"]))
    return claims


def note(look: str, scores: dict[str, Score]) -> None:
    """Keep the figures, for the page; there is but one first look at a program, and of later ones the last."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    noted = (
        json.loads(NOTED.read_text(encoding="utf-8")) if NOTED.is_file() else {"version": 1, "looks": {}, "sets": []}
    )
    noted["meta"], noted["programs"] = record["meta"], record["programs"]
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    known = noted["looks"].get(look, {}).get("scores", {})
    found = {name: score.to_plain() | {"date": today} for name, score in scores.items()}
    noted["looks"][look] = {"scores": found | known if look == "first" else known | found}
    if look == "first":
        noted["sets"].append(sorted(found.keys() - known.keys()))
    NOTED.write_text(json.dumps(noted, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--note", choices=("first", "now"))
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    options = parser.parse_args()
    scores = scored(options.sources, options.only)
    for name, score in scores.items():
        print(f"{name:28} claims {score.true}/{score.claims}, hot waits {score.found}/{score.hot}")
        for head, lines in (("false ", score.false), ("missed", score.missed)) if options.show else ():
            print(*(f"  {head} {line}" for line in lines), sep="\n")
    if options.note:
        note(options.note, scores)


if __name__ == "__main__":
    main()
