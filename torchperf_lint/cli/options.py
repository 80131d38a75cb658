"""The options of `check`: their names, what they take, and their help.

Options that are settings go to the configuration by name; what the others mean is for `check`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from torchperf_lint.cli.commands import EPILOGUE, PROGRAM
from torchperf_lint.config.target import GPUS
from torchperf_lint.model.formats import FORMATS

GROUPS: Final = ("Rules", "Fixing", "Verifying", "Tracing", "Output", "Files", "Adoption", "Running", "Target", "Other")


class Grouped(click.Option):
    """An option that knows under which heading `--help` shows it."""

    def __init__(self, *args: Any, group: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.group = group

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return record and (record[0].replace(" [=", "[="), record[1])


class Check(click.Command):
    """A command whose help comes in groups, and whose `--add-ignores` takes a reason behind `=` alone."""

    def format_usage(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(PROGRAM, "[OPTIONS] [PATHS]...")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group in GROUPS:
            options = (each for each in self.get_params(ctx) if isinstance(each, click.Option))
            members = [each for each in options if getattr(each, "group", "Other") == group]
            records = [record for each in members if (record := each.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(group):
                    formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["command"] = ()
        if "--" in args and {"--verify", "--against"} & set(args[: args.index("--")]):
            begin = args.index("--")  # what follows is the program to measure; else it is paths, as everywhere
            ctx.params["command"] = tuple(args[begin + 1 :])
            args[begin:] = []
        last = args.index("--") if "--" in args else len(args)
        args[:last] = ["--add-ignores=" if each == "--add-ignores" else each for each in args[:last]]
        return super().parse_args(ctx, args)


def _split(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """Comma-separated values, given once or several times; None where none was given."""
    parts = tuple(part.strip() for value in values for part in value.split(",") if part.strip())
    return parts if values else None


def option(group: str, *names: str, **more: Any) -> Grouped:
    return Grouped(names, group=group, **more)


def several(group: str, name: str, metavar: str, help_text: str, **more: Any) -> Grouped:
    return option(group, name, multiple=True, metavar=metavar, callback=_split, help=help_text, **more)


def switch(group: str, names: str, help_text: str) -> Grouped:
    return option(group, *names.split(), is_flag=True, default=None, help=help_text)


def rules_begun(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The rules whose code or name begins so, for a shell; what stands before a comma stays."""
    from torchperf_lint.model.catalogue import by_code, by_name

    done, comma, last = begun.rpartition(",")
    return [f"{done}{comma}{word}" for word in (*by_code(), *by_name()) if word.startswith(last)]


