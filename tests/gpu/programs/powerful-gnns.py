"""weihua916/powerful-gnns at 9a2ce8ac3e99278307093a464a95caf0fb04b602"""

import os
import runpy
import sys

import numpy as np

stand_in("tqdm", tqdm=type("tqdm", (), {"__init__": lambda self, turns, **_: setattr(self, "turns", turns), "__iter__": lambda self: iter(self.turns), "set_description": lambda self, _: None}))
stand_in("sklearn", __path__=[])


class Folds:
    def __init__(self, *_, **__):
        pass

    def split(self, rows, _):
        for _ in range(10):
            order = np.random.permutation(len(rows))
            yield order[:60], order[60:]


stand_in("sklearn.model_selection", StratifiedKFold=Folds)
sys.path.append(str(FOLDER / "models"))
os.makedirs("dataset/MUTAG")
lines = ["80"]
for label in range(80):
    lines.append(f"7 {label % 2}")
    lines += [f"{np.random.randint(4)} 2 {(node - 1) % 7} {(node + 1) % 7}" for node in range(7)]
with open("dataset/MUTAG/MUTAG.txt", "w") as data:
    data.write("\n".join(lines) + "\n")
few = ["--epochs", "2", "--iters_per_epoch", "4", "--batch_size", "16", "--hidden_dim", "8"]
for more in ([], ["--learn_eps", "--neighbor_pooling_type", "average", "--graph_pooling_type", "average"], ["--neighbor_pooling_type", "max", "--degree_as_tag"], ["--neighbor_pooling_type", "max", "--learn_eps", "--num_mlp_layers", "1"]):
    sys.argv = ["main.py", *few, *more]
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
