import torch
from torch.cuda.amp import GradScaler, autocast


def steps(model, criterion, loader, scaler: GradScaler, scale, weight, flag, use_amp):
    for x, y in loader:
        with autocast():
            output = model(x)
        first = criterion(output, y)
        first = first + 0.1
        first.backward()  # fact: first => computed in float16, not scaled

        with torch.autocast("cuda", dtype=torch.bfloat16):
            second = criterion(model(x), y)
        (second / 2).backward()  # fact: second / 2 => computed in bfloat16, not scaled

        with torch.no_grad(), autocast():
            target = model(x)
        third = criterion(x * 2, target)
        third.backward()  # fact: third => computed in nothing, not scaled

        with autocast(enabled=False):
            fourth = criterion(model(x), y)
        fourth.backward()  # fact: fourth => computed in nothing

        fifth = scaler.scale(output.mean())
        fifth.backward()  # fact: fifth => computed in float16, scaled
        (second * scale).backward()  # fact: second * scale => scaled
        (second * 1024).backward()  # fact: second * 1024 => scaled
        (second * weight).backward()  # fact: second * weight => not scaled
        (second * 0.5).backward()  # fact: second * 0.5 => not scaled
        if use_amp:
            print(scaler)
        else:
            third.backward()  # fact: third => scaled
        if flag:
            fourth.backward()  # fact: fourth => not scaled


def other_branch(loss, scaler, flag):
    if flag:
        scaler.scale(loss).backward()
    else:
        loss.backward()  # fact: loss => scaled


config = torch.load("config.pt")
device = torch.device(config["device"] if torch.cuda.is_available() else "cpu")  # fact: device => device, maybe
kind = str(device)  # fact: kind => string, maybe
also = device.type  # fact: also => string, maybe