def _formats_begun(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    return [name for name in FORMATS if name.startswith(begun)]


def _read(kind: str) -> Callable[[click.Context, click.Parameter, str | None], float | None]:
    """What reads a share or a duration."""

    def read(_: click.Context, parameter: click.Parameter, text: str | None) -> float | None:
        if text is None:
            return None
        from torchperf_lint.verify.program import command

        reader: Callable[[str, str], float] = getattr(command, kind)
        return reader(text, parameter.opts[0])

    return read


FILE: Final = click.Path(path_type=Path)
RULES: Final[dict[str, Any]] = {"metavar": "CODES", "shell_complete": rules_begun}

OPTIONS: Final = (
    several("Rules", "--select", help_text="Run these rules: codes, prefixes such as TPL1, names, or ALL.", **RULES),
    several("Rules", "--extend-select", help_text="Run these rules too.", **RULES),
    several("Rules", "--ignore", help_text="Do not run these rules.", **RULES),
    option("Rules", "--confidence", type=click.Choice(["likely", "proven"]), help="Report only findings that are at least this sure."),
    option(
        "Rules", "--fail-level", type=click.Choice(["error", "warning", "info"]),
        help="Exit with 1 from this severity on (default: warning).",
    ),
    switch("Fixing", "--fix/--no-fix", "Apply safe fixes."),
    switch("Fixing", "--unsafe-fixes/--no-unsafe-fixes", "Include fixes that can change results; the page of the rule says how."),
    switch("Fixing", "--diff", "Print what the fixes would change; change no file."),
    switch("Verifying", "--verify", "Measure on this GPU what the fixes gain; with --fix, apply only those that pay off."),
    option(
        "Verifying", "--verify-device", metavar="DEVICE", help="Where to measure: auto, cpu, cuda or cuda:N (default: auto).",
    ),
    option(
        "Verifying", "--verify-timeout", type=click.FloatRange(min=1), metavar="SECONDS",
        help="The time limit of one measurement (default: 120).",
    ),
    option(
        "Verifying", "--shape", multiple=True, metavar="NAME=VALUE",
        help="A size or choice that the source does not show; may be given several times.",
    ),
    option(
        "Verifying", "--host-work", type=click.FloatRange(0, 1000), metavar="MS",
        help="The host's own work in a training step, which decides what a GPU sync costs (default: 0).",
    ),
    option(
        "Tracing", "--trace", type=FILE, metavar="FILE",
        help="Say what each finding costs: a trace of the program, made by the command `trace` or by torch's profiler.",
    ),
    option("Tracing", "--html", type=FILE, metavar="FILE", help="Write what --trace shows, and --verify measured, as a page."),
    option("Tracing", "--min-gain", metavar="SHARE", help="Only findings that gain so much of a step: 1% or 0.01."),
    option(
        "Verifying", "--steps", type=click.IntRange(min=2), metavar="N", help="With -- COMMAND: time so many steps in each run.",
    ),
    option(
        "Verifying", "--precision", metavar="2%", callback=_read("share"),
        help="With -- COMMAND: measure until the interval is this narrow (default: 2%); 1.5 times this is a gain that counts.",
    ),
    option(
        "Verifying", "--time", metavar="10m", callback=_read("duration"),
        help="With -- COMMAND: measure no longer than this (default: 10m).",
    ),
    switch("Verifying", "--deterministic", "With -- COMMAND: ask torch to compute the same in each run."),
    option(
        "Verifying", "--against", metavar="REVISION", help="With -- COMMAND: compare the tree with a git revision instead.",
    ),
    option(
        "Verifying", "--fail-slower", metavar="3%", callback=_read("share"),
        help="With --against: exit with 1 if it is slower by this, or computes something else.",
    ),
    option(
        "Output", "--format", multiple=True, metavar="NAME[=FILE]", callback=_split, shell_complete=_formats_begun,
        help=f"Report format: {', '.join(FORMATS)}; may be given several times, all but one with =FILE.",
    ),
    option(
        "Output", "--sort", type=click.Choice(["impact", "path"]),
        help="Reports for people: what matters most first, or by place (default: impact on a terminal, path elsewhere).",
    ),
    option("Output", "--output-file", "-o", type=FILE, metavar="FILE", help="Write the report to this file."),
    option(
        "Output", "--max-per-rule", type=click.IntRange(min=1), metavar="N",
        help="Reports for people: show at most so many findings of each rule.",
    ),
    switch("Output", "--show-hints", "Show findings that measured no gain as all others, not by their lines alone."),
    switch("Output", "--statistics", "Show counts by rule instead of findings."),
    switch("Output", "--quiet -q", "Print findings and errors, nothing else."),
    option(
        "Output", "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to use colour.",
    ),
    several("Files", "--exclude", "PATTERNS", "Leave out these files instead of the default list; patterns as in .gitignore."),
    several("Files", "--extend-exclude", "PATTERNS", "Leave out these files too."),
    switch("Files", "--gitignore/--no-gitignore", "Leave out what .gitignore ignores (the default)."),
    switch("Files", "--force-exclude/--no-force-exclude", "Leave out excluded files even if they are named on the command line."),
    option(
        "Files", "--stdin-filename", type=FILE, metavar="FILE", help="The file name of the standard input, which is given as -.",
    ),
    option("Adoption", "--baseline", type=FILE, metavar="FILE", help="Do not report the findings in this file."),
    option("Adoption", "--write-baseline", type=FILE, metavar="FILE", help="Write all findings to this file, as accepted."),
    option(
        "Adoption", "--add-ignores", metavar="[=REASON]", help="Silence each finding with a comment at its line.",
    ),
    option("Running", "--config", type=FILE, metavar="FILE", help="Read settings from this file."),
    switch("Running", "--isolated", "Read no settings from files."),
    option("Running", "--jobs", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: one per core)."),
    switch("Running", "--cache/--no-cache", "Keep the findings of unchanged files (the default)."),
    option("Running", "--cache-dir", type=FILE, metavar="FOLDER", help="Keep them in this folder."),
    switch("Running", "--exit-zero -e", "Exit with 0 even if there are findings."),
    switch("Running", "--show-settings", "Show the settings and where each comes from."),
    switch("Running", "--show-files", "Show the files that would be linted."),
    switch("Running", "--watch", "Check again whenever a file changes, until Ctrl-C."),
    switch("Running", "--profile", "Show where the time goes, by stage and by rule."),
    switch("Running", "--debug", "Show the traceback of a rule that raises; one process, no cache."),
    option(
        "Target", "--target-torch", metavar="VERSION",
        help="The oldest torch that the code supports (default: what pyproject.toml requires).",
    ),
    switch(
        "Target", "--assume-compiled/--no-assume-compiled",
        "Take every forward for compiled: what would end its graphs, for who writes a library.",
    ),
    option("Target", "--target-gpu", type=click.Choice(GPUS), help="The oldest GPU that the code supports."),
)  # fmt: skip


@click.command(
    cls=Check, epilog=EPILOGUE, context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 110}
)
@click.argument("paths", nargs=-1, metavar="[PATHS]...", type=click.Path())
def check(**options: Any) -> int:
    """Find PyTorch performance anti-patterns in files and folders (default: the working folder)."""
    from torchperf_lint.cli import check as command

    return command.check(options)


check.params.extend(OPTIONS)
