import torch
import torch.nn.functional as F
from torch import nn


# doc: Attention of a model in half precision
class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads, self.qkv = heads, nn.Linear(width, 3 * width)

    @torch.no_grad()
    def forward(self, x: torch.Tensor):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        out = F.scaled_dot_product_attention(q.float(), k.float(), v.float()).to(x.dtype)  # expect: TPL311 @ F.scaled_dot_product_attention(q.float(), k.float(), v.float())
        return out.transpose(1, 2).flatten(-2)


# case: by `to`, by name, with a mask, of a known dtype
class Masked(nn.Module):
    def forward(self, q, k, v, mask):
        one = F.scaled_dot_product_attention(q.to(torch.float32), k.float(), value=v.float(), attn_mask=mask).type_as(q)  # expect: TPL311 @ F.scaled_dot_product_attention(q.to(torch.float32), k.float(), value=v.float(), attn_mask=mask)
        half = torch.ones(2, 4, 8, 16, dtype=torch.bfloat16, device="cuda")
        return one + F.scaled_dot_product_attention(half.float(), half.float(), half.float())  # expect: TPL311 @ F.scaled_dot_product_attention(half.float(), half.float(), half.float())


# ok: as they are, one of them cast, or none was half precision
class Plain(nn.Module):
    def forward(self, q, k, v, scale: torch.Tensor):
        one = F.scaled_dot_product_attention(q, k, v).to(q.dtype)
        two = F.scaled_dot_product_attention(q.float(), k.float(), v).to(q.dtype)
        double = torch.ones(2, 4, 8, 16, dtype=torch.float64, device="cuda")
        three = F.scaled_dot_product_attention(double.float(), double.float(), double.float()).to(q.dtype)
        return one + two + three + F.scaled_dot_product_attention(q.half(), k.half(), v.half()).to(q.dtype)


# ok: nobody knows what they were
class Unknown(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q.float(), k.float(), v.float())


# ok: a training step
def train(loader, optimizer, proj: nn.Linear):
    for x in loader:
        q = proj(x.cuda())
        out = F.scaled_dot_product_attention(q.float(), q.float(), q.float()).to(q.dtype)
        out.sum().backward()
        optimizer.step()
