"""`python -m torchperf_lint.docs`: write the pages; with `--check` only say what is stale."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from torchperf_lint.docs import (
    checkout,
    generated_parts,
    impacts,
    json_page,
    json_schema,
    measured,
    page,
    pictures,
    precision,
    settings,
    trace_page,
)
from torchperf_lint.docs.own import OWN
from torchperf_lint.model.catalogue import by_code, by_name, entries
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.impact import IMPACTS
from torchperf_lint.model.impact import impacts as read_impacts
from torchperf_lint.rule import all_rules


def main(arguments: Sequence[str] | None = None) -> int:
    """Write, or check; the answer is the exit code."""
    parser = argparse.ArgumentParser(prog="python -m torchperf_lint.docs", description="Write the pages of the rules.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 where something is stale")
    check = parser.parse_args(arguments).check
    try:
        if not check:
            _write_impacts()
        wanted = written()
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    there = [*checkout.PAGES.glob("*.md"), *checkout.SCHEMAS.glob("*.json"), *checkout.MEASURED.glob("*-*.svg")]
    gone = [path for path in there if path not in wanted and path.name not in checkout.BY_HAND]
    if not check:
        for path in stale:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8", newline="\n")
        for path in gone:
            path.unlink()
    for path in sorted((*stale, *gone)):
        said = "is stale: run `python -m torchperf_lint.docs`" if check else "removed" if path in gone else "written"
        sys.stdout.write(f"{path.relative_to(checkout.ROOT)} {said}\n")
    return 1 if check and (stale or gone) else 0


def _write_impacts() -> None:
    """What the pages show of severities is read from the file that is written here."""
    text = impacts.text(all_rules(), measured.records(checkout.MEASURED))
    if not IMPACTS.is_file() or IMPACTS.read_text(encoding="utf-8") != text:
        IMPACTS.write_text(text, encoding="utf-8", newline="\n")
        sys.stdout.write(f"{IMPACTS.relative_to(checkout.ROOT)} written\n")
    for kept in (read_impacts, entries, by_code, by_name):
        kept.cache_clear()


def written() -> dict[Path, str]:
    """Every file that is written, with what it should hold."""
    fixtures, records = checkout.fixtures(), measured.records(checkout.MEASURED)
    rules = {rule.code: rule for rule in all_rules()}
    texts = {IMPACTS: impacts.text(tuple(rules.values()), records)}
    for entry in entries():
        if entry.code in OWN:
            text = page.of_own(entry, OWN[entry.code])
        else:
            text = page.of_rule(entry, rules[entry.code], fixtures.get(entry.name), records)
        texts[checkout.PAGES / f"{entry.page}.md"] = text
    texts[checkout.PAGES / "json.md"] = json_page.page()
    texts[checkout.PAGES / "trace.md"] = trace_page.page(checkout.TRACE)
    texts[checkout.PAGES / "precision.md"] = precision.page(checkout.PRECISION, checkout.READINGS)
    texts |= {checkout.SCHEMAS / f"{shape.name}.json": json_schema.schema(shape) for shape in json_page.SHAPES}
    texts |= {checkout.MEASURED / name: picture for name, picture in pictures.pictures(records)}
    texts[checkout.SCHEMAS / "settings.json"] = settings.schema()
    for name, parts in generated_parts.ON_PAGES.items():
        texts[checkout.ROOT / name] = generated_parts.filled((checkout.ROOT / name).read_text(encoding="utf-8"), parts)
    return texts


if __name__ == "__main__":
    sys.exit(main())
