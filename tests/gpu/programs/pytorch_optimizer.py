"""pytorch-optimizer 4.1.0"""

import torch

import pytorch_optimizer as made
from pytorch_optimizer.loss import LOSS_FUNCTIONS

x, y = torch.randn(32, 8, device=DEVICE), torch.rand(32, 1, device=DEVICE)
for name in made.get_supported_optimizers():
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Linear(16, 1, bias=False)).to(DEVICE)
    try:
        optimizer = made.create_optimizer(model, name, lr=1e-3, weight_decay=1e-3, **({"num_iterations": 4} if name == "ranger21" else {}))
        for _ in range(4):

            def closure():
                optimizer.zero_grad()
                loss = ((model(x) - y) ** 2).mean()
                loss.backward(create_graph=name in ("adahessian", "sophiah"))
                return loss

            loss = closure()
            optimizer.step(closure) if name in ("lbfgs", "alig", "sam") else optimizer.step()
    except Exception as error:  # some want more than a loss
        print(name, error)
for name in ("SAM", "GSAM", "WSAM", "Lookahead", "OrthoGrad", "PCGrad", "TRAC", "GradientCentralization"):
    model = torch.nn.Linear(8, 1).to(DEVICE)
    try:
        if name in ("SAM", "WSAM"):
            more = {"model": model} if name == "WSAM" else {}
            optimizer = getattr(made, name)(params=model.parameters(), base_optimizer=torch.optim.SGD, lr=0.1, **more)
            for _ in range(4):
                ((model(x) - y) ** 2).mean().backward()
                optimizer.first_step(zero_grad=True)
                ((model(x) - y) ** 2).mean().backward()
                optimizer.second_step(zero_grad=True)
                step()
        else:
            optimizer = getattr(made, name)(torch.optim.AdamW(model.parameters()))
            for _ in range(4):
                optimizer.zero_grad()
                loss = ((model(x) - y) ** 2).mean()
                optimizer.pc_backward([loss, loss]) if name == "PCGrad" else loss.backward()
                optimizer.step()
                step()
    except Exception as error:
        print(name, error)
for name in made.get_supported_loss_functions():
    try:
        loss = LOSS_FUNCTIONS[name]() if name != "ldamloss" else made.LDAMLoss([10, 20])
        for _ in range(3):
            out = torch.rand(32, 1, device=DEVICE, requires_grad=True)
            loss.to(DEVICE)(out, (y > 0.5).float()).backward()
            step()
    except Exception as error:
        print(name, error)
