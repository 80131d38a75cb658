"""NVlabs/MUNIT at a82e222bc359892bd0f522d7a0f1573f3ec4a485"""

import runpy
import sys
from pathlib import Path

import numpy as np
import torch.utils.serialization
import yaml
from PIL import Image

torch.utils.serialization.load_lua = None
stand_in("tensorboardX", SummaryWriter=Writer)
load = yaml.load
yaml.load = lambda stream, how=yaml.SafeLoader: load(stream, how)
for folder in ("trainA", "trainB", "testA", "testB"):
    Path("data", folder).mkdir(parents=True)
    for at in range(6):
        Image.fromarray(np.random.randint(0, 255, (32, 32, 3)).astype(np.uint8)).save(Path("data", folder, f"{at}.jpg"))
Path("logs").mkdir()
config = {
    "image_save_iter": 2, "image_display_iter": 2, "display_size": 2, "snapshot_save_iter": 3, "log_iter": 1, "max_iter": 6, "batch_size": 1,
    "weight_decay": 0.0001, "beta1": 0.5, "beta2": 0.999, "init": "kaiming", "lr": 0.0001, "lr_policy": "step", "step_size": 3, "gamma": 0.5,
    "gan_w": 1, "recon_x_w": 10, "recon_s_w": 1, "recon_c_w": 1, "recon_x_cyc_w": 10, "recon_kl_w": 0.01, "recon_kl_cyc_w": 0.01, "vgg_w": 0,
    "gen": {"dim": 8, "mlp_dim": 16, "style_dim": 4, "activ": "relu", "n_downsample": 2, "n_res": 1, "pad_type": "reflect"},
    "input_dim_a": 3, "input_dim_b": 3, "num_workers": 0, "new_size": 32, "crop_image_height": 32, "crop_image_width": 32, "data_root": "data",
}
for trainer, kind in (("MUNIT", "lsgan"), ("MUNIT", "nsgan"), ("UNIT", "lsgan")):
    config["dis"] = {"dim": 8, "norm": "none", "activ": "lrelu", "n_layer": 2, "gan_type": kind, "num_scales": 2, "pad_type": "reflect"}
    Path(f"{trainer}{kind}.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    sys.argv = ["train.py", "--config", f"{trainer}{kind}.yaml", "--trainer", trainer]
    try:
        runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
    except SystemExit as over:
        print(over)
