"""leftthomas/SRGAN at 7ddfdf27273c42d858ec52cab5ca1cbfca81d0be"""

import runpy
import sys
from pathlib import Path

import numpy as np
import torchvision
from PIL import Image

for folder, count in (("data/DIV2K_train_HR", 6), ("data/DIV2K_valid_HR", 15)):
    Path(folder).mkdir(parents=True)
    for at in range(count):
        Image.fromarray(np.random.randint(0, 255, (96, 96, 3)).astype(np.uint8)).save(f"{folder}/{at}.png")
Path("epochs").mkdir()
Path("training_results").mkdir()
torchvision.models.vgg.vgg16 = lambda **_: torchvision.models.VGG(torchvision.models.vgg.make_layers(torchvision.models.vgg.cfgs["D"]), 10, False)
stand_in("pandas")
path = FOLDER / "train.py"
text = path.read_text(encoding="utf-8").replace("num_workers=4, batch_size=64", "num_workers=0, batch_size=2").replace("num_workers=4", "num_workers=0")
sys.argv = ["train.py", "--num_epochs", "2", "--crop_size", "88"]
exec(compile(text, str(path), "exec"), {"__name__": "__main__"})
for at in range(3):
    sys.argv = ["test_image.py", "--image_name", "data/DIV2K_valid_HR/0.png", "--model_name", "netG_epoch_4_2.pth"]
step()
