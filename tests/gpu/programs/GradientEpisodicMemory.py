"""facebookresearch/GradientEpisodicMemory at 34c6b8e9a0607db7567301c48b727430d20bee7e"""

import runpy
import sys

import numpy as np
import torch

stand_in("quadprog", solve_qp=lambda P, q, G, h: (np.maximum(h, 0),))


def tasks(many, wide, kinds, some):
    return [("task", torch.rand(some, wide), torch.randint(kinds[at][0], kinds[at][1], (some,))) for at in range(many)]


torch.save((tasks(3, 784, [(0, 10)] * 3, 40), tasks(3, 784, [(0, 10)] * 3, 20)), "mnist.pt")
torch.save((tasks(3, 3072, [(0, 5), (5, 10), (10, 15)], 20), tasks(3, 3072, [(0, 5), (5, 10), (10, 15)], 10)), "cifar100.pt")
for file, model, more in (
    ("mnist.pt", "single", []), ("mnist.pt", "independent", ["--finetune", "yes"]), ("mnist.pt", "multimodal", []), ("mnist.pt", "ewc", ["--memory_strength", "3", "--n_memories", "10"]), ("mnist.pt", "gem", ["--memory_strength", "0.5", "--n_memories", "12"]),
    ("cifar100.pt", "single", []), ("cifar100.pt", "gem", ["--memory_strength", "0.5", "--n_memories", "10"]), ("cifar100.pt", "icarl", ["--memory_strength", "1", "--n_memories", "30", "--samples_per_task", "20"]), ("cifar100.pt", "ewc", ["--memory_strength", "1", "--n_memories", "10"]),
):
    sys.argv = ["main.py", "--model", model, "--data_path", ".", "--data_file", file, "--cuda", "yes", "--log_every", "3", "--shuffle_tasks", "yes", "--n_hiddens", "16", *more]
    try:
        runpy.run_path(str(FOLDER / "main.py"), run_name="__main__")
    except Exception as no:
        print(model, file, type(no).__name__, str(no)[:200])
