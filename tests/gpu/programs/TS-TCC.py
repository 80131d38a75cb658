"""emadeldeen24/TS-TCC at 15bdfd6eced6aeb6c638839828effe1b4b2ea391; findings about other things had been read before"""

import runpy
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import torch

EPOCHS, TRAINED, TESTED = 2, 4, 1
MODES = {"HAR": ("self_supervised", "fine_tune", "train_linear", "supervised", "random_init"), "Epilepsy": ("self_supervised", "fine_tune")}
SHAPES = {"HAR": (9, 128, 6), "Epilepsy": (1, 178, 2)}
stand_in("einops", rearrange=lambda x, _, h=None: x.unflatten(2, (h, -1)).transpose(1, 2) if h else x.transpose(1, 2).flatten(2), repeat=lambda x, _, b: x.expand(b, -1, -1))
stand_in("sklearn", __path__=[])
stand_in("sklearn.metrics", classification_report=lambda *_, **__: {"all": {"f1-score": 0.5}}, confusion_matrix=lambda *_: np.eye(2), cohen_kappa_score=lambda *_: 0.5, accuracy_score=lambda *_: 0.5)
pd.DataFrame.to_excel = lambda table, path: table.to_csv(path)  # needs a package of its own
shuffled = np.random.permutation
np.random.permutation = lambda parts: [parts[at] for at in shuffled(len(parts))]  # numpy took ragged ones then
for name in ("main.py", "trainer", "config_files", "dataloader", "models"):  # it copies its own files
    (shutil.copytree if (FOLDER / name).is_dir() else shutil.copy)(FOLDER / name, name)
for data, (channels, long, classes) in SHAPES.items():
    folder = Path("data") / data
    folder.mkdir(parents=True)
    for split, many in (("train", TRAINED), ("val", TESTED), ("test", TESTED)):
        rows = many * 128 + 5 * (split == "test")
        torch.save({"samples": torch.randn(rows, channels, long).double(), "labels": torch.arange(rows) % classes}, folder / f"{split}.pt")
    module = __import__(f"config_files.{data}_Configs", fromlist=["Config"])

    class Few(module.Config):
        def __init__(self):
            super().__init__()
            self.num_epoch = EPOCHS

    module.Config = Few
    for mode in MODES[data]:
        sys.argv = ["main.py", "--training_mode", mode, "--selected_dataset", data, "--device", DEVICE]
        runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
