"""jaywalnut310/vits at 2e561ba58618d021b5b8323d3765880f7e0ecfdb; findings about other things had been read before"""

import json
import os
import random
import sys
from pathlib import Path

import numpy as np
import scipy.io.wavfile
import torch

SPOKEN, TESTED, BATCH, EPOCHS, WIDTH, WORKERS = 32, 4, 8, 3, 512, 4
short = torch.stft
torch.stft = lambda *given, **named: torch.view_as_real(short(*given, return_complex=True, **named))  # what it gave then


class Heard(Writer):
    add_audio = Writer.add_histogram


def maximum_path_c(paths, values, longs, shorts):
    """What monotonic_align/core.pyx does, by rows."""
    for path, value, many, few in zip(paths, values, longs, shorts):
        for y in range(1, many):
            low, high = max(0, few + y - many), min(few, y + 1)
            stay, move = value[y - 1].copy(), np.r_[-1e9, value[y - 1, :-1]]
            stay[y:] = -1e9
            value[y, low:high] += np.maximum(stay, move)[low:high]
        at = few - 1
        for y in range(many - 1, -1, -1):
            path[y, at] = 1
            if at and (at == y or value[y - 1, at] < value[y - 1, at - 1]):
                at -= 1


def mel(rate, long, bands, *_):
    return np.random.RandomState(0).rand(bands, long // 2 + 1).astype(np.float32) / long


stand_in("torch.utils.tensorboard", SummaryWriter=Heard)
stand_in("unidecode", "phonemizer")
stand_in("monotonic_align.monotonic_align", __path__=[])
stand_in("monotonic_align.monotonic_align.core", maximum_path_c=maximum_path_c)
stand_in("librosa", __path__=[], util=None)
stand_in("librosa.util", normalize=None, pad_center=None, tiny=None)
stand_in("librosa.filters", mel=mel)
import train
import utils
from text.symbols import symbols

utils.plot_spectrogram_to_numpy = utils.plot_alignment_to_numpy = lambda picture: picture
data = torch.utils.data.DataLoader.__init__


def fewer(self, *given, **named):
    data(self, *given, **{**named, "num_workers": WORKERS})


torch.utils.data.DataLoader.__init__ = fewer
draw = random.Random(0)
for split, many in (("train", SPOKEN), ("val", TESTED)):
    lines = []
    for at in range(many):
        scipy.io.wavfile.write(f"{split}{at}.wav", 22050, (np.random.randn(256 * draw.randint(60, 290)) * 3000).astype(np.int16))
        lines.append(f"{split}{at}.wav|" + "".join(draw.choice(symbols[1:]) for _ in range(draw.randint(10, 25))))
    Path(f"{split}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
for base in ("ljs_base", "ljs_nosdp"):
    config = json.loads((FOLDER / "configs" / f"{base}.json").read_text(encoding="utf-8"))
    config["train"] |= {"epochs": EPOCHS, "batch_size": BATCH, "log_interval": 2, "eval_interval": 5}
    config["data"] |= {"training_files": "train.txt", "validation_files": "val.txt"}
    config["model"]["upsample_initial_channel"] = WIDTH
    Path(f"{base}.json").write_text(json.dumps(config), encoding="utf-8")
    Path("logs", base).mkdir(parents=True)
    sys.argv = ["train.py", "-c", f"{base}.json", "-m", base]
    os.environ |= {"MASTER_ADDR": "localhost", "MASTER_PORT": "29513"}  # its own number is too high for a port
    train.run(0, 1, utils.get_hparams())
    torch.distributed.destroy_process_group()
