# doc: Float16 training whose scaler waits at every step
def train(loader):
    model = nn.Transformer().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    scaler = torch.amp.GradScaler("cuda")
    for source, target in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = F.mse_loss(model(source.cuda(), target.cuda()), target.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


# case: the loop of a course, clipped and on a device that is chosen at run time
from torch import optim
from torch.cuda.amp import GradScaler, autocast

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fit(data, epochs, limit, criterion):
    model = nn.Linear(64, 8).to(device)
    optimizer = optim.Adam(
        model.parameters(),
        lr=0.001,
        betas=(0.9, 0.99),
        fused=torch.cuda.is_available(),
    )
    scaler = GradScaler()
    for epoch in range(epochs):
        for inputs, target in data:
            optimizer.zero_grad()
            with autocast():
                output = model(inputs.to(device))
                loss = criterion(output, target.to(device))
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), limit)
            # unscaled already; skipped where a gradient is infinite
            scaler.step(optimizer)
            scaler.update()


# case: attributes, a flag for both, and a step every so many turns
class Trainer:
    def __init__(self, model: nn.Module, use_amp: bool):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), 1e-3, fused=True)
        self.scaler = torch.cuda.amp.GradScaler(enabled=use_amp)

    def train(self, loader, every):
        for turn, x in enumerate(loader):
            loss = self.model(x.cuda()).mean()
            self.scaler.scale(loss).backward()
            if turn % every == 0:
                self.scaler.step(self.optimizer)
                self.scaler.update()


# case: SGD that keeps no momentum
def descend(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.cuda().parameters(), lr=0.1, momentum=0, weight_decay=1e-4, fused=True)
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        scaler.scale(model(x.cuda()).mean()).backward()
        scaler.step(optimizer)
        scaler.update()
