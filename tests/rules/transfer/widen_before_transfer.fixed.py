# doc: Images as bytes, sent as floats
def train(model, files, optimizer, device: torch.device):
    for file in files:
        images = torch.frombuffer(open(file, "rb").read(), dtype=torch.uint8).view(-1, 3, 224, 224)
        loss = model(images.to(device).float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# case: all forms, from all narrow dtypes
def forms(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8)
        a = image.to("cuda").to(torch.float32)
        b = image.to(device="cuda").to(torch.float32)
        c = image.cuda().half()
        d = (image > 128).to("cuda", non_blocking=True).float()
        e = image.cuda().float() / 255
        f = (image.cuda().float() / 255.0).sqrt()
        g = image.to("cuda").long()
        h = torch.randint(9, (n,), dtype=torch.int16).cuda(0).double()
        model(a, b, c, d, e, f, g, h).backward()


# case: everything that becomes wider, from where it was made
# run: widened(lambda *given: sum(each.double().sum() for each in given).requires_grad_(), 3, 2)
# run: widened(lambda *given: sum(each.double().sum() for each in given).requires_grad_(), 0, 1)
def widened(model, n: int, steps: int):
    for step in range(steps):
        low = torch.arange(-n, n, dtype=torch.int8)
        half = torch.tensor([0.1, -0.0, 65504.0, float("inf"), float("nan")], dtype=torch.float16)
        a = low.to("cuda").float()
        b = half.cuda().double()
        c = half[::2].to("cuda").to(torch.float32)
        model(a, b, c).backward()
    return a, b, c


# case: a batch that comes from page-locked memory, where the copy does not block
def pinned(model, n: int, steps: int):
    for step in range(steps):
        image = torch.randint(0, 256, (n, 3), dtype=torch.uint8).pin_memory()
        x = image.to("cuda", non_blocking=True).float()
        model(x).backward()


# case: bytes that become floats because they are divided, and by a method
import numpy as np


def brighten(raw: bytes, sizes, net: nn.Module):
    start = 0
    for size in sizes:
        frame = torch.from_numpy(np.frombuffer(raw, dtype=np.uint8, count=size, offset=start).copy())
        small = frame.to("cuda") / 255
        whole = frame.cuda().float().div(255)
        net(small + whole)
        start += size


# case: what NumPy made float64 is cast behind the copy
import numpy as np


def sample(net: nn.Module, turns: int):
    for _ in range(turns):
        noise = torch.from_numpy(np.random.randn(64, 128)).float().to("cuda")
        net(noise)


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
        tiles = tiles.to("cuda", non_blocking=True).float().div(255)
        scores.append(model(tiles))
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
        photos = photos.to("cuda").float() / 255
        rows.append(model(photos))
    return rows
