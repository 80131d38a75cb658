"""codertimo/BERT-pytorch at d10dc4f9d5a6f2ca74380f62039526eb7277c671"""

import random
import sys
from pathlib import Path

from bert_pytorch import __main__ as program
from bert_pytorch.dataset import WordVocab

words = [f"w{at}" for at in range(60)]
rows = [" ".join(random.choices(words, k=6)) + "\t" + " ".join(random.choices(words, k=6)) for _ in range(64)]
for name in ("train", "test"):
    Path(name).write_text("\n".join(rows) + "\n")
with open("train") as texts:
    WordVocab(texts).save_vocab("vocab")
sys.argv = ["bert", "-c", "train", "-t", "test", "-v", "vocab", "-o", "bert.model", "-hs", "32", "-l", "2", "-a", "2"]
sys.argv += ["-b", "16", "-e", "2", "-w", "1", "--log_freq", "2"]
program.train()
