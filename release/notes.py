"""What a release says: the part of CHANGELOG.md about a tag, after all three have been found to agree.

    python release/notes.py v0.1.0

The tag, the version of the package and the newest part of the changelog name one version, and that part has a date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def notes(tag: str, version: str, changelog: str) -> str:
    """The text of a release; a `SystemExit` says what does not agree."""
    if tag != f"v{version}":
        raise SystemExit(f"the tag {tag} is not the version of torchperf_lint/version.py, {version}")
    heads = re.split(r"^## (.+)\n", changelog, flags=re.MULTILINE)
    newest, text = heads[1], heads[2]
    if not re.fullmatch(rf"{re.escape(version)} - \d{{4}}-\d\d-\d\d", newest):
        raise SystemExit(f"CHANGELOG.md begins with `## {newest}`; for {tag} it is `## {version} - YYYY-MM-DD`")
    return text.strip() + "\n"


def main(tag: str) -> None:
    found = re.search(
        r'^VERSION = "(.+)"$', (ROOT / "torchperf_lint/version.py").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None
    sys.stdout.write(notes(tag, found[1], (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))


if __name__ == "__main__":
    main(sys.argv[1])
