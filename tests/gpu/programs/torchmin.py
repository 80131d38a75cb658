"""pytorch-minimize 0.1.0"""

import torch
from torchmin import Minimizer, ScipyMinimizer, least_squares, minimize, minimize_constr


def rosen(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def bowl(x):
    return (x**2).sum() + (x**4).sum()


def far(x):
    return x - torch.tensor([1.0, 2.0, 3.0], device=x.device) ** x[:1]


def tried(solve, *arguments, **named):
    """Some solvers give up in single precision."""
    try:
        solve(*arguments, **named)
    except (AssertionError, RuntimeError, TypeError, ValueError) as no:
        print(solve.__name__, arguments[2:], named, repr(no)[:120])


for at in range(3):
    first = torch.tensor([1.0, 8.0, 2.0, 0.5], device=DEVICE) + at / 10
    for how in ("bfgs", "l-bfgs", "cg", "newton-cg", "newton-exact", "trust-ncg", "trust-exact", "trust-krylov"):
        tried(minimize, rosen, first, how, max_iter=12, disp=2 if at else 0)
    tried(minimize, bowl, first, "dogleg", max_iter=8)
    for how in ("l-bfgs", "bfgs"):
        tried(minimize, rosen, first, how, max_iter=6, options={"line_search": "none"})
    for how in ("cgls", "exact", "lsmr"):
        tried(least_squares, far, first[:3] / 4, tr_solver=how, max_nfev=8)
    tried(minimize_constr, rosen, first, constr={"fun": lambda x: x.square().sum(), "lb": 0, "ub": 1}, max_iter=6)
    tried(minimize_constr, rosen, first / 10, bounds=(0, 1), max_iter=6)
    tried(minimize_constr, rosen, first / 10, method="l-bfgs-b", bounds=(0, 1), max_iter=6)
    tried(minimize_constr, rosen, first / 10, method="frank-wolfe", constr="tracenorm", max_iter=6, options={"t": 1.0})
    step()
model = torch.nn.Linear(4, 1).to(DEVICE)
x, y = torch.randn(32, 4, device=DEVICE), torch.randn(32, 1, device=DEVICE)
for optimizer in (Minimizer(model.parameters(), method="bfgs", max_iter=4), Minimizer(model.parameters(), method="newton-cg", max_iter=4), ScipyMinimizer(model.parameters(), method="L-BFGS-B", options={"maxiter": 4})):
    for _ in range(3):

        def closure():
            optimizer.zero_grad()
            return torch.nn.functional.mse_loss(model(x), y)

        tried(optimizer.step, closure)
