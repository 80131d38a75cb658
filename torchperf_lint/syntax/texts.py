"""f-strings in the words of the `%` operator, as loggers take them. Knows nothing of torch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import libcst as cst

_SPEC: Final = re.compile(r"[-+0 ]?\d*(\.\d+)?[dfegsEG]?")
"""What `%` understands of the words behind a colon in an f-string; `<` and `^` it does not."""


def as_percent(text: cst.FormattedString) -> tuple[str, list[cst.BaseExpression]] | None:
    """An f-string as a string for `%` and the expressions that fill it; None where `%` has no word for a part."""
    import libcst as cst

    made: str = ""
    values: list[cst.BaseExpression] = []
    for part in text.parts:
        match part:
            case cst.FormattedStringText(value=value):
                made += value.replace("%", "%%").replace("{{", "{").replace("}}", "}")
            case cst.FormattedStringExpression(equal=None, conversion=conversion, format_spec=spec):
                word = _word(conversion, spec or ())
                if word is None:
                    return None
                made += f"%{word}"
                values.append(part.expression)
            case _:
                return None
    return f"{text.start.lower().replace('f', '')}{made}{text.end}", values


def _word(conversion: str | None, spec: Sequence[cst.BaseFormattedStringContent]) -> str | None:
    import libcst as cst

    parts = [part.value for part in spec if isinstance(part, cst.FormattedStringText)]
    written = "".join(parts)
    if len(parts) != len(spec) or not _SPEC.fullmatch(written) or (conversion and written):
        return None
    if conversion or not written:
        return conversion or "s"
    return written if written[-1].isalpha() else None
