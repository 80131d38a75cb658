"""torchlibrosa 0.1.0"""

import numpy as np
import torch


def mel(sr, n_fft, n_mels, **_):
    return np.random.rand(n_mels, n_fft // 2 + 1).astype(np.float32)


stand_in("librosa", util=__import__("types").SimpleNamespace(pad_center=lambda x, size: x, tiny=lambda _: 1e-38, normalize=lambda x, norm: x))
librosa = __import__("librosa")
librosa.filters = __import__("types").SimpleNamespace(mel=mel, get_window=lambda *_, **__: np.hanning(512))
from torchlibrosa import augmentation, stft

sound = torch.randn(4, 16000, device=DEVICE)
spectrogram = stft.Spectrogram(n_fft=512, hop_length=160).to(DEVICE)
logmel = stft.LogmelFilterBank(sr=16000, n_fft=512, n_mels=64).to(DEVICE)
change = augmentation.SpecAugmentation(20, 2, 8, 2).to(DEVICE)
short, inverse = stft.STFT(n_fft=512, hop_length=160).to(DEVICE), stft.ISTFT(n_fft=512, hop_length=160).to(DEVICE)
frames, dft = stft.Enframe(512, 160).to(DEVICE), stft.DFT(256, None).to(DEVICE)
for _ in range(3):
    change(logmel(spectrogram(sound)))
    real, imaginary = short(sound)
    stft.magphase(real, imaginary)
    inverse(real, imaginary, 16000)
    inverse(real[:, :, :40], imaginary[:, :, :40], None)
    frames(sound)
    line = torch.randn(256, device=DEVICE)
    dft.idft(*dft.dft(line, torch.zeros_like(line)))
    dft.irdft(*dft.rdft(line))
    step()
