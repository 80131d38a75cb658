"""LibMTL 1.1.5, its loaders with a `next` as torch's had"""

import torch
from torch import nn

stand_in("torchvision", "torchvision.models")
stand_in("torchvision.models.utils", load_state_dict_from_url=None)
from LibMTL import Trainer, architecture, loss, metrics, weighting
from LibMTL.model import resnet18

tasks, classes = ("first", "second", "third"), 5


class Batches:
    """A loader with two batches, of all tasks or of one."""

    def __init__(self, alone):
        self.alone = alone

    def __len__(self):
        return 2

    def __iter__(self):
        self.left = 2
        return self

    def next(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        labels = {name: torch.randint(0, classes, (4,)) for name in tasks}
        return torch.randn(4, 3, 32, 32), labels["first"] if self.alone else labels

    __next__ = next


def forgets(plain):
    """Gradients become zeros, as they did then."""
    return lambda self, set_to_none=False: plain(self, set_to_none=False)


nn.Module.zero_grad, torch.optim.Optimizer.zero_grad = forgets(nn.Module.zero_grad), forgets(torch.optim.Optimizer.zero_grad)


def encoder():
    made = resnet18(pretrained=False)
    object.__setattr__(made, "resnet_network", made)  # MTAN's name for it
    return made


def tried(name, weigh, build, alone=False, weight_args={}, arch_args={}, gradients=False):
    try:
        what = {task: {"metrics": ["Acc"], "metrics_fn": metrics.AccMetric(), "loss_fn": loss.CELoss(), "weight": [1]} for task in tasks}
        decoders = nn.ModuleDict({task: nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, classes)) for task in tasks})
        trainer = Trainer(what, weigh, build, encoder, decoders, gradients, alone, {"optim": "adam", "lr": 1e-3}, {"scheduler": "step", "step_size": 1}, weight_args=weight_args, arch_args=arch_args)
        loader = (lambda: {task: Batches(True) for task in tasks}) if alone else lambda: Batches(False)
        trainer.train(loader(), loader(), 2, val_dataloaders=loader())
    except Exception as no:
        print(name, type(no).__name__, str(no)[:150])


share = {"img_size": (3, 32, 32), "num_experts": [2, 1, 1, 1], "num_nonzeros": 2, "kgamma": 1.0}
given = {"GradNorm": {"alpha": 1.5}, "MGDA": {"mgda_gn": "loss+"}, "DWA": {"T": 2.0}, "GradDrop": {"leak": 0.0}, "GradVac": {"beta": 0.5}, "CAGrad": {"calpha": 0.5, "rescale": 1}, "RLW": {"dist": "Normal"}}
for name in weighting.__all__[1:]:
    for gradients in (False, True):
        tried(name, getattr(weighting, name), architecture.HPS, weight_args=given.get(name, {}), gradients=gradients)
for name in architecture.__all__[1:]:
    tried(name, weighting.EW, getattr(architecture, name), arch_args=share)
    tried(name, weighting.PCGrad, getattr(architecture, name), alone=True, arch_args=share)
for kind in ("l2", "none", "loss"):
    tried("MGDA", weighting.MGDA, architecture.HPS, weight_args={"mgda_gn": kind})
for kind in ("Uniform", "Dirichlet", "Bernoulli", "Bernoulli_1"):
    tried("RLW", weighting.RLW, architecture.HPS, weight_args={"dist": kind})
