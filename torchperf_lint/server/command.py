"""The command `server`: what editors start."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Final

import click

from torchperf_lint.config.config import absolute
from torchperf_lint.model.exit_codes import CLEAN
from torchperf_lint.model.failure import ConfigError

HELP: Final = {"help_option_names": ["--help", "-h"], "max_content_width": 110}


@click.command(context_settings=HELP)
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Read settings from this file.")
@click.option("--isolated", is_flag=True, help="Read no settings from files.")
def server(config: Path | None, isolated: bool) -> int:
    """Run the language server, which editors start: it speaks over the standard input and output.

    It needs the extra `lsp`: pip install 'torchperf-lint[lsp]'.
    """
    try:
        from torchperf_lint.server.language_server import Server
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise ConfigError("the language server needs pygls: pip install 'torchperf-lint[lsp]'") from None
    gc.enable()  # a run of the command line is over before there is garbage; this one lasts for days
    Server(config and absolute(config), isolated=isolated).serve()
    return CLEAN
