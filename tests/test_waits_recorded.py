"""What the linter says of call forms, against what CUDA said of them (`tests/gpu/waits.json`, recorded on a GPU)."""

from __future__ import annotations

import json
from pathlib import Path

from for_each import for_each

from torchperf_lint.config.config import Config
from torchperf_lint.engine import lint_text
from torchperf_lint.syntax.source import Source

GPU = Path(__file__).parent / "gpu"
HEAD = (GPU / "inputs.py").read_text(encoding="utf-8")
RECORDED = json.loads((GPU / "waits.json").read_text(encoding="utf-8"))["forms"]

LEFT_OUT = {
    "torch.cuda.empty_cache()": "waits only where something can be given back",
    'free = (torch.empty(2**26, device="cuda"), torch.cuda.empty_cache())': "the same",
}
"""Forms whose answer depends on what came before."""


def test_every_form_was_asked_of_cuda() -> None:
    lines = (GPU / "forms.txt").read_text(encoding="utf-8").splitlines()
    unasked = [line for line in lines if line and not line.startswith("#") and line not in RECORDED]
    cure = "on a machine with a GPU run `python tests/gpu/record_waits.py > waits.json && mv waits.json tests/gpu/`"
    assert not unasked, f"{cure}; not asked yet: {unasked}"


FORMS = {form: answer["waits"] for form, answer in RECORDED.items() if "waits" in answer and form not in LEFT_OUT}


@for_each(FORMS, str)
def test_the_linter_says_what_cuda_said(form: str) -> None:
    text = f"{HEAD}\n{form}\n"
    last = text.count("\n")
    found = lint_text.lint(Source(text, "form.py"), Config(root=Path.cwd(), rules=frozenset({"TPL100"})))
    assert any(finding.span.start.line == last for finding in found) is FORMS[form]
