# doc: A loop that changed from float16 to bfloat16, and kept its scaler
def train(model, loader, optimizer):
    model.cuda()
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(images.cuda()), labels.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# case: switched by the flag that switches autocast, and with other arguments
from torch.cuda.amp import GradScaler, autocast


def train(net, data, targets, loss_fn, opt, use_amp=True):
    scaler = GradScaler(enabled=False)
    other = GradScaler(init_scale=1024.0, enabled=False)
    for batch, target in zip(data, targets):
        with autocast(dtype=torch.bfloat16, enabled=use_amp):
            output = net(batch)
            loss = loss_fn(output, target)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        with autocast(enabled=False):
            other.scale(loss_fn(net(batch), target)).backward()
