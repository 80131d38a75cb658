"""krrish94/nerf-pytorch at a14357da6cada433d28bf11a45c7bcaace76c06e"""

import functools
import json
import runpy
import sys
from pathlib import Path

import cv2
import imageio
import numpy as np
import torch
import yaml

torch.load = functools.partial(torch.load, weights_only=False)
stand_in("torchsearchsorted", searchsorted=lambda a, v, side="left": torch.searchsorted(a, v, side=side))
for part in ("train", "val", "test"):
    Path("some", part).mkdir(parents=True)
    frames = []
    for at in range(3):
        imageio.imwrite(f"some/{part}/{at}.png", np.random.randint(0, 255, (24, 24, 4), dtype=np.uint8))
        pose = np.eye(4)
        pose[2, 3] = 4 + at * 0.1
        frames.append({"file_path": f"{part}/{at}", "transform_matrix": pose.tolist()})
    Path(f"some/transforms_{part}.json").write_text(json.dumps({"camera_angle_x": 0.7, "frames": frames}), encoding="utf-8")


resized = cv2.resize
cv2.resize = lambda image, dsize, interpolation: resized(image, dsize=(12, 12), interpolation=interpolation)


def told(name, **dataset):
    cfg = yaml.safe_load((FOLDER / "config" / "lego.yml").read_text(encoding="utf-8"))
    cfg["experiment"].update(id=name, train_iters=7, validate_every=3, save_every=3, print_every=2)
    cfg["dataset"].update(basedir="some", half_res=True, **dataset)
    cfg["nerf"]["train"].update(num_random_rays=64, num_coarse=8, num_fine=8, chunksize=512)
    cfg["nerf"]["validation"].update(num_coarse=8, num_fine=8, chunksize=512)
    Path(f"{name}.yml").write_text(yaml.safe_dump(cfg), encoding="utf-8")


def run(script, *flags):
    sys.argv = [script, *flags]
    try:
        runpy.run_path(str(FOLDER / script), run_name="__main__")
    except (Exception, SystemExit) as no:
        print(script, flags, type(no).__name__, str(no)[:200])


told("plain", cachedir="none")
told("kept", cachedir="kept")
run("train_nerf.py", "--config", "plain.yml")
run("train_nerf.py", "--config", "plain.yml", "--load-checkpoint", "logs/plain/checkpoint00003.ckpt")
run("eval_nerf.py", "--config", "plain.yml", "--checkpoint", "logs/plain/checkpoint00006.ckpt", "--savedir", "seen", "--save-disparity-image")
run("cache_dataset.py", "--datapath", "some", "--type", "blender", "--savedir", "kept", "--num-random-rays", "64", "--num-variations", "2")
run("train_nerf.py", "--config", "kept.yml")
