import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


# doc: Nobody tells the sampler which epoch it is
def train(model, dataset, optimizer, epochs, rank):
    model = DDP(model.to(rank), device_ids=[rank])
    sampler = DistributedSampler(dataset)  # expect: TPL806 @ DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler, pin_memory=True)
    for epoch in range(epochs):
        for x, y in loader:
            loss = F.cross_entropy(model(x.to(rank)), y.to(rank))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


# case: made where the loader is made, in another function
def loader_of(dataset):
    return DataLoader(
        dataset,
        sampler=torch.utils.data.distributed.DistributedSampler(dataset, shuffle=True),  # expect: TPL806 @ torch.utils.data.distributed.DistributedSampler(dataset, shuffle=True)
    )


def train(model, dataset, optimizer):
    loader = loader_of(dataset)
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# case: only where there are several GPUs, so no fix
def train(model, dataset, optimizer, gpus):
    if gpus > 1:
        sampler = DistributedSampler(dataset)  # expect: TPL806 @ DistributedSampler(dataset)
        shuffle = False
    else:
        sampler = None
        shuffle = True
    loader = DataLoader(dataset, sampler=sampler, shuffle=shuffle)
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# case: the same in one line
def train(model, dataset, optimizer, gpus):
    train_sampler = DistributedSampler(dataset) if gpus > 1 else None  # expect: TPL806 @ DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=train_sampler, shuffle=False)
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# ok: it is told
def train(model, dataset, optimizer):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# ok: it does not shuffle, or serves an evaluation
def train(model, dataset, test_dataset, optimizer):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=False))
    val_sampler = DistributedSampler(test_dataset)
    val_loader = DataLoader(test_dataset, sampler=val_sampler)
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# ok: a framework does it
from accelerate import Accelerator


def train(model, dataset, optimizer):
    loader = Accelerator().prepare(DataLoader(dataset, sampler=DistributedSampler(dataset)))
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# ok: there is no loop over epochs in sight, so nobody knows
def loader_of(dataset):
    return DataLoader(dataset, sampler=DistributedSampler(dataset))


# ok: settings decide whether it shuffles
def train(model, dataset, optimizer, options):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset, shuffle=options.shuffle))
    other = DataLoader(dataset, sampler=DistributedSampler(dataset, **options))
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# ok: one epoch
def train(model, dataset, optimizer):
    loader = DataLoader(dataset, sampler=DistributedSampler(dataset))
    for x in loader:
        model(x.cuda()).sum().backward()
        optimizer.step()
