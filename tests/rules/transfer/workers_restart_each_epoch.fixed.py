# doc: Workers for each epoch
def train(model: nn.Module, data, optimizer):
    loader = DataLoader(data, batch_size=64, num_workers=4, persistent_workers=True)
    for epoch in range(10):
        for x in loader:
            model(x.cuda()).sum().backward()
            optimizer.step()


# case: the number is a setting, and each epoch is a function
class Trainer:
    def __init__(self, model: nn.Module, data, workers: int):
        self.model = model
        settings = {"batch_size": 8, "num_workers": workers}
        self.loader = DataLoader(data, num_workers=workers, persistent_workers=workers > 0)
        self.other = torch.utils.data.DataLoader(data, **settings)

    def run_epoch(self):
        for x in self.loader:
            self.model(x)

    def validate(self):
        for x in self.other:
            self.model(x)

    def train(self):
        for _ in range(3):
            self.run_epoch()
            self.validate()


# case: it is gone through whenever its object is
class Batches:
    def __init__(self, pipe, num_workers: int = 0):
        self.loader = torch.utils.data.DataLoader(
            pipe, batch_size=None, num_workers=num_workers, persistent_workers=num_workers > 0
        )

    def __iter__(self):
        yield from self.loader
