"""salesforce/awd-lstm-lm at 1d466ec5875675ca6b6f0caacbb741240a29da9e"""

import random
import runpy
import sys
from pathlib import Path

import torch

Path("text").mkdir()
for part, lines in (("train", 400), ("valid", 60), ("test", 12)):
    words = (" ".join(f"w{random.randrange(200)}" for _ in range(10)) for _ in range(lines))
    Path("text", f"{part}.txt").write_text("\n".join(words) + "\n")
load = torch.load
torch.load = lambda *given, **named: load(*given, **{"weights_only": False} | named)
small = ["--emsize", "32", "--nhid", "64", "--nlayers", "2", "--batch_size", "8", "--bptt", "20", "--wdrop", "0"]
sys.argv = ["main.py", "--data", "text", "--epochs", "2", "--log-interval", "5", "--save", "kept.pt", *small]
if DEVICE == "cpu":
    sys.argv.append("--cuda")
runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
