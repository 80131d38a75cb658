import torch
from torch import nn


# doc: Images as bytes, sent as floats
def train(model, files, optimizer, device: torch.device):
    for file in files:
        images = torch.frombuffer(open(file, "rb").read(), dtype=torch.uint8).view(-1, 3, 224, 224)
        loss = model(images.float().to(device))  # expect: TPL208 @ images.float().to(device)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: all forms, from all narrow dtypes
def forms(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8)
        a = image.to("cuda", torch.float32)  # expect: TPL208 @ image.to("cuda", torch.float32)
        b = image.to(dtype=torch.float32, device="cuda")  # expect: TPL208 @ image.to(dtype=torch.float32, device="cuda")
        c = image.to(torch.float16).cuda()  # expect: TPL208 @ image.to(torch.float16).cuda()
        d = (image > 128).float().to("cuda", non_blocking=True)  # expect: TPL208 @ (image > 128).float().to("cuda", non_blocking=True)
        e = (image.float() / 255).cuda()  # expect: TPL208 @ (image.float() / 255).cuda()
        f = (image.float() / 255.0).cuda().sqrt()  # expect: TPL208 @ (image.float() / 255.0).cuda()
        g = image.long().to("cuda")  # expect: TPL208 @ image.long().to("cuda")
        h = torch.zeros(n, dtype=torch.int16).double().cuda(0)  # expect: TPL208 @ torch.zeros(n, dtype=torch.int16).double().cuda(0)
        model(a, b, c, d, e, f, g, h).backward()


# case: a batch that comes from page-locked memory, where the copy does not block
def pinned(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8).pin_memory()
        x = image.float().to("cuda", non_blocking=True)  # expect: TPL208 @ image.float().to("cuda", non_blocking=True)
        model(x).backward()


# ok: it goes over as it is
def narrow(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8)
        model(image.to("cuda").float() / 255, image.cuda().to(torch.float32)).backward()


# ok: where the host does not wait, it is the GPU that converts
def asynchronous(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8)
        model(image.to("cuda", torch.float32, non_blocking=True)).backward()


# ok: nobody knows how wide it was
def unknown(model, loader, rows: torch.Tensor):
    for x, y in loader:
        model(x.float().to("cuda"), y.to("cuda", torch.float32), rows.cpu().float().cuda()).backward()


# ok: it becomes narrower, or stays as wide
def narrower(model, n: int, steps: int):
    for step in range(steps):
        ids = torch.randint(0, 256, (n, 3))
        wide = torch.randn(n, dtype=torch.float64)
        model(ids.float().to("cuda"), wide.float().cuda(), ids.double().cuda(), wide.to("cuda", torch.float32)).backward()


# ok: the host needs the wide values itself
def augmented(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8)
        image = image.float()
        image += torch.randn(n, 3)
        model(image.to("cuda")).backward()


# ok: on the GPU already, or it stays on the host
def placed(model, x: torch.Tensor, n: int, steps: int):
    for step in range(steps):
        mask = torch.ones(n, dtype=torch.bool, device="cuda")
        bits = torch.ones(n, dtype=torch.bool)
        model(mask.float().to("cuda"), bits.float().to("cpu"), (x > 0).float().to(x.device)).backward()


# ok: once, when the program starts
def setup(n: int):
    return torch.randint(0, 256, (n, 3), dtype=torch.uint8).float().to("cuda")


# missed: the cast has a line of its own
def apart(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8)
        image = image.float()
        image = image.to("cuda")
        model(image).backward()
