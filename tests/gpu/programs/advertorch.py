"""advertorch 0.2.3"""

import sys

import torch


def zero_gradients(x):
    if x.grad is not None:
        x.grad.detach_()
        x.grad.zero_()


sys.modules["torch.autograd.gradcheck"].zero_gradients = zero_gradients
import advertorch.attacks as attacks
from advertorch import defenses
from advertorch.bpda import BPDAWrapper

model = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(400, 5)).to(DEVICE).eval()
x, y = torch.rand(6, 1, 12, 12, device=DEVICE), torch.randint(0, 5, (6,), device=DEVICE)
tried = {
    "FGSM": {}, "FGM": {}, "LinfPGDAttack": {"nb_iter": 4}, "L2PGDAttack": {"nb_iter": 4}, "L1PGDAttack": {"nb_iter": 4}, "SparseL1DescentAttack": {"nb_iter": 4},
    "LinfMomentumIterativeAttack": {"nb_iter": 4}, "L2MomentumIterativeAttack": {"nb_iter": 4}, "LinfBasicIterativeAttack": {"nb_iter": 4},
    "CarliniWagnerL2Attack": {"num_classes": 5, "binary_search_steps": 2, "max_iterations": 6},
    "ElasticNetL1Attack": {"num_classes": 5, "binary_search_steps": 2, "max_iterations": 6},
    "LBFGSAttack": {"num_classes": 5, "batch_size": 6, "binary_search_steps": 2, "max_iterations": 4},
    "SinglePixelAttack": {"max_pixels": 5}, "LocalSearchAttack": {"round_ub": 3},
    "SpatialTransformAttack": {"num_classes": 5, "max_iterations": 4},
    "JSMA": {"num_classes": 5, "gamma": 0.05}, "DDNL2Attack": {"nb_iter": 5}, "LinfSPSAAttack": {"eps": 0.3, "nb_iter": 2, "nb_sample": 8},
    "LinfFABAttack": {"n_iter": 4, "eps": 0.3}, "L2FABAttack": {"n_iter": 4, "eps": 0.3}, "L1FABAttack": {"n_iter": 4, "eps": 3.0, "n_restarts": 2},
}
for name, more in tried.items():
    for at in range(3):
        try:
            attack = getattr(attacks, name)(model, **more)
            attack.perturb(x, y)
        except Exception as no:
            if at == 0:
                print(name, type(no).__name__, str(no)[:120])
        step()
for at in range(3):
    try:
        attacks.FastFeatureAttack(model, nb_iter=3).perturb(x, x.flip(0))
        attacks.ChooseBestAttack(model, [attacks.FGSM(model), attacks.LinfPGDAttack(model, nb_iter=3)]).perturb(x, y)
    except Exception as no:
        print(type(no).__name__, str(no)[:120])
    for filter in (defenses.AverageSmoothing2D(1, 3), defenses.GaussianSmoothing2D(1.0, 1), defenses.MedianSmoothing2D(), defenses.BitSqueezing(4), defenses.BinaryFilter()):
        try:
            guarded = torch.nn.Sequential(BPDAWrapper(filter.to(DEVICE)), model)
            attacks.LinfPGDAttack(guarded, nb_iter=2).perturb(x, y)
        except Exception as no:
            print(type(filter).__name__, type(no).__name__, str(no)[:120])
    step()
