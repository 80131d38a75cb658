"""How programs are drawn and linted: with every rule, and as many of them as `TORCHPERF_LINT_EXAMPLES` asks for."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

from torchperf_lint.config.config import Config
from torchperf_lint.config.selection import Layer, chosen

CONFIG = Config(root=Path("/nowhere"), rules=chosen([Layer(select=("ALL",))]), cache=False)
some = settings(
    max_examples=int(os.environ.get("TORCHPERF_LINT_EXAMPLES", "30")),
    deadline=None,
    derandomize="TORCHPERF_LINT_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
