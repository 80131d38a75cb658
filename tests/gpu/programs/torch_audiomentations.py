"""torch-audiomentations 0.12.0"""

import sys

import torch

sys.path.append(str(FOLDER.parent / "also"))
stand_in("torch_pitch_shift")
import torch_audiomentations as made

names = ("BandPassFilter", "BandStopFilter", "AddColoredNoise", "Gain", "HighPassFilter", "Identity", "LowPassFilter")
names += ("PeakNormalization", "PolarityInversion", "Shift", "ShuffleChannels", "TimeInversion", "SpliceOut")
sound = torch.randn(4, 2, 32000, device=DEVICE)
changes = []
for name in names:
    for mode in ("per_example", "per_batch", "per_channel"):
        try:
            change = getattr(made, name)(mode=mode, p=0.8, sample_rate=16000, output_type="dict")
        except Exception as error:  # not all know all modes
            print(name, mode, error)
            continue
        changes.append(change)
        for _ in range(3):
            change(sound).samples
            step()
for make in (made.Compose, made.OneOf, lambda *a, **k: made.SomeOf(2, *a, **k)):
    change = make([changes[0], changes[6], changes[9]], output_type="dict")
    for _ in range(3):
        change(sound, sample_rate=16000)
        step()
for _ in range(3):
    made.convolve(sound, torch.randn(4, 2, 400, device=DEVICE))
    step()
