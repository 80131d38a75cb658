import torch
import torch.nn.functional as F
from torch import nn


# doc: Float16 training whose scaler waits at every step
def train(loader):
    model = nn.Transformer().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler("cuda")
    for source, target in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(model(source.cuda(), target.cuda()), target.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # expect: TPL306 @ scaler.step(optimizer)
        scaler.update()


# case: the loop of a course, clipped and on a device that is chosen at run time
from torch import optim
from torch.cuda.amp import GradScaler, autocast

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fit(data, epochs, limit, criterion):
    model = nn.Linear(64, 8).to(device)
    optimizer = optim.Adam(
        model.parameters(),
        lr=0.001,
        betas=(0.9, 0.99),
    )
    scaler = GradScaler()
    for epoch in range(epochs):
        for inputs, target in data:
            optimizer.zero_grad()
            with autocast():
                output = model(inputs.to(device))
                loss = criterion(output, target.to(device))
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), limit)
            # unscaled already; skipped where a gradient is infinite
            scaler.step(optimizer)  # expect: TPL306 @ scaler.step(optimizer)
            scaler.update()


# case: attributes, a flag for both, and a step every so many turns
class Trainer:
    def __init__(self, model: nn.Module, use_amp: bool):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), 1e-3)
        self.scaler = torch.cuda.amp.GradScaler(enabled=use_amp)

    def train(self, loader, every):
        for turn, x in enumerate(loader):
            loss = self.model(x.cuda()).mean()
            self.scaler.scale(loss).backward()
            if turn % every == 0:
                self.scaler.step(self.optimizer)  # expect: TPL306 @ self.scaler.step(self.optimizer)
                self.scaler.update()


# case: a checkpoint brings the old setting back, so the fix is only shown
def resume(model: nn.Module, x, state):
    optimizer = torch.optim.AdamW(model.cuda().parameters())
    optimizer.load_state_dict(state)
    scaler = torch.amp.GradScaler("cuda")
    scaler.scale(model(x.cuda()).mean()).backward()
    scaler.step(optimizer)  # expect: TPL306 @ scaler.step(optimizer)


# case: SGD that keeps no momentum
def descend(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.cuda().parameters(), lr=0.1, momentum=0, weight_decay=1e-4)
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        scaler.scale(model(x.cuda()).mean()).backward()
        scaler.step(optimizer)  # expect: TPL306 @ scaler.step(optimizer)
        scaler.update()


# ok: SGD with momentum, whose fused kernel leaves the momentum uninitialised if the first step overflows
def accelerate(model: nn.Module, loader, momentum):
    scaler = torch.amp.GradScaler("cuda")
    first = torch.optim.SGD(model.cuda().parameters(), lr=0.1, momentum=0.9)
    second = torch.optim.SGD(model.cuda().parameters(), 0.1, 0.9, nesterov=True)
    third = torch.optim.SGD(model.cuda().parameters(), lr=0.1, momentum=momentum)
    for x in loader:
        scaler.scale(model(x.cuda()).mean()).backward()
        scaler.step(first)
        scaler.step(second)
        scaler.step(third)
        scaler.update()


# ok: a group has momentum
def in_groups(model: nn.Module, loader):
    scaler = torch.amp.GradScaler("cuda")
    optimizer = torch.optim.SGD([{"params": model.cuda().parameters(), "momentum": 0.9}], lr=0.1)
    for x in loader:
        scaler.scale(model(x.cuda()).mean()).backward()
        scaler.step(optimizer)


# ok: a scheduler brings the momentum
def in_cycles(model: nn.Module, loader):
    scaler = torch.amp.GradScaler("cuda")
    optimizer = torch.optim.SGD(model.cuda().parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, 1000)
    for x in loader:
        scaler.scale(model(x.cuda()).mean()).backward()
        scaler.step(optimizer)
        scheduler.step()


# ok: fused, or chosen not to be
def train(model: nn.Module, x, fused, options):
    scaler = torch.amp.GradScaler("cuda")
    weights = model.cuda().parameters()
    scaler.step(torch.optim.AdamW(weights, fused=True))
    scaler.step(torch.optim.AdamW(weights, fused=fused))
    scaler.step(torch.optim.AdamW(weights, foreach=True))
    scaler.step(torch.optim.Adam(weights, differentiable=True))
    scaler.step(torch.optim.AdamW(weights, **options))


# ok: an optimizer that has no fused form, or that nobody knows
def train(model: nn.Module, optimizer, x):
    scaler = torch.amp.GradScaler("cuda")
    rms = torch.optim.RMSprop(model.cuda().parameters())
    scaler.scale(model(x.cuda()).mean()).backward()
    scaler.step(rms)
    scaler.step(optimizer)


# ok: the scaler is off, or the optimizer steps by itself
def train(model: nn.Module, x):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    optimizer = torch.optim.AdamW(model.cuda().parameters())
    scaler.scale(model(x.cuda()).mean()).backward()
    scaler.step(optimizer)
    optimizer.step()


# ok: sharded parameters, whose wrapper has a scaler of its own
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler


def train(model: nn.Module, x):
    model = FullyShardedDataParallel(model.cuda())
    scaler = ShardedGradScaler()
    optimizer = torch.optim.AdamW(model.parameters())
    scaler.scale(model(x.cuda()).mean()).backward()
    scaler.step(optimizer)


# ok: gradients of an embedding that are sparse
def train(x):
    model = nn.Embedding(10_000, 64, sparse=True).cuda()
    scaler = torch.amp.GradScaler("cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler.scale(model(x.cuda()).mean()).backward()
    scaler.step(optimizer)


# ok: in bfloat16 it is the scaler that is too much
def train(model: nn.Module, x):
    scaler = torch.amp.GradScaler("cuda")
    optimizer = torch.optim.AdamW(model.cuda().parameters())
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x.cuda()).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)


# ok: parameters on the CPU, and a scaler that is none
def train(x, pool):
    model = nn.Linear(3, 3).cpu()
    scaler = torch.amp.GradScaler("cpu")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler.step(optimizer)
    pool.step(optimizer)


# missed: one of two optimizers
def train(model: nn.Module, x, use_adam):
    scaler = torch.amp.GradScaler("cuda")
    if use_adam:
        optimizer = torch.optim.Adam(model.parameters())
    else:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler.scale(model(x.cuda()).mean()).backward()
    scaler.step(optimizer)
