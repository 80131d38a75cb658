"""The command `reveal`: what is known of each expression of a file, and why: `reveal_type` for performance."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import click

from torchperf_lint.config.config import absolute, load, shown_path
from torchperf_lint.files.document import NOTEBOOK
from torchperf_lint.model.exit_codes import CLEAN
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report import known_lines
from torchperf_lint.report.console import Console
from torchperf_lint.report.terminal import Pen
from torchperf_lint.run.reveal_file import reveal_file

_PLACE: Final = re.compile(r"(?P<file>.+?)(?::cell (?P<cell>\d+))?(?::(?P<line>\d+))?(?::\d+)?")
"""A place as reports write it: `train.py:18`, `train.py:18:9`, `nb.ipynb:cell 3:2`; the column is not needed."""

HELP: Final = {"help_option_names": ["--help", "-h"], "max_content_width": 110}


@click.command(context_settings=HELP)
@click.argument("place", metavar="FILE[:LINE]", type=click.Path())
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to show it.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to use colour.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read settings from this file.")
@click.option("--isolated", is_flag=True, help="Read no settings from files.")
def reveal(place: str, form: str, color: Any, config: Path | None, isolated: bool) -> int:
    """Show what is known of each expression of a file, or of one line of it, and why a rule is silent there.

    Kind, device, dtype and rank of each expression, whether it is a GPU sync, how often the line runs, and which rules
    looked at it. A line of a notebook is written nb.ipynb:cell 3:2.
    """
    file, cell, line = _parts(place)
    path = absolute(file)
    settings = load(path.parent, file=config and absolute(config), isolated=isolated)
    console = Console(color)
    lines = reveal_file(path, cell, line, settings)
    shown = shown_path(path)
    if form == "json":
        console.out(known_lines.as_json(shown, lines))
    else:
        console.out(known_lines.as_text(shown, lines, Pen(console.colored(console.findings)), file))
    return CLEAN


def _parts(place: str) -> tuple[str, int | None, int | None]:
    """The file, the cell and the line of a place; raises `ConfigError` where they do not fit."""
    match = None if Path(place).is_file() else _PLACE.fullmatch(place)
    if match is None:
        return place, None, None
    file, cell, line = match["file"], match["cell"], match["line"]
    if file.endswith(NOTEBOOK) and line and not cell:
        raise ConfigError(f"{place}: say which cell, too: {file}:cell 1:{line}")
    if cell and not (line and file.endswith(NOTEBOOK)):
        raise ConfigError(f"{place}: a cell is of a notebook, and needs a line: nb.ipynb:cell {cell}:1")
    return file, int(cell) if cell else None, int(line) if line else None
