# doc: Workers load the batches, and every copy goes through pageable memory
def train(model, dataset, optimizer, criterion, epochs):
    device = torch.device("cuda")
    loader = DataLoader(dataset, batch_size=64, shuffle=True, num_workers=8, pin_memory=True)
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
    loader = torch.utils.data.DataLoader(
        dataset,
        batch_size=64,
        num_workers=workers,  # as many as there are cores
        pin_memory=torch.cuda.is_available(),
    )
    for step, batch in enumerate(loader):
        batch = {key: value.to(device, non_blocking=True) for key, value in batch.items()}
        model(**batch)


# case: loaders of a function, of a class, and as arguments
def loaders(train_set, test_set):
    train = DataLoader(train_set, num_workers=4, pin_memory=True)
    test = DataLoader(test_set, num_workers=4, pin_memory=True)
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
    run(model, DataLoader(first, num_workers=2, pin_memory=True))
    run(model, loader=DataLoader(second, num_workers=2, pin_memory=True))


def run(model, loader):
    for batch in loader:
        model(batch["x"].cuda())


if __name__ == "__main__":
    main(torch.nn.Linear(3, 3).cuda(), list(), list())


# case: only where there is a GPU
def optional(model, dataset, args):
    for x, y in DataLoader(dataset, num_workers=4, pin_memory=torch.cuda.is_available()):
        if args.use_cuda:
            x, y = x.cuda(), y.cuda()
        model(x, y)


# case: a tensor as the dataset, at the top level of a script
data, mask = torch.randn(1024, 3, 26, 26), torch.randn(1024, 1, 26, 26)
batches = DataLoader(torch.utils.data.TensorDataset(data, mask), batch_size=64, num_workers=2, pin_memory=True)
net = torch.nn.Conv2d(3, 1, 1).cuda()

for image, target in batches:
    predicted = net(image.cuda())
    torch.nn.functional.mse_loss(predicted, target.cuda()).backward()


# case: the loader comes out of a function, and the device is one of the settings
def loaders(config):
    first = DataLoader(config.train, batch_size=64, num_workers=config.workers, pin_memory=torch.cuda.is_available())
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
    loader = DataLoader(dataset, 32, num_workers=settings.workers, pin_memory=torch.cuda.is_available())
    for batch in loader:
        x, y = batch["x"].to(device), batch["y"].to(device)
        F.mse_loss(model(x), y).backward()
