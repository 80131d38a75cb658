"""cure-lab/SCINet at 02e6b0af2d58243de09aaa1eac3840237b659847"""

import functools
import runpy
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import torch

torch.load = functools.partial(torch.load, weights_only=False)
for name in ("datasets/ETT-data", "datasets/PEMS", "datasets/financial", "exp/ETT_checkpoints", "event", "exp/pems_checkpoint", "exp/financial_checkpoint"):
    Path(name).mkdir(parents=True)
many = 20 * 30 * 24
pd.DataFrame({"date": pd.date_range("2016-07-01", periods=many, freq="h").astype(str), **{name: np.random.randn(many) for name in ("HUFL", "HULL", "MUFL", "MULL", "LUFL", "LULL", "OT")}}).to_csv("datasets/ETT-data/ETTh1.csv", index=False)
np.savez("datasets/PEMS/PEMS08.npz", data=np.random.rand(400, 12, 3))
np.savetxt("datasets/financial/exchange_rate.txt", np.random.rand(700, 8) + 0.5, delimiter=",")
taken = torch.utils.data.DataLoader.__iter__


def few(self):
    for at, batch in enumerate(taken(self)):
        if at == 6:
            return
        yield batch


torch.utils.data.DataLoader.__iter__ = few
for script, *flags in (
    ("run_ETTh.py", "--train_epochs", "2", "--hidden-size", "1", "--levels", "2", "--seq_len", "32", "--label_len", "16", "--pred_len", "16", "--save", "True"),
    ("run_ETTh.py", "--train_epochs", "2", "--levels", "2", "--stacks", "2", "--seq_len", "32", "--label_len", "16", "--pred_len", "16", "--itr", "1", "--features", "S", "--loss", "mse"),
    ("run_pems.py", "--dataset", "PEMS08", "--epoch", "2", "--num_levels", "2", "--hidden-size", "0.0625", "--batch_size", "8", "--validate_freq", "1", "--input_dim", "12"),
    ("run_financial.py", "--dataset_name", "exchange_rate", "--epochs", "2", "--levels", "2", "--window_size", "32", "--horizon", "3", "--batch_size", "8", "--log_interval", "3"),
):
    sys.argv = [script, *flags]
    try:
        runpy.run_path(str(FOLDER / script), run_name="__main__")
    except (Exception, SystemExit) as no:
        print(script, type(no).__name__, str(no)[:200])
