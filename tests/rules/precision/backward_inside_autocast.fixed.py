# doc: The whole step stands under autocast
def train(model, loader, optimizer):
    model.cuda()
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            logits = model(images.cuda())
            loss = F.cross_entropy(logits, labels.cuda())
        loss.backward()
        optimizer.step()


# case: with a scaler, and with comments
from torch.cuda.amp import GradScaler, autocast

scaler = GradScaler()


def train(model, loader, optimizer):
    for x, y in loader:
        # half precision from here
        with autocast():
            loss = F.mse_loss(model(x.cuda()), y.cuda())  # the loss

        # and back
        scaler.scale(loss).backward()
        if True:
            scaler.unscale_(optimizer)  # before it is clipped
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()  # for the next turn
        # behind the step
        print(loss.item())


# case: every so many turns, and the step alone
def train(model, loader, optimizer, every):
    for step, x in enumerate(loader):
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(x.cuda()).mean()
        if step % every == 0:
            loss.backward()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            optimizer.zero_grad()
            scaler.step(optimizer)


# case: the step alone
def step(model: nn.Module, x):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(x.cuda()).mean()
    loss.backward()
    with torch.autocast("cuda", dtype=torch.bfloat16):
        print(loss)
    optimizer.step()


# case: no optimizer steps near: a backward pass is timed, a hint
def time_passes(model, loader):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
