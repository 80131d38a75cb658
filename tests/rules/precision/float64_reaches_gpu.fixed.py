# doc: Targets as NumPy makes them
def train(model: nn.Module, loader, optimizer, device: torch.device):
    for x in loader:
        noise = np.random.randn(64, 128)
        wanted = torch.from_numpy(noise).float().cuda()
        loss = F.l1_loss(model(x.cuda()), wanted)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


# case: by `to`, without waiting, and of arrays of zeros
def forms(model: nn.Module, loader, optimizer):
    for x in loader:
        weights = np.zeros((64, 128))
        a = torch.as_tensor(weights).float().to("cuda", non_blocking=True)
        b = torch.tensor(np.linspace(0, 1, 128)).float().to("cuda")
        (model(x.cuda()) * a + b).sum().backward()
        optimizer.step()
