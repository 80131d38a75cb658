"""Coder-Yu/SELFRec at 5b0229423cb1c727e85a704d63e460368c8b9dde; findings about other things had been read before"""

import random
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import yaml

USERS, ITEMS, BOUGHT, TESTED, BATCH = 120, 100, 12, 3, 256
EPOCHS = {"SGL": 7, "NCL": 22}  # what they do from the sixth and the twenty-first on


class Kmeans:
    """As faiss's, but the centres are rows."""

    def __init__(self, d, k, gpu):
        self.k, self.index = k, SimpleNamespace(search=self.nearest)

    def train(self, rows):
        self.centroids = rows[: self.k].copy()

    def nearest(self, rows, _):
        far = ((rows[:, None] - self.centroids[None]) ** 2).sum(-1)
        return None, far.argmin(1)[:, None]


stand_in("faiss", Kmeans=Kmeans)
stand_in("numba", jit=lambda **_: lambda function: function)
from SELFRec import SELFRec
from util.conf import ModelConf

draw = random.Random(0)
random.seed(0)
Path("log").mkdir()
for split, many in (("train", BOUGHT), ("test", TESTED)):
    Path(f"{split}-graph.txt").write_text("".join(f"u{user} i{item} 1\n" for user in range(USERS) for item in draw.sample(range(ITEMS), many)))
    Path(f"{split}-sequential.txt").write_text("".join(f"u{user}:" + " ".join(f"i{item}" for item in draw.sample(range(ITEMS), many)) + "\n" for user in range(USERS)))
Path("social.txt").write_text("".join(f"u{user} u{friend} 1\n" for user in range(USERS) for friend in draw.sample(range(USERS), 4)))
for name in ("LightGCN", "XSimGCL", "SGL", "NCL", "MixGCF", "DirectAU", "SASRec", "BERT4Rec", "CL4SRec"):
    config = yaml.safe_load((FOLDER / "conf" / f"{name}.yaml").read_text(encoding="utf-8"))
    kind = config["model"]["type"]
    config |= {"training.set": f"train-{kind}.txt", "test.set": f"test-{kind}.txt", "max.epoch": EPOCHS.get(name, 2), "batch.size": BATCH if kind == "graph" else 64}
    if name == "NCL":
        config["NCL"]["num_clusters"] = 10
    Path(f"{name}.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    SELFRec(ModelConf(f"{name}.yaml")).execute()
