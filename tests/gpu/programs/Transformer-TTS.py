"""soobinseo/Transformer-TTS at 87bd9c9afdf98320b3168e73e2b7db14a7fc4b7a"""

import collections.abc

import numpy as np
import torch

collections.Mapping = collections.abc.Mapping  # Python's name for it then


class Scalars(Writer):
    def add_scalars(self, _, values, *__):
        for value in values.values():
            float(value)


stand_in("tensorboardX", SummaryWriter=Scalars)
stand_in("librosa", "pandas", "unidecode", "inflect", "scipy")
stand_in("torchvision", __path__=[])
stand_in("torchvision.utils", make_grid=lambda picture: picture)
import hyperparams
import train_transformer

EPOCHS, SENTENCES, LONGEST, BATCH = 2, 96, 300, 32
hyperparams.epochs, hyperparams.batch_size = EPOCHS, BATCH


class Sentences(torch.utils.data.Dataset):
    def __len__(self):
        return SENTENCES

    def __getitem__(self, at):
        letters, frames = 60 + at * 7 % 61, LONGEST - at * 11 % (LONGEST // 2)
        mel = np.random.RandomState(at).rand(frames, 80).astype(np.float32)
        shifted = np.concatenate([np.zeros((1, 80), np.float32), mel[:-1]])
        return {"text": np.arange(letters) % 60 + 1, "mel": mel, "text_length": letters, "mel_input": shifted, "pos_mel": np.arange(1, frames + 1), "pos_text": np.arange(1, letters + 1)}


train_transformer.get_dataset = Sentences
train_transformer.main()
