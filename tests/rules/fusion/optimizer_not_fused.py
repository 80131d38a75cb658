import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader


# doc: A training script that also runs without a GPU
def train(dataset, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10)).to(device)
    optimizer = optim.AdamW(model.parameters(), lr=1e-3)  # expect: TPL605 @ optim.AdamW(model.parameters(), lr=1e-3)
    loader = DataLoader(dataset, batch_size=256, pin_memory=True, num_workers=4)
    for epoch in range(epochs):
        for images, labels in loader:
            images = images.to(device, non_blocking=True)
            labels = labels.to(device, non_blocking=True)
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


# case: on the GPU for certain
from torch.optim import SGD


def descend(width: int, loader):
    model = nn.Linear(width, width).cuda()
    optimizer = SGD(model.parameters(), 0.1, momentum=0.9)  # expect: TPL605 @ SGD(model.parameters(), 0.1, momentum=0.9)
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).sum().backward()
        optimizer.step()


# ok: SGD with momentum that somebody else steps: a gradient scaler may be among them
def build(width: int):
    model = nn.Linear(width, width).cuda()
    return torch.optim.SGD(model.parameters(), 0.1, momentum=0.9), model


# ok: half precision under autocast
def descend_in_half(width: int, loader):
    model = nn.Linear(width, width).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    for x in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()


# ok: the scaler is behind a library
from accelerate import Accelerator


def descend_faster(model, loader):
    accelerator = Accelerator(mixed_precision="fp16")
    model = model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x in loader:
        accelerator.backward(model(x).sum())
        optimizer.step()


# ok: a library whose settings say the precision
import lightning as L


def descend_in_fabric(model: nn.Module, loader, engine: L.Fabric):
    model = model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    model, optimizer = engine.setup(model, optimizer)
    for x in loader:
        engine.backward(model(x).sum())
        optimizer.step()


# ok: weights that get their first gradient later, at which the fused SGD raises
def thaw(backbone: nn.Module, loader):
    backbone = backbone.cuda()
    optimizer = torch.optim.SGD(backbone.parameters(), 0.1, momentum=0.9)
    for turn, x in enumerate(loader):
        backbone.requires_grad_(turn > 100)
        backbone(x.cuda()).sum().backward()
        optimizer.step()


# ok: SGD without momentum and weight decay is one pass already
def plain(loader):
    model = nn.Linear(512, 512).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    second = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.0, weight_decay=0)
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
        second.step()


# case: groups, filters, names, two models
class Trainer:
    def __init__(self, lr):
        self.net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
        self.net.to("cuda")
        self.head = nn.Linear(8, 2).cuda()
        decayed = [p for name, p in self.net.named_parameters() if p.ndim > 1]
        others = [p for name, p in self.net.named_parameters() if p.ndim <= 1]
        self.first = torch.optim.AdamW(  # expect: TPL605 @ torch.optim.AdamW( [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=lr, )
            [{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}],
            lr=lr,
        )
        wanted = filter(lambda p: p.requires_grad, self.net.parameters())
        self.second = torch.optim.Adam(wanted, lr=lr)  # expect: TPL605 @ torch.optim.Adam(wanted, lr=lr)
        both = list(self.net.parameters()) + list(self.head.parameters())
        self.third = torch.optim.Adam(both, lr=lr)  # expect: TPL605 @ torch.optim.Adam(both, lr=lr)


# case: somebody has switched the default off
def slow(model: nn.Module):
    model = model.cuda()
    return torch.optim.Adam(model.parameters(), foreach=False, lr=0.1)  # expect: TPL605 @ torch.optim.Adam(model.parameters(), foreach=False, lr=0.1)


# case: where `torch` goes by another name
import torch as th

device = "cuda" if th.cuda.is_available() else "cpu"
network = nn.Linear(4, 4).to(device)
adam = th.optim.Adam(network.parameters(), lr=1e-3)  # expect: TPL605 @ th.optim.Adam(network.parameters(), lr=1e-3)


# ok: it has been chosen already
def chosen(flag):
    model = nn.Linear(4, 4).cuda()
    a = torch.optim.AdamW(model.parameters(), fused=True)
    b = torch.optim.AdamW(model.parameters(), fused=False)
    c = torch.optim.AdamW(model.parameters(), foreach=True)
    d = torch.optim.AdamW(model.parameters(), foreach=flag)
    e = torch.optim.SGD(model.parameters(), 0.1, differentiable=True)
    return a, b, c, d, e


