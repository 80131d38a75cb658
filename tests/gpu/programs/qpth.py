"""qpth 0.0.18"""

import torch
from torch import nn

stand_in("cvxpy")
from qpth.qp import QPFunction, SpQPFunction

many, wide, less, same = 6, 8, 10, 3
start = torch.randn(wide, wide, device=DEVICE, dtype=torch.double)


for at in range(3):
    root = nn.Parameter(start.clone())
    p = torch.randn(many, wide, device=DEVICE, dtype=torch.double, requires_grad=True)
    G, A = torch.randn(less, wide, device=DEVICE, dtype=torch.double), torch.randn(same, wide, device=DEVICE, dtype=torch.double)
    x0 = torch.randn(wide, device=DEVICE, dtype=torch.double)
    h, b = G @ x0 + 1, A @ x0
    none = torch.empty(0, device=DEVICE, dtype=torch.double)
    eye = torch.eye(wide, device=DEVICE, dtype=torch.double)
    tried("one", at, lambda: QPFunction(verbose=1)(root @ root.T + eye, p, G, h, A, b).sum().backward())
    tried("no equal", at, lambda: QPFunction(verbose=-1, maxIter=10)(root @ root.T + eye, p, G, h, none, none).sum().backward())
    tried("many", at, lambda: QPFunction(check_Q_spd=False)((root @ root.T + eye).expand(many, -1, -1), p, G.expand(many, -1, -1), h.expand(many, -1), A.expand(many, -1, -1), b.expand(many, -1)).sum().backward())

    def sparse():
        Q = (root @ root.T + eye).detach()

        def parts(matrix):
            where = matrix.abs().gt(0).nonzero().t()
            return where, matrix.shape, matrix[where[0], where[1]].expand(many, -1).clone()

        (Qi, Qs, Qv), (Gi, Gs, Gv), (Ai, As, Av) = parts(Q), parts(G), parts(A)
        SpQPFunction(Qi, Qs, Gi, Gs, Ai, As, verbose=-1)(Qv.requires_grad_(), p, Gv, h.expand(many, -1), Av, b.expand(many, -1)).sum().backward()

    tried("sparse", at, sparse)
    step()
