"""What a page of ours lets a browser do: show its own style, run its own scripts, and nothing else."""

from __future__ import annotations

import base64
import hashlib


def policy(style: str, *scripts: str) -> str:
    """A policy (CSP) under which only these very texts are a style and scripts, and nothing is fetched."""
    run = f" script-src {' '.join(map(_named, scripts))};" if scripts else ""
    return f"default-src 'none'; style-src {_named(style)};{run} base-uri 'none'; form-action 'none'"


def _named(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
