"""What a function reads that the top of its file binds several times: the last of them, where no function above it reads the name."""

import numpy as np
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
rows, labels = np.zeros((9, 4)), np.zeros(9)
early, late, called, kept, changing, looped, given = (np.ones(3) for _ in range(7))


def with_a_default(values=given):
    return values, given  # fact: given => unknown


def above():
    return early.sum()  # fact: early => unknown


class Above:
    def total(self):
        return called.sum()  # fact: called => unknown


rows = torch.Tensor(rows).to(device)
labels = torch.Tensor(labels).long().to(device)
early = torch.Tensor(early).to(device)
called = torch.Tensor(called).to(device)
changing = torch.Tensor(changing).to(device)
given = torch.Tensor(given).to(device)
kept = torch.Tensor(kept)
kept = kept.to(device)
if len(rows) > 3:
    late = torch.Tensor(late).to(device)
for _ in range(3):
    looped = torch.Tensor(looped).to(device)


def below():
    found = rows.sum() + labels.sum()  # fact: rows => tensor, maybe && labels => tensor, maybe
    return found.item()  # fact: found.item() => wait


def also_below():
    return kept.sum().item()  # fact: kept => tensor, maybe && kept.sum().item() => wait


class Below:
    def total(self):
        return rows.sum().item()  # fact: rows.sum().item() => wait


def one_of_two():
    return late.sum(), looped.sum()  # fact: late => unknown && looped => unknown


def change():
    global changing
    changing = None


def read_what_changes():
    return changing.sum()  # fact: changing => unknown