# ok: what may be on the CPU, or is moved later
def elsewhere(model: nn.Module, weights, options):
    a = torch.optim.Adam(model.parameters())
    host = nn.Linear(4, 4)
    b = torch.optim.Adam(host.parameters())
    host.cuda()
    mac = nn.Linear(4, 4).to("mps")
    c = torch.optim.SGD(mac.parameters(), 0.1)
    d = torch.optim.SGD(weights, 0.1)
    mine = nn.Linear(4, 4).cuda()
    e = torch.optim.Adam(mine.parameters(), **options)
    return a, b, c, d, e


# ok: part of the weights is somewhere else
def split():
    first, second = nn.Linear(4, 4).cuda(), nn.Linear(4, 4)
    return torch.optim.Adam([{"params": first.parameters()}, {"params": second.parameters()}])


# ok: a few tensors
def paint(content: torch.Tensor):
    image = content.cuda().clone().requires_grad_()
    offset = torch.zeros(3, device="cuda", requires_grad=True)
    return torch.optim.Adam([image, offset], lr=0.1), torch.optim.SGD([{"params": [image]}], 0.1)


# ok: other optimizers, and one's own
class Adam(torch.optim.Optimizer):
    pass


def others():
    model = nn.Linear(4, 4).cuda()
    return torch.optim.RMSprop(model.parameters()), Adam(model.parameters(), {}), torch.optim.LBFGS(model.parameters())


# ok: sparse gradients
def embed():
    table = nn.Embedding(1000, 64, sparse=True).cuda()
    return torch.optim.SGD(table.parameters(), 0.1)


# ok: complex weights
class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(4, dtype=torch.complex64))


def tune():
    return torch.optim.Adam(Filter().cuda().parameters())


# ok: hooks around the step
def hooked(report):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    optimizer.register_step_post_hook(report)
    return optimizer


# ok: a scaler and a closure
def closing(x):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def closure():
        loss = model(x).sum()
        loss.backward()
        return loss

    optimizer.step(closure)


# ok: the weights are sharded by another library
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def shard():
    model = FSDP(nn.Linear(4, 4).cuda())
    return torch.optim.AdamW(model.parameters())


# ok: another library steps in its own way
def mixed(model: nn.Module):
    from apex import amp

    model = model.cuda()
    return amp.initialize(model, torch.optim.Adam(model.parameters()), opt_level="O2")


# ok: the step is compiled
def compiled(loader):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    step = torch.compile(optimizer.step)
    for x in loader:
        model(x.cuda()).sum().backward()
        step()


# ok: it stands in a compiled function
def train(loader):
    model = nn.Linear(4, 4).cuda()
    optimizer = torch.optim.AdamW(model.parameters())

    @torch.compile
    def update():
        optimizer.step()

    for x in loader:
        model(x.cuda()).sum().backward()
        update()


# ok: the only step of its life, to show that it runs
def demo(rank: int):
    model = nn.Linear(10, 5).to(rank)
    optimizer = optim.SGD(model.parameters(), lr=0.001)
    optimizer.zero_grad()
    model(torch.randn(20, 10).to(rank)).sum().backward()
    optimizer.step()


# case: it steps in a loop, or somebody else gets it
def repeat(rank: int, turns: int, run):
    model = nn.Linear(10, 5).to(rank)
    optimizer = optim.Adam(model.parameters(), lr=0.001)  # expect: TPL605 @ optim.Adam(model.parameters(), lr=0.001)
    for turn in range(turns):
        model(torch.randn(20, 10, device=rank)).sum().backward()
        optimizer.step()
    other = optim.Adam(model.parameters())  # expect: TPL605 @ optim.Adam(model.parameters())
    other.step()
    run(model, other)


# missed: Lightning moves the model before it asks for the optimizer
import lightning


class Module(lightning.LightningModule):
    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


# missed: the class is chosen elsewhere
def make(name):
    model = nn.Linear(4, 4).cuda()
    return getattr(torch.optim, name)(model.parameters(), lr=0.1)


# case: the GPU is the default, or the device is a setting
def fit(loader, device="cuda"):
    model = nn.Linear(512, 512).to(device)
    optimizer = torch.optim.Adam(model.parameters())  # expect: TPL605 @ torch.optim.Adam(model.parameters())
    for x in loader:
        model(x.to(device)).mean().backward()
        optimizer.step()


class Runner:
    def __init__(self, config, make):
        self.device = config.device
        self.model: nn.Module = make(config).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.1)  # expect: TPL605 @ torch.optim.Adam(self.model.parameters(), lr=0.1)


# ok: the CPU is the default
def fit_small(loader, device="cpu"):
    model = nn.Linear(4, 4).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for x in loader:
        model(x.to(device)).mean().backward()
        optimizer.step()
