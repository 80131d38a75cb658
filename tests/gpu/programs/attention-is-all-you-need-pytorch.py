"""jadore801120/attention-is-all-you-need-pytorch at 132907dd272e2cc92e3c10e6c4e783a87ff8893d"""

from types import SimpleNamespace

import torch

stand_in("dill", "torchtext", "torchtext.data", "torchtext.datasets")
import train
from transformer.Models import Transformer
from transformer.Optim import ScheduledOptim
from transformer.Translator import Translator

model = Transformer(
    200,
    200,
    src_pad_idx=1,
    trg_pad_idx=1,
    d_k=16,
    d_v=16,
    d_model=64,
    d_word_vec=64,
    d_inner=128,
    n_layers=2,
    n_head=4,
    n_position=60,
).to(DEVICE)
optimizer = ScheduledOptim(torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-09), 2.0, 64, 4000)
opt = SimpleNamespace(src_pad_idx=1, trg_pad_idx=1)
batches = [SimpleNamespace(src=torch.randint(0, 200, (20, 16)), trg=torch.randint(0, 200, (22, 16))) for _ in range(5)]
train.train_epoch(model, batches, optimizer, opt, torch.device(DEVICE), True)
train.train_epoch(model, batches, optimizer, opt, torch.device(DEVICE), False)
train.eval_epoch(model, batches, torch.device(DEVICE), opt)
translator = Translator(model, 4, 20, 1, 1, 2, 3).to(DEVICE)
for _ in range(3):
    translator.translate_sentence(torch.randint(4, 200, (1, 12)).to(DEVICE))
    step()
