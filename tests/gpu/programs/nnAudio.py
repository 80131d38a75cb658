"""nnAudio 0.3.4"""

import scipy.signal
import torch

scipy.signal.blackmanharris = scipy.signal.windows.blackmanharris  # where it was
from nnAudio import features

SECONDS = 2
sound = torch.randn(2, 22050 * SECONDS, device=DEVICE)


learnt = features.STFT(n_fft=512, trainable=True, iSTFT=True, verbose=False).to(DEVICE)
mel = features.MelSpectrogram(sr=22050, n_fft=1024, n_mels=64, trainable_mel=True, trainable_STFT=True, verbose=False).to(DEVICE)
optimizer = torch.optim.Adam([*learnt.parameters(), *mel.parameters()], lr=1e-3)
plain = {
    "STFT": lambda: features.STFT(n_fft=1024, freq_scale="log", fmin=50, fmax=6000, sr=22050, verbose=False), "Mel": lambda: features.MelSpectrogram(verbose=False),
    "MFCC": lambda: features.MFCC(verbose=False), "Gammatone": lambda: features.Gammatonegram(verbose=False), "CQT1992": lambda: features.CQT1992(fmin=220, n_bins=60),
    "CQT1992v2": lambda: features.CQT1992v2(verbose=False), "CQT2010": lambda: features.CQT2010(verbose=False), "CQT2010v2": lambda: features.CQT2010v2(verbose=False), "VQT": lambda: features.VQT(gamma=5, verbose=False),
    "CFP": lambda: features.CFP(), "Combined": lambda: features.Combined_Frequency_Periodicity(),
}  # fmt: skip
made = {name: tried(name, 0, lambda: build().to(DEVICE)) for name, build in plain.items()}
back = features.iSTFT(n_fft=1024, verbose=False).to(DEVICE)
whole = features.STFT(n_fft=1024, output_format="Complex", verbose=False).to(DEVICE)
for at in range(3):
    loss = learnt(sound, output_format="Magnitude").mean() + mel(sound).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    with torch.no_grad():
        for name, feature in made.items():
            tried(name, at, lambda: feature(sound))
        for name in ("CQT1992", "CQT1992v2", "CQT2010", "CQT2010v2", "VQT"):
            for how in ("Complex", "Phase"):
                for norm in ("librosa", "convolutional", "wrap"):
                    tried(f"{name} {how}", at, lambda: made[name](sound, output_format=how, normalization_type=norm))
        tried("manual", at, lambda: made["CQT1992v2"].forward_manual(sound))
        tried("one", at, lambda: made["Mel"](sound[0]))
        tried("three", at, lambda: made["Mel"](sound[:, None]))
        parts = whole(sound)
        tried("inverse", at, lambda: learnt.inverse(learnt(sound, output_format="Complex"), length=sound.shape[1]))
        tried("iSTFT", at, lambda: back(parts, onesided=True, length=sound.shape[1]))
        tried("phase", at, lambda: whole(sound, output_format="Phase"))
        tried("scaled", at, lambda: features.rfft_fn(sound))
    step()
