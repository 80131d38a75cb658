"""What does not go together on a command line: an error, rather than half of it left out without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from torchperf_lint.model.failure import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STDIN: Final = "-"
NOT_WATCHED: Final = (
    "fix",
    "diff",
    "add_ignores",
    "write_baseline",
    "verify",
    "profile",
    "show_settings",
    "show_files",
)
"""Options of what is done once, or changes the files that are watched."""


def refuse(options: Mapping[str, Any], paths: Sequence[str]) -> None:
    """Refuses what does not go together, rather than leave out half of it without a word."""
    if STDIN in paths and len(paths) > 1:
        raise ConfigError("`-` (standard input) cannot be combined with other paths")
    if options["stdin_filename"] and STDIN not in paths:
        raise ConfigError("`--stdin-filename` needs `-` (standard input) as the path")
    if options["add_ignores"] is not None and options["fix"]:
        raise ConfigError("`--add-ignores` cannot be combined with `--fix`: fix first, then silence what is left")
    if not (options["add_ignores"] or "").isprintable():
        raise ConfigError("`--add-ignores`: the reason must be one line of text, as it becomes a comment")
    if options["watch"] and (
        with_it := [name for name in NOT_WATCHED if options[name] not in (None, False)]
        + [STDIN for path in paths if path == STDIN]
    ):
        raise ConfigError(f"`--watch` cannot be combined with `{_option(with_it[0])}`")
    if options["command"] and not options["verify"]:
        raise ConfigError("a command behind `--` is measured with `--verify`")
    if options["command"] and STDIN in paths:
        raise ConfigError("`--verify -- COMMAND` measures files, not the standard input")
    if options["against"] and not options["command"]:
        raise ConfigError("`--against` needs a command to measure: --verify --against main -- python train.py")
    if options["fail_slower"] and not options["against"]:
        raise ConfigError("`--fail-slower` needs `--against REVISION`")
    if options["shape"] and not options["verify"]:
        raise ConfigError("`--shape` needs `--verify`")


def _option(name: str) -> str:
    return name if name == STDIN else f"--{name.replace('_', '-')}"
