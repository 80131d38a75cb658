"""What reports can be written as: the names of the formats."""

from __future__ import annotations

from typing import Final

FORMATS: Final = ("text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")
FOR_PEOPLE: Final = ("text", "concise")
"""The formats that belong on a terminal: the summary and the hints go with them."""
