"""pmixer/SASRec.pytorch at fde8a9c08febc2c898dc269b1d98ab762c50d2be"""

import random
import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(FOLDER / "python"))
Path("data").mkdir()
seen = [f"{user} {random.randint(1, 50)}" for user in range(1, 25) for _ in range(12)]
Path("data/made.txt").write_text("\n".join(seen))
for more in ([], ["--norm_first", "--l2_emb", "0.1"]):
    sys.argv = ["main.py", "--dataset", "made", "--train_dir", "out", "--batch_size", "16", "--maxlen", "20"]
    sys.argv += ["--num_epochs", "20", "--device", DEVICE, *more]
    runpy.run_path(str(FOLDER / "python" / "main.py"), run_name="__main__")
