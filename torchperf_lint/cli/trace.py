"""The command `trace`: runs the user's program under observation, lints what ran, and says what costs."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from torchperf_lint.cli import traced
from torchperf_lint.config.no_links import refuse_links
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.console import Console
from torchperf_lint.trace import file as trace_file
from torchperf_lint.trace import launch
from torchperf_lint.trace.collect import Collected, collect
from torchperf_lint.trace.settings import EARLIEST, Settings

ENDING: Final = ".tpltrace"
HELP: Final[dict[str, Any]] = {"help_option_names": ["--help", "-h"], "max_content_width": 110}


@click.command(context_settings=HELP)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND...")
@click.option(
    "--steps", metavar="A:B", help="Profile the steps from A on, before B (default: it waits for steady ones)."
)
@click.option("--step", metavar="FILE:LINE", help="A step begins whenever this line runs.")
@click.option("--rank", type=click.IntRange(min=0), help="Observe this rank alone (default: all).")
@click.option("--stop", is_flag=True, help="End the program when all is seen.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("run.tpltrace"),
    show_default=True,
    help="Write the trace here.",
)
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write a page with the whole report.")
@click.option(
    "--format", "forms", multiple=True, metavar="NAME[=FILE]",
    help="text, json, markdown; on the standard output unless a file is named (default: text, on the standard error).",
)  # fmt: skip
@click.option(
    "--gpu-price", type=click.FloatRange(min=0), metavar="PRICE", help="What a GPU-hour costs, to say what waits cost."
)
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to use colour.")
@click.option("--quiet", "-q", is_flag=True, help="Print the report and errors, nothing else.")
def trace(command: Sequence[str], **options: Any) -> int:
    """Run COMMAND, as it is, and say which of its lines cost a step how much, and what it would gain without them.

    The program keeps its arguments, its streams and its exit code. Some steps run untouched and are timed, some are
    profiled, and then it goes on alone. `torchperf-lint --trace run.tpltrace src/` asks the trace again later.
    """
    console = Console(options["color"], options["quiet"])
    reports = traced.reports(options["forms"], options["html"])
    refuse_links([options["out"], *(file for _, file in reports)])
    with tempfile.TemporaryDirectory(prefix="torchperf-lint-") as folder:
        settings = _settings(folder, options)
        try:
            ended = launch.run(command, settings)
        except OSError as error:
            console.error(f"{command[0]}: {error.strerror or error}")
            return launch.NOT_FOUND
        found = collect(ended, Path(folder), Path.cwd())
    for problem in found.problems:
        console.error(problem)
    try:
        _written(found, options["out"], console)
        if found.traces:
            traced.report(found.traces, reports, console, options["gpu_price"])
    except ConfigError as error:  # the program has run: its exit code is what matters
        console.error(str(error))
    return launch.end_as(ended.code)


def _settings(folder: str, options: dict[str, Any]) -> Settings:
    first, last = steps_of(options["steps"])
    if options["step"] is not None and not re.fullmatch(r".+:\d+", options["step"]):
        raise ConfigError(f"--step {options['step']}: a place is meant, such as train.py:41")
    return Settings(folder, first, last, options["step"], options["rank"], stop=options["stop"])


def steps_of(text: str | None) -> tuple[int | None, int | None]:
    """The first step to profile and the one after the last, where some are asked for."""
    if text is None:
        return None, None
    match = re.fullmatch(r"(\d+):(\d+)", text)
    if match is None or int(match[1]) < EARLIEST or int(match[2]) <= int(match[1]):
        raise ConfigError(
            f"--steps {text}: two numbers are meant, such as 20:40; the first is {EARLIEST} or more, as one step is timed before "
            "it, and in another the profiler is set up"
        )
    return int(match[1]), int(match[2])


def _written(found: Collected, out: Path, console: Console) -> None:
    """One file for a process, or one a rank: `run.rank0.tpltrace`."""
    for rank, each in found.traces.items():
        path = out if len(found.traces) == 1 else out.with_name(f"{out.stem}.rank{rank}{out.suffix or ENDING}")
        trace_file.write(path, each)
        console.note(f"trace written to {path}")
