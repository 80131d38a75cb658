"""songyouwei/ABSA-PyTorch at 9a7c6c1c993ad772d5f439d32af4899b6698ea67"""

import pickle
import random
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn


class Bert(nn.Module):
    """Stands for a language model that would be downloaded."""

    def __init__(self, size=768):
        super().__init__()
        self.embed, self.config = nn.Embedding(600, size), SimpleNamespace(hidden_size=size, num_attention_heads=12)

    @classmethod
    def from_pretrained(cls, *_, **__):
        return cls()

    def forward(self, tokens, token_type_ids=None, **_):
        seen = self.embed(tokens)
        return seen, seen.mean(1)


class Words:
    """Stands for its tokenizer."""

    @classmethod
    def from_pretrained(cls, *_, **__):
        return cls()

    def tokenize(self, text):
        return text.split()

    def convert_tokens_to_ids(self, tokens):
        return [2 + sum(map(ord, token)) % 590 for token in tokens]


stand_in("transformers", BertModel=Bert, BertTokenizer=Words)
stand_in("transformers.modeling_bert", BertPooler=lambda config: Pooler(config), BertSelfAttention=lambda config, **_: Attends(config))


class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, states):
        return torch.tanh(self.dense(states[:, 0]))


class Attends(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, states, mask=None, **_):
        return (self.dense(states),)


folder = Path("datasets/semeval14")
folder.mkdir(parents=True)
words = [f"w{at}" for at in range(60)]
for name, many in (("Laptops_Train.xml.seg", 48), ("Laptops_Test_Gold.xml.seg", 20)):
    lines, graphs = [], {}
    for at in range(many):
        left, aspect, right = (random.choices(words, k=random.randint(1, most)) for most in (6, 2, 6))
        lines += [" ".join([*left, "$T$", *right]), " ".join(aspect), str(random.randint(-1, 1))]
        long = len(left) + len(aspect) + len(right)
        graphs[3 * at] = (np.random.rand(long, long) > 0.6).astype("float32")
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / f"{name}.graph").write_bytes(pickle.dumps(graphs))
Path("glove.42B.300d.txt").write_text("\n".join(" ".join([word, *(f"{value:.3f}" for value in np.random.randn(300))]) for word in words), encoding="utf-8")
for name in ("lstm", "td_lstm", "tc_lstm", "atae_lstm", "ian", "memnet", "ram", "cabasc", "tnet_lf", "aoa", "mgan", "asgcn", "bert_spc", "aen_bert", "lcf_bert"):
    sys.argv = ["train.py", "--model_name", name, "--dataset", "laptop", "--lr", "1e-3", "--num_epoch", "2", "--hidden_dim", "300", "--max_seq_len", "20", "--log_step", "2", "--valset_ratio", "0.2", "--dropout", "0.1"]
    if name == "lcf_bert":
        sys.argv += ["--local_context_focus", "cdw"]
    for script in ("train.py", "train_k_fold_cross_val.py") if name in ("lstm", "bert_spc") else ("train.py",):
        flags = [flag for flag in sys.argv[1:]]
        if script != "train.py":
            where = flags.index("--valset_ratio")
            flags = flags[:where] + flags[where + 2 :] + ["--cross_val_fold", "2"]
        flags[flags.index("--lr")] = "--learning_rate" if "learning_rate" in (FOLDER / script).read_text(encoding="utf-8") else "--lr"
        sys.argv = [script, *flags]
        try:
            runpy.run_path(str(FOLDER / script), run_name="__main__")
        except (Exception, SystemExit) as no:
            print(script, name, type(no).__name__, str(no)[:200])
