"""The pages of the site: the README, those of `rules_docs/`, and what developers read.

Nothing is written here that is written elsewhere. Knows nothing of what turns pages into HTML; `docs_site/hook.py` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from torchperf_lint.docs import checkout, measured, pictures
from torchperf_lint.docs.generated_parts import FAMILIES
from torchperf_lint.model.catalogue import entries

TREE: Final = "https://github.com/torchperf-lint/torchperf-lint/blob/main/"
RAW: Final = "https://raw.githubusercontent.com/torchperf-lint/torchperf-lint/main/"
DEVELOPERS: Final = ("CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md")
USE: Final = ("configure", "integrations", "editors", "agents", "verify", "trace", "fleet", "json")
FIGURES: Final = ("precision", "programs", "fixes", "graph-breaks", "speed", "projects")
"""The pages of `rules_docs/` that are of no rule, in the order of the menu."""
MEASURED: Final = """\
# Measured

Each rule where it gains most, as `torchperf-lint verify` measured it: how many times as fast a step or a call is once the
fix is in, with a 99 % interval. What the host has to do meanwhile decides what a GPU sync costs, so the page of each rule
has all sizes and all amounts of host work, the cases without a gain too. Green is at least 3 % faster, for certain; what
is more than five times as fast stands at the edge.

"""
_LINK: Final = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
_MARK: Final = re.compile(r"<!-- .*? -->\n?")


def pages() -> dict[str, str]:
    """Every page that is not in `rules_docs/` already, by its file."""
    made = {"index.md": checkout.README.read_text(encoding="utf-8")}
    made |= {name.lower(): (checkout.ROOT / name).read_text(encoding="utf-8") for name in DEVELOPERS}
    measured_page = {"measured.md": MEASURED + "\n\n".join(_overviews()) + "\n"}
    known = {*made, *measured_page, *(path.name for path in checkout.PAGES.glob("*.md"))}
    return {name: _linked(_MARK.sub("", text), known) for name, text in made.items()} | measured_page


def navigation() -> list[Any]:
    """The pages in the order in which they are listed, as MkDocs writes it down."""
    return [
        {"Start": "index.md"},
        {"Use it": [{_title(name): f"{name}.md"} for name in USE]},
        {"Rules": [{"All rules": "rules.md"}, *_families()]},
        {"Figures": [{"Measured": "measured.md"}, *({_title(name): f"{name}.md"} for name in FIGURES)]},
        {"Developers": [{name.removesuffix(".md").capitalize(): name.lower()} for name in DEVELOPERS]},
    ]


def _title(name: str) -> str:
    page = checkout.PAGES / f"{name}.md"
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _families() -> Iterator[Mapping[str, Sequence[Mapping[str, str]]]]:
    for family, title in FAMILIES.items():
        members = [{f"{each.code} {each.name}": f"{each.page}.md"} for each in entries() if each.family == family]
        if members:
            yield {title: members}


def _overviews() -> Iterator[str]:
    for record in measured.records(checkout.MEASURED):
        yield f"## {record.device['name']}\n\n![The gain of each rule](measured/{pictures.name(pictures.ALL, record)})"


def _linked(text: str, known: set[str]) -> str:
    """A text whose links into our own repository lead to the pages of the site, where they are pages."""

    def there(match: re.Match[str]) -> str:
        target = match[2]
        path, mark, anchor = target.removeprefix(TREE).removeprefix(RAW).partition("#")
        name = path.removeprefix(f"{checkout.PAGES.name}/")
        if name.lower() in known or name in known:
            name = name.lower() if name.lower() in known else name
            return f"{match[1]}{name}{mark}{anchor}{match[3]}"
        if target.startswith(RAW) and (checkout.PAGES / name).is_file():
            return f"{match[1]}{name}{match[3]}"
        outside = not re.match(r"[a-z]+:|#", target)
        return f"{match[1]}{TREE if outside else ''}{target}{match[3]}"

    return _LINK.sub(there, text)
