"""nflows 0.14"""

import torch
from nflows import distributions, flows, transforms
from nflows.nn import nets
from nflows.nn.nde import MixtureOfGaussiansMADE

wide = 4
splines = {"tails": "linear", "tail_bound": 3.0, "num_bins": 4}
mask = [1, 0, 1, 0]


def net(into, out):
    return nets.ResidualNet(into, out, hidden_features=8, num_blocks=1)


made = {
    "affine": lambda: transforms.MaskedAffineAutoregressiveTransform(wide, 8), "linear": lambda: transforms.MaskedPiecewiseLinearAutoregressiveTransform(4, wide, 8),
    "quadratic": lambda: transforms.MaskedPiecewiseQuadraticAutoregressiveTransform(wide, 8, **splines), "cubic": lambda: transforms.MaskedPiecewiseCubicAutoregressiveTransform(4, wide, 8),
    "rational": lambda: transforms.MaskedPiecewiseRationalQuadraticAutoregressiveTransform(wide, 8, **splines), "coupled": lambda: transforms.AffineCouplingTransform(mask, net), "added": lambda: transforms.AdditiveCouplingTransform(mask, net),
    "coupled linear": lambda: transforms.PiecewiseLinearCouplingTransform(mask, net, **splines), "coupled quadratic": lambda: transforms.PiecewiseQuadraticCouplingTransform(mask, net, **splines),
    "coupled cubic": lambda: transforms.PiecewiseCubicCouplingTransform(mask, net, **splines), "coupled rational": lambda: transforms.PiecewiseRationalQuadraticCouplingTransform(mask, net, **splines),
    "lu": lambda: transforms.LULinear(wide), "qr": lambda: transforms.QRLinear(wide, 2), "svd": lambda: transforms.SVDLinear(wide, 2), "naive": lambda: transforms.NaiveLinear(wide), "kept": lambda: transforms.LULinear(wide, using_cache=True),
    "householder": lambda: transforms.HouseholderSequence(wide, 2), "norm": lambda: transforms.BatchNorm(wide), "act": lambda: transforms.ActNorm(wide), "permuted": lambda: transforms.RandomPermutation(wide), "reversed": lambda: transforms.ReversePermutation(wide),
    "logtanh": lambda: transforms.LogTanh(), "leaky": lambda: transforms.LeakyReLU(), "sigmoid": lambda: transforms.Sigmoid(), "logit": lambda: transforms.Logit(), "tanh": lambda: transforms.Tanh(),
    "cdf": lambda: transforms.PiecewiseRationalQuadraticCDF([wide], **splines), "cdf linear": lambda: transforms.PiecewiseLinearCDF([wide], **splines), "cdf cubic": lambda: transforms.PiecewiseCubicCDF([wide], **splines), "cdf quadratic": lambda: transforms.PiecewiseQuadraticCDF([wide], **splines),
    "shifted": lambda: transforms.PointwiseAffineTransform(0.5, 2.0), "composite": lambda: transforms.CompositeTransform([transforms.LULinear(wide), transforms.InverseTransform(transforms.ActNorm(wide))]),
}


for name, make in made.items():
    transform = make().to(DEVICE)
    flow = flows.Flow(transform, distributions.StandardNormal([wide])).to(DEVICE)
    for at in range(3):
        x = torch.rand(16, wide, device=DEVICE) * 0.98 + 0.01
        tried(name, at, lambda: (-flow.log_prob(x).mean()).backward())
        tried(f"{name} back", at, lambda: transform.inverse(x))
        flow.eval()
        tried(f"{name} drawn", at, lambda: (flow.sample(5), flow.sample_and_log_prob(4), flow.transform_to_noise(x), flow.sample(7, batch_size=3)))
        flow.train()
        step()
images = transforms.CompositeTransform([transforms.SqueezeTransform(), transforms.OneByOneConvolution(4), transforms.ActNorm(4)]).to(DEVICE)
steps = transforms.MultiscaleCompositeTransform(2)
shape = steps.add_transform(transforms.ActNorm(4), [4, 4, 4])
steps.add_transform(transforms.OneByOneConvolution(2), shape)
steps.to(DEVICE)
whole = [
    flows.MaskedAutoregressiveFlow(wide, 8, 2, 1, batch_norm_between_layers=True).to(DEVICE), flows.SimpleRealNVP(wide, 8, 2, 1, batch_norm_between_layers=True).to(DEVICE),
    distributions.MADEMoG(wide, 8, 3, num_blocks=1, num_mixture_components=3).to(DEVICE), distributions.DiagonalNormal([wide]).to(DEVICE), distributions.ConditionalDiagonalNormal([wide]).to(DEVICE),
    distributions.ConditionalIndependentBernoulli([wide]).to(DEVICE), distributions.StandardNormal([wide]).to(DEVICE), MixtureOfGaussiansMADE(wide, 8, context_features=3, num_blocks=1).to(DEVICE),
]
for at in range(3):
    tried("images", at, lambda: images(torch.rand(2, 1, 8, 8, device=DEVICE)))
    tried("images back", at, lambda: images.inverse(torch.rand(2, 4, 4, 4, device=DEVICE)))
    tried("scales", at, lambda: steps.inverse(steps(torch.rand(2, 4, 4, 4, device=DEVICE))[0]))
    for number, each in enumerate(whole):
        x = torch.rand(8, wide, device=DEVICE)
        context = {2: torch.rand(8, 3, device=DEVICE), 4: torch.rand(8, 2 * wide, device=DEVICE), 5: torch.rand(8, wide, device=DEVICE), 7: torch.rand(8, 3, device=DEVICE)}.get(number)
        tried(f"whole {number}", at, lambda: each.log_prob(x, context=context).mean().backward())
        tried(f"whole {number} drawn", at, lambda: each.sample(4, context=context))
        tried(f"whole {number} mean", at, lambda: each.mean(context))
        step()
    boxed = distributions.uniform.BoxUniform(torch.zeros(wide, device=DEVICE), torch.ones(wide, device=DEVICE))
    tried("box", at, lambda: (boxed.sample((5,)), boxed.log_prob(x)))
