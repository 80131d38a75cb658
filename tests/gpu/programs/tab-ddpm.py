"""yandex-research/tab-ddpm at b476257dd460b778ba09eb97f7a51d6490fa17f8"""

import sys
from types import SimpleNamespace

import numpy as np
import torch

sys.path.insert(0, str(FOLDER / "scripts"))
stand_in("zero", "icecream", "category_encoders", "rtdl", "tomli", "tomli_w", "pandas", "catboost")
import lib
import train
from tab_ddpm import GaussianMultinomialDiffusion
from tab_ddpm.modules import MLPDiffusion

STEPS, SAMPLES = 12, 512
draw, kinds, rows = np.random.RandomState(0), np.array([9, 16, 7, 15, 6, 5, 2, 42]), 26048  # as Adult's
table = SimpleNamespace(X_num={"train": draw.randn(rows, 6)}, X_cat={"train": np.stack([draw.randint(0, many, rows) for many in kinds], 1)}, y={"train": draw.randint(0, 2, rows)})
for num, cat, loss in ((6, kinds, "mse"), (6, np.array([0]), "kl")):
    layers = {"d_layers": [256, 1024, 1024, 1024, 1024, 256], "dropout": 0.0}
    model = MLPDiffusion(int(cat.sum()) + num, 2, True, layers).to(DEVICE)
    diffusion = GaussianMultinomialDiffusion(cat, num, model, num_timesteps=100, gaussian_loss_type=loss, device=torch.device(DEVICE)).to(DEVICE)
    diffusion.train()
    given = SimpleNamespace(X_num=table.X_num, X_cat=table.X_cat if cat.any() else None, y=table.y)
    train.Trainer(diffusion, lib.prepare_fast_dataloader(given, "train", 4096), 0.002, 0.0, STEPS, torch.device(DEVICE)).run_loop()
    diffusion.eval()
    diffusion.sample_all(SAMPLES, 256, torch.tensor([0.4, 0.6]), ddim=False)
    step()
    diffusion.sample_all(SAMPLES, 256, torch.tensor([0.4, 0.6]), ddim=True)
    step()
