"""NVIDIA/waveglow at 8afb643df59265016af6bd255c7516309d675168"""

import torch


class Mel2Samp(torch.utils.data.Dataset):
    def __init__(self, **_):
        pass

    def __len__(self):
        return 8

    def __getitem__(self, index):
        return torch.randn(80, 16), torch.rand(16 * 256) - 0.5


stand_in("tensorboardX", SummaryWriter=Writer)
stand_in("mel2samp", Mel2Samp=Mel2Samp)
import glow
import train

train.data_config, train.dist_config = {}, {}
train.waveglow_config = {
    "n_mel_channels": 80,
    "n_flows": 4,
    "n_group": 8,
    "n_early_every": 2,
    "n_early_size": 2,
    "WN_config": {"n_layers": 2, "n_channels": 64, "kernel_size": 3},
}
train.train(1, 0, "", "out", 1, 1e-4, 1.0, 2, 2, 1, False, "", True)
model = glow.WaveGlow(**train.waveglow_config).to(DEVICE)
with torch.no_grad():
    for _ in range(3):
        model.infer(torch.randn(1, 80, 8).to(DEVICE))
        step()
