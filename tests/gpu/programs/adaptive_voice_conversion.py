"""jjery2243542/adaptive_voice_conversion at d1cad9fb4eff74ca56714f9a2527124132fb1ed7"""

import functools
import json
import pickle
import runpy
import sys
from pathlib import Path

import numpy as np
import torch
import yaml

torch.load = functools.partial(torch.load, weights_only=False)
load = yaml.load
yaml.load = lambda stream, how=yaml.SafeLoader: load(stream, how)
stand_in("tensorboardX", SummaryWriter=Writer)
stand_in("editdistance")
config = yaml.safe_load((FOLDER / "config.yaml").read_text(encoding="utf-8"))
config["data_loader"] |= {"segment_size": 128, "batch_size": 6}
for part in ("SpeakerEncoder", "ContentEncoder", "Decoder"):
    config[part] |= {"c_h": 16}
config["Decoder"]["sn"] = True
Path("some.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
Path("train.pkl").write_bytes(pickle.dumps({f"one{at}": np.random.randn(200, 512).astype(np.float32) for at in range(6)}))
Path("some.json").write_text(json.dumps([(f"one{at % 6}", at) for at in range(24)]), encoding="utf-8")
for flags in ([], ["--load_model", "--load_opt"]):
    sys.argv = ["main.py", "-config", "some.yaml", "-data_dir", ".", "-train_set", "train", "-train_index_file", "some.json", "-logdir", "log", "-store_model_path", "model", "-load_model_path", "model", "-summary_steps", "2", "-save_steps", "4", "-iters", "8", *flags]
    runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
