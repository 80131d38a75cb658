"""hazdzz/STGCN at 34a1cbd3485751a7fc4745a948946f459abeae11"""

import runpy
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse as sp

Path("data/pemsd7-m").mkdir(parents=True)
near = np.random.rand(228, 228) * (np.random.rand(228, 228) > 0.6) + np.eye(228)
sp.save_npz("data/pemsd7-m/adj.npz", sp.csc_matrix(near))
pd.DataFrame(np.random.rand(160, 228)).to_csv("data/pemsd7-m/vel.csv", index=False)
for kind, more in (("cheb_graph_conv", "adamw"), ("graph_conv", "lion")):
    sys.argv = ["main.py", "--dataset", "pemsd7-m", "--epochs", "2", "--graph_conv_type", kind, "--opt", more]
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
    step()
