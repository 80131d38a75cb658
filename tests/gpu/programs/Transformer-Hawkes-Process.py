"""SimiaoZuo/Transformer-Hawkes-Process at 9f2e563909c538302733f048131ae8c535ce02ec"""

import pickle
import random
import runpy
import sys
from pathlib import Path

Path("some").mkdir()
for part in ("train", "dev", "test"):
    streams = []
    for _ in range(24):
        times = sorted(random.random() * 20 for _ in range(random.randint(5, 12)))
        streams.append([{"time_since_start": now, "time_since_last_event": now - before, "type_event": random.randint(0, 4)} for before, now in zip([0, *times], times)])
    Path(f"some/{part}.pkl").write_bytes(pickle.dumps({"dim_process": 5, part: streams}))
for smooth in ("0.1", "0"):
    sys.argv = ["Main.py", "-data", "some/", "-epoch", "2", "-batch_size", "6", "-d_model", "16", "-d_rnn", "16", "-d_inner_hid", "32", "-d_k", "8", "-d_v", "8", "-n_layers", "2", "-smooth", smooth]
    runpy.run_path(str(FOLDER / "Main.py"), run_name="__main__")
