"""GMvandeVen/continual-learning at e6d795aa81b9cef742b8de76cb71222d4d1ce00b"""

import sys
from pathlib import Path

import torch

stand_in("visdom", "matplotlib", "matplotlib.pyplot", "matplotlib.backends", "matplotlib.backends.backend_pdf")
from data import available


class Made(torch.utils.data.Dataset):
    """Digits of noise."""

    def __init__(self, *_, train=True, target_transform=None, **__):
        self.images, self.targets = torch.rand(120, 1, 28, 28), [at % 10 for at in range(120)]
        self.target_transform = target_transform

    def __len__(self):
        return 120

    def __getitem__(self, at):
        kind = self.targets[at]
        return self.images[at], self.target_transform(kind) if self.target_transform else kind


available.AVAILABLE_DATASETS["MNIST"] = Made
import main
import main_task_free

Path("store").mkdir()
same = ["main.py", "--experiment", "splitMNIST", "--contexts", "2", "--iters", "4", "--batch", "16", "--fc-units", "32"]
for program, scenario, more in (
    (main, "class", "--ewc --fisher-n 4"),
    (main, "class", "--ewc-kfac --fisher-n 4"),
    (main, "domain", "--si"),
    (main, "class", "--owm"),
    (main, "class", "--lwf"),
    (main, "class", "--fromp --budget 4"),
    (main, "task", "--xdg --gating-prop 0.5"),
    (main, "class", "--replay buffer --budget 4"),
    (main, "class", "--agem --budget 4"),
    (main, "class", "--icarl --budget 4"),
    (main, "class", "--replay generative --z-dim 8"),
    (main, "class", "--brain-inspired --z-dim 8"),
    (main, "class", "--gen-classifier --z-dim 8 --eval-s 4"),
    (main_task_free, "class", "--si --update-every 2"),
    (main_task_free, "class", "--replay buffer --budget 8 --update-every 2"),
):
    sys.argv = [*same, "--scenario", scenario, "--no-save", *more.split()]
    sys.argv += ["--stream", "random"] if program is main_task_free else ["--acc-n", "64", "--time"]
    sys.argv += [] if DEVICE == "cuda" else ["--no-gpus"]
    try:
        program.run(program.handle_inputs(), verbose=True)
    except (Exception, SystemExit) as error:  # not every option is one of each
        print(more, repr(error))
