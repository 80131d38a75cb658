"""pykan 0.2.8"""

import torch

stand_in("matplotlib", "matplotlib.pyplot", "seaborn", "pandas")
from kan import KAN, utils

made = utils.create_dataset(lambda x: torch.exp(torch.sin(3.14 * x[:, [0]]) + x[:, [1]] ** 2), n_var=2, train_num=60, test_num=60, device=DEVICE)


def tried(name, what):
    try:
        return what()
    except Exception as no:
        print(name, type(no).__name__, str(no)[:150])


for at in range(2):
    model = KAN(width=[2, [3, 1], 1], grid=3, k=3, seed=at, device=DEVICE, ckpt_path=f"kept{at}")
    model(made["train_input"])
    tried("adam", lambda: model.fit(made, opt="Adam", steps=6, lamb=0.001, lr=0.01, batch=30, update_grid=True, stop_grid_update_step=4, grid_update_num=2))
    tried("lbfgs", lambda: model.fit(made, opt="LBFGS", steps=4, lamb=0.01))
    step()
    for name in ("attribute", "node_attribute", "auto_swap", "prune_node", "prune_edge"):
        tried(name, lambda: getattr(model, name)())
        step()
    model = tried("prune", lambda: model.prune(node_th=1e-4, edge_th=1e-4)) or model
    tried("refine", lambda: model.refine(5).fit(made, opt="LBFGS", steps=2))
    step()
    tried("range", lambda: model.get_range(0, 0, 0))
    tried("suggest", lambda: model.suggest_symbolic(0, 0, 0, topk=3, lib=["x", "x^2", "sin", "exp"]))
    tried("auto", lambda: model.auto_symbolic(lib=["x", "x^2", "sin", "exp"]))
    step()
    tried("fit symbolic", lambda: model.fit(made, opt="LBFGS", steps=2))
    tried("formula", lambda: model.symbolic_formula())
    tried("evaluate", lambda: model.evaluate(made))
    tried("interaction", lambda: model.feature_interaction(1))
    tried("saved", lambda: (model.saveckpt("some"), KAN.loadckpt("some")))
    step()
