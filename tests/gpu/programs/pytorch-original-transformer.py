"""gordicaleksa/pytorch-original-transformer at d5b29a41c5c3f68e1bcd0c528a58281632fa9d6d"""

import runpy
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import torch

stand_in("matplotlib", "matplotlib.pyplot", "seaborn", "spacy", "git", "nltk", "nltk.translate", "torchtext.datasets")
stand_in("nltk.translate.bleu_score", corpus_bleu=lambda *_: 0.5)
stand_in("torchtext.data", Dataset=object, BucketIterator=None, Field=None, Example=None)
stand_in("torchtext.data.utils", interleave_keys=None)
stand_in("torchtext", datasets=None)
stand_in("git", Repo=lambda **_: SimpleNamespace(head=SimpleNamespace(object=SimpleNamespace(hexsha="0"))))
import utils.constants
import utils.data_utils

words = ["<unk>", "<pad>", "<s>", "</s>", *(f"w{at}" for at in range(40))]
vocab = type("Vocab", (), {"stoi": {word: at for at, word in enumerate(words)}, "itos": words, "__len__": lambda _: len(words)})()
field = SimpleNamespace(vocab=vocab)


class Batches:
    """Sentences of noise, in three batches, on the device, as those of torchtext are."""

    dataset = [SimpleNamespace(src=["w1"], trg=["w2"])]

    def __len__(self):
        return 3

    def __iter__(self):
        for _ in range(3):
            src, trg = (torch.randint(4, 44, (6, 9), device=DEVICE) for _ in range(2))
            src[:, 7:], trg[:, 8:], trg[:, 0] = 1, 1, 2
            yield SimpleNamespace(src=src, trg=trg)


utils.data_utils.get_data_loaders = lambda *_: (Batches(), Batches(), field, field)
utils.constants.BASELINE_MODEL_NUMBER_OF_LAYERS = 2
utils.constants.BASELINE_MODEL_DIMENSION = 32
utils.constants.CHECKPOINTS_PATH = utils.constants.BINARIES_PATH = str(Path.cwd())
sys.argv = ["training_script.py", "--num_of_epochs", "2", "--console_log_freq", "1"]
runpy.run_path(str(FOLDER / "training_script.py"), run_name="__main__")
