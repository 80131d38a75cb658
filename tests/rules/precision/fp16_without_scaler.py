import torch
import torch.nn.functional as F
from torch import nn, optim


# doc: Mixed precision by autocast alone
def train(model, loader, optimizer):
    model.cuda()
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()  # expect: TPL304 @ loss.backward()
        optimizer.step()


# case: the loop of a course, with the autocast of `torch.cuda.amp`, whose dtype is float16
from torch.cuda.amp import autocast


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(x)


model = Net().cuda()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.01)


def epoch(data):
    for inputs, targets in data:
        optimizer.zero_grad()

        # inputs are cast to half precision in here
        with autocast():
            output = model(inputs)
            loss = criterion(output, targets)

        # autocast has ended above the backward pass, and still
        loss.backward()  # expect: TPL304 @ loss.backward()
        optimizer.step()


# case: "half precision throughout, without scaling", on a device that is chosen at run time
device = "cuda" if torch.cuda.is_available() else "cpu"


def fit(net, data, targets, criterion):
    opt = torch.optim.SGD(net.parameters(), lr=0.001)
    for batch, target in zip(data, targets):
        with torch.autocast(device_type=device, dtype=torch.float16):
            output = net(batch)
            assert output.dtype is torch.float16  # a linear layer gives half precision
            loss = criterion(output, target)
            assert loss.dtype is torch.float32  # the loss does not
        loss.backward()  # expect: TPL304 @ loss.backward()
        opt.step()
        opt.zero_grad()


# case: the default of autocast on the GPU, and a loss that leaves half precision on its way
def fit(net, loader, opt, device: torch.device):
    for x, y in loader:
        with torch.amp.autocast("cuda"):
            logits = net(x.to(device))
        loss = F.cross_entropy(logits.float(), y.to(device))
        loss = loss + 1e-4 * sum(p.square().sum() for p in net.parameters())
        (loss / 4).backward()  # expect: TPL304 @ (loss / 4).backward()
        opt.step()


# case: what kind of device it is, says the device; and the loss comes from one of two branches
def fit(net, loader, opt, kind):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for x, y in loader:
        if kind == "whole":
            with torch.amp.autocast(device_type=str(device)):
                output = net(x.to(device))
            loss = F.cross_entropy(output, y.to(device))
        else:
            with torch.autocast(device.type):
                output = net(x.to(device)[:, :16])
            loss = F.cross_entropy(output, y.to(device))
        loss.backward()  # expect: TPL304 @ loss.backward()
        opt.step()


# case: of two losses one is scaled
def gan(generator, critic, loader, of_generator, of_critic, z):
    scaler = torch.amp.GradScaler("cuda")
    for real in loader:
        with torch.autocast("cuda"):
            fake = generator(z)
            critic_loss = critic(fake.detach()).mean() - critic(real.cuda()).mean()
        of_critic.zero_grad()
        scaler.scale(critic_loss).backward()
        scaler.step(of_critic)
        with torch.autocast("cuda"):
            generator_loss = -critic(fake).mean()
        of_generator.zero_grad()
        generator_loss.backward()  # expect: TPL304 @ generator_loss.backward()
        of_generator.step()
        scaler.update()


# case: and the backward pass is under autocast as well: one finding
def train(model, loader, optimizer):
    for images, labels in loader:
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
            loss.backward()  # expect: TPL304 @ loss.backward()
        optimizer.step()


# case: the parameters themselves are half precision
class Recognizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


def train(loader):
    model = Recognizer().cuda().half()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for images, labels in loader:
        loss = criterion(model(images.cuda().half()), labels.cuda())
        loss.backward()  # expect: TPL304 @ loss.backward()
        optimizer.step()


# case: the optimizer steps in another method
class Learner:
    def __init__(self, net):
        self.net = net.cuda()
        self.optimizer = optim.SGD(net.parameters(), lr=0.1)

    def gradients(self, x, y):
        with torch.autocast("cuda"):
            loss = F.cross_entropy(self.net(x.cuda()), y.cuda())
        loss.backward()  # expect: TPL304 @ loss.backward()

    def update(self):
        self.optimizer.step()


