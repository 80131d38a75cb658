"""A static linter for PyTorch performance anti-patterns.

    >>> from torchperf_lint import lint_text
    >>> for finding in lint_text("import torch\\n"):
    ...     print(finding.path, finding.span.start.line, finding.code, finding.message)

`lint_text` lints a text, `lint_paths` files and folders. Both return `Finding`s: frozen data that says what is wrong,
where, how sure that is and why (`because`), and what cures it (`fix`, a `Fix` or None). Importing this imports nothing
else; neither linting imports torch nor runs the linted code. `step` marks a step of a program that is traced,
and `%load_ext torchperf_lint` gives a notebook the magic `%%tpl_trace`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; `typing` alone would be most of what importing this costs
if TYPE_CHECKING:
    from typing import Any

    from torchperf_lint.api import lint_paths, lint_text
    from torchperf_lint.model.finding import Finding, Fix
    from torchperf_lint.trace.marker import step
    from torchperf_lint.version import VERSION as __version__  # noqa: N811

__all__ = ["Finding", "Fix", "__version__", "lint_paths", "lint_text", "step"]

_HOMES = {
    "Finding": ("torchperf_lint.model.finding", "Finding"),
    "Fix": ("torchperf_lint.model.finding", "Fix"),
    "__version__": ("torchperf_lint.version", "VERSION"),
    "lint_paths": ("torchperf_lint.api", "lint_paths"),
    "lint_text": ("torchperf_lint.api", "lint_text"),
    "load_ipython_extension": ("torchperf_lint.cli.magic", "load_ipython_extension"),
    "step": ("torchperf_lint.trace.marker", "step"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
