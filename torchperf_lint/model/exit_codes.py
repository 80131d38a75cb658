"""How a run ends: the exit codes."""

from __future__ import annotations

from typing import Final

CLEAN: Final = 0
FINDINGS: Final = 1
"""Findings at or above the fail level are left."""
BROKEN: Final = 2
"""Called wrongly, or broken."""
INTERRUPTED: Final = 130
