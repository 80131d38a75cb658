"""naoto0804/pytorch-AdaIN at 47950d0e6656a95a80a4b105c4c0f58d38ef785c"""

import runpy
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image

stand_in("tensorboardX", SummaryWriter=Writer)
import net

for folder in ("content", "style"):
    Path(folder).mkdir()
    for at in range(3):
        Image.fromarray(np.random.randint(0, 255, (96, 96, 3), dtype=np.uint8)).save(f"{folder}/{at}.png")
torch.save(net.vgg.state_dict(), "vgg.pth")
torch.save(net.decoder.state_dict(), "decoder.pth")
sys.argv = ["train.py", "--content_dir", "content", "--style_dir", "style", "--vgg", "vgg.pth", "--max_iter", "4"]
sys.argv += ["--batch_size", "2", "--n_threads", "1", "--save_model_interval", "2"]
runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
for more in (["--style_dir", "style", "--preserve_color"], ["--style", "style/0.png,style/1.png"]):
    sys.argv = ["test.py", "--content_dir", "content", "--vgg", "vgg.pth", "--decoder", "decoder.pth"]
    sys.argv += ["--content_size", "96", "--style_size", "96", "--style_interpolation_weights", "1,1", *more]
    del sys.modules["net"]
    runpy.run_path(str(FOLDER / "test.py"), run_name="__main__")
    step()
