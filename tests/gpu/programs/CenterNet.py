"""xingyizhou/CenterNet at 4c50fd3a46bdf63dbf2082c5cbb3458d39579e6c"""

import sys
from types import SimpleNamespace

import numpy as np
import torch

sys.path.insert(0, str(FOLDER / "src" / "lib"))
sys.path.insert(0, str(FOLDER / "src"))
stand_in("progress", "pycocotools", "pycocotools.coco", "pycocotools.cocoeval", "DCNv2", "external.nms", "matplotlib")
stand_in("matplotlib.pyplot", "mpl_toolkits", "mpl_toolkits.mplot3d", "pycocotools.mask")


class Bar:
    def __init__(self, *_, **__):
        self.elapsed_td, self.eta_td = __import__("datetime").timedelta(seconds=1), 0

    def next(self):
        pass

    finish = next


stand_in("progress.bar", Bar=Bar)
stand_in("models.networks.DCNv2.dcn_v2", DCN=None)
stand_in("numba", jit=lambda *_, **__: lambda call: call)
from detectors.ctdet import CtdetDetector
from models.model import create_model
from models.networks import dlav0
from opts import opts
from trains.train_factory import train_factory

dlav0.DLA.load_pretrained_model = lambda *_, **__: None
gpus = "0" if DEVICE == "cuda" else "-1"
same = ["--gpus", gpus, "--arch", "dlav0_34", "--input_res", "128", "--print_iter", "1", "--batch_size", "2"]
ind, mask, maps = torch.randint(0, 1024, (2, 8)), torch.ones(2, 8), torch.rand(2, 1, 32, 32)
maps[:, :, 4, 4] = 1
batch = {"input": torch.randn(2, 3, 128, 128), "ind": ind, "reg_mask": mask.byte(), "hm": maps, "wh": torch.rand(2, 8, 2)}
batch |= {"reg": torch.rand(2, 8, 2), "hps": torch.rand(2, 8, 34), "hps_mask": torch.ones(2, 8, 34).byte()}
batch |= {"hm_hp": maps.repeat(1, 17, 1, 1), "hp_offset": torch.rand(2, 136, 2), "hp_ind": torch.randint(0, 1024, (2, 136))}
batch |= {"hp_mask": torch.ones(2, 136), "dep": torch.rand(2, 8, 1), "dim": torch.rand(2, 8, 3), "rotbin": torch.zeros(2, 8, 2).long()}
batch |= {"rotres": torch.rand(2, 8, 2), "rot_mask": torch.ones(2, 8).byte()}
batch["meta"] = {"c": torch.zeros(2, 2), "s": torch.ones(2), "img_id": torch.arange(2)}
for task, more in (("ctdet", {}), ("multi_pose", {})):
    opt = opts().init([task, *same])
    opt.device, opt.num_classes = torch.device(DEVICE), 1
    opt.heads["hm"] = 1
    model = create_model(opt.arch, opt.heads, opt.head_conv)
    trainer = train_factory[task](opt, model, torch.optim.Adam(model.parameters(), 1e-4))
    trainer.set_device(opt.gpus, opt.chunk_sizes, opt.device)
    trainer.train(1, [dict(batch) for _ in range(3)])
    opt.test = True
    with torch.no_grad():
        trainer.val(1, [dict(batch) for _ in range(3)])
    step()
    if task == "ctdet":
        torch.save({"epoch": 1, "state_dict": model.state_dict()}, "model.pth")
        opt.load_model, opt.flip_test = "model.pth", True
        detector = CtdetDetector(opt)
        for _ in range(3):
            detector.run(np.random.randint(0, 255, (120, 100, 3)).astype(np.uint8))
            step()
