"""zuko 1.6.0"""

import torch

import zuko
from zuko import flows

x, c = torch.rand(32, 3, device=DEVICE), torch.randn(32, 2, device=DEVICE)
for name, more in (
    ("NICE", {}),
    ("RealNVP", {}),
    ("MAF", {"randperm": True}),
    ("NSF", {}),
    ("NCSF", {}),
    ("SOSPF", {}),
    ("BPF", {}),
    ("NAF", {}),
    ("UNAF", {}),
    ("GF", {}),
    ("CNF", {}),
    ("GMM", {}),
):
    flow = getattr(flows, name)(3, 2, **({"hidden_features": (16,)} if name != "GMM" else {}), **more).to(DEVICE)
    optimizer = torch.optim.Adam(flow.parameters(), 1e-3)
    for _ in range(3):
        optimizer.zero_grad()
        (-flow(c).log_prob(x).mean()).backward()
        optimizer.step()
    with torch.no_grad():
        for _ in range(2):
            flow(c[0]).sample((4,))
            if name != "GMM":
                flow(c[0]).rsample_and_log_prob((4,))
            step()
boxes = zuko.distributions
low, high = torch.zeros(3, device=DEVICE), torch.ones(3, device=DEVICE)
for _ in range(3):
    for made in (boxes.BoxUniform(low, high), boxes.DiagNormal(low, high), boxes.GeneralizedNormal(high * 2)):
        made.log_prob(made.sample((8,)))
    mixture = boxes.Mixture(boxes.DiagNormal(torch.zeros(4, 3, device=DEVICE), torch.ones(4, 3, device=DEVICE)), torch.zeros(4, device=DEVICE))
    mixture.log_prob(mixture.sample((8,)))
    boxes.Truncated(torch.distributions.Normal(low, high), low - 1, high).sample((8,))
    boxes.Minimum(torch.distributions.Gamma(high, high), 3).log_prob(high)
    step()
for _ in range(3):
    zuko.utils.bisection(torch.sin, low, low + 2.0, high * 4.0)
    zuko.utils.gauss_legendre(torch.sin, low, high)
    zuko.utils.odeint(lambda t, y: -y, high, torch.zeros((), device=DEVICE), torch.ones((), device=DEVICE))
    step()
