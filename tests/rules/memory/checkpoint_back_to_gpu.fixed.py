# doc: A training that is resumed
def save(model: nn.Module, optimizer: torch.optim.Optimizer, path: str):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def resume(model: nn.Module, optimizer: torch.optim.Optimizer, path: str):
    model.cuda()
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


# case: a part of it has a name
def save_last(model: nn.Module, path: str):
    torch.save({"model": model.state_dict()}, path)


def test_last(model: nn.Module, path: str):
    weights = torch.load(path, weights_only=True, map_location="cpu")["model"]
    model.cuda().load_state_dict(weights, strict=False)


# case: the count of steps is moved to the host, and the weights are not
class Keeper:
    def __init__(self, model: nn.Module):
        self.model = model.cuda()
        self.steps = torch.zeros(1, device="cuda")

    def save(self, path: str):
        torch.save({"model": self.model.state_dict(), "steps": self.steps.cpu()}, path)

    def load(self, path: str):
        state = torch.load(path, map_location="cpu")
        self.model.load_state_dict(state["model"])
