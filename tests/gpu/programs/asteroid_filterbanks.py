"""asteroid-filterbanks 0.4.0"""

import math

import numpy as np
import torch
from asteroid_filterbanks import griffin_lim, make_enc_dec, misi, transforms
from asteroid_filterbanks.melgram_fb import MelGramFB

stand_in("librosa")
np.float, np.math = float, math
sound = torch.randn(2, 1, 4000, device=DEVICE)
for name, more in (
    ("free", {}),
    ("analytic_free", {}),
    ("param_sinc", {}),
    ("stft", {}),
    ("torch_stft", {}),
    ("mpgtf", {}),
    ("free", {"who_is_pinv": "dec"}),
    ("stft", {"who_is_pinv": "enc"}),
):
    size = {"n_filters": 128, "kernel_size": 16} if name == "mpgtf" else {"n_filters": 64, "kernel_size": 64}
    encoder, decoder = (part.to(DEVICE) for part in make_enc_dec(name, **size, **more))
    for _ in range(3):
        made = encoder(sound)
        decoder(made, length=4000).sum().backward() if made.requires_grad else decoder(made, length=4000)
        step()
encoder, decoder = (part.to(DEVICE) for part in make_enc_dec("stft", 64, 64, stride=16))
for _ in range(3):
    made = encoder(sound)
    transforms.mag(made)
    transforms.angle(made)
    transforms.from_magphase(transforms.mag(made), transforms.angle(made))
    transforms.apply_mag_mask(made, torch.rand_like(transforms.mag(made)))
    transforms.apply_complex_mask(made, made)
    griffin_lim(transforms.mag(made), encoder, n_iter=3)
    misi(sound, transforms.mag(made).repeat(1, 2, 1, 1)[:, :2], encoder, n_iter=3) if made.ndim == 4 else None
    step()
