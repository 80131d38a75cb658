"""A commit and a tag for each version of torchperf-lint on the package index that has none yet."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from urllib.request import urlopen

INDEX = "https://pypi.org/pypi/torchperf-lint/json"
PIN = re.compile(r'"torchperf-lint==[^"]*"')


def released() -> list[str]:
    """Every version that can be installed."""
    with urlopen(INDEX, timeout=60) as answer:
        files = json.load(answer)["releases"]
    return [version for version, made in files.items() if any(not each["yanked"] for each in made)]


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def mirror(versions: Iterable[str]) -> list[str]:
    """Brings the repository in the working folder up to date; the answer is what was added, in order."""
    there = git("tag").split()
    final = [version for version in versions if re.fullmatch(r"\d+\.\d+\.\d+", version)]
    new = [version for version in final if f"v{version}" not in there]
    new.sort(key=lambda version: tuple(map(int, version.split("."))))
    pins = Path("pyproject.toml")
    for version in new:
        pins.write_text(PIN.sub(f'"torchperf-lint=={version}"', pins.read_text(encoding="utf-8")), encoding="utf-8")
        git("commit", "--allow-empty", "-am", f"torchperf-lint {version}")
        git("tag", f"v{version}")
    return new


if __name__ == "__main__":
    print("\n".join(mirror(released())))
