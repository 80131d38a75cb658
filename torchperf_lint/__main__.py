"""`python -m torchperf_lint`."""

import sys

from torchperf_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
