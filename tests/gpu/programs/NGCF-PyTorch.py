"""huangtinglin/NGCF-PyTorch at f4e7f6960cd8cd443d5537261d30b89cf52ed52d"""

import multiprocessing
import random
import runpy
import sys
from pathlib import Path

import scipy.sparse


class Here:
    """Stands for a pool of processes, which would not be recorded."""

    def __init__(self, *_):
        pass

    def map(self, what, items):
        return [what(item) for item in items]

    def close(self):
        pass


multiprocessing.Pool = Here
sys.path.insert(0, str(FOLDER / "NGCF"))
Path("some/few").mkdir(parents=True)
for part, many in (("train", 8), ("test", 3)):
    Path(f"some/few/{part}.txt").write_text("".join(" ".join(map(str, [user, *sorted(random.sample(range(120), many))])) + "\n" for user in range(60)), encoding="utf-8")
for flags in (["--epoch", "20", "--save_flag", "1"], ["--epoch", "11", "--node_dropout_flag", "0", "--test_flag", "full"]):
    sys.argv = ["main.py", "--data_path", "some/", "--dataset", "few", "--weights_path", "some/", "--batch_size", "32", "--embed_size", "8", "--layer_size", "[8,8,8]", "--gpu_id", "0", *flags]
    for name in [name for name in sys.modules if name.startswith("utility")]:
        del sys.modules[name]
    try:
        runpy.run_path(str(FOLDER / "NGCF" / "main.py"), run_name="__main__")
    except Exception as no:
        print(flags, type(no).__name__, str(no)[:200])
