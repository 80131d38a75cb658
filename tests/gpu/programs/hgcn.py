"""HazyResearch/hgcn at a526385744da25fc880f3da346e17d0fe33817f8"""

import os

import numpy as np
import scipy.sparse as sp
import torch
import train
from config import parser
from utils import data_utils

os.environ["DATAPATH"] = "."
EPOCHS, NODES = 8, 2708
draw = np.random.RandomState(0)
ends = draw.randint(0, NODES, (2, 5278))
ties = sp.csr_matrix((np.ones(5278), ends), shape=(NODES, NODES))
ties = ((ties + ties.T) > 0).astype(float)


def made(name, *_):
    """As Cora."""
    some = draw.permutation(NODES)
    nodes = {"labels": torch.from_numpy(draw.randint(0, 7, NODES)), "idx_train": list(some[:140]), "idx_val": list(some[140:640]), "idx_test": list(some[640:1640])}
    return {"adj_train": ties, "features": sp.csr_matrix((draw.rand(NODES, 1433) < 0.01).astype(float)), **nodes}


data_utils.load_data_nc = data_utils.load_data_lp = made
where = "0" if DEVICE == "cuda" else "-1"
for task, model, manifold, more in (("nc", "HGCN", "PoincareBall", ()), ("lp", "HGCN", "Hyperboloid", ("--c", "None", "--optimizer", "RiemannianAdam")), ("lp", "HNN", "PoincareBall", ("--grad-clip", "1")), ("nc", "GAT", "Euclidean", ("--dropout", "0.2")), ("nc", "HGCN", "Hyperboloid", ("--use-att", "1", "--dim", "16"))):
    train.train(parser.parse_args(["--task", task, "--model", model, "--manifold", manifold, "--cuda", where, "--epochs", str(EPOCHS), "--dim", "16", *more]))
