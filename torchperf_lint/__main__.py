"""`python -m torchperf_lint`.

Python puts the working folder first on the path, where a project may have a `click.py`: nothing is imported from there.
"""

import os
import sys


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - as Python writes it
    except OSError:  # it has gone
        return ""


if __name__ == "__main__":
    if sys.path[0] in ("", _here()):
        del sys.path[0]

    from torchperf_lint.cli.main import main

    sys.exit(main())
