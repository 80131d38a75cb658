"""What the rules are, for people at a prompt: the commands `rule` and `rules`.

A wheel ships the pages in the package; a checkout, which an editable install runs, has them in `rules_docs/`. A rule that
has no page yet is explained by its own docstring.
"""

from __future__ import annotations

import ast
import json
import textwrap
from pathlib import Path
from typing import Any, Final

import click

from torchperf_lint.cli.options import rules_begun
from torchperf_lint.config.selection import UnknownRuleError, meant
from torchperf_lint.disk.read import read_file
from torchperf_lint.model.catalogue import Entry, by_code, by_name, entries, source
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.model.record import url
from torchperf_lint.report.console import Console
from torchperf_lint.report.page import render
from torchperf_lint.report.terminal import Pen

_PACKAGE: Final = Path(__file__).parents[1]
_SHIPPED: Final = _PACKAGE / "pages"
PAGES: Final = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent / "rules_docs"
UNBROKEN: Final = 10_000
"""Columns of what is no terminal: a line for each rule, for programs that read lines."""
LEAST: Final = 20
"""Columns for what a rule finds; with fewer it does not stand in the line of the name."""
INDENT: Final = " " * 9
HELP: Final = {"help_option_names": ["--help", "-h"], "max_content_width": 110}


@click.command(context_settings=HELP)
@click.argument("code", metavar="CODE", shell_complete=rules_begun)
@click.option("--format", "form", type=click.Choice(["text", "markdown"]), default="text", help="How to show it.")
def rule(code: str, form: str) -> None:
    """Explain a rule, given by code or name, as its page does."""
    entry = by_code().get(code.upper()) or by_name().get(code)
    if entry is None:
        raise ConfigError(_not_one(code))
    console = Console()
    found = page(entry)
    console.out(found if form == "markdown" else render(found, Pen(console.colored(console.findings)), console.columns))


@click.command(context_settings=HELP)
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", help="How to list.")
def rules(form: str) -> None:
    """List all rules: code, name, whether it is on by default (*), its fix, what it finds."""
    lists = {"text": _as_text, "json": _as_json, "markdown": _as_markdown}
    Console().out(lists[form]())


def _not_one(code: str) -> str:
    """Why a word is not the code or name of one rule."""
    try:
        return f"`{code}` is several rules; say which: {', '.join(sorted(meant(code)))}"
    except UnknownRuleError:
        return str(UnknownRuleError(code, (*by_code(), *by_name())))


def page(entry: Entry) -> str:
    """The page of a rule, as text."""
    path = PAGES / f"{entry.page}.md"
    if path.is_file():
        return read_file(path).decode("utf-8")
    return f"# {entry.name} ({entry.code})\n\n{_docstring(entry) or entry.summary}\n"


def _docstring(entry: Entry) -> str | None:
    path = source(entry)
    if not path.is_file():
        return None
    functions = [node for node in ast.parse(read_file(path)).body if isinstance(node, ast.FunctionDef)]
    return next((ast.get_docstring(function) for function in functions if function.decorator_list), None)


def _as_text() -> str:
    width = max(len(entry.name) for entry in entries())
    console = Console()
    columns = console.columns if console.findings.isatty() else UNBROKEN
    rows = []
    for each in entries():
        begin = f"{each.code} {'*' if each.default else ' '} {each.name:<{width}}  {each.safety or '-'!s:<6}  "
        if len(begin) + LEAST > columns:  # a narrow terminal: what it finds stands below
            rows.append(" ".join(begin.split()))
            begin = INDENT
        rows.append(textwrap.fill(each.summary, columns, initial_indent=begin, subsequent_indent=INDENT))
    return "".join(f"{row}\n" for row in rows)


def _as_json() -> str:
    return json.dumps([_plain(entry) for entry in entries()], indent=2) + "\n"


def _plain(entry: Entry) -> dict[str, Any]:
    return {
        "code": entry.code,
        "name": entry.name,
        "family": entry.family,
        "default": entry.default,
        "severity": str(entry.severity),
        "fix": str(entry.safety) if entry.safety else None,
        "summary": entry.summary,
        "url": url(entry.code, entry.name),
    }


def _as_markdown() -> str:
    head = "| code | name | default | severity | fix | finds |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| [{entry.code}]({url(entry.code, entry.name)}) | {entry.name} | {'on' if entry.default else 'off'} "
        f"| {entry.severity} | {entry.safety or ''} | {entry.summary} |\n"
        for entry in entries()
    )
