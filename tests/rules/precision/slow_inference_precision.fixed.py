# doc: Attention of a model in half precision
class Attention(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads, self.qkv = heads, nn.Linear(width, 3 * width)

    @torch.no_grad()
    def forward(self, x: torch.Tensor):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        out = F.scaled_dot_product_attention(q, k, v).to(x.dtype)
        return out.transpose(1, 2).flatten(-2)


# case: by `to`, by name, with a mask, of a known dtype
class Masked(nn.Module):
    def forward(self, q, k, v, mask):
        one = F.scaled_dot_product_attention(q.to(torch.float32), k.float(), value=v.float(), attn_mask=mask).type_as(q)
        half = torch.ones(2, 4, 8, 16, dtype=torch.bfloat16, device="cuda")
        return one + F.scaled_dot_product_attention(half, half, half)
