"""xitorch 0.5.1"""

import torch

import xitorch
from xitorch import grad, integrate, interpolate, linalg, optimize

real = {"dtype": torch.float64, "device": DEVICE}


class Rows(xitorch.LinearOperator):
    """A matrix of which only products are known."""

    def __init__(self, matrix):
        super().__init__(shape=matrix.shape, is_hermitian=True, dtype=matrix.dtype, device=matrix.device)
        self.matrix = matrix

    def _mv(self, vector):
        return torch.matmul(self.matrix, vector.unsqueeze(-1)).squeeze(-1)

    def _getparamnames(self, prefix=""):
        return [prefix + "matrix"]


for at in range(3):
    matrix = torch.randn(12, 12, **real)
    matrix = (matrix @ matrix.T + 12 * torch.eye(12, **real)).requires_grad_()
    right = torch.randn(12, 3, **real)
    for method in ("exactsolve", "custom_exactsolve", "cg", "bicgstab", "gmres", "broyden1"):
        for kind in (xitorch.LinearOperator.m, Rows):
            tried(f"solve {method}", at, lambda: linalg.solve(kind(matrix), right, method=method).sum().backward())
    tried("solve E", at, lambda: linalg.solve(xitorch.LinearOperator.m(matrix), right, E=torch.rand(3, **real), M=xitorch.LinearOperator.m(torch.eye(12, **real))))
    for method, more in (("exacteig", {}), ("custom_exacteig", {}), ("davidson", {"max_niter": 20}), ("davidson", {"max_niter": 20, "v_init": "eye"})):
        for kind in (xitorch.LinearOperator.m, Rows):
            tried(f"eig {method}", at, lambda: linalg.symeig(kind(matrix), 3, method=method, **more)[0].sum().backward())
    tried("svd", at, lambda: linalg.svd(xitorch.LinearOperator.m(torch.randn(12, 6, **real)), k=2))
    weight = (0.1 * torch.randn(5, 5, **real)).requires_grad_()
    start = torch.zeros(5, **real)
    pull = lambda y, w: torch.tanh(w @ y + 0.1)
    for method in ("broyden1", "broyden2", "linearmixing"):
        tried(f"root {method}", at, lambda: optimize.rootfinder(lambda y, w: y - pull(y, w), start, params=(weight,), method=method).sum().backward())
    for method in ("broyden1", "anderson_acc"):
        tried(f"equilibrium {method}", at, lambda: optimize.equilibrium(pull, start, params=(weight,), method=method).sum().backward())
    for method, more in (("broyden1", {}), ("gd", {"step": 0.1, "maxiter": 10}), ("adam", {"step": 0.1, "maxiter": 10})):
        tried(f"minimize {method}", at, lambda: optimize.minimize(lambda y, w: ((w @ y - 1) ** 2).sum() + (y**2).sum(), start, params=(weight,), method=method, **more).sum().backward())
    times = torch.linspace(0, 1, 8, **real)
    for method in ("rk4", "rk38", "rk23", "rk45", "euler"):
        tried(f"ivp {method}", at, lambda: integrate.solve_ivp(lambda t, y, w: torch.tanh(w @ y) - t * y, times, torch.ones(5, **real), params=(weight,), method=method).sum().backward())
    low, high = torch.zeros((), **real), torch.ones((), **real)
    tried("quad", at, lambda: integrate.quad(lambda x, w: torch.sin(x * w), low, high, params=(weight,), n=20).sum().backward())
    tried("infinite", at, lambda: integrate.quad(lambda x, w: torch.exp(-(x**2) + w * 0), torch.tensor(-float("inf"), **real), torch.tensor(float("inf"), **real), params=(weight,)))
    for method, more in (("mh", {"step_size": 0.5}), ("mhcustom", {"custom_step": lambda x: x + 0.1 * torch.randn_like(x)})):
        tried(f"mcquad {method}", at, lambda: integrate.mcquad(lambda x, w: (w @ x).sum(), lambda x: -(x**2).sum(), torch.zeros(5, **real), fparams=(weight,), method=method, nsamples=20, nburnout=10, **more).backward())
    known, values = torch.linspace(0, 1, 10, **real), torch.rand(2, 9, **real)
    values = torch.cat([values, values[:, :1]], 1).requires_grad_()  # periodic
    for method, more in (("cspline", {"bc_type": "not-a-knot"}), ("cspline", {"bc_type": "natural"}), ("cspline", {"bc_type": "clamped"}), ("cspline", {"bc_type": "periodic"}), ("linear", {})):
        for beyond in ("nan", "bound", "periodic", "mirror", 0.0):
            tried(f"interp {method}", at, lambda: interpolate.Interp1D(known, values, method=method, extrap=beyond, **more)(torch.linspace(-0.2, 1.2, 30, **real)).nansum().backward())
    for method in ("cspline", "trapz"):

        def sampled():
            made = integrate.SQuad(known, method=method)
            (made.integrate(values).sum() + made.cumsum(values).sum()).backward()

        tried(f"squad {method}", at, sampled)
    tried("jac", at, lambda: grad.jac(pull, (start, weight), idxs=1).mv(torch.ones(25, **real)))
    tried("hess", at, lambda: grad.hess(lambda y: (y**4).sum(), (torch.ones(5, **real, requires_grad=True),), idxs=0).fullmatrix())
    step()
