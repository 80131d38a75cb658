"""tntorch 1.1.2"""

import numpy as np
import torch
import tntorch as tn

np.int = int  # numpy's name for it then
SIDE, RANK, TURNS = 8, 3, 3
quiet = {"verbose": False, "max_iter": 3, "suppress_warnings": True}
brief = {"rmax": 5, "max_iter": 2, "verbose": False}
where = [torch.linspace(-1, 1, SIDE, device=DEVICE)] * 4


def full(*shape):
    return torch.randn(*(shape or (SIDE,) * 4), device=DEVICE)


def train(**more):
    return tn.rand([SIDE] * 4, ranks_tt=RANK, device=DEVICE, **more)


def matrix():
    return tn.TTMatrix(full(16, 16), ranks=[RANK], input_dims=[4, 4], output_dims=[4, 4])


def written(*place):
    one = train()
    one[place] = 0.5
    return one


def model():
    found = tn.PCEInterpolator()
    found.fit(torch.rand(60, 3, device=DEVICE), torch.rand(60, device=DEVICE), verbose=False)
    return found


def completed(device):
    rows = torch.randint(0, SIDE, (600, 3), device=device)
    return tn.als_completion(rows, torch.randn(600, device=device), RANK, shape=[SIDE] * 3, ws=torch.ones(600, device=device), x0=tn.rand([SIDE] * 3, ranks_tt=RANK, device=device), niter=2, verbose=False)


