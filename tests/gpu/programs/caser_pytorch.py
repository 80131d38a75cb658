"""graytowne/caser_pytorch at c4e10e4c12f0fce8a0cba12008b3aff5d07a26d1"""

import random
import runpy
import sys
from pathlib import Path

folder = Path("datasets/ml1m/test")
folder.mkdir(parents=True)
rows = [(user, item) for user in range(24) for item in random.sample(range(40), 14)]
Path(folder, "train.txt").write_text("\n".join(f"{user} {item} 1" for at, (user, item) in enumerate(rows) if at % 14 < 11) + "\n0 99 1", encoding="utf-8")
Path(folder, "test.txt").write_text("\n".join(f"{user} {item} 1" for at, (user, item) in enumerate(rows) if at % 14 >= 11), encoding="utf-8")
sys.argv = ["train_caser.py"]
runpy.run_path(str(FOLDER / "train_caser.py"), run_name="__main__")
