"""nngeometry 0.4"""

import torch
from nngeometry import FIM, FIM_MonteCarlo, GramMatrix, Hessian, Jacobian
from nngeometry import object as kinds
from nngeometry.layercollection import LayerCollection

MANY, CLASSES = 48, 4


def tried(name, at, what):
    try:
        return what()
    except Exception as no:
        for layer in [*net.modules(), *flat.modules()]:  # what it left there
            layer._forward_hooks.clear(), layer._forward_pre_hooks.clear(), layer._backward_hooks.clear()
        if at == 0:
            print(name, type(no).__name__, str(no)[:150])


pictures, labels = torch.randn(MANY, 1, 8, 8, device=DEVICE), torch.arange(MANY, device=DEVICE) % CLASSES
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(pictures, labels), batch_size=16)
net = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Conv2d(4, 3, 3), torch.nn.Flatten(), torch.nn.Linear(48, CLASSES)).to(DEVICE)
flat = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 8), torch.nn.Tanh(), torch.nn.Linear(8, CLASSES)).to(DEVICE)
optimizer = torch.optim.SGD([*net.parameters(), *flat.parameters()], lr=0.1)
names = "PMatDense", "PMatDiag", "PMatBlockDiag", "PMatKFAC", "PMatEKFAC", "PMatImplicit", "PMatLowRank", "PMatQuasiDiag", "PMatMixed"
for at in range(3):
    for model in (net, flat):
        torch.nn.functional.cross_entropy(model(pictures), labels).backward()
        vector = kinds.PVector.from_model_grad(model)
        for name in names:
            kind = getattr(kinds, name, None)
            if kind is None:
                continue

            def asked(make):
                matrix = make()
                for what, call in {
                    "trace": matrix.trace, "norm": matrix.frobenius_norm, "dense": matrix.to_torch, "diagonal": matrix.get_diag, "product": lambda: matrix.mv(vector).to_torch(), "squared": lambda: matrix.vTMv(vector),
                    "solve": lambda: matrix.solvePVec(vector, regul=1e-1), "again": lambda: matrix.solve(vector, regul=1e-1), "inverse": lambda: matrix.inverse(regul=1e-1), "eigen": lambda: (matrix.compute_eigendecomposition(), matrix.get_eigendecomposition()),
                    "twice": lambda: (matrix + matrix) - 2 * matrix, "update": lambda: matrix.update_diag(loader), "cached": lambda: matrix.solvePVec(vector, regul=1e-1, impl="eigendecomposition"), "root": lambda: matrix.pow(-0.5, regul=1e-1),
                }.items():  # fmt: skip
                    tried(f"{name} {what}", at, call)

            tried(name, at, lambda: asked(lambda: FIM(model, loader, kind, device=DEVICE)))
            tried(f"{name} by chance", at, lambda: FIM_MonteCarlo(model, loader, kind, trials=2, device=DEVICE))
        dense = tried("Jacobian", at, lambda: Jacobian(model, loader, function=lambda *d: model(d[0].to(DEVICE))))
        if dense is not None:
            tried("jvp", at, lambda: dense.jvp(vector).to_torch())
            tried("modules", at, lambda: list(dense.iter_by_module()))
        gram = tried("Gram", at, lambda: GramMatrix(model, loader, function=lambda *d: model(d[0].to(DEVICE))))
        if gram is not None:
            tried("Gram eigen", at, lambda: (gram.trace(), gram.frobenius_norm(), gram.compute_eigendecomposition(), gram.get_eigendecomposition()))
        tried("Hessian", at, lambda: Hessian(model, loader, kinds.PMatDense, function=lambda *d: torch.nn.functional.cross_entropy(model(d[0]), d[1], reduction="none")).trace())
        layers = LayerCollection.from_model(model)
        tried("layers", at, lambda: (layers.numel(), kinds.PVector.from_model(model).dot(vector), vector.norm(), (vector + vector - 2 * vector).to_torch()))
    optimizer.step()
    optimizer.zero_grad()
