import gc

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.cuda import empty_cache
from torch.utils.data import DataLoader


# doc: The cache is emptied after every step
def train(model, dataset, optimizer):
    model.cuda()
    for x, y in DataLoader(dataset, batch_size=64):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        del x, y, loss
        torch.cuda.empty_cache()  # expect: TPL501 @ torch.cuda.empty_cache()


# case: garbage is collected as well, and both stand behind a check for a GPU
def train(model, loader, optimizer, device):
    for x, y in loader:
        loss = F.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        gc.collect()  # expect: TPL501 @ gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()  # expect: TPL501 @ torch.cuda.empty_cache()


# case: a helper that every step calls
def clean():
    # give it all back
    gc.collect()  # expect: TPL501 @ gc.collect()
    empty_cache()  # expect: TPL501 @ empty_cache()


def train(model, loader, optimizer):
    for x in loader:
        model(x.cuda()).mean().backward()
        optimizer.step()
        clean()


# case: between the parts of a forward pass
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        h = self.encoder(x)
        torch.cuda.empty_cache()  # expect: TPL501 @ torch.cuda.empty_cache()
        return self.head(h)


# case: the inference loop of a notebook, with an alias, and as the last of several statements
import torch as th

model = nn.Linear(4, 4).cuda().eval()
outputs = []
with th.no_grad():
    for batch in DataLoader(range(100)):
        outputs.append(model(batch.cuda()).cpu())
        th.cuda.empty_cache(); th.cuda.ipc_collect()  # expect: TPL501 @ th.cuda.empty_cache() && TPL501 @ th.cuda.ipc_collect()


# ok: the final version
def train(model, loader, optimizer):
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# ok: once an epoch
def train(model, loader, optimizer, epochs):
    for epoch in range(epochs):
        for x, y in loader:
            F.cross_entropy(model(x.cuda()), y.cuda()).backward()
            optimizer.step()
        gc.collect()
        torch.cuda.empty_cache()


# ok: every so many steps, or where the user asks for it
def train(model, loader, optimizer, args):
    for step, (x, y) in enumerate(loader):
        F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        optimizer.step()
        if step % 500 == 0:
            torch.cuda.empty_cache()
        if args.save_memory:
            torch.cuda.empty_cache()


# ok: after an out-of-memory error
def train(model, loader, optimizer):
    for x, y in loader:
        try:
            F.cross_entropy(model(x.cuda()), y.cuda()).backward()
        except torch.cuda.OutOfMemoryError:
            optimizer.zero_grad()
            torch.cuda.empty_cache()
            continue
        optimizer.step()


# ok: one model makes room for the next
def predict(paths, loader):
    for path in paths:
        model = torch.load(path).cuda().eval()
        for x in loader:
            yield model(x.cuda())
        del model
        gc.collect()
        torch.cuda.empty_cache()


# ok: the text encoder leaves the GPU before the denoiser comes
def sample(encoder: nn.Module, denoiser: nn.Module, prompts: DataLoader):
    for tokens in prompts:
        encoder.cuda()
        h = encoder(tokens.cuda())
        encoder.cpu()
        torch.cuda.empty_cache()
        denoiser.cuda()
        yield denoiser(h)
        denoiser.to("cpu")
        if torch.cuda.is_available():
            torch.cuda.empty_cache()


# ok: before the first step, and at the end
def main(model, loader, optimizer):
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
    torch.cuda.empty_cache()


# ok: a program that never leaves the CPU, and a collector of something else
from collections import Counter


class Bag:
    def collect(self):
        return Counter()


def train(model, loader, optimizer, bag):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
        bag.collect()
        gc.collect()


if __name__ == "__main__":
    train(nn.Linear(3, 3), DataLoader(range(9)), torch.optim.SGD([torch.zeros(3, requires_grad=True)], lr=0.1), Bag())


# ok: each turn is measured from a clean slate
def profile(models: list[nn.Module], loader: DataLoader):
    peaks = []
    for x in loader:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        for model in models:
            model(x.cuda()).sum().backward()
        peaks.append(torch.cuda.max_memory_allocated())
    return peaks


# ok: tests start each turn afresh
def test_memory():
    model = nn.Linear(4, 4).cuda()
    for x in DataLoader(range(8)):
        torch.cuda.empty_cache()
        assert model(x.cuda()).isfinite().all()


# missed: through an attribute that holds the function
class Trainer:
    def __init__(self, model, optimizer):
        self.flush = torch.cuda.empty_cache
        self.model = model
        self.optimizer = optimizer

    def fit(self, loader):
        for x in loader:
            self.model(x.cuda()).sum().backward()
            self.optimizer.step()
            self.flush()


# ok: a warm-up of three turns
def warm_up(model: nn.Module, loader, turns=3):
    model.cuda()
    for i, x in enumerate(loader):
        if i >= 3:
            break
        model(x.cuda()).sum().backward()
        torch.cuda.empty_cache()


# ok: whoever asks for it wants the memory
class Stack(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x: torch.Tensor, offload_inference: bool = True):
        for layer in self.layers:
            x = layer(x)
            if offload_inference:
                kept = x.cpu()
                torch.cuda.empty_cache()
        return x, kept


# ok: each turn keeps in a file what a model makes of it
def kept_for_later(vae: nn.Module, loader: DataLoader, folder):
    for turn, x in enumerate(loader):
        torch.save(vae(x.cuda()), f"{folder}/{turn}.pt")
        torch.cuda.empty_cache()


# ok: each turn draws many samples and writes them to a file
@torch.no_grad()
def sample(model: nn.Module, loader, folder):
    for turn, x in enumerate(loader):
        drawn = model(x.cuda()).cpu().numpy()
        np.savez_compressed(folder / f"{turn}.npz", drawn=drawn)
        gc.collect()


# ok: no training comes there
class Measured(nn.Module):
    def forward(self, x: torch.Tensor, target: torch.Tensor):
        error = (x - target).square().sum(-1)
        if not self.training and error.shape[0] > 2000:
            torch.cuda.empty_cache()
        if self.training:
            error = error * 2
        else:
            gc.collect()
        return error


# case: a training comes there, too
class Trained(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor):
        if not self.training or x.ndim > 3:
            torch.cuda.empty_cache()  # expect: TPL501 @ torch.cuda.empty_cache()
            x = x * 2
        if self.training:
            torch.cuda.empty_cache()  # expect: TPL501 @ torch.cuda.empty_cache()
            x = x * 3
        return self.layer(x)
