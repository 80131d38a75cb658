"""torchode 1.0.1"""

import torch


class Type:
    def __class_getitem__(cls, _):
        return cls


stand_in("torchtyping", TensorType=Type, is_float=None)
import torchode


class Field(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, t, y):
        return self.linear(y).tanh()


field = Field().to(DEVICE)
optimizer = torch.optim.Adam(field.parameters())
for how in ("dopri5", "tsit5", "heun", "euler"):
    for adjoint in (torchode.AutoDiffAdjoint, torchode.BacksolveAdjoint, torchode.JointBacksolveAdjoint):
        if how in ("heun", "euler") and adjoint is not torchode.AutoDiffAdjoint:
            continue
        term = torchode.ODETerm(field, with_stats=True)
        method = {"dopri5": torchode.Dopri5, "tsit5": torchode.Tsit5, "heun": torchode.Heun, "euler": torchode.Euler}[how](term=term)
        controller = torchode.FixedStepController() if how == "euler" else torchode.PIDController(1e-3, 1e-3, 0.2, 0.5, 0.0, term=term) if how == "tsit5" else torchode.IntegralController(atol=1e-4, rtol=1e-3, term=term)
        solver = (adjoint(method, controller) if adjoint is torchode.AutoDiffAdjoint else adjoint(term, method, controller)).to(DEVICE)
        for _ in range(3):
            y0 = torch.randn(4, 3, device=DEVICE, requires_grad=True)
            problem = torchode.InitialValueProblem(y0=y0, t_eval=torch.linspace(0, 1, 5, device=DEVICE).repeat(4, 1))
            found = solver.solve(problem, dt0=torch.full((4,), 0.1, device=DEVICE) if how == "euler" else None)
            optimizer.zero_grad()
            found.ys[:, -1].sum().backward()
            optimizer.step()
for _ in range(3):
    torchode.solve_ivp(lambda t, y: -y, torch.randn(4, 3, device=DEVICE), torch.linspace(0, 1, 5, device=DEVICE).repeat(4, 1), max_steps=50)
    step()
