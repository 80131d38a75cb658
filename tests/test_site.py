"""The site: every page listed once, every link inside it leads to a page, and pictures show what was measured."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from torchperf_lint.docs import checkout, measured, pictures, site
from torchperf_lint.docs.plot import Group, Point, gains

pytestmark = pytest.mark.skipif(not checkout.README.is_file(), reason="no checkout")
SVG = "{http://www.w3.org/2000/svg}"


def listed(navigation: Any) -> list[str]:
    if isinstance(navigation, str):
        return [navigation]
    parts = navigation.values() if isinstance(navigation, dict) else navigation
    return [page for part in parts for page in listed(part)]


def test_every_page_is_listed_once() -> None:
    there = {*site.pages(), *(path.name for path in checkout.PAGES.glob("*.md"))}
    names = listed(site.navigation())
    assert sorted(names) == sorted(there)


def test_the_first_page_is_the_readme() -> None:
    titles = re.findall(r"^## (.+)$", checkout.README.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(titles) > 5
    assert all(f"## {title}\n" in site.pages()["index.md"] for title in titles)


def test_links_within_the_site_lead_to_its_pages() -> None:
    pages = site.pages()
    assert "(TPL101-scalar-read-every-step.md)" in pages["index.md"]
    assert "(configure.md)" in pages["index.md"]
    assert "(architecture.md)" in pages["contributing.md"]
    assert f"({site.TREE}rules_docs/example.py)" in pages["index.md"]
    for name, text in pages.items():
        for target in re.findall(r"\]\(((?!https?:|#)[^)#\s]+)", text):
            assert target in pages or (checkout.PAGES / target).is_file(), (name, target)


# ---- pictures


def circles(text: str) -> list[tuple[float, str]]:
    """Where each point of a picture stands, with its colour."""
    return [
        (float(each.attrib["cx"]), each.attrib["fill"]) for each in ElementTree.fromstring(text).iter(f"{SVG}circle")
    ]


def test_a_point_stands_where_its_gain_is() -> None:
    points = (Point("", 0.5, 0.5, 0.5), Point("", 1.0, 1.0, 1.0), Point("", 2.0, 2.0, 2.0))
    (half, _), (one, _), (two, _) = circles(gains("", [Group("", points)]))
    assert one - half == pytest.approx(two - one, abs=0.2)


def test_what_is_beyond_the_scale_stands_at_its_edge() -> None:
    points = (Point("", 2.0, 2.0, 2.0), Point("", 5.0, 5.0, 5.0), Point("", 900.0, 800.0, 1000.0))
    (two, _), (five, _), (far, _) = circles(gains("", [Group("", points)], most=5))
    assert two < five == far
    assert "900×" in gains("", [Group("", points)], most=5)


@pytest.mark.parametrize(
    ("point", "color"),
    [
        (Point("", 1.3, 1.2, 1.4), "faster"),
        (Point("", 1.02, 1.01, 1.03), "faint"),
        (Point("", 1.3, 0.9, 1.8), "faint"),
        (Point("", 0.8, 0.7, 0.9), "slower"),
        (Point("", 0.9, 0.7, 1.1), "faint"),
    ],
)
def test_only_what_is_certain_has_a_colour(point: Point, color: str) -> None:
    assert [found for _, found in circles(gains("", [Group("", (point,))]))] == [f"var(--{color})"]


def test_numbers_of_a_scale_do_not_touch() -> None:
    for high in (1.2, 3.0, 40.0, 3000.0):
        root = ElementTree.fromstring(gains("", [Group("", (Point("", high, 0.5, high),))]))
        ticks = [each for each in root.iter(f"{SVG}text") if each.attrib.get("text-anchor") == "middle"]
        places = [float(each.attrib["x"]) for each in ticks]
        assert "1×" in [each.text for each in ticks]
        assert len(ticks) >= 2
        assert all(after - before >= 44 for before, after in pairwise(places))


def test_what_a_picture_says_is_text() -> None:
    root = ElementTree.fromstring(gains("a < b", [Group("x & y", (Point("<5>", 1.0, 1.0, 1.0),))]))
    assert {"x & y", "<5>"} <= {each.text for each in root.iter(f"{SVG}text")}


def test_every_measured_rule_has_a_picture_of_every_time_on_its_page() -> None:
    for record in measured.records(checkout.MEASURED):
        made = dict(pictures.pictures([record]))
        for code in {row["code"] for row in record.rows if row["code"]}:
            clocks = [clock for row in record.rows if row["code"] == code for clock in pictures.host_clocks(row)]
            assert len(circles(made[pictures.name(code, record)])) == len(clocks)
            (page,) = checkout.PAGES.glob(f"{code}-*.md")
            assert f"(measured/{pictures.name(code, record)})" in page.read_text(encoding="utf-8")


def test_the_pages_take_the_pictures_in() -> None:
    pytest.importorskip("mkdocs")
    import runpy
    from types import SimpleNamespace

    hook = runpy.run_path(str(checkout.ROOT / "docs_site/hook.py"))
    config = SimpleNamespace(docs_dir=str(checkout.PAGES))
    name = next(path.name for path in checkout.MEASURED.glob("TPL101-*.svg"))
    made = hook["on_page_content"](f'<p><img alt="a" src="../measured/{name}" /></p>', config)
    assert made.startswith('<p><svg aria-label="a" ')
    assert "<style>" not in made
    kept = '<img alt="a" src="../measured/scaling.svg" />'
    assert hook["on_page_content"](kept, config) == kept
