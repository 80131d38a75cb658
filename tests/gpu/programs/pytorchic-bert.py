"""dhlee347/pytorchic-bert at fefcbd988bc3bcdd2cd67072101a3d94ef362f7e"""

import json
import random
import runpy
from pathlib import Path

words = [f"word{at}" for at in range(60)]
stand_in("tensorflow")
stand_in("tensorboardX", SummaryWriter=Writer)
Path("vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]), encoding="utf-8")


def sentence(many):
    return " ".join(random.choice(words) for _ in range(many))


Path("books.txt").write_text("\n".join(sentence(12) if at % 9 else "" for at in range(900)), encoding="utf-8")
rows = [f"{at % 2}\t{at}\t{at}\t{sentence(8)}\t{sentence(9)}" for at in range(48)]
Path("train.tsv").write_text("\n".join(["label\ta\tb\tc\td", *rows]), encoding="utf-8")
Path("train.json").write_text(json.dumps({"batch_size": 8, "n_epochs": 2, "total_steps": 12, "save_steps": 5}), encoding="utf-8")
Path("model.json").write_text(json.dumps({"vocab_size": 65, "dim": 32, "n_layers": 2, "n_heads": 4, "dim_ff": 64, "max_len": 64}), encoding="utf-8")
shared = {"train_cfg": "train.json", "model_cfg": "model.json", "vocab": "vocab.txt", "save_dir": ".", "data_parallel": False, "max_len": 32}
for script, more in (
    ("pretrain.py", {"data_file": "books.txt", "log_dir": "runs", "max_pred": 5}),
    ("classify.py", {"data_file": "train.tsv", "pretrain_file": None}),
    ("classify.py", {"data_file": "train.tsv", "pretrain_file": None, "mode": "eval", "model_file": "model_steps_12.pt"}),
):
    stand_in("fire", Fire=lambda main: main(**shared, **more))
    runpy.run_path(str(FOLDER / script), run_name="__main__")
