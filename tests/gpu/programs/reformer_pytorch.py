"""reformer-pytorch 1.4.4"""

import torch
from reformer_pytorch import Autopadder, LSHAttention, Recorder, Reformer, ReformerLM
from reformer_pytorch.generative_tools import TrainingWrapper

sizes = {"num_tokens": 50, "dim": 32, "depth": 2, "max_seq_len": 64, "heads": 2, "bucket_size": 8, "n_hashes": 2}
for more in ({}, {"reverse_thres": 16}, {"use_full_attn": True}, {"attn_chunks": 2, "ff_chunks": 2, "lsh_dropout": 0.1}, {"n_local_attn_heads": 1, "weight_tie": True}):
    model = TrainingWrapper(ReformerLM(**sizes, causal=True, **more).to(DEVICE))
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randint(1, 50, (2, 65), device=DEVICE), return_loss=True).backward()
        optimizer.step()
    for _ in range(2):
        model.generate(torch.randint(1, 50, (2, 10), device=DEVICE), 6, temperature=1.0, filter_thres=0.9, eos_token=0)
        step()
model = Recorder(Autopadder(Reformer(dim=32, depth=2, heads=2, bucket_size=8, n_hashes=2)).to(DEVICE))
for _ in range(3):
    model(torch.randn(2, 30, 32, device=DEVICE, requires_grad=True)).sum().backward()
    attention = LSHAttention(bucket_size=8, n_hashes=2, causal=True, return_attn=True)
    attention(torch.randn(2, 32, 16, device=DEVICE), torch.randn(2, 32, 16, device=DEVICE), input_mask=torch.ones(2, 32, dtype=torch.bool, device=DEVICE))
    step()
