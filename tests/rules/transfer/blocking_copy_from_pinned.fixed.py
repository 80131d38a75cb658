# doc: Page-locked batches that the host waits for
def train(model, dataset, optimizer, criterion, epochs):
    device = torch.device("cuda")
    loader = DataLoader(dataset, batch_size=64, num_workers=4, pin_memory=True)
    for epoch in range(epochs):
        for images, labels in loader:
            images = images.to(device, non_blocking=True)
            labels = labels.to(device, non_blocking=True)
            loss = criterion(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


# case: the forms of a move, over several lines too
def moved(model, dataset, use_cuda: bool):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(dataset, num_workers=2, pin_memory=True)
    for step, batch in enumerate(loader):
        x = batch["x"].cuda(non_blocking=True)
        y = batch["y"].to(device=device, non_blocking=True)
        z = batch["z"].cuda(0, non_blocking=True)
        out = model(
            batch["w"].to(
                device,  # the first one
                non_blocking=True,
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
            x, y = x.to(self.device, non_blocking=True), y.to(self.device, non_blocking=True)
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
            model(x.to("cuda", non_blocking=True), y.cuda(non_blocking=True)).backward()


# case: the loader comes as an argument, the batch goes through a function
def to_device(batch):
    return {key: value.cuda(non_blocking=True) for key, value in batch.items()}


def epoch(model, loader):
    for batch in loader:
        batch = to_device(batch)
        model(**batch)


if __name__ == "__main__":
    epoch(nn.Linear(3, 3).cuda(), DataLoader(open("data"), num_workers=1, pin_memory=True, collate_fn=list))


# case: page-locked by hand, at each turn
def own(model, arrays):
    for array in arrays:
        x = torch.from_numpy(array).pin_memory().to("cuda", non_blocking=True)
        staged = torch.from_numpy(array).pin_memory()
        y = staged.cuda(non_blocking=True)
        model(x, y).backward()


# case: a tensor that its author page-locks before each step, as a copy of the CPU's
def own_steps(model, rows, optimizer):
    for row in rows:
        held = torch.tensor(row).pin_memory()
        loss = model(held.to("cuda", non_blocking=True)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
