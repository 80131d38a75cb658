"""FrEIA 0.2"""

import torch
from torch import nn
import FrEIA.framework as Ff
import FrEIA.modules as Fm

wide = 6


def dense(into, out):
    return nn.Sequential(nn.Linear(into, 16), nn.ReLU(), nn.Linear(16, out))


def conv(into, out):
    return nn.Conv2d(into, out, 3, padding=1)


flat = {
    "all": (Fm.AllInOneBlock, {"subnet_constructor": dense}), "all soft": (Fm.AllInOneBlock, {"subnet_constructor": dense, "permute_soft": True, "learned_householder_permutation": 2, "reverse_permutation": True}), "gin": (Fm.AllInOneBlock, {"subnet_constructor": dense, "gin_block": True}), "nice": (Fm.NICECouplingBlock, {"subnet_constructor": dense}),
    "rnvp": (Fm.RNVPCouplingBlock, {"subnet_constructor": dense}), "glow": (Fm.GLOWCouplingBlock, {"subnet_constructor": dense, "clamp_activation": "TANH"}), "gincoupled": (Fm.GINCouplingBlock, {"subnet_constructor": dense}), "one": (Fm.AffineCouplingOneSided, {"subnet_constructor": dense}),
    "permute": (Fm.PermuteRandom, {"seed": 1}), "linear": (Fm.FixedLinearTransform, {"M": torch.eye(wide) * 2, "b": torch.ones(wide)}), "sigmoid": (Fm.InvertibleSigmoid, {}), "auto two": (Fm.InvAutoActTwoSided, {}), "scaled": (Fm.LearnedElementwiseScaling, {}), "fc": (Fm.InvAutoFC, {}),
    "act": (Fm.ActNorm, {}), "resnet": (Fm.IResNetLayer, {"hutchinson_samples": 2}), "orthogonal": (Fm.OrthogonalTransform, {"correction_interval": 1}), "householder": (Fm.HouseholderPerm, {"n_reflections": 2}), "householder fixed": (Fm.HouseholderPerm, {"n_reflections": 2, "fixed": True}),
}
for name, (kind, more) in flat.items():
    net = Ff.SequenceINN(wide)
    net.append(kind, **more)
    net.to(DEVICE)
    parameters = [p for p in net.parameters() if p.requires_grad]
    for at in range(3):
        x = torch.randn(8, wide, device=DEVICE).clamp(-0.9, 0.9)

        def there():
            z, jac = net(x)
            loss = (0.5 * (z**2).sum(1) - jac).mean()
            if parameters:
                loss.backward()
            net(z.detach(), rev=True)

        tried(name, at, there)
        step()
nodes = [Ff.InputNode(3, 8, 8, name="in")]
condition = Ff.ConditionNode(4, name="told")
nodes.append(Ff.Node(nodes[-1], Fm.HaarDownsampling, {"rebalance": 0.5}))
nodes.append(Ff.Node(nodes[-1], Fm.GLOWCouplingBlock, {"subnet_constructor": conv}))
nodes.append(Ff.Node(nodes[-1], Fm.Fixed1x1Conv, {"M": torch.eye(12)}))
nodes.append(Ff.Node(nodes[-1], Fm.InvAutoConv2D, {}))
nodes.append(Ff.Node(nodes[-1], Fm.ActNorm, {}))
nodes.append(Ff.Node(nodes[-1], Fm.IRevNetDownsampling, {}))
split = Ff.Node(nodes[-1], Fm.Split, {"section_sizes": [24, 24], "dim": 0})
flatter = Ff.Node(split.out1, Fm.Flatten, {})
nodes.append(split)
nodes.append(flatter)
coupled = Ff.Node(flatter, Fm.RNVPCouplingBlock, {"subnet_constructor": dense}, conditions=condition)
nodes += [coupled, Ff.OutputNode(coupled, name="a"), Ff.OutputNode(split.out0, name="b"), condition]
net = None


def made():
    global net
    net = Ff.GraphINN(nodes).to(DEVICE)


tried("graph", 0, made)
for at in range(3):

    def whole():
        z, jac = net(torch.randn(4, 3, 8, 8, device=DEVICE), c=torch.randn(4, 4, device=DEVICE), intermediate_outputs=False)
        (sum((part**2).mean() for part in z) - jac.mean()).backward()
        net([part.detach() for part in z], c=torch.randn(4, 4, device=DEVICE), rev=True)

    def measured():
        net.log_jacobian_numerical(torch.randn(2, 3, 8, 8, device=DEVICE), c=torch.randn(2, 4, device=DEVICE))

    tried("whole", at, whole)
    tried("measured", at, measured)

    def mixture():
        sizes = Fm.GaussianMixtureModel.normalize_weights(torch.randn(4, 3, device=DEVICE))
        block = Fm.GaussianMixtureModel([(wide,)], [(3,), (3, wide), (3, wide * (wide + 1) // 2)]).to(DEVICE)
        mu, upper = torch.randn(4, 3, wide, device=DEVICE), torch.randn(4, 3, wide * (wide - 1) // 2 + wide, device=DEVICE)
        z, jac = block([torch.randn(4, wide, device=DEVICE)], c=[sizes, mu, upper])
        Fm.GaussianMixtureModel.nll_loss(sizes, z, jac)
        Fm.GaussianMixtureModel.pick_mixture_component(sizes)

    tried("mixture", at, mixture)
    step()
