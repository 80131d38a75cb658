# doc: The losses of all ranks are gathered as objects
def train(model: nn.Module, optimizer, loader, log):
    for x, y in loader:
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shown = loss.detach()
        losses = [torch.empty_like(shown) for _ in range(dist.get_world_size())]
        dist.all_gather(losses, shown)
        log.append(losses)
