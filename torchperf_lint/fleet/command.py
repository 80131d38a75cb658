"""The command `fleet`: many repositories at once, and what was found in them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import click

from torchperf_lint.config.config import absolute
from torchperf_lint.config.no_links import refuse_links
from torchperf_lint.config.settings_file import read as read_settings
from torchperf_lint.disk.write import output
from torchperf_lint.model.exit_codes import BROKEN, CLEAN
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.console import Console
from torchperf_lint.report.progress import Progress
from torchperf_lint.report.summary import counted

HELP: Final[dict[str, Any]] = {"help_option_names": ["--help", "-h"], "max_content_width": 110}
FILE: Final = click.Path(path_type=Path)
NEEDED: Final = {"pyarrow", "ray"}
EVERY: Final = 60
"""Seconds between two lines about progress, where there is no terminal."""


@click.group(context_settings=HELP)
def fleet() -> None:
    """Lint many repositories, on this machine or on a cluster, and say what is in them.

    It needs the extra `fleet`: pip install 'torchperf-lint[fleet]'.
    """


@fleet.command(context_settings=HELP)
@click.argument("listing", metavar="LIST")
@click.option("--out", type=FILE, required=True, metavar="FOLDER", help="Write Parquet files into this folder.")
@click.option(
    "--engine", type=click.Choice(["local", "ray"]), default="local", show_default=True, help="Who does the work."
)
@click.option(
    "--ray-address", default="auto", show_default=True, metavar="ADDRESS", help="The cluster; `local` starts one here."
)
@click.option("--resume", is_flag=True, help="Go on with a scan that has ended in the middle.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes of `local` (default: one per core).")
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=600, show_default=True, metavar="SECONDS",
    help="Give a repository up after this long.",
)  # fmt: skip
@click.option(
    "--memory", type=click.IntRange(min=200), default=2000, show_default=True, metavar="MB",
    help="Give a repository up that needs more than this.",
)  # fmt: skip
@click.option("--config", type=FILE, metavar="FILE", help="Read settings from this file, for all repositories.")
@click.option("--isolated", is_flag=True, help="Read no settings from files.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but errors.")
def scan(**options: Any) -> int:
    """Lint every repository that LIST names, and write what is found.

    LIST is a text with a folder, a bare git repository with its @revision, a wheel, an sdist or a data set a line; or it
    is a data set itself: Parquet files of repository, path and content, here or behind a URL.
    """
    _needs("pyarrow")
    refuse_links([options["out"]])
    if options["engine"] == "ray":
        _needs("ray")
    from torchperf_lint.fleet import engines, listing
    from torchperf_lint.fleet.apart import Limits
    from torchperf_lint.fleet.lint_repository import Rules
    from torchperf_lint.fleet.scan import open_scan
    from torchperf_lint.fleet.scan import scan as run
    from torchperf_lint.fleet.work import UnitJob, planner

    console = Console("auto", options["quiet"])
    config = absolute(options["config"]) if options["config"] else None
    if config is not None:
        read_settings(config)  # what is wrong with it is said once, and not for each repository
    rules = Rules(str(config) if config else None, isolated=options["isolated"])
    job = UnitJob(str(absolute(options["out"])), rules, Limits(options["timeout"], options["memory"] * 1_000_000))
    local = options["engine"] == "local"
    engine = engines.local(options["jobs"]) if local else engines.ray(options["ray_address"])
    told = _Told(console)
    units = list(listing.units(options["listing"], planner(job.limits)))
    with open_scan(Path(job.out), job, resume=options["resume"]):
        outcome = run(units, job, engine, told)
    told.bar.clear()
    found = ", ".join(
        counted(outcome.rows[table], word) for table, word in (("findings", "finding"), ("errors", "error"))
    )
    there = f", {counted(outcome.known, 'unit')} already there" if outcome.known else ""
    console.note(f"{counted(outcome.done, 'unit')}{there}: {found}")
    if outcome.stopped is not None:
        console.error(f"stopped: {outcome.stopped}; when that is mended, --resume does the rest")
    return CLEAN if outcome.stopped is None else BROKEN


@fleet.command(context_settings=HELP)
@click.argument("folder", type=FILE)
@click.option("--before", type=FILE, metavar="FOLDER", help="An earlier scan: say what is new since, and what is gone.")
@click.option("--html", type=FILE, metavar="FILE", help="Write a page with the whole report.")
def report(folder: Path, before: Path | None, html: Path | None) -> int:
    """Say what a scan has found: by rule, by repository, and which fixes would change most."""
    _needs("pyarrow")
    refuse_links([html])
    from torchperf_lint.fleet.report import page, text
    from torchperf_lint.fleet.report.figures import changes, figures

    console = Console()
    found = figures(folder)
    changed = changes(before, folder) if before is not None else None
    console.out(text.render(found, changed))
    if html is not None:
        try:
            output(absolute(html), page.render(found, changed).encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise ConfigError(f"{html}: {error.strerror or error}") from None
        console.note(f"page written to {html}")
    return CLEAN


class _Told:
    """Says how far a scan is: on a terminal as a bar, elsewhere as a line a minute."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.bar = Progress(wanted=not console.quiet, what="units")
        self.due = time.monotonic() + EVERY

    def __call__(self, done: int, of: int, outcome: Any) -> None:
        self.bar(done, of)
        if not self.bar.wanted and time.monotonic() > self.due:
            self.due = time.monotonic() + EVERY
            self.console.note(f"{done:,} of {counted(of, 'unit')}, {counted(outcome.rows['errors'], 'error')}")


def _needs(package: str) -> None:
    """Says which extra brings a package that is not there."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise ConfigError(f"`fleet` needs {package}: pip install 'torchperf-lint[fleet]'")
