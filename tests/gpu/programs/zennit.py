"""zennit 1.0.0"""

import torch
from torch import nn

stand_in("click")
from zennit import attribution, canonizers, composites, image, torchvision as zv

net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(4, 4, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64, 5)).to(DEVICE).eval()
low, high = torch.full((1, 3, 16, 16), -2.0, device=DEVICE), torch.full((1, 3, 16, 16), 2.0, device=DEVICE)


merge = [canonizers.SequentialMergeBatchNorm()]
made = {
    "box": lambda: composites.EpsilonGammaBox(low=low, high=high), "plus": composites.EpsilonPlus, "merged": lambda: composites.EpsilonPlus(canonizers=merge), "alpha": lambda: composites.EpsilonAlpha2Beta1(), "flat": lambda: composites.EpsilonPlusFlat(canonizers=merge), "alpha flat": lambda: composites.EpsilonAlpha2Beta1Flat(),
    "deconv": composites.DeconvNet, "guided": composites.GuidedBackprop, "excitation": composites.ExcitationBackprop, "smooth": composites.BetaSmooth, "named": lambda: composites.NameMapComposite([(["0"], __import__("zennit.rules").rules.ZBox(low, high)), (["8"], __import__("zennit.rules").rules.Epsilon())]), "none": lambda: None,
}
for at in range(3):
    x = torch.randn(4, 3, 16, 16, device=DEVICE)
    for name, make in made.items():

        def plain():
            with attribution.Gradient(model=net, composite=make()) as attributor:
                out, relevance = attributor(x, torch.eye(5, device=DEVICE)[[0, 1, 2, 3]])
                heat = relevance.sum(1).cpu().numpy()
                image.imgify(heat[0], symmetric=True, cmap="coldnhot")

        def smooth():
            with attribution.SmoothGrad(model=net, composite=make(), n_iter=3, noise_level=0.1) as attributor:
                attributor(x, torch.eye(5, device=DEVICE)[[0, 1, 2, 3]])

        def integrated():
            with attribution.IntegratedGradients(model=net, composite=make(), n_iter=3) as attributor:
                attributor(x, torch.eye(5, device=DEVICE)[[0, 1, 2, 3]])

        for way in (plain, smooth, integrated):
            tried(f"{name} {way.__name__}", at, way)
    for kind in ("constant", "other"):

        def hidden():
            fill = attribution.occlude_independent if kind == "constant" else None
            with attribution.Occlusion(model=net, window=8, stride=8, **({"occlusion_fn": fill} if fill else {})) as attributor:
                attributor(x, torch.eye(5, device=DEVICE)[[0, 1, 2, 3]])

        tried(f"hidden {kind}", at, hidden)
    step()
