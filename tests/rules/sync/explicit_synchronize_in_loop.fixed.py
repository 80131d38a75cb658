# doc: A step that waits for the GPU before it goes on
def train_one_epoch(model, criterion, loader, optimizer, meter):
    for samples, targets in loader:
        samples, targets = samples.cuda(non_blocking=True), targets.cuda(non_blocking=True)
        loss = criterion(model(samples), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss=loss.detach())


# case: with a device, behind the usual guard
def fit(model, loader, optimizer, device):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()


# case: in forward, and of the current stream
class Careful(nn.Module):
    def forward(self, x):
        x = x * 2
        return x.sum(dim=0)


# case: before a counter of the allocator, which needs no wait
def watch(model, loader, optimizer, meter):
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        meter.add(torch.cuda.max_memory_allocated())


# case: every kernel waited for
import torchvision
