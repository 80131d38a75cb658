"""ermongroup/CSDI at 7f24a436f08d98853a6b43d4f7f04e5a65ecdf27"""

import pickle
import runpy
import shutil
import sys
from pathlib import Path

import numpy as np

stand_in("pandas", "wget", "linear_attention_transformer")
PATIENTS, SAMPLES, EPOCHS, BATCH = 80, 2, 20, 16
draw = np.random.RandomState(0)
shutil.copytree(FOLDER / "config", "config", dirs_exist_ok=True)
base = Path("config/base.yaml")
base.write_text(base.read_text().replace("epochs: 200", f"epochs: {EPOCHS}").replace("batch_size: 16", f"batch_size: {BATCH}"))
Path("data").mkdir()
seen = (draw.rand(PATIENTS, 48, 35) < 0.2).astype(float)  # of a hospital, most is missing
with open("data/physio_missing0.1_seed1.pk", "wb") as out:
    pickle.dump([draw.randn(PATIENTS, 48, 35) * seen, seen, seen * (draw.rand(PATIENTS, 48, 35) < 0.9)], out)
sys.argv = ["exe_physio.py", "--device", DEVICE, "--nsample", str(SAMPLES)]
runpy.run_path(str(FOLDER / "exe_physio.py"), run_name="__main__")
