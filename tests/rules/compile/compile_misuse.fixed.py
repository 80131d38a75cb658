# doc: Nothing of this runs compiled
def main(loader):
    net = Net().cuda()
    net.compile()
    for x in loader:
        net(x.cuda())


def features(loader):
    net = torch.compile(Net().cuda())
    net.eval()
    return [net.encode(x.cuda()) for x in loader]


# case: options, TorchScript, a name for it
def more(net: Net):
    net.compile(mode="reduce-overhead", fullgraph=True)
    scripted = torch.jit.script(Net())
    fast = torch.compile(scripted)
    loaded = torch.compile(torch.jit.load("net.pt"))
    return fast, loaded


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.jit.script(nn.Linear(3, 3))
        self.fast = torch.compile(self.body)


def step(x):
    return x.relu()


torch.compile(step)
