"""torchsde 0.2.6"""

from types import GeneratorType

import torch
from torch import nn


class TailCall(Exception):
    pass


def trampoline(first):
    """Generators that call each other, as the package of that name does."""
    stack, value = [first], None
    while stack:
        try:
            value = stack[-1].send(value)
            if isinstance(value, GeneratorType):
                stack.append(value)
                value = None
        except StopIteration as over:
            stack.pop()
            value = over.value
        except TailCall as call:
            stack[-1], value = call.args[0], None
    return value


stand_in("trampoline", trampoline=trampoline, TailCall=TailCall)
import torchsde


class Noise(nn.Module):
    sde_type = "ito"

    def __init__(self, kind, sde_type):
        super().__init__()
        self.noise_type, self.sde_type = kind, sde_type
        self.drift, self.spread = nn.Linear(3, 3), nn.Linear(3, 3 * 2 if kind == "general" else 3)

    def f(self, t, y):
        return torch.tanh(self.drift(y))

    def g(self, t, y):
        made = torch.sigmoid(self.spread(y))
        return made.view(-1, 3, 2) if self.noise_type == "general" else made

    h = f


times = torch.linspace(0, 1, 4, device=DEVICE)
for kind, sde_type, method in (
    ("diagonal", "ito", "euler"),
    ("diagonal", "ito", "milstein"),
    ("diagonal", "ito", "srk"),
    ("general", "stratonovich", "midpoint"),
    ("general", "stratonovich", "reversible_heun"),
):
    sde = Noise(kind, sde_type).to(DEVICE)
    for turn in range(2):
        for solve in (torchsde.sdeint, torchsde.sdeint_adjoint):
            y = torch.randn(8, 3, device=DEVICE)
            adaptive = method == "milstein" and turn == 1
            path = solve(sde, y, times, method=method, dt=0.1, adaptive=adaptive)
            path[-1].pow(2).mean().backward()
            step()
sde = Noise("diagonal", "ito").to(DEVICE)
for _ in range(3):
    path = torchsde.BrownianInterval(0.0, 1.0, size=(8, 3), device=DEVICE, levy_area_approximation="space-time")
    torchsde.sdeint(sde, torch.randn(8, 3, device=DEVICE), times, bm=path, dt=0.1)
    torchsde.sdeint(sde, torch.randn(8, 3, device=DEVICE), times, dt=0.1, logqp=True)
    tree = torchsde.BrownianTree(0.0, torch.zeros(8, 3, device=DEVICE))
    tree(0.1, 0.4)
    step()
