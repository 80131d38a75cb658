"""Ask CUDA which forms of `forms.txt` make the host wait, and write the answers down.

    python tests/gpu/record_waits.py > waits.json && mv waits.json tests/gpu/waits.json

Work that takes the GPU a while is queued first; a form that comes back only when that is done has waited. Needs a GPU and
torch, nothing of the linter. `tests/test_waits_recorded.py` holds what the linter says against the answers.
"""

from __future__ import annotations

import contextlib
import io
import json
import statistics
import sys
import time
from pathlib import Path

import torch

HERE = Path(__file__).parent
CYCLES = 40_000_000
"""What the GPU is told to sleep: about 20 ms."""
SHARE = 0.6
"""A form that takes this share of the sleep has waited for its end."""


def forms() -> list[str]:
    lines = (HERE / "forms.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def main() -> None:
    names: dict[str, object] = {}
    head = compile((HERE / "inputs.py").read_text(encoding="utf-8"), "inputs.py", "exec")
    answers = {}
    for form in forms():
        exec(head, names)
        answers[form] = _asked(compile(form, form, "exec"), names)
    meta = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda}
    json.dump({**meta, "forms": answers}, sys.stdout, indent=1)


def _asked(code: object, names: dict[str, object]) -> dict[str, object]:
    """Whether a form waits, told by three tries, and how long the host and the sleep took."""
    waited = []
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(code, names)  # loads what it needs
            for _ in range(3):
                torch.cuda.synchronize()
                start = time.perf_counter()
                torch.cuda._sleep(CYCLES)
                exec(code, names)
                host = time.perf_counter() - start
                torch.cuda.synchronize()
                waited.append(host / (time.perf_counter() - start))
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"[:200]}
    share = statistics.median(waited)
    return {"waits": share > SHARE, "share": round(share, 2)}


if __name__ == "__main__":
    main()
