import torch
import torch.nn.functional as F
from torch import nn


# doc: The whole step stands under autocast
def train(model, loader, optimizer):
    model.cuda()
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(images.cuda())
            loss = F.cross_entropy(logits, labels.cuda())
            loss.backward()  # expect: TPL307 @ loss.backward()
            optimizer.step()


# case: with a scaler, and with comments
from torch.cuda.amp import GradScaler, autocast

scaler = GradScaler()


def train(model, loader, optimizer):
    for x, y in loader:
        # half precision from here
        with autocast():
            loss = F.mse_loss(model(x.cuda()), y.cuda())  # the loss

            # and back
            scaler.scale(loss).backward()  # expect: TPL307 @ scaler.scale(loss).backward()
            if True:
                scaler.unscale_(optimizer)  # before it is clipped
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()  # for the next turn
        # behind the step
        print(loss.item())


# case: every so many turns, and the step alone
def train(model, loader, optimizer, every):
    for step, x in enumerate(loader):
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(x.cuda()).mean()
            if step % every == 0:
                loss.backward()  # expect: TPL307 @ loss.backward()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            optimizer.zero_grad()
            scaler.step(optimizer)


# case: the step alone
def step(model: nn.Module, x):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(x.cuda()).mean()
    loss.backward()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        print(loss)
        optimizer.step()  # expect: TPL307 @ optimizer.step()


# case: no fix where the model runs again behind it, where there is nothing above it, or where autocast is not alone
def gan(generator: nn.Module, critic: nn.Module, loader, first, second, z):
    for real in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            fake = generator(z)
            loss = critic(fake.detach()).mean() - critic(real.cuda()).mean()
            loss.backward()  # expect: TPL307 @ loss.backward()
            first.step()
            loss = -critic(fake).mean()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss.backward()  # expect: TPL307 @ loss.backward()
        with torch.cuda.device(1), torch.autocast("cuda", dtype=torch.bfloat16):
            loss = critic(z).mean()
            loss.backward()  # expect: TPL307 @ loss.backward()
        second.step()


# case: a decorator puts all of a function under autocast, a `with` all of a loop
@torch.autocast("cuda", dtype=torch.bfloat16)
def step(model, x, y):
    loss = F.mse_loss(model(x), y)
    loss.backward()  # expect: TPL307 @ loss.backward()


def train(model, loader):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        for x, y in loader:
            F.mse_loss(model(x), y).backward()  # expect: TPL307 @ F.mse_loss(model(x), y).backward()


# case: a context that is made elsewhere
class Trainer:
    def __init__(self):
        self.context = torch.autocast("cuda", dtype=torch.bfloat16)

    def step(self, model, x):
        with self.context:
            model(x.cuda()).mean().backward()  # expect: TPL307 @ model(x.cuda()).mean().backward()


# ok: behind it
def train(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = F.mse_loss(model(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# ok: autocast is off there
def train(model, x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x.cuda()).mean()
        with torch.autocast("cuda", enabled=False):
            loss.backward()
    with torch.autocast("cuda", enabled=False):
        model(x.cuda()).mean().backward()


# ok: functions that are written for it
from torch.amp import custom_bwd, custom_fwd


class Scale(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cuda")
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        return grad * 2


def train(x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = Scale.apply(x.cuda()).sum()
        loss.backward()


# ok: a function that is only defined under it, and the gradient of an input
def train(model, x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        def finish(loss):
            loss.backward()

        loss = model(x.cuda()).mean()
        (gradient,) = torch.autograd.grad(loss, x, create_graph=True)
        penalty = gradient.norm()
    finish(loss + penalty)


# ok: a method of one's own that does both passes
class Learner:
    def backward(self):
        loss = self.model(self.x.cuda()).mean()
        with torch.autocast("cuda", enabled=False):
            loss.backward()

    def step(self):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            self.backward()


# ok: a schedule or an environment that steps, and other contexts
def run(env, scheduler, model, x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        state = env.step(model(x.cuda()))
        scheduler.step()
    with torch.profiler.record_function("back"):
        model(x.cuda()).mean().backward()
    return state


# ok: a program that never leaves the CPU
if __name__ == "__main__":
    net = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = net(torch.ones(2, 4)).sum()
        loss.backward()


# missed: a context that is autocast, or nothing
from contextlib import nullcontext


def train(model, x, amp):
    context = torch.autocast("cuda", dtype=torch.bfloat16) if amp else nullcontext()
    with context:
        model(x.cuda()).mean().backward()


# case: no optimizer steps near: a backward pass is timed, a hint
def time_passes(model, loader):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()  # expect: TPL307 @ loss.backward()
