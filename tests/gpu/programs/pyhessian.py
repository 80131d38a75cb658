"""PyHessian 0.1"""

import torch
from pyhessian import hessian

torch.eig = lambda matrix, **_: (lambda values, vectors: (torch.stack([values, values], 1), vectors))(*torch.linalg.eigh(matrix))
model = torch.nn.Sequential(torch.nn.Linear(5, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)).to(DEVICE)
criterion = torch.nn.CrossEntropyLoss()
batches = [(torch.randn(16, 5), torch.randint(0, 3, (16,))) for _ in range(3)]
for more in ({"data": batches[0]}, {"dataloader": batches}):
    for _ in range(3):
        computer = hessian(model, criterion, cuda=DEVICE == "cuda", **more)
        computer.eigenvalues(maxIter=6, top_n=2)
        computer.trace(maxIter=5)
        computer.density(iter=5, n_v=2)
        step()
