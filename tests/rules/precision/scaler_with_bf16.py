import torch
import torch.nn.functional as F
from torch import nn


# doc: A loop that changed from float16 to bfloat16, and kept its scaler
def train(model, loader, optimizer):
    model.cuda()
    scaler = torch.amp.GradScaler("cuda")  # expect: TPL305 @ torch.amp.GradScaler("cuda")
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# case: switched by the flag that switches autocast, and with other arguments
from torch.cuda.amp import GradScaler, autocast


def train(net, data, targets, loss_fn, opt, use_amp=True):
    scaler = GradScaler(enabled=use_amp)  # expect: TPL305 @ GradScaler(enabled=use_amp)
    other = GradScaler(init_scale=1024.0)  # expect: TPL305 @ GradScaler(init_scale=1024.0)
    for batch, target in zip(data, targets):
        with autocast(dtype=torch.bfloat16, enabled=use_amp):
            output = net(batch)
            loss = loss_fn(output, target)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        with autocast(enabled=False):
            other.scale(loss_fn(net(batch), target)).backward()


# ok: float16 needs it; the default of CUDA is float16
def train(model, x):
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda"):
        loss = model(x.cuda()).mean()
    scaler.scale(loss).backward()


# ok: the dtype is chosen at run time, and the scaler with it
def train(model, x, dtype):
    amp_dtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]
    scaler = torch.amp.GradScaler("cuda", enabled=(dtype == "float16"))
    with torch.autocast("cuda", dtype=amp_dtype):
        loss = model(x.cuda()).mean()
    scaler.scale(loss).backward()


# ok: the scaler is switched by the dtype, autocast is not
def train(model, x, args):
    scaler = torch.amp.GradScaler("cuda", enabled=args.fp16)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x.cuda()).mean()
    scaler.scale(loss).backward()


# ok: bfloat16 for one part, float16 for the other
def train(encoder, decoder, x):
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        y = encoder(x.cuda())
    with torch.autocast("cuda", dtype=torch.float16):
        loss = decoder(y).mean()
    scaler.scale(loss).backward()


# ok: off, or what it is told
def train(model, x, options):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    second = torch.amp.GradScaler(**options)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x.cuda()).mean()
    scaler.scale(second.scale(loss)).backward()


# ok: a context of one's own may run in anything
class Trainer:
    def __init__(self):
        self.scaler = torch.amp.GradScaler("cuda")

    def step(self, model, x):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            y = model(x.cuda())
        with self.autocast_context():
            loss = y.mean()
        self.scaler.scale(loss).backward()


# ok: another one's scaler
from elsewhere import GradScaler as Scaler


def train(model, x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return Scaler().scale(model(x.cuda()).mean())


# missed: a scaler without any autocast
def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
