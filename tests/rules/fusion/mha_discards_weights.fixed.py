# doc: A block of a transformer keeps the output alone
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x, padding):
        h = self.norm(x)
        h, _ = self.attention(h, h, h, key_padding_mask=padding, need_weights=False)
        return x + h


# case: the first item is taken
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.self_attn = torch.nn.MultiheadAttention(width, heads, dropout=0.1)
        self.cross_attn = nn.MultiheadAttention(embed_dim=width, num_heads=heads)

    def forward(self, x, memory, mask=None):
        x = x + self.self_attn(x, x, x, None, need_weights=False)[0]
        return x + self.cross_attn(
            query=x,
            key=memory,
            value=memory,
            attn_mask=mask,
            need_weights=False,
        )[0]


# case: the weights get a name that nobody reads, and the results are taken apart later
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.MultiheadAttention(64, 4)
        self.second = nn.MultiheadAttention(64, 4)

    def forward(self, x):
        out, weights = self.first(x, x, x, need_weights=False)
        results = self.second(out, out, out, need_weights=False)
        return results[0] + x


# case: a list of layers, and a function of a notebook
class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.MultiheadAttention(64, 4) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x, x, x, need_weights=False)[0]
        return x


attend = nn.MultiheadAttention(64, 4).cuda()


def once(x):
    return attend(x, x, x, need_weights=False)[0]


# case: an annotation says what is handed over
class Block(nn.Module):
    def __init__(self, attention: nn.MultiheadAttention):
        super().__init__()
        self.attention = attention

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]
