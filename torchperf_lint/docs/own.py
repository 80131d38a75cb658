"""The pages of what the linter finds by itself, without a rule: what a docstring says of the others.

Their examples are linted and fixed like those of rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from torchperf_lint.model.catalogue import DOES_NOT_PARSE, GIVEN_UP, RULE_RAISED, UNUSED_SUPPRESSION


@dataclass(frozen=True, slots=True)
class Own:
    """What a page is made of, as the docstring and the fixture of a rule would say it."""

    sections: dict[str, str]
    """By title; the text before the first has the title ""."""
    title: str = ""
    program: str = ""
    """The example; empty where there can be none."""


_BROKEN: Final = Own(
    {
        "": "A file is not Python that parses.\n\nNothing else can be said of it; the other files are linted as usual.",
        "Why": "The file would not run either, or it is written for a newer Python than the one that runs the linter.",
        "Instead": "Mend the syntax, or run the linter with the Python that the code is for.",
        "When it is fine": "Templates and files that are broken on purpose: leave them out with `extend-exclude`. A file of\n"
        "Python 2, by a `print` without parentheses, is a hint: it is left over, and nobody runs it.",
    },
    "A parenthesis is missing",
    "import torch\n\n\ndef scale(x: torch.Tensor) -> torch.Tensor:\n    return (x * 2\n",
)

_RAISED: Final = Own(
    {
        "": "A rule broke on a file: a bug of the linter.\n\n"
        "The message names the rule, the error and the line of the rule; the place is that of the code that it was looking\n"
        "at. All other rules and files are linted as usual, and the exit code is 2.",
        "Why": "What the rule would have said of this file is not known, and nobody should take its silence for praise.",
        "Instead": "Please report it with the lines that the finding points to and what `--debug` prints, which is where the\n"
        "rule raised. Until it is fixed, `--ignore` the rule.",
        "When it is fine": "Never.",
    },
)

_UNUSED: Final = Own(
    {
        "": "A suppression hides nothing.\n\n"
        "A comment `# tpl: ignore[...]`, `# tpl: ignore-file[...]` or `# noqa: TPL...` stands where none of its rules fires,\n"
        "or was written in a way that silences nothing: `# tpl: disable=TPL101`, `# torchperf-lint: ignore`.",
        "Why": "It looks as if something were wrong here, and it would hide the next finding, which may be a real one.",
        "Instead": "Remove it, or correct the code in it. A comment for several rules keeps those that hide something.",
        "When it is fine": "A rule that does not run, because it is off or ignored, has its comments left alone.",
        "Fix safety": "The fix removes a comment, or some codes of it: the program stays what it is. What was written in a wrong way\n"
        "is left to you.",
    },
    "The code was mended, and the comment stayed",
    "import torch\n\n\ndef loss(x: torch.Tensor) -> torch.Tensor:\n"
    "    return x.square().mean()  # tpl: ignore[TPL101] read once an epoch\n",
)

_GIVEN_UP: Final = Own(
    {
        "": "A file takes too long, and not all was said of it.\n\n"
        "What is shown besides is right; rules that were not through are silent. Steps are counted and not seconds, so a file is\n"
        "given up on every machine or on none. The exit code does not depend on this.",
        "Why": "A linter that hangs in a hook is switched off, and silence would look like praise. No file that a person wrote comes\n"
        "near the limits: ten seconds of work, 5,000 findings, 3,000,000 characters, or 500,000 expressions.",
        "Instead": "Leave generated files out with `extend-exclude`, or split the file. If people wrote it, please report it.",
        "When it is fine": "Generated code that nobody maintains: exclude it, and it costs nothing.",
    },
)

OWN: Final = {DOES_NOT_PARSE: _BROKEN, RULE_RAISED: _RAISED, UNUSED_SUPPRESSION: _UNUSED, GIVEN_UP: _GIVEN_UP}
