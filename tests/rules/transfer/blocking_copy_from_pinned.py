import torch
from torch import nn
from torch.utils.data import DataLoader


# doc: Page-locked batches that the host waits for
def train(model, dataset, optimizer, criterion, epochs):
    device = torch.device("cuda")
    loader = DataLoader(dataset, batch_size=64, num_workers=4, pin_memory=True)
    for epoch in range(epochs):
        for images, labels in loader:
            images = images.to(device)  # expect: TPL205 @ images.to(device)
            labels = labels.to(device)  # expect: TPL205 @ labels.to(device)
            loss = criterion(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


# case: the forms of a move, over several lines too
def moved(model, dataset, use_cuda: bool):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(dataset, num_workers=2, pin_memory=True)
    for step, batch in enumerate(loader):
        x = batch["x"].cuda()  # expect: TPL205 @ batch["x"].cuda()
        y = batch["y"].to(device=device)  # expect: TPL205 @ batch["y"].to(device=device)
        z = batch["z"].cuda(0)  # expect: TPL205 @ batch["z"].cuda(0)
        out = model(
            batch["w"].to(  # expect: TPL205 @ batch["w"].to( device, # the first one )
                device,  # the first one
            )
        )
        print(model(x, y, z), out)


# case: a loader of the class, pinned where there is a GPU
class Trainer:
    def __init__(self, model, dataset):
        self.model = model
        self.device = torch.device("cuda")
        self.loader = DataLoader(dataset, num_workers=2, pin_memory=torch.cuda.is_available())

    def run(self):
        for x, y in self.loader:
            x, y = x.to(self.device), y.to(self.device)  # expect: TPL205 @ x.to(self.device) && TPL205 @ y.to(self.device)
            self.model(x, y).backward()


# case: pinned where a test says that there is CUDA
def tested(model, dataset, args):
    device = torch.device("cuda" if args.cuda else "cpu")
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    kwargs = {"num_workers": 2, "pin_memory": True if use_cuda else False}
    loaders = (
        DataLoader(dataset, pin_memory=device.type == "cuda"),
        DataLoader(dataset, pin_memory=use_cuda),
        DataLoader(dataset, pin_memory="cuda" in args.device),
        DataLoader(dataset, pin_memory=args.device != "cpu"),
        DataLoader(dataset, **kwargs),
    )
    for loader in loaders:
        for x, y in loader:
            model(x.to("cuda"), y.cuda(non_blocking=True)).backward()  # expect: TPL205 @ x.to("cuda")


# ok: pinned where somebody asks for it: by an option, a parameter, or one beside the test
def optional(model, dataset, args, pin: bool, pinned: bool = False):
    wanted = args.pin_memory and torch.cuda.is_available()
    for x, y in DataLoader(dataset, num_workers=2, pin_memory=args.pin_memory):
        model(x.to("cuda"), y.cuda()).backward()
    for x, y in DataLoader(dataset, num_workers=2, pin_memory=pin):
        model(x.to("cuda"), y.cuda()).backward()
    for x, y in DataLoader(dataset, num_workers=2, pin_memory=pinned):
        model(x.to("cuda"), y.cuda()).backward()
    for x, y in DataLoader(dataset, num_workers=2, pin_memory=wanted):
        model(x.to("cuda"), y.cuda()).backward()


# case: the loader comes as an argument, the batch goes through a function
def to_device(batch):
    return {key: value.cuda() for key, value in batch.items()}  # expect: TPL205 @ value.cuda()


def epoch(model, loader):
    for batch in loader:
        batch = to_device(batch)
        model(**batch)


if __name__ == "__main__":
    epoch(nn.Linear(3, 3).cuda(), DataLoader(open("data"), num_workers=1, pin_memory=True, collate_fn=list))


# case: page-locked by hand, at each turn
def own(model, arrays):
    for array in arrays:
        x = torch.from_numpy(array).pin_memory().to("cuda")  # expect: TPL205 @ torch.from_numpy(array).pin_memory().to("cuda")
        staged = torch.from_numpy(array).pin_memory()
        y = staged.cuda()  # expect: TPL205 @ staged.cuda()
        model(x, y).backward()


# ok: nobody waits
def asynchronous(model, dataset, device):
    loader = DataLoader(dataset, num_workers=4, pin_memory=True)
    for x, y in loader:
        x = x.to(device, non_blocking=True)
        y = y.cuda(0, True)
        model(x, y)


# ok: somebody decided to wait
def decided(model, dataset, wait):
    for x, y in DataLoader(dataset, num_workers=4, pin_memory=True):
        model(x.to("cuda", non_blocking=False), y.to("cuda", non_blocking=not wait))


# ok: memory of the host that is not page-locked, or may not be
def pageable(model, dataset, loader):
    for x, y in DataLoader(dataset, num_workers=4):
        model(x.to("cuda"), y.cuda())
    for x, y in loader:
        model(x.to("cuda"), y.cuda())


# ok: what is copied is written again behind the copy, so it must be over
def written(model, dataset):
    for x, y in DataLoader(dataset, num_workers=4, pin_memory=True):
        first = x.to("cuda")
        x[:, 0] = 0
        second = y.cuda()
        y.mul_(2)
        model(first, second)


# ok: a buffer that is filled at each turn: the copy must be over before the next
def staging(model, arrays, n):
    buffer = torch.empty(n, pin_memory=True)
    for array in arrays:
        buffer.copy_(torch.from_numpy(array))
        model(buffer.to("cuda")).backward()


class Staged:
    def __init__(self, n):
        self.buffer = torch.empty(n).pin_memory()

    def run(self, model, arrays):
        for array in arrays:
            self.buffer.copy_(torch.from_numpy(array))
            model(self.buffer.cuda()).backward()


# ok: a stream of one's own orders what is copied when
def prefetch(model, dataset):
    side = torch.cuda.Stream()
    for x, y in DataLoader(dataset, num_workers=4, pin_memory=True):
        with torch.cuda.stream(side):
            x = x.cuda()
        torch.cuda.current_stream().wait_stream(side)
        model(x)


# ok: to the host, where nobody may go on before the data is there
def back(model, dataset):
    for x, y in DataLoader(dataset, num_workers=4, pin_memory=True):
        x = x.to("cuda", non_blocking=True)
        out = model(x).cpu()
        print(out.to("cpu"), x.to("cpu"), y.to("cpu"), y.to(torch.float16))


# ok: once, outside of any loop
def once(array):
    return torch.from_numpy(array).pin_memory().cuda()


# ok: somebody measures how long copies take, from both kinds of memory
import time


def copies(n: int, turns: int, pin: bool):
    seconds = []
    for _ in range(turns):
        x = torch.rand(n)
        if pin:
            x = x.pin_memory()
        start = time.perf_counter()
        y = x.cuda()
        seconds.append(time.perf_counter() - start)
    return seconds, y


# case: a tensor that its author page-locks before each step, as a copy of the CPU's
def own_steps(model, rows, optimizer):
    for row in rows:
        held = torch.tensor(row).pin_memory()
        loss = model(held.to("cuda")).sum()  # expect: TPL205 @ held.to("cuda")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


# missed: the loader is handed out by another file
def elsewhere(model, data):
    for x, y in data.train_loader:
        model(x.cuda(), y.cuda())


# ok: one batch to look at: the loop ends with its first turn
def preview(model, dataset):
    loader = DataLoader(dataset, batch_size=4, num_workers=2, pin_memory=True)
    model.cuda().eval()
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        break
    return model(x), y
