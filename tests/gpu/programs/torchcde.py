"""torchcde 0.2.5"""

import torch

stand_in("torchsde")
import torchcde


class Field(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(6, 18)

    def forward(self, t, z):
        return self.linear(z).tanh().view(*z.shape[:-1], 6, 3)

    def prod(self, t, z, dXdt):
        return (self(t, z) @ dXdt.unsqueeze(-1)).squeeze(-1)


field, first = Field().to(DEVICE), torch.nn.Linear(3, 6).to(DEVICE)
optimizer = torch.optim.Adam([*field.parameters(), *first.parameters()])
for how in ("linear", "rectilinear", "cubic", "hermite", "missing"):
    for _ in range(3):
        x = torch.randn(4, 9, 3, device=DEVICE)
        x[..., 0] = torch.linspace(0, 1, 9, device=DEVICE)
        if how == "missing":
            x[0, 2:4, 1] = float("nan")
        if how == "cubic":
            path = torchcde.CubicSpline(torchcde.natural_cubic_coeffs(x))
        elif how in ("hermite", "missing"):
            path = torchcde.CubicSpline(torchcde.hermite_cubic_coefficients_with_backward_differences(x))
        else:
            path = torchcde.LinearInterpolation(torchcde.linear_interpolation_coeffs(x, rectilinear=0 if how == "rectilinear" else None))
        optimizer.zero_grad()
        z = torchcde.cdeint(X=path, func=field, z0=first(path.evaluate(path.interval[0])), t=path.interval, adjoint=how != "cubic", method="rk4" if how == "linear" else "dopri5", rtol=1e-2, atol=1e-2, options={"step_size": 1.0} if how == "linear" else {})
        z[:, -1].sum().backward()
        optimizer.step()
