"""`%%tpl_trace`: a cell of a notebook runs in its own kernel, is observed there, and what its lines cost follows.

Stands on the shell that IPython hands over, and imports nothing of IPython. What the cell prints and raises stays as it is.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from torchperf_lint.cli import cells, traced
from torchperf_lint.cli.trace import steps_of
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.report.console import Console
from torchperf_lint.report.sources import Sources
from torchperf_lint.report.summary import counted
from torchperf_lint.report.terminal import Pen
from torchperf_lint.trace import file as trace_file
from torchperf_lint.trace import page, table
from torchperf_lint.trace.collect import collect, earlier
from torchperf_lint.trace.launch import QUIET, Ended, states
from torchperf_lint.trace.recording import Trace
from torchperf_lint.trace.report import Report
from torchperf_lint.trace.settings import Settings

NAME: Final = "tpl_trace"
FRAME: Final = (
    "<pre>{text}</pre>"
    '<iframe sandbox="allow-scripts" style="width: 100%; height: 40em; border: 1px solid gray" srcdoc="{page}"></iframe>'
)

Shell = Any
"""IPython's `InteractiveShell`, or what does as it does."""


class Options(NamedTuple):
    """What stands behind `%%tpl_trace`."""

    first: int | None
    last: int | None
    out: Path | None
    html: Path | None


@click.command(name=f"%%{NAME}", add_help_option=False)
@click.option("--steps", metavar="A:B")
@click.option("--out", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path))
def _options(steps: str | None, out: Path | None, html: Path | None) -> Options:
    return Options(*steps_of(steps), out, html)


def load_ipython_extension(shell: Shell) -> None:
    """What `%load_ext torchperf_lint` calls."""

    def tpl_trace(line: str, cell: str) -> None:
        """%%tpl_trace [--steps A:B] [--out run.tpltrace] [--html run.html]

        Run the cell and say which of its lines cost a step how much, and what it would gain without them.
        """
        trace_cell(shell, line, cell)

    for name, value in QUIET.items():  # before torch is imported
        os.environ.setdefault(name, value)
    shell.register_magic_function(tpl_trace, "cell", NAME)


def trace_cell(shell: Shell, line: str, cell: str) -> None:
    """Run a cell under observation, report, and then raise what it raised."""
    options = _parsed(line)
    root, text = Path.cwd(), cell if cell.startswith("%%") else cells.TRACED + cell
    console = Console()
    with tempfile.TemporaryDirectory(prefix="torchperf-lint-") as folder:
        with _observed(Settings(folder, options.first, options.last), console):
            error, said = _run(shell, text)
        try:
            found = collect(Ended(0, 1, states(Path(folder))), Path(folder), root, _why_nothing)
            for problem in found.problems:
                console.error(problem)
            for trace in found.traces.values():
                _report(shell, trace, root, options, console)
        except (ConfigError, OSError) as failure:
            console.error(str(failure))
        finally:
            if error is not None:
                raise _shown_as(error, said)


def _parsed(line: str) -> Options:
    try:
        options: Options = _options.main(shlex.split(line), standalone_mode=False)
    except (click.ClickException, ConfigError, ValueError) as error:
        said = error.format_message() if isinstance(error, click.ClickException) else str(error)
        message = f"%%{NAME}: {said}"
        raise _shown_as(
            ConfigError(message), [f"{message} (it takes --steps A:B, --out FILE and --html FILE)"]
        ) from None
    return options


@contextmanager
def _observed(settings: Settings, console: Console) -> Iterator[None]:
    """Nothing of the recorder is left in the kernel afterwards."""
    try:
        from torchperf_lint.trace.recorder.session import arm
    except ImportError as error:
        console.error(f"the cell runs unobserved: {error}")
        yield
        return
    session = arm(settings, str(Path.cwd()))
    try:
        yield
    finally:
        try:
            session.finish()
        except OSError as error:  # the cell has run: what it raised is what matters
            console.error(str(error))
        session.release()


def _run(shell: Shell, text: str) -> tuple[BaseException | None, list[str]]:
    """Run a cell as the notebook does, but for its traceback, which is kept: the cell shows it as its own, once."""
    said: list[str] = []
    show = shell._showtraceback
    shell._showtraceback = lambda _, __, lines: said.extend(lines)
    try:
        done = shell.run_cell(text, store_history=False)
    finally:
        shell._showtraceback = show
    return done.error_before_exec or done.error_in_exec, said


def _shown_as(error: BaseException, said: list[str]) -> BaseException:
    """An exception that the notebook shows in these lines, and not with ours in it."""
    setattr(error, "_render_traceback_", lambda: said)  # noqa: B010 - as data, for type checkers
    return error


def _report(shell: Shell, trace: Trace, root: Path, options: Options, console: Console) -> None:
    label = shell.compile.format_code_name
    number = cells.running(label, NAME) or shell.execution_count
    ran = cells.ran(label, root, ahead=shell.execution_count - number)
    trace = replace(ran.named(trace), about={**trace.about, "script": f"In[{number}]"})
    sources = Sources(Path.cwd(), {name: text.encode("utf-8", "surrogatepass") for name, text in ran.texts.items()})
    made = traced.joined(trace, [*ran.linted(), *traced.linted(trace)], traced.texts_of(sources))
    if options.out is not None:
        trace_file.write(options.out, trace)
        console.note(f"trace written to {options.out}")
    if options.html is not None:
        traced.put(options.html, page.render(made))
    _display(shell, made)


def _display(shell: Shell, made: Report) -> None:
    """The table, and where the notebook can show it, the page below it."""
    text = table.render(made.analysis, made.rows, Pen(False))
    sys.stdout.flush()
    inline = FRAME.format(text=escape(text), page=escape(page.render(made)))
    shell.display_pub.publish({"text/plain": text, "text/html": inline})


def _why_nothing(ended: Ended) -> list[str]:
    """Why there is no trace of a cell, and what one can do about it."""
    state = next(iter(ended.states.values()), None)
    if state is None:
        return []
    if state.get("error"):
        return [f"no trace: the recorder gave up, the cell did not notice: {state['error'].strip().splitlines()[-1]}"]
    steps = state.get("steps", 0)
    if not steps:
        return [
            "no trace: no step found in the cell. It looked for steps of an optimizer and calls of a module: let the loop "
            "stand in the cell, or write `with torchperf_lint.step():` around a step."
        ]
    if state.get("theirs"):
        return ["no trace: a profiler of the cell's own ran all the time, and only one can"]
    return [f"no trace: the cell ended after {counted(steps, 'step')}, before any were profiled. {earlier(steps)}"]
