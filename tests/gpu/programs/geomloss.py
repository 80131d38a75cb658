"""geomloss 0.3.1"""

import geomloss.ot as ot
import torch
from geomloss import SamplesLoss

shift = torch.nn.Parameter(torch.zeros(2, device=DEVICE))
optimizer = torch.optim.SGD([shift], lr=0.1)
for loss, more in (
    ("sinkhorn", {"p": 2, "blur": 0.1}),
    ("sinkhorn", {"p": 1, "blur": 0.1, "debias": False, "scaling": 0.7}),
    ("sinkhorn", {"p": 2, "blur": 0.1, "reach": 0.5, "backend": "tensorized"}),
    ("gaussian", {"blur": 0.5}),
    ("laplacian", {"blur": 0.5}),
    ("energy", {}),
):
    distance = SamplesLoss(loss, **{"backend": "tensorized", **more})
    for _ in range(3):
        x, y = torch.randn(20, 2, device=DEVICE), torch.randn(30, 2, device=DEVICE)
        weights = torch.rand(20, device=DEVICE), torch.rand(30, device=DEVICE)
        optimizer.zero_grad()
        total = distance(x + shift, y) + distance(weights[0] / weights[0].sum(), x + shift, weights[1] / weights[1].sum(), y)
        total.backward()
        optimizer.step()
    potentials = SamplesLoss(loss, **{"backend": "tensorized", **more}, potentials=True)
    for _ in range(2):
        potentials(torch.randn(20, 2, device=DEVICE), torch.randn(30, 2, device=DEVICE))
        step()

for _ in range(3):
    cost = torch.rand(12, 15, device=DEVICE)
    for more in ({}, {"unbalanced": 1.0}):
        try:
            found = ot.solve(cost, reg=0.1, max_iter=20, **more)
            found.value, found.plan
        except Exception as no:
            print("solve", more, type(no), str(no)[:90])
        try:
            found = ot.solve_sample(torch.rand(12, 2, device=DEVICE), torch.rand(15, 2, device=DEVICE), reg=0.1, max_iter=20, **more)
            found.value, found.plan
        except Exception as no:
            print("solve_sample", more, type(no), str(no)[:90])
    step()
