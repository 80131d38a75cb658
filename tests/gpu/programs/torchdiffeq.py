"""torchdiffeq 0.2.5"""

import torch
from torch import nn

stand_in("scipy", "scipy.integrate")
from torchdiffeq import odeint, odeint_adjoint, odeint_event


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, t, y):
        return self.net(y**3)


field = Field().to(DEVICE)
times = torch.linspace(0.0, 2.0, 5, device=DEVICE)
for method in (
    "dopri5",
    "dopri8",
    "bosh3",
    "fehlberg2",
    "adaptive_heun",
    "euler",
    "midpoint",
    "rk4",
    "explicit_adams",
    "implicit_adams",
):
    for solve in (odeint, odeint_adjoint):
        for _ in range(2):
            y = torch.randn(16, 2, device=DEVICE)
            solve(field, y, times, method=method).pow(2).mean().backward()
            step()
with torch.no_grad():
    for _ in range(2):
        start = torch.tensor([1.0, 0.0], device=DEVICE)
        odeint_event(
            lambda t, y: torch.stack([y[1], -torch.ones_like(y[0])]),
            start,
            torch.tensor(0.0, device=DEVICE),
            event_fn=lambda t, y: y[0],
            odeint_interface=odeint,
        )
        step()
