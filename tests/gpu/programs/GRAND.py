"""THUDM/GRAND at 7a2fd6e7c3f20ca2c84b06ec1c5dc7f227dbfe2b, with networkx's adjacency as it was"""

import os
import pickle
import runpy
import sys

import networkx
import numpy as np
import scipy.sparse as sp

NODES, WORDS, KINDS, TESTED, EPOCHS, MORE = 2708, 1433, 7, 1000, 14, ()
draw = np.random.RandomState(0)
matrix = networkx.adjacency_matrix
networkx.adjacency_matrix = lambda graph: sp.csr_matrix(matrix(graph))


def words(count):
    some = draw.rand(count, WORDS) < 0.013
    some[:, 0] = True  # none is empty
    return sp.csr_matrix(some.astype(np.float32))


def labels(count):
    return np.eye(KINDS, dtype=int)[np.r_[np.arange(KINDS), draw.randint(0, KINDS, count - KINDS)]]


# the files of Cora, made up
first = NODES - TESTED
graph = {node: sorted(set(draw.randint(0, NODES, 4)) - {node}) for node in range(NODES)}
x, y, every, labelled = 20 * KINDS, labels(20 * KINDS), words(first), labels(first)
labelled[:x] = y
parts = {"x": every[:x], "y": y, "tx": words(TESTED), "ty": labels(TESTED), "allx": every, "ally": labelled, "graph": {node: [int(other) for other in others] for node, others in graph.items()}}
os.mkdir("data")
for name, part in parts.items():
    with open(f"data/ind.cora.{name}", "wb") as out:
        pickle.dump(part, out)
with open("data/ind.cora.test.index", "w") as out:
    out.writelines(f"{node}\n" for node in first + draw.permutation(TESTED))
sys.argv = ["train_grand.py", "--lam", "1.0", "--tem", "0.5", "--order", "8", "--sample", "4", "--dataset", "cora", "--input_droprate", "0.5", "--hidden_droprate", "0.5", "--hidden", "32", "--lr", "0.01", "--patience", "10000000", "--dropnode_rate", "0.5", "--cuda_device", "0", "--epochs", str(EPOCHS), *MORE]
runpy.run_path(str(FOLDER / "train_grand.py"), run_name="__main__")
