"""pytorch-labs/gpt-fast at 32971d3129541c5bfb4f715abc33d1c5f408d204"""

import builtins
import runpy
import sys
from pathlib import Path

import torch

MODEL, TOKENS = "stories110M", "60"


class Processor:
    """A made-up tokenizer; a step ends where something is shown."""

    def __init__(self, _):
        pass

    def EncodeAsIds(self, text):
        return [3 + ord(letter) for letter in text]

    def DecodeIds(self, ids):
        step()
        return f"{len(ids)} tokens"

    def bos_id(self):
        return 1

    def eos_id(self):
        return 2


stand_in("sentencepiece", SentencePieceProcessor=Processor)
stand_in("tiktoken", Encoding=None)
stand_in("tiktoken.load", load_tiktoken_bpe=None)
builtins.input = lambda _: "Once upon a time"
sys.path.insert(0, str(FOLDER))
from model import Transformer

folder = Path("checkpoints", MODEL)
folder.mkdir(parents=True)
(folder / "tokenizer.model").touch()
torch.save({"model": Transformer.from_name(MODEL).state_dict()}, folder / "model.pth")
for options in ((), ("--interactive", "--num_samples", "2"), ("--batch_size", "4", "--prompt", "64")):
    sys.argv = ["generate.py", "--checkpoint_path", str(folder / "model.pth"), "--max_new_tokens", TOKENS, "--num_samples", "3", "--device", DEVICE, *options]
    runpy.run_path(str(FOLDER / "generate.py"), run_name="__main__")
