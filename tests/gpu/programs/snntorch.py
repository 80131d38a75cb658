"""snntorch 1.0.0"""

import torch
from torch import nn

stand_in("matplotlib", "matplotlib.pyplot", "matplotlib.animation", "celluloid", "h5py", "nir", "nirtorch", "pandas")
import snntorch as snn
from snntorch import backprop, spikegen, surrogate, utils
from snntorch import functional as SF

images = torch.rand(8, 1, 12, 12)
labels = torch.arange(8) % 4
loader = torch.utils.data.DataLoader(list(zip(images, labels)), batch_size=4)


class Net(nn.Module):
    def __init__(self, kind, **more):
        super().__init__()
        self.first, self.second = nn.Linear(144, 16), nn.Linear(16, 4)
        self.spike = kind(beta=0.9, spike_grad=surrogate.fast_sigmoid(), init_hidden=True, **more)
        self.last = snn.Leaky(beta=0.8, init_hidden=True, output=True, learn_threshold=True)

    def forward(self, x):
        return self.last(self.second(self.spike(self.first(x.flatten(1)))))


kinds = [(snn.Leaky, {"learn_beta": True}), (snn.Lapicque, {}), (snn.Synaptic, {"alpha": 0.8}), (snn.RLeaky, {"linear_features": 16})]
for kind, more in kinds:
    net = Net(kind, **more).to(DEVICE)
    optimizer = torch.optim.Adam(net.parameters())
    for loss in (SF.ce_rate_loss(), SF.mse_count_loss(correct_rate=0.8, incorrect_rate=0.1), SF.ce_count_loss()):
        for x, y in loader:
            x, y = x.to(DEVICE), y.to(DEVICE)
            utils.reset(net)
            spikes = torch.stack([net(x)[0] for _ in range(5)])
            optimizer.zero_grad()
            loss(spikes, y).backward()
            optimizer.step()
            SF.accuracy_rate(spikes, y)
            spikegen.rate(x, num_steps=5)
            spikegen.latency(x.clamp(0.01, 0.99), num_steps=5, normalize=True, linear=True)
            spikegen.delta(x, threshold=0.1)
            spikegen.targets_convert(y, num_classes=4, code="rate", num_steps=5, correct_rate=1, incorrect_rate=0)
            spikegen.targets_convert(y, num_classes=4, code="latency", num_steps=5, normalize=True, linear=True, off_target=0.1)
    backprop.BPTT(net, loader, num_steps=4, optimizer=optimizer, criterion=SF.ce_rate_loss(), time_var=False, device=DEVICE)
for kind in (SF.ce_temporal_loss, SF.mse_temporal_loss, SF.mse_membrane_loss):
    for _ in range(2):
        spikes = (torch.rand(5, 4, 4, device=DEVICE) > 0.5).float().requires_grad_()
        kind()(spikes, torch.arange(4, device=DEVICE)).backward()
        SF.accuracy_temporal(spikes, torch.arange(4, device=DEVICE))
        step()
