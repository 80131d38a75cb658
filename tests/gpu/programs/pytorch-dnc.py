"""ixaxaar/pytorch-dnc at cf6f6825a814921dc313619c38ad6c8fa8b538b9"""

import torch

stand_in("faiss")
from dnc import DNC

for kind, shared in (("gru", False), ("rnn", True)):
    model = DNC(8, 16, kind, 2, nr_cells=8, cell_size=8, share_memory_between_layers=shared, device=torch.device(DEVICE))
    model = model.to(DEVICE)
    optimizer = torch.optim.Adam(model.parameters())
    state = (None, None, None)
    for _ in range(3):
        optimizer.zero_grad()
        out, (hidden, memory, vectors) = model(torch.randn(4, 5, 8, device=DEVICE), state, reset_experience=True)
        out.sum().backward()
        optimizer.step()
