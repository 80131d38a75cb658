"""The command `verify`: measures benches by themselves, at their defaults and what they sweep, and records that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from torchperf_lint.config.selection import suggestion
from torchperf_lint.model.exit_codes import CLEAN, INTERRUPTED
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.console import Console
from torchperf_lint.report.terminal import Pen
from torchperf_lint.verify import plan, record, session, table
from torchperf_lint.verify.bench import Found, all_benches
from torchperf_lint.verify.telling import Telling


@click.command(context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 110})
@click.argument("codes", nargs=-1, metavar="[CODES]...")
@click.option("--all", "everything", is_flag=True, help="Measure every bench there is.")
@click.option(
    "--record", "recorded", is_flag=True, help=f"Write what comes out to {record.FOLDER.as_posix()}/<gpu>.json."
)
@click.option("--verify-device", metavar="DEVICE", help="auto, cpu, cuda or cuda:N (default: auto).")
@click.option("--verify-timeout", type=click.FloatRange(min=1), metavar="SECONDS", help="The time limit of one bench.")
@click.option(
    "--shape", multiple=True, metavar="NAME=VALUE", help="A parameter of the benches; may be given several times."
)
@click.option(
    "--host-work", type=click.FloatRange(0, 1000), metavar="MS", help="The host's own work in a training step."
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to show it.")
@click.option("--quiet", "-q", is_flag=True, help="Print what was measured, nothing else.")
def verify(codes: tuple[str, ...], everything: bool, recorded: bool, form: str, quiet: bool, **options: Any) -> int:
    """Measure what fixes gain on this device: rules by code, prefix or name, or benches by name."""
    console = Console(quiet=quiet)
    chosen = session.options(
        options["verify_device"], options["verify_timeout"], options["shape"], options["host_work"]
    )
    plans = plan.of_benches(all_benches() if everything else _wanted(codes), chosen.shapes)
    tell = Telling(wanted=not quiet)
    run = session.Session(chosen, tell)
    tell.clear()
    for notice in (*run.notices(), *filter(None, [run.duration(plans)])):
        console.note(notice)
    code = CLEAN
    try:
        run.measure(plans)
    except KeyboardInterrupt:
        code = INTERRUPTED
    finally:
        tell.clear()
    if form == "json":
        rows = [record.row(each, run.device) for each in run.done]
        console.out(
            json.dumps({"version": record.VERSION, "device": record.about(run.device), "measurements": rows}, indent=2)
            + "\n"
        )
    else:
        console.out(table.render(run.done, run.device, {}, Pen(console.colored(console.findings))))
    if recorded and run.done:
        for path in record.write(run.done, run.device):
            console.note(f"Recorded in {path}")
    return code


def _wanted(codes: Sequence[str]) -> list[Found]:
    """The benches that some words name; raises `ConfigError`."""
    if not codes:
        raise ConfigError("name the rules to measure, by code, prefix or name, or use `--all`")
    found = all_benches()
    wanted: dict[str, Found] = {}
    for code in codes:
        named = [each for each in found if each.name == code or (each.code or "").startswith(code.upper())]
        if not named:
            known = [word for each in found for word in (each.code, each.name) if word]
            raise ConfigError(f"no bench for `{code[:80]}`{suggestion(code[:80], known)}")
        wanted |= {each.module: each for each in named}
    return list(wanted.values())
