"""The page of a rule at a prompt."""

from __future__ import annotations

from torchperf_lint.cli.rules import PAGES
from torchperf_lint.report import page
from torchperf_lint.report.terminal import Pen

MARKDOWN = """# name (TPL101)

| a | b |
|---|---|
| 1 | `x` |

See [the page](TPL100-x.md) and [torch](https://pytorch.org), **or** not, and so on until the line is full.

- one thing
- another that goes
  on

![plot](x.svg)

```python
x = 1  # [a](b)
```
"""


def test_it_is_plain_text() -> None:
    assert page.render(MARKDOWN, Pen(color=False), 50) == (
        "name (TPL101)\n\n"
        "a  b\n"
        "1  `x`\n\n"
        "See the page and torch (https://pytorch.org),\nor not, and so on until the line is full.\n\n"
        "- one thing\n"
        "- another that goes on\n\n\n"
        "    x = 1  # [a](b)\n"
    )


def test_a_table_that_is_too_wide_has_a_line_for_each_cell() -> None:
    shown = page.render("| name | says |\n|---|---|\n| a | " + "word " * 9 + "|\n", Pen(color=False), 30)
    assert shown == "name: a\nsays: word word word word word\n  word word word word\n"


def test_no_line_of_text_is_wider_than_the_terminal() -> None:
    for path in sorted(PAGES.glob("TPL*.md")):
        for line in page.render(path.read_text(encoding="utf-8"), Pen(color=False), 80).splitlines():
            assert len(line) <= 80 or line.startswith("    ") or " " not in line.strip(), (path.name, line)