kinds = {"tt": {"ranks_tt": RANK}, "tucker": {"ranks_tucker": RANK}, "cp": {"ranks_cp": RANK}, "both": {"ranks_tt": RANK, "ranks_tucker": RANK}}
asked = {
    **{f"made {name}": lambda how=how: tn.Tensor(full(), **how).torch() for name, how in kinds.items()},
    **{f"told {name}": lambda how=how: (tn.Tensor(full(), **how).numpy(), repr(tn.Tensor(full(), **how))) for name, how in kinds.items()},
    "by accuracy": lambda: tn.Tensor(full(), eps=0.1),
    "batch": lambda: tn.Tensor(full(2, SIDE, SIDE, SIDE), ranks_tt=RANK, batch=True).torch(),
    "batch tucker": lambda: tn.Tensor(full(2, SIDE, SIDE, SIDE), ranks_tucker=RANK, batch=True).torch(),
    **{name: lambda name=name: getattr(tn, name)(train(), train()) for name in ("dot", "dist", "relative_error", "rmse", "r_squared", "add", "mul", "div", "convolve", "mask")},
    **{name: lambda name=name: getattr(tn, name)(train()) for name in ("sum", "mean", "var", "std", "norm", "normsq", "cumsum", "gradient", "laplacian", "anova_decomposition", "transpose", "dof")},
    **{name: lambda name=name: getattr(tn, name)(train() + 2.0) for name in ("exp", "log", "sqrt", "sin", "reciprocal", "tanh", "abs")},
    "plus": lambda: (train() + train()).torch(),
    "times": lambda: (train() * train()).torch(),
    "less": lambda: (train() - 2.0).torch(),
    "scaled": lambda: (train() * 2.0).torch(),
    "round_tt": lambda: tn.round_tt(train() + train(), eps=1e-3),
    "round_tt by eig": lambda: tn.round_tt(train() + train(), rmax=2, algorithm="eig"),
    "round_tucker": lambda: tn.round_tucker(train() + train(), eps=1e-3),
    "round": lambda: tn.round(train() + train(), eps=1e-3),
    **{f"taken {at}": lambda place=place: train()[place] for at, place in enumerate(((0,), (slice(None), 2), (1, 2, 3, 4), (..., None), (slice(None), [0, 2, 3]), (slice(2, 5), slice(None, None, 2))))},
    "taken by rows": lambda: train()[torch.randint(0, SIDE, (10, 4), device=DEVICE)],
    "taken by rows of the host": lambda: train()[torch.randint(0, SIDE, (10, 4))],
    "written": lambda: written(0, 0, 0, 0),
    "written part": lambda: written(slice(None), 1),
    "orthogonalize": lambda: train().orthogonalize(2),
    "tucker_core": lambda: train(ranks_tucker=RANK).tucker_core(),
    "as_leaf": lambda: train().as_leaf(),
    "cross": lambda: tn.cross(function=lambda a, b, c, d: a**2 + b * c + torch.cos(d), domain=where, device=DEVICE, **quiet),
    "cross of rows": lambda: tn.cross(function=lambda rows: (rows**2).sum(1), domain=where, function_arg="matrix", device=DEVICE, return_info=True, **quiet),
    "cross of tensors": lambda: tn.cross(function=lambda x: x**2, tensors=[train()], **quiet),
    "cross again": lambda: tn.cross_forward(tn.cross(function=lambda x: x**2, tensors=[train()], return_info=True, **quiet)[1], function=lambda x: x**2, tensors=[train()]),
    **{name: lambda name=name: getattr(tn, name)(train(), **brief) for name in ("minimum", "argmin", "maximum", "argmax")},
    "partial": lambda: tn.partial(train(), 0),
    "partialset": lambda: tn.partialset(train(), order=1),
    "divergence": lambda: tn.divergence([train() for _ in range(4)]),
    "sobol on the host": lambda: tn.sobol(train().to("cpu"), tn.only(tn.symbols(4)[0])),
    "completed": lambda: completed(DEVICE),
    "optimize": lambda: tn.optimize(train(requires_grad=True), lambda t: tn.relative_error(full(), t), max_iter=20, print_freq=5),
    "optimize plainly": lambda: tn.optimize(train(requires_grad=True), lambda t: ((t.torch() - 1) ** 2).mean(), max_iter=20, print_freq=5),
    "matrix": lambda: matrix().torch(),
    "matrix told": lambda: matrix().numpy(),
    "trace": lambda: matrix().trace(),
    "tt_multiply": lambda: tn.tt_multiply(matrix(), full(5, 16)),
    "cp matrix": lambda: tn.CPMatrix(full(16, 16), rank=RANK, input_dims=[4, 4], output_dims=[4, 4]).torch(),
    "cp_multiply": lambda: tn.cp_multiply(tn.CPMatrix(full(16, 16), rank=RANK, input_dims=[4, 4], output_dims=[4, 4]), full(5, 16)),
    "fitted": lambda: model().predict(torch.rand(10, 3, device=DEVICE)),
    "fitted tensor": lambda: model().to_tensor(domain=SIDE),
    "gram": lambda: tn.gram_schmidt(torch.rand(20, device=DEVICE), 4),
    "features": lambda: tn.features2indices(torch.rand(30, 3, device=DEVICE), I=SIDE),
    "hadamard_sum": lambda: tn.hadamard_sum([train(), train()]),
    "raw_moment": lambda: tn.raw_moment(train(), 2),
    "normalized_moment": lambda: tn.normalized_moment(train(), 2),
    "cat": lambda: tn.cat(train(), train(), dim=0),
    "flip": lambda: tn.flip(train(), 0),
    "sample": lambda: tn.sample(train(), 5),
    "meshgrid": lambda: tn.meshgrid(where[:2]),
    "unbind": lambda: tn.unbind(train(), 0),
    "squeeze": lambda: tn.squeeze(tn.unsqueeze(train(), 0)),
    "pad": lambda: tn.pad(train(), (SIDE + 2,) * 4, fill_value=1),
    "logic": lambda: (tn.is_tautology(tn.true(4)), tn.equiv(tn.true(3), tn.true(3)), tn.accepted_inputs(tn.weight_mask(4, 2))),
}
for at in range(TURNS):
    for name, what in asked.items():
        tried(name, at, what)
        step()
