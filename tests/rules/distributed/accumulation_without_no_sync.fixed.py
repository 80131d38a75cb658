# doc: The optimizer steps at each fourth batch, the gradients are averaged at each
def train(net: nn.Module, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        model.require_backward_grad_sync = (i + 1) % 4 == 0
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
        loss.backward()
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()


# case: wrapped in the constructor, and with a scaler and a last step that is not full
class Trainer:
    def __init__(self, net: nn.Module, rank):
        self.model = DDP(net.cuda(rank), device_ids=[rank], gradient_as_bucket_view=True)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), fused=True)
        self.scaler = torch.amp.GradScaler()

    def train(self, loader, every):
        for i, (x, y) in enumerate(loader):
            self.model.require_backward_grad_sync = (i + 1) % every == 0 or i + 1 == len(loader)
            with torch.autocast("cuda"):
                loss = F.cross_entropy(self.model(x.cuda()), y.cuda()) / every
            self.scaler.scale(loss).backward()
            if (i + 1) % every == 0 or i + 1 == len(loader):
                self.scaler.unscale_(self.optimizer)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()


# case: sharded, in place
def train(net: nn.Module, loader, rank):
    for block in net.blocks:
        fully_shard(block)
    fully_shard(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        net.set_requires_gradient_sync(not (i + 1) % 4)
        loss = F.cross_entropy(net(x.cuda()), y.cuda()) / 4
        loss.backward()
        if not (i + 1) % 4:
            optimizer.step()
            optimizer.zero_grad()


# case: with timm's scaler, which is told when to step
def run(net: nn.Module, loader, options, loss_scaler):
    model = DDP(net.cuda(), device_ids=[options.gpu], gradient_as_bucket_view=True)
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    epoch(model, loader, optimizer, loss_scaler, options.every)


def epoch(model, loader, optimizer, loss_scaler, every):
    for step, (x, y) in enumerate(loader):
        model.require_backward_grad_sync = (step + 1) % every == 0
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss /= every
        loss_scaler(loss, optimizer, parameters=model.parameters(), update_grad=(step + 1) % every == 0)
        if (step + 1) % every == 0:
            optimizer.zero_grad()


# case: in one of two branches
def train(net: nn.Module, loader, rank, options):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        model.require_backward_grad_sync = (i + 1) % 4 == 0
        loss = F.cross_entropy(model(x.to(rank)), y.to(rank)) / 4
        if options.clip:
            clipped(loss, optimizer)
        else:
            loss.backward()
            if (i + 1) % 4 == 0:
                optimizer.step()
                optimizer.zero_grad()
