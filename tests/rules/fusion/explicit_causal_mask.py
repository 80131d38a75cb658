import torch
import torch.nn.functional as F
from torch import nn


# doc: A causal mask as a tensor
class Attention(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        n = q.shape[-2]
        mask = torch.tril(torch.ones(n, n, dtype=torch.bool, device=q.device))
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)  # expect: TPL604 @ mask


# case: other ways to make it
class Kept(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(n, n)).view(1, 1, n, n))
        self.blocked = torch.triu(torch.full((n, n), float("-inf")), diagonal=1)

    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        n = q.size(-2)
        a = F.scaled_dot_product_attention(q, k, v, self.mask[:, :, :n, :n].bool())  # expect: TPL604 @ self.mask[:, :, :n, :n].bool()
        b = F.scaled_dot_product_attention(q, k, v, attn_mask=self.blocked[:n, :n], dropout_p=0.1)  # expect: TPL604 @ self.blocked[:n, :n]
        mask = nn.Transformer.generate_square_subsequent_mask(n).to(q.device)
        c = F.scaled_dot_product_attention(q, k, v, mask)  # expect: TPL604 @ mask
        scores = torch.zeros(n, n).masked_fill(torch.triu(torch.ones(n, n), 1) == 1, float("-inf"))
        d = F.scaled_dot_product_attention(q, k, v, scores)  # expect: TPL604 @ scores
        return a, b, c, d


# ok: the mask says more
class More(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, padding: torch.Tensor):
        n, m = q.shape[-2], k.shape[-2]
        causal = torch.tril(torch.ones(n, n, dtype=torch.bool, device=q.device))
        a = F.scaled_dot_product_attention(q, k, v, causal & padding[:, None, None])
        window = torch.triu(causal, -4)
        b = F.scaled_dot_product_attention(q, k, v, window)
        c = F.scaled_dot_product_attention(q, k, v, torch.tril(torch.ones(n, n), diagonal=-1).bool())
        d = F.scaled_dot_product_attention(q, k, v, padding)
        return a, b, c, d


# ok: more keys than queries
class Cached(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
        n, m = q.shape[-2], k.shape[-2]
        a = F.scaled_dot_product_attention(q, k, v, torch.tril(torch.ones(n, m), diagonal=m - n).bool())
        b = F.scaled_dot_product_attention(q, k, v, torch.ones(n, m).tril().bool())
        full = torch.ones(m, m).tril().bool()
        return a, b, F.scaled_dot_product_attention(q, k, v, full[m - n : m, :m])


# ok: either of two masks, and none
class Either(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None):
        n = q.shape[-2]
        if mask is None:
            mask = torch.tril(torch.ones(n, n)).bool()
        a = F.scaled_dot_product_attention(q, k, v, mask)
        return a, F.scaled_dot_product_attention(q, k, v, is_causal=True), F.scaled_dot_product_attention(q, k, v)
