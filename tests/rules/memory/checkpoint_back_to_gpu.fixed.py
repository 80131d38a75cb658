# doc: A training that is resumed
def save(model: nn.Module, optimizer: torch.optim.Optimizer, path: str):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)


def resume(model: nn.Module, optimizer: torch.optim.Optimizer, path: str):
    model.cuda()
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


# case: taken at once, and in part
def save_weights(model: nn.Module, path: str):
    torch.save(model.state_dict(), path)


def test_best(model: nn.Module, path: str):
    model.to("cuda").load_state_dict(torch.load(path, map_location="cpu"))
    model.load_state_dict(torch.load(path, weights_only=True, map_location="cpu")["model"], strict=False)
