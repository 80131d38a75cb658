"""auraloss 0.4.0"""

import torch
from auraloss import freq, perceptual, time

kinds = {
    "ESRLoss": {}, "DCLoss": {}, "LogCoshLoss": {}, "SNRLoss": {}, "SISDRLoss": {}, "SDSDRLoss": {},
    "STFTLoss": {"w_phs": 0.5, "w_lin_mag": 1.0}, "MultiResolutionSTFTLoss": {}, "RandomResolutionSTFTLoss": {"max_fft_size": 2048}, "SumAndDifferenceSTFTLoss": {"fft_sizes": [512], "hop_sizes": [128], "win_lengths": [512]},
}
made = [(name, getattr(time, name, None) or getattr(freq, name), more) for name, more in kinds.items()]
made += [
    ("weighted", freq.STFTLoss, {"perceptual_weighting": True, "sample_rate": 16000, "scale_invariance": True}),
    ("bare", freq.STFTLoss, {"reduction": "none", "mag_distance": "L2", "output": "full"}),
]
net = torch.nn.Conv1d(2, 2, 9, padding=4).to(DEVICE)
optimizer = torch.optim.Adam(net.parameters())
for name, kind, more in made:
    try:
        loss = kind(**more).to(DEVICE)
    except Exception as no:
        print(name, type(no).__name__, str(no)[:120])
        continue
    for at in range(3):
        x, y = torch.randn(2, 2, 8000, device=DEVICE), torch.randn(2, 2, 8000, device=DEVICE)
        try:
            told = loss(net(x), y)
            (told[0] if isinstance(told, tuple) else told).mean().backward()
            optimizer.step()
        except Exception as no:
            if at == 0:
                print(name, type(no).__name__, str(no)[:120])
filters = [perceptual.FIRFilter(kind, fs=16000).to(DEVICE) for kind in ("hp", "fd")]
for at in range(3):
    x, y = torch.randn(2, 1, 4000, device=DEVICE), torch.randn(2, 1, 4000, device=DEVICE)
    for filter in filters:
        filter(x, y)
    step()