# ok: gradients of two implementations are compared, or a backward pass is timed: nothing trains
def compare(fast: nn.Module, plain: nn.Module):
    x = torch.rand(8, 8).cuda().requires_grad_()
    y = x.detach().clone().requires_grad_()
    with torch.autocast("cuda"):
        of_fast, of_plain = fast.cuda()(x), plain.cuda()(y)
    of_fast.sum().backward()
    of_plain.sum().backward()
    print((x.grad - y.grad).abs().max())


def time_passes(model, loader):
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()


# ok: bfloat16 has the range of float32
def train(model, loader, optimizer):
    for images, labels in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()


# ok: scaled, with and without `unscale_` and clipping
def train(model, loader, optimizer, clip):
    scaler = torch.cuda.amp.GradScaler()
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", torch.float16):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        scaled = scaler.scale(loss)
        scaled.backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        scaler.step(optimizer)
        scaler.update()


# ok: the scaler and autocast are switched by one flag
def train(net, data, targets, loss_fn, opt, use_amp=True):
    scaler = torch.cuda.amp.GradScaler(enabled=use_amp)
    for batch, target in zip(data, targets):
        with torch.autocast(device_type="cuda", dtype=torch.float16, enabled=use_amp):
            output = net(batch)
            loss = loss_fn(output, target)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()


# ok: the other branch of a choice
def train(model, loader, optimizer, scaler=None):
    for images, labels in loader:
        with torch.cuda.amp.autocast(enabled=scaler is not None):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()


# ok: a choice that is made once, with two loops
def train(model, loader, optimizer, use_fp16):
    for images, labels in loader:
        if use_fp16:
            with torch.autocast("cuda"):
                loss = F.cross_entropy(model(images.cuda()), labels.cuda())
            scaler = torch.amp.GradScaler()
            scaler.scale(loss).backward()
        else:
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
            loss.backward()


# ok: scaled by hand
def train(model, loader, optimizer, loss_scale=1024.0):
    for images, labels in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        (loss * loss_scale).backward()
        for parameter in model.parameters():
            parameter.grad.div_(loss_scale)
        optimizer.step()


# ok: frameworks that scale the loss themselves
from accelerate import Accelerator


def train(model, loader, optimizer, engine):
    accelerator = Accelerator(mixed_precision="fp16")
    for images, labels in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.cross_entropy(model(images), labels)
        accelerator.backward(loss)
        engine.backward(loss)
        optimizer.step()


# ok: half precision for what has no gradient
def distill(student, teacher, loader, optimizer):
    for images in loader:
        with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16):
            target = teacher(images.cuda())
        loss = F.mse_loss(student(images.cuda()), target.float())
        loss.backward()
        optimizer.step()


# ok: autocast that is off, or for the CPU, or whose dtype is chosen elsewhere
def train(model, loader, optimizer, dtype):
    for images, labels in loader:
        with torch.autocast("cuda", enabled=False):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        with torch.autocast("cpu"):
            loss = F.cross_entropy(model(images), labels)
        loss.backward()
        with torch.autocast("cuda", dtype=dtype):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        loss.backward()
        optimizer.step()


# ok: a program that never leaves the CPU
if __name__ == "__main__":
    net = nn.Linear(4, 4)
    with torch.autocast("cpu", dtype=torch.float16):
        loss = net(torch.ones(2, 4)).sum()
    loss.backward()


# missed: autocast is on inside of the model
class Cast(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    @torch.autocast("cuda", dtype=torch.float16)
    def forward(self, x):
        return self.layer(x)


def train(loader, optimizer):
    model = Cast().cuda()
    for x in loader:
        loss = model(x.cuda()).sum()
        loss.backward()
        optimizer.step()




# ok: half precision is for the teacher, for inference, or was taken back; and parameters in bfloat16
def distill(loader, optimizer):
    teacher, student = nn.Linear(8, 8).cuda().half(), nn.Linear(8, 8).cuda()
    shadow = nn.Linear(8, 8).cuda().to(torch.bfloat16)
    back = nn.Linear(8, 8).half().cuda().float()
    for x in loader:
        target = teacher(x.cuda().half())
        loss = F.mse_loss(student(x.cuda()), target.float().detach())
        loss.backward()
        shadow(x.cuda().bfloat16()).sum().backward()
        back(x.cuda()).sum().backward()
        optimizer.step()


# ok: a test that asks what half precision does
def test_half():
    model = nn.Linear(8, 8).cuda().half()
    loss = model(torch.ones(2, 8, device="cuda").half()).sum()
    loss.backward()
    assert model.weight.grad is not None
