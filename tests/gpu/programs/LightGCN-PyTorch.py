"""gusye1234/LightGCN-PyTorch at 947ca2b3b1d2d3545b114145710cb06c4e57b3d2"""

import random
import runpy
import sys
from pathlib import Path

stand_in("tensorboardX", SummaryWriter=Writer)
sys.path.insert(0, str(FOLDER / "code"))
Path("code").mkdir()
Path("data/gowalla").mkdir(parents=True)
for name, count in (("train", 10), ("test", 3)):
    rows = (f"{user} " + " ".join(map(str, random.sample(range(80), count))) + "\n" for user in range(60))
    Path(f"data/gowalla/{name}.txt").write_text("".join(rows))
__import__("os").chdir("code")
Path("checkpoints").mkdir()
for more in (["--model", "lgn"], ["--model", "lgn", "--dropout", "1"], ["--model", "mf"]):
    for name in ("world", "register", "dataloader", "model", "utils", "Procedure"):
        sys.modules.pop(name, None)
    sys.argv = ["main.py", "--bpr_batch", "128", "--testbatch", "7", "--epochs", "11", "--dataset", "gowalla", *more]
    runpy.run_path(str(FOLDER / "code" / "main.py"), run_name="__main__")
