"""The commands of the tool; a line without one is a `check`.

A command is a click command, and the module that it is in is imported when it is called.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from torchperf_lint.model.exit_codes import BROKEN
from torchperf_lint.model.failure import ConfigError
from torchperf_lint.version import VERSION, is_compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM: Final = "torchperf-lint"
DEFAULT: Final = "check"

COMMANDS: Final = {
    "check": ("torchperf_lint.cli.options", "Lint files and folders; `check` may be left out."),
    "fleet": ("torchperf_lint.fleet.command", "Lint many repositories, on this machine or on a cluster."),
    "rule": ("torchperf_lint.cli.rules", "Explain a rule."),
    "rules": ("torchperf_lint.cli.rules", "List all rules."),
    "reveal": ("torchperf_lint.cli.reveal", "Show what is known of each expression of a file, and why."),
    "server": ("torchperf_lint.server.command", "Run the language server for editors."),
    "trace": ("torchperf_lint.cli.trace", "Run a program and say what its waits cost."),
    "verify": ("torchperf_lint.verify.command", "Measure what fixes gain on this GPU."),
}
"""Where each command is, under its own name, and what it does in a line."""

ELSEWHERE: Final = {
    "explain": "rule",
    "fix": "--fix",
    "help": "--help",
    "lint": "check",
    "list": "rules",
    "lsp": "server",
    "version": "--version",
}
"""What other tools call it."""

EPILOGUE: Final = """\
\b
Commands (a path of that name is written ./rules):
  torchperf-lint check [PATHS]...  lint; `check` may be left out
  torchperf-lint rule TPL101       explain a rule
  torchperf-lint rules             list all rules
  torchperf-lint reveal FILE:LINE  what is known there; why a rule is silent
  torchperf-lint server            run the language server for editors
  torchperf-lint verify TPL101     measure what a fix gains on this GPU
  torchperf-lint trace -- COMMAND  run a program and say what its waits cost
  torchperf-lint fleet scan LIST   lint many repositories; then `fleet report`
  torchperf-lint --version         show the version

\b
Exit codes: 0 clean, 1 findings at or above the fail level,
            2 usage error or internal error, 130 interrupted.

\b
Shell completion (bash, zsh or fish), in the shell's startup file:
  eval "$(_TORCHPERF_LINT_COMPLETE=bash_source torchperf-lint)"
"""


class Commands(click.Group):
    """Finds a command, and puts `check` before a line that has none."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = getattr(importlib.import_module(COMMANDS[cmd_name][0]), cmd_name)
        assert isinstance(found, click.Command)
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        alone = args and args[0] in (*COMMANDS, "--version", "-V")
        if not alone and not (ctx.resilient_parsing and not args):
            if args and (meant := _mistyped(args[0])):
                raise click.UsageError(f"there is no file or command `{args[0]}`; did you mean `{meant}`?", ctx)
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        check = self.get_command(ctx, DEFAULT)
        assert check is not None
        found = [CompletionItem(name, help=does) for name, (_, does) in COMMANDS.items() if name.startswith(incomplete)]
        return [*found, *check.shell_complete(click.Context(check), incomplete)]


def _mistyped(word: str) -> str | None:
    """The command or option that a first word may be meant for, where it is no path."""
    if word.startswith("-") or "/" in word or os.path.lexists(word):
        return None
    import difflib

    near = difflib.get_close_matches(word, (*COMMANDS, *ELSEWHERE), n=1, cutoff=0.75)
    return ELSEWHERE.get(near[0], near[0]) if near else None


def _version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked and not context.resilient_parsing:
        click.echo(f"{PROGRAM} {VERSION} ({'compiled' if is_compiled() else 'plain Python'})")
        context.exit()


@click.command(cls=Commands, context_settings={"help_option_names": []}, add_help_option=False)
@click.option(
    "--version", "-V", is_flag=True, callback=_version, expose_value=False, is_eager=True, help="Show the version."
)
def tool() -> None:
    """A static linter for PyTorch performance anti-patterns."""


def run(arguments: Sequence[str]) -> int:
    """Do what a command line says; the answer is the exit code."""
    try:
        code: Any = tool.main(list(arguments), prog_name=PROGRAM, standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as wrong:
        from torchperf_lint.report.terminal import visible

        setattr(wrong, "message", visible(wrong.message))  # noqa: B010 - a shell may have put names of files for options
        wrong.show()
        return BROKEN
    except ConfigError as wrong:
        from torchperf_lint.report.console import Console

        Console().error(str(wrong))
        return BROKEN
    return code if isinstance(code, int) else 0
