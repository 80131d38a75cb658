"""The pages of the site: those of `rules_docs/`, and the README, a part a page, with what developers read.

Nothing is written here that is written elsewhere: a part that the README gains is a page at the next build. Knows nothing
of what turns pages into HTML; `docs_site/hook.py` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from torchperf_lint.docs import checkout, measured, pictures
from torchperf_lint.docs.readme import FAMILIES
from torchperf_lint.model.catalogue import entries

TREE: Final = "https://github.com/torchperf-lint/torchperf-lint/blob/main/"
RAW: Final = "https://raw.githubusercontent.com/torchperf-lint/torchperf-lint/main/"
DEVELOPERS: Final = ("CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md")
FIRST: Final = ("Try it", "Contribute")
"""Parts of the README that stay on the first page."""
RULES: Final = "Rules"
MEASURED: Final = """\
# Measured

Each rule where it gains most, as `torchperf-lint verify` measured it: how many times as fast a step or a call is once the
fix is in, with a 99 % interval. What the host has to do meanwhile decides what a GPU sync costs, so the page of each rule
has all sizes and all amounts of host work, the cases without a gain too. Green is at least 3 % faster, for certain; what
is more than five times as fast stands at the edge.

"""
_LINK: Final = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
_PART: Final = re.compile(r"^## (.+)$", re.MULTILINE)
_MARK: Final = re.compile(r"<!-- .*? -->\n?")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the README."""

    title: str
    text: str

    @property
    def file(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") + ".md"


def pages() -> dict[str, str]:
    """Every page that is not in `rules_docs/` already, by its file."""
    head, parts = _readme()
    made = {"index.md": head + "".join(f"\n## {part.title}\n{part.text}" for part in parts if part.title in FIRST)}
    made |= {part.file: f"# {part.title}\n{part.text}" for part in parts if part.title not in FIRST}
    made |= {name.lower(): (checkout.ROOT / name).read_text(encoding="utf-8") for name in DEVELOPERS}
    measured_page = {"measured.md": MEASURED + "\n\n".join(_overviews()) + "\n"}
    known = {*made, *measured_page, *(path.name for path in checkout.PAGES.glob("*.md"))}
    return {name: _linked(_MARK.sub("", text), known) for name, text in made.items()} | measured_page


def navigation() -> list[Any]:
    """The pages in the order in which they are listed, as MkDocs writes it down."""
    parts = [part for part in _readme()[1] if part.title not in FIRST]
    use = [{part.title: part.file} for part in parts if part.title != RULES]
    return [
        {"Start": "index.md"},
        *use,
        {RULES: [{"All rules": "rules.md"}, *_families()]},
        {"Measured": "measured.md"},
        *({_title(path): path.name} for path in _others()),
        {"Developers": [{name.removesuffix(".md").capitalize(): name.lower()} for name in DEVELOPERS]},
    ]


def _readme() -> tuple[str, list[Part]]:
    """What comes before the first part, and the parts."""
    head, *rest = _PART.split(checkout.README.read_text(encoding="utf-8"))
    return head, [Part(title, text) for title, text in zip(rest[::2], rest[1::2], strict=True)]


def _others() -> Iterator[Path]:
    """The pages that are not of a rule: precision, JSON."""
    rules = {f"{each.page}.md" for each in entries()}
    yield from sorted(path for path in checkout.PAGES.glob("*.md") if path.name not in rules)[::-1]


def _title(page: Path) -> str:
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
