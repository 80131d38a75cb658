import torch
import torch.nn.functional as F
from torch import nn


# doc: Points are turned back by the inverse of their poses
def train(model: nn.Module, loader, optimizer):
    for points, poses, y in loader:
        points, poses, y = points.cuda(), poses.cuda(), y.cuda()
        back = torch.linalg.inv(poses)  # expect: TPL116 @ torch.linalg.inv(poses)
        loss = F.cross_entropy(model(points @ back), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


# case: the others that check, in all forms
def forms(model: nn.Module, loader, optimizer):
    for a, b in loader:
        a, b = a.cuda(), b.cuda()
        one = a.inverse()  # expect: TPL116 @ a.inverse()
        two = torch.inverse(a)  # expect: TPL116 @ torch.inverse(a)
        three = torch.linalg.cholesky(a, upper=True)  # expect: TPL116 @ torch.linalg.cholesky(a, upper=True)
        four = torch.linalg.solve(a, b)  # expect: TPL116 @ torch.linalg.solve(a, b)
        five, pivots = torch.linalg.lu_factor(a)  # expect: TPL116 @ torch.linalg.lu_factor(a)
        model(one + two + three + four + five).sum().backward()
        optimizer.step()


# ok: an error that is wanted only where no scaler looks
def scaled(model: nn.Module, loader, scaler):
    for x in loader:
        scaler.scale(model(x.cuda()).sum()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=False if scaler.is_enabled() else True)


# case: a norm that is looked at, and a scale
def clipped(model: nn.Module, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        scaler.scale(model(x.cuda()).sum()).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)  # expect: TPL116 @ nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
        scaler.step(optimizer)
        scaler.update()
        scale = scaler.get_scale()  # expect: TPL116 @ scaler.get_scale()
        optimizer.zero_grad()
    return scale


# ok: what does not check
def unchecked(model: nn.Module, loader, optimizer):
    for a in loader:
        a = a.cuda()
        back = torch.linalg.inv_ex(a).inverse
        model(back @ torch.linalg.cholesky_ex(a).L).sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


# ok: who catches the error wants it
def caught(model: nn.Module, loader, optimizer):
    for a in loader:
        a = a.cuda()
        try:
            low = torch.linalg.cholesky(a)
        except torch.linalg.LinAlgError:
            low = torch.linalg.cholesky_ex(a + 1e-3 * torch.eye(4, device="cuda")).L
        model(low).sum().backward()
        optimizer.step()


# ok: on the host, and before the training
def on_host(model: nn.Module, loader, optimizer):
    start = torch.linalg.inv(torch.eye(4, device="cuda"))
    for x in loader:
        turn = torch.linalg.inv(torch.eye(4))
        model(x.cuda() @ start + turn.sum()).sum().backward()
        optimizer.step()


# ok: every hundred steps
def logged(model: nn.Module, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for step, x in enumerate(loader):
        scaler.scale(model(x.cuda()).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        if step % 100 == 0:
            print(scaler.get_scale())


# ok: another object's solve
def other(model: nn.Module, loader, solver):
    for x in loader:
        model(solver.solve(x.cuda())).sum().backward()
