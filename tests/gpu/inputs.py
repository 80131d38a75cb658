"""What the forms of `forms.txt` read; CUDA runs it, and the linter reads it as the head of each form."""

import copy
import io
import math
import pickle

import numpy as np
import torch
import torch.nn.functional as F
import torchvision

x = torch.randn(64, 128, device="cuda")
y0 = torch.randn(64, 128, device="cuda")
v1 = torch.randn(64, device="cuda")
mask = x > 0
rowmask = v1 > 0
colmask = y0[0] > 0
flag = rowmask.all()
s = x.sum()
t = y0.sum()
labels = torch.randint(0, 10, (64,), device="cuda")
idx = torch.randint(0, 64, (8,), device="cuda")
lens = torch.full((64,), 2, device="cuda")
count = torch.full((), 4, device="cuda")
s0 = torch.full((), 3, device="cuda")
host = torch.randn(64, 128)
pinned = torch.randn(64, 128).pin_memory()
array = np.ones((64, 128), dtype=np.float32)
idx_host = torch.randint(0, 64, (8,))
rowmask_host = torch.rand(64) > 0.5
square = torch.randn(16, 16, device="cuda") + 16 * torch.eye(16, device="cuda")
spd = square @ square.T + torch.eye(16, device="cuda")
p = torch.nn.Parameter(torch.randn(64, 128, device="cuda"))
p.grad = torch.randn(64, 128, device="cuda")
seq = torch.randn(3, 5, 8, device="cuda")
packed0 = torch.nn.utils.rnn.pack_padded_sequence(seq, [5, 4, 3], batch_first=True)
unsorted0 = torch.nn.utils.rnn.pack_padded_sequence(seq, [3, 5, 4], batch_first=True, enforce_sorted=False)
seq8 = torch.randn(16, 4, 32, device="cuda")
causal = torch.triu(torch.full((16, 16), float("-inf"), device="cuda"), diagonal=1)
encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(32, 2, 32), 1).cuda()
decoder = torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(32, 2, 32), 1).cuda()
attention = torch.nn.MultiheadAttention(32, 2).cuda()
norm = torch.nn.BatchNorm1d(128).cuda()
averaging = torch.nn.BatchNorm1d(128, momentum=None).cuda()
adam = torch.optim.Adam([p])
fused = torch.optim.Adam([p], fused=True)
sgd = torch.optim.SGD([p], lr=0.1)
scaler = torch.amp.GradScaler("cuda")
scaler.scale(x.sum())
corners = torch.cat([(low := torch.rand(64, 2, device="cuda")), low + torch.rand(64, 2, device="cuda")], 1)
