"""santi-pdp/segan_pytorch at 052238718b037cd72c7fa69bc1577782e5ef015d"""

from pathlib import Path
from types import SimpleNamespace

import torch

stand_in("tensorboardX", SummaryWriter=Writer)
stand_in("numba", jit=lambda *_, **__: lambda call: call, int32=None, float32=None)
stand_in("soundfile", "librosa", "ahoproc_tools", "ahoproc_tools.io", "ahoproc_tools.interpolate", "h5py")
from segan import models

real = torch.stft
torch.stft = lambda *given, **named: torch.view_as_real(real(*given, return_complex=True, **named))  # as it was
opts = SimpleNamespace(
    save_path="out",
    preemph=0.95,
    reg_loss="l1_loss",
    genc_fmaps=[8, 16],
    gkwidth=31,
    genc_poolings=[4, 4],
    gdec_fmaps=None,
    gdec_kwidth=None,
    gdec_poolings=None,
    z_dim=16,
    no_z=False,
    no_skip=False,
    bias=True,
    skip_init="one",
    skip_type="alpha",
    skip_merge="concat",
    skip_kwidth=11,
    denc_fmaps=[8, 16],
    dkwidth=None,
    denc_poolings=[4, 4],
    dpool_type="none",
    dpool_slen=64,
    dnorm_type="bnorm",
    phase_shift=5,
    sinc_conv=False,
    misalign_pair=True,
    interf_pair=True,
    pow_weight=0.001,
    vanilla_gan=False,
    n_fft=512,
    opt="rmsprop",
    g_lr=5e-5,
    d_lr=5e-5,
    patience=10,
    batch_size=4,
    epoch=2,
    no_train_gen=False,
    cuda=DEVICE == "cuda",
)
Path("out").mkdir()
loader = [(["additive-a"] * 4, torch.randn(4, 1024), torch.randn(4, 1024), torch.zeros(4)) for _ in range(4)]
for kind in ("SEGAN", "WSEGAN"):
    model = getattr(models, kind)(opts)
    model.to(DEVICE)
    model.train(opts, loader, torch.nn.MSELoss(), 100, 1e-5, 1, 2, device=DEVICE)
    for _ in range(2):
        if kind == "SEGAN":
            model.generate(torch.randn(1, 1, 2000), device=DEVICE)
        else:
            model.generate(torch.randn(1, 1, 2048, device=DEVICE))
        step()
