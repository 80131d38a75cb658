"""The command line: arguments in, one call out, exit code.

Kept so small that Ctrl-C is answered well from the first moment, and `--help` comes at once: click is imported when
`main` runs, LibCST and the rules when a file needs them.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING

from torchperf_lint.model.exit_codes import BROKEN, CLEAN, INTERRUPTED

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the answer is the exit code."""
    if arguments is None:
        # The process ends with the run, so nobody looks for garbage: it would take longer than the report.
        gc.disable()
        atexit.register(gc.freeze)
    try:
        from torchperf_lint.cli.commands import run

        code = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read the report has read enough
        _close_output()
        return CLEAN
    except OSError as error:  # a full disk behind the standard output, a working folder that has gone
        sys.stderr.write(f"error: {error.strerror or error}\n")
        _close_output()
        return BROKEN
    except Exception:
        import traceback

        traceback.print_exc()
        sys.stderr.write("torchperf-lint broke; please report the lines above.\n")
        return BROKEN
    return code


def _close_output() -> None:
    """What is still to be written goes nowhere, so that nobody stumbles over it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
