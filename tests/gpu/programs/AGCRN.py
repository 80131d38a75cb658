"""LeiBAI/AGCRN at 7fbbf2aeb099242098a3cf482b55cd45d7295c28"""

import os
import runpy
import shutil
import sys
from pathlib import Path

import numpy as np

EPOCHS, TIMES = 2, 1200
Path("data/PeMSD4").mkdir(parents=True)
Path("model").mkdir()
shutil.copy(FOLDER / "model/PEMSD4_AGCRN.conf", "model")
np.savez("data/PeMSD4/pems04.npz", data=np.random.RandomState(0).uniform(0, 400, (TIMES, 307, 3)))
os.chdir("model")
sys.argv = ["Run.py", "--mode", "train", "--epochs", str(EPOCHS)]
runpy.run_path(str(FOLDER / "model/Run.py"), run_name="__main__")
