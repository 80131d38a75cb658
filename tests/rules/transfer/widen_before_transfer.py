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
        h = torch.randint(9, (n,), dtype=torch.int16).double().cuda(0)  # expect: TPL208 @ torch.randint(9, (n,), dtype=torch.int16).double().cuda(0)
        model(a, b, c, d, e, f, g, h).backward()


# case: everything that becomes wider, from where it was made
# run: widened(lambda *given: sum(each.double().sum() for each in given).requires_grad_(), 3, 2)
# run: widened(lambda *given: sum(each.double().sum() for each in given).requires_grad_(), 0, 1)
def widened(model, n: int, steps: int):
    for step in range(steps):
        low = torch.arange(-n, n, dtype=torch.int8)
        half = torch.tensor([0.1, -0.0, 65504.0, float("inf"), float("nan")], dtype=torch.float16)
        a = low.float().to("cuda")  # expect: TPL208 @ low.float().to("cuda")
        b = half.double().cuda()  # expect: TPL208 @ half.double().cuda()
        c = half[::2].to("cuda", torch.float32)  # expect: TPL208 @ half[::2].to("cuda", torch.float32)
        model(a, b, c).backward()
    return a, b, c


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


# ok: flags that are computed on the spot should be made on the GPU, however wide they are
def bands(model, length: int, width: int, device: torch.device, steps: int):
    for step in range(steps):
        same = (torch.arange(length) % width == step % width) & (torch.arange(length) != step)
        near = ((torch.arange(length) >= step) & ~(torch.arange(length) > step + width)).to(torch.float32).to(device)
        odd = (torch.arange(length) % 2 == 1).float().to(device)
        model(same.to(device), near, odd).backward()


# case: bytes that become floats because they are divided, and by a method
import numpy as np


def brighten(raw: bytes, sizes, net: nn.Module):
    start = 0
    for size in sizes:
        frame = torch.from_numpy(np.frombuffer(raw, dtype=np.uint8, count=size, offset=start).copy())
        small = (frame / 255).to("cuda")  # expect: TPL208 @ (frame / 255).to("cuda")
        whole = frame.float().div(255).cuda()  # expect: TPL208 @ frame.float().div(255).cuda()
        net(small + whole)
        start += size


# case: what NumPy made float64 is cast behind the copy
import numpy as np


def sample(net: nn.Module, turns: int):
    for _ in range(turns):
        noise = torch.from_numpy(np.random.randn(64, 128)).to("cuda").float()  # expect: TPL208 @ torch.from_numpy(np.random.randn(64, 128)).to("cuda")
        net(noise)


# ok: arrays of floats that are no wider than they need be, or of unknown dtype
import numpy as np


def score(net: nn.Module, frames: np.ndarray):
    for frame in frames:
        net(torch.from_numpy(frame).to("cuda").float())
        net(torch.from_numpy(frame.astype(np.float32)).to("cuda").float())
        net(torch.from_numpy(np.random.randn(3)).to("cuda"))


# case: the dataset says what its loader gives
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Tiles(Dataset):
    def __init__(self, files):
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return torch.from_numpy(np.load(self.files[index]).astype(np.uint8)), index


def classify(model, files):
    scores = []
    for tiles, _ in DataLoader(Tiles(files), 64, pin_memory=True):
        tiles = tiles.float().div(255).to("cuda", non_blocking=True)  # expect: TPL208 @ tiles.float().div(255).to("cuda", non_blocking=True)
        scores.append(model(tiles))
    return scores


# ok: another function puts the items together
def joined(items):
    return torch.stack([item[0] for item in items]).half(), None


def classify_half(model, files):
    scores = []
    for tiles, _ in DataLoader(Tiles(files), 64, pin_memory=True, collate_fn=joined):
        scores.append(model(tiles.float().to("cuda", non_blocking=True)))
    return scores


# case: images, whose mode says that they are bytes
import numpy as np
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class Photos(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        photo = Image.open(self.paths[index]).convert("RGB").resize((224, 224))
        return torch.from_numpy(np.array(photo)).permute(2, 0, 1)


def embed(model, paths):
    rows = []
    for photos in DataLoader(Photos(paths), 64):
        photos = (photos.float() / 255).to("cuda")  # expect: TPL208 @ (photos.float() / 255).to("cuda")
        rows.append(model(photos))
    return rows


# ok: images of whatever mode they were saved in, or of floats
import numpy as np
from PIL import Image


def heights(path, device):
    saved = torch.from_numpy(np.array(Image.open(path))).float().to(device)
    return saved + torch.from_numpy(np.array(Image.open(path).convert("F"))).float().to("cuda")
