"""The trace that `--trace` names, read only where one is: what it needs is imported then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torchperf_lint.cli.traced import Asked


def asked_trace(options: Mapping[str, Any]) -> Asked | None:
    """The trace to ask; raises `ConfigError` where it cannot be read."""
    if options["trace"] is None and options["min_gain"] is None and options["html"] is None:
        return None
    from torchperf_lint.cli.traced import asked

    return asked(options)
