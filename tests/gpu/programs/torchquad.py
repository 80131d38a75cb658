"""torchquad 0.6.0"""

import sys

import torch

sys.path.append(str(FOLDER.parent / "also"))
import torchquad

torchquad.set_up_backend("torch", data_type="float32", torch_enable_cuda=DEVICE == "cuda")


def bumps(x):
    return torch.sin(x[:, 0]) + torch.exp(x[:, 1])


box = [[0.0, 1.0], [-1.0, 1.0]]
for name, count in (("Trapezoid", 101), ("Simpson", 101), ("Boole", 101), ("GaussLegendre", 101), ("MonteCarlo", 1000)):
    rule = getattr(torchquad, name)()
    for _ in range(3):
        rule.integrate(bumps, dim=2, N=count, integration_domain=box, backend="torch")
        step()
    if hasattr(rule, "get_jit_compiled_integrate"):
        fast = rule.get_jit_compiled_integrate(dim=2, N=count, integration_domain=torch.tensor(box), backend="torch")
        for _ in range(3):
            fast(bumps, torch.tensor(box))
            step()
for _ in range(3):
    torchquad.VEGAS().integrate(bumps, dim=2, N=4000, integration_domain=box, backend="torch", seed=1)
    torchquad.VEGAS().integrate(bumps, dim=2, N=4000, integration_domain=box, use_warmup=False, max_iterations=4)
    step()
