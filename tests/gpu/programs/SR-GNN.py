"""CRIPAC-DIG/SR-GNN at e21cfa431f74c25ae6e4ae9261deefe11d1cb488"""

import os
import pickle
import random
import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(FOLDER / "pytorch_code"))
Path("datasets/sample").mkdir(parents=True)
Path("code").mkdir()
for part, many in (("train", 64), ("test", 24)):
    seen = [[random.randint(1, 300) for _ in range(random.randint(2, 8))] for _ in range(many)]
    Path(f"datasets/sample/{part}.txt").write_bytes(pickle.dumps((seen, [random.randint(1, 300) for _ in seen])))
os.chdir("code")
for flags in ([], ["--nonhybrid", "--validation", "--step", "2"]):
    sys.argv = ["main.py", "--batchSize", "16", "--hiddenSize", "32", "--epoch", "2", *flags]
    runpy.run_path(str(FOLDER / "pytorch_code" / "main.py"), run_name="__main__")
