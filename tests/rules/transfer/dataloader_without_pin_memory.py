import torch
from torch.utils.data import DataLoader, Dataset


# doc: Workers load the batches, and every copy goes through pageable memory
def train(model, dataset, optimizer, criterion, epochs):
    device = torch.device("cuda")
    loader = DataLoader(dataset, batch_size=64, shuffle=True, num_workers=8)  # expect: TPL204 @ DataLoader
    for epoch in range(epochs):
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            loss = criterion(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


# case: code that runs without a GPU too, on several lines
def evaluate(model, dataset, workers):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = torch.utils.data.DataLoader(  # expect: TPL204 @ torch.utils.data.DataLoader
        dataset,
        batch_size=64,
        num_workers=workers,  # as many as there are cores
    )
    for step, batch in enumerate(loader):
        batch = {key: value.to(device, non_blocking=True) for key, value in batch.items()}
        model(**batch)


# case: loaders of a function, of a class, and as arguments
def loaders(train_set, test_set):
    train = DataLoader(train_set, num_workers=4)  # expect: TPL204 @ DataLoader
    test = DataLoader(test_set, num_workers=4)  # expect: TPL204 @ DataLoader
    return train, test


class Trainer:
    def __init__(self, model, train_set, test_set):
        self.model = model
        self.train, self.test = loaders(train_set, test_set)

    def run(self):
        for x, y in self.train:
            self.model(x.cuda(), y.cuda()).backward()
        for x, _ in self.test:
            self.model(x.cuda())


def main(model, first, second):
    run(model, DataLoader(first, num_workers=2))  # expect: TPL204 @ DataLoader
    run(model, loader=DataLoader(second, num_workers=2))  # expect: TPL204 @ DataLoader


def run(model, loader):
    for batch in loader:
        model(batch["x"].cuda())


if __name__ == "__main__":
    main(torch.nn.Linear(3, 3).cuda(), list(), list())


# case: only where there is a GPU
def optional(model, dataset, args):
    for x, y in DataLoader(dataset, num_workers=4):  # expect: TPL204 @ DataLoader
        if args.use_cuda:
            x, y = x.cuda(), y.cuda()
        model(x, y)


# case: a tensor as the dataset, at the top level of a script
data, mask = torch.randn(1024, 3, 26, 26), torch.randn(1024, 1, 26, 26)
batches = DataLoader(torch.utils.data.TensorDataset(data, mask), batch_size=64, num_workers=2)  # expect: TPL204 @ DataLoader
net = torch.nn.Conv2d(3, 1, 1).cuda()

for image, target in batches:
    predicted = net(image.cuda())
    torch.nn.functional.mse_loss(predicted, target.cuda()).backward()


# ok: they are page-locked, or somebody decided that they are not
def pinned(model, dataset, settings):
    for x, y in DataLoader(dataset, num_workers=4, pin_memory=True):
        model(x.cuda(non_blocking=True), y.cuda(non_blocking=True))
    for x, y in DataLoader(dataset, num_workers=4, pin_memory=False):
        model(x.cuda(), y.cuda())
    for x, y in DataLoader(dataset, num_workers=4, **settings):
        model(x.cuda(), y.cuda())


# ok: without workers the main thread would page-lock the batches itself
def single(model, dataset):
    for x, y in DataLoader(dataset, batch_size=64):
        model(x.cuda(), y.cuda())
    for x, y in DataLoader(dataset, batch_size=64, num_workers=0):
        model(x.cuda(), y.cuda())


# ok: the batches stay on the host, or go to another kind of device, or nobody knows where
def on_host(model, dataset, device):
    for x, y in DataLoader(dataset, num_workers=4):
        model(x, y)
    for x, y in DataLoader(dataset, num_workers=4):
        model(x.to("cpu"), y.to("mps"))
    for x, y in DataLoader(dataset, num_workers=4):
        model(x.to(device), y.to(torch.float16))


# ok: the dataset gives tensors of the GPU; page-locking those raises an error
class OnGpu(Dataset):
    def __init__(self, rows):
        self.rows = rows.cuda()

    def __getitem__(self, index):
        return self.rows[index], index


def of_gpu(model, rows):
    for x, y in DataLoader(OnGpu(rows), num_workers=4):
        model(x.cuda(), y.cuda())
    held = torch.utils.data.TensorDataset(torch.zeros(100, 3, device="cuda"), torch.zeros(100))
    for x, y in DataLoader(held, num_workers=4):
        model(x.cuda(), y.cuda())


# ok: batches of one's own class, which no loader page-locks without a method for it
class Batch:
    def __init__(self, rows):
        self.rows = torch.stack(rows)

    def to(self, device):
        self.rows = self.rows.to(device)
        return self


def of_objects(model, dataset):
    for batch in DataLoader(dataset, num_workers=4, collate_fn=Batch):
        model(batch.to("cuda"))
    for batch in DataLoader(dataset, num_workers=4, collate_fn=Batch):
        model(batch.rows.to("cuda"))


# ok: the collate function places the batch itself
def placed(rows):
    return torch.stack(rows).cuda()


def of_collate(model, dataset):
    for x, y in DataLoader(dataset, num_workers=4, collate_fn=placed):
        model(x.cuda(), y.cuda())


# ok: what is computed from a batch is pageable again
def computed(model, dataset):
    for x, y in DataLoader(dataset, num_workers=4):
        model(x.float().cuda(), (y + 1).cuda())


# ok: the large part of the batch goes through NumPy first
import numpy as np


def augmented(model, dataset):
    for points, label in DataLoader(dataset, num_workers=4):
        points = points.numpy()
        points = torch.Tensor(points + np.random.randn(*points.shape))
        model(points.cuda(), label.cuda())


# ok: one batch to look at
def shown(model, dataset):
    x, y = next(iter(DataLoader(dataset, num_workers=4)))
    return model(x.cuda())


# missed: the batch is moved by a function of another file
def handed(model, dataset, to_device):
    for batch in DataLoader(dataset, num_workers=4):
        model(to_device(batch, "cuda"))


# case: the loader comes out of a function, and the device is one of the settings
def loaders(config):
    first = DataLoader(config.train, batch_size=64, num_workers=config.workers)  # expect: TPL204 @ DataLoader
    second = DataLoader(config.valid, batch_size=64)
    return first, second


class Runner:
    def __init__(self, config, model):
        self.device = config.device
        self.model = model.to(self.device)

    def fit(self, batches):
        for x, y in batches:
            F.mse_loss(self.model(x.to(self.device)), y.to(self.device)).backward()


def main(config, model):
    runner = Runner(config, model)
    train, valid = loaders(config)
    runner.fit(train)
    runner.fit(valid)


# case: the device is a field of the settings, the GPU where nobody says otherwise
from dataclasses import dataclass


@dataclass
class Settings:
    workers: int = 4
    device: str = "cuda"


def run(settings: Settings, dataset, model):
    device = torch.device(settings.device)
    loader = DataLoader(dataset, 32, num_workers=settings.workers)  # expect: TPL204 @ DataLoader
    for batch in loader:
        x, y = batch["x"].to(device), batch["y"].to(device)
        F.mse_loss(model(x), y).backward()


# ok: a field that is the CPU where nobody says otherwise
from dataclasses import dataclass


@dataclass
class Settings:
    workers: int = 4
    device: str = "cpu"


def run(settings: Settings, dataset, model):
    device = torch.device(settings.device)
    loader = DataLoader(dataset, 32, num_workers=settings.workers)
    for batch in loader:
        x, y = batch["x"].to(device), batch["y"].to(device)
        F.mse_loss(model(x), y).backward()
