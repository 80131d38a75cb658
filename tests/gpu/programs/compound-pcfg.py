"""harvardnlp/compound-pcfg at 4af1eb0e055234780d154a52173d79d7845b66ae"""

import pickle
import random
import sys

stand_in("nltk")
import train
from utils import get_random_tree, get_spans

EPOCHS, BATCHES = 1, 6
words = {f"w{at}": at for at in range(100)}


def sentences(name):
    """Of random words with random trees, four of a length at a time."""
    kept = {"source": [], "other_data": [], "source_l": [], "batch_l": [], "batch_idx": [], "vocab_size": [100], "word2idx": words, "idx2word": {at: word for word, at in words.items()}}
    for batch in range(BATCHES):
        size = 5 + batch
        kept["batch_idx"].append(len(kept["source"]))
        kept["source_l"].append(size + 2)
        kept["batch_l"].append(4)
        for _ in range(4):
            said, actions = [f"w{random.randrange(3, 100)}" for _ in range(size)], get_random_tree(size)
            kept["source"].append([1, *(words[word] for word in said), 2, *[0] * (5 + BATCHES - size)])
            kept["other_data"].append((said, None, actions, actions, None, get_spans(actions)))
    with open(name, "wb") as file:
        pickle.dump(kept, file)


sentences("train.pkl")
sentences("val.pkl")
train.main(train.parser.parse_args(["--train_file", "train.pkl", "--val_file", "val.pkl", "--num_epochs", str(EPOCHS), "--print_every", "2"]))
