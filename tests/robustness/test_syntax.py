"""What only newer Pythons read is linted on all of them, and what none reads is one TPL001 in its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_inputs import through

from torchperf_lint.model.catalogue import DOES_NOT_PARSE

MADE = "def made(n: int): return torch.zeros(n, n).cuda()\n"
NEWER = {
    "PEP 646": "def f(*args: *Ts): return args[*a]\n",
    "PEP 649": "def f(x: Later) -> Later: return x\nclass Later:\n    y: Unknown = 1\n",
    "PEP 654": "try:\n    pass\nexcept* ValueError as error:\n    pass\n",
    "PEP 695, an alias": "type X[T] = list[T]\n",
    "PEP 695, a function": "def f[T: int, *Ts, **P](x: T) -> T: return x\n",
    "PEP 695, a class": "class A[T](torch.nn.Module):\n    x: T\n",
    "PEP 695, a name": "type = 3\ntype (x)\nprint(type)\n",
    "PEP 696": "class A[T = int, *Ts = *tuple[int]]:\n    pass\n",
    "PEP 701, quotes": 'x = f"{d["a"]}"\n',
    "PEP 701, nested": 'x = f"{f"{f"{1}"}"}"\n',
    "PEP 701, a comment": 'x = f"{\n    1  # why\n}"\n',
    "PEP 701, a backslash": "x = f\"{'\\n'.join(a)}\"\n",
    "PEP 750": 'x = t"{name!r:>{width}} {torch}"\n',
    "PEP 750, raw": "x = rt'a\\d {name}'\n",
    "PEP 758": "try:\n    pass\nexcept ValueError, TypeError:\n    pass\n",
    "PEP 758, groups": "try:\n    pass\nexcept* ValueError, TypeError:\n    pass\n",
    "PEP 765": "def f():\n    try:\n        pass\n    finally:\n        return 1\n",
}
REFUSED = {
    "PEP 750, unclosed": ('x = t"{torch"\n', 2),
    "PEP 758, with a name": ("try:\n    pass\nexcept ValueError, TypeError as error:\n    pass\n", 4),
    "PEP 695, unclosed": ("x = 1\ntype X[ = 3\n", 3),
    "PEP 696, without a value": ("class A[T = ]:\n    pass\n", 2),
    "PEP 701, empty": ('x = f"{}"\n', 2),
}


@pytest.mark.parametrize("text", NEWER.values(), ids=NEWER)
def test_what_newer_pythons_read_is_linted_on_all(text: str, tmp_path: Path) -> None:
    done, after = through(f"import torch\n{text}{MADE}".encode(), "section.py", tmp_path)
    assert ("TPL201", 2 + text.count("\n")) in [(each.code, each.span.start.line) for each in done.findings]
    assert after.decode() == f"import torch\n{text}{MADE}".replace("zeros(n, n).cuda()", 'zeros(n, n, device="cuda")')


@pytest.mark.parametrize(("text", "line"), REFUSED.values(), ids=REFUSED)
def test_what_no_parser_reads_is_one_finding_in_its_line(text: str, line: int, tmp_path: Path) -> None:
    done, after = through(f"import torch\n{text}{MADE}".encode(), "section.py", tmp_path)
    assert [(each.code, each.span.start.line) for each in done.findings] == [(DOES_NOT_PARSE, line)]
    assert after.decode() == f"import torch\n{text}{MADE}"
