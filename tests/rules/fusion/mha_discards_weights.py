import torch
from torch import nn


# doc: A block of a transformer keeps the output alone
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x, padding):
        h = self.norm(x)
        h, _ = self.attention(h, h, h, key_padding_mask=padding)  # expect: TPL603 @ self.attention(h, h, h, key_padding_mask=padding)
        return x + h


# case: the first item is taken
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.self_attn = torch.nn.MultiheadAttention(width, heads, dropout=0.1)
        self.cross_attn = nn.MultiheadAttention(embed_dim=width, num_heads=heads)

    def forward(self, x, memory, mask=None):
        x = x + self.self_attn(x, x, x, None)[0]  # expect: TPL603 @ self.self_attn(x, x, x, None)
        return x + self.cross_attn(  # expect: TPL603 @ self.cross_attn( query=x, key=memory, value=memory, attn_mask=mask, )
            query=x,
            key=memory,
            value=memory,
            attn_mask=mask,
        )[0]


# case: the weights get a name that nobody reads, and the results are taken apart later
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.MultiheadAttention(64, 4)
        self.second = nn.MultiheadAttention(64, 4)

    def forward(self, x):
        out, weights = self.first(x, x, x)  # expect: TPL603 @ self.first(x, x, x)
        results = self.second(out, out, out)  # expect: TPL603 @ self.second(out, out, out)
        return results[0] + x


# case: a list of layers, and a function of a notebook
class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.MultiheadAttention(64, 4) for _ in range(depth)])

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x, x, x)[0]  # expect: TPL603 @ layer(x, x, x)
        return x


attend = nn.MultiheadAttention(64, 4).cuda()


def once(x):
    return attend(x, x, x)[0]  # expect: TPL603 @ attend(x, x, x)


# case: an annotation says what is handed over
class Block(nn.Module):
    def __init__(self, attention: nn.MultiheadAttention):
        super().__init__()
        self.attention = attention

    def forward(self, x):
        return self.attention(x, x, x)[0]  # expect: TPL603 @ self.attention(x, x, x)


# ok: it says what it wants
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads)

    def forward(self, x):
        x = x + self.attention(x, x, x, need_weights=False)[0]
        x = x + self.attention(x, x, x, None, False)[0]
        return x + self.attention(x, x, x, need_weights=True)[0]


# ok: the weights are used
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads)
        self.seen = None

    def forward(self, x):
        x, weights = self.attention(x, x, x)
        self.seen = weights.detach()
        x, self.seen = self.attention(x, x, x)
        results = self.attention(x, x, x)
        _, shown = self.attention(x, x, x, average_attn_weights=False)
        return results[0], results[1], shown


# ok: a hook takes them
class Watched(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads)
        self.attention.register_forward_hook(self.keep)

    def keep(self, module, inputs, results):
        self.weights = results[1]

    def forward(self, x):
        return self.attention(x, x, x)[0]


# ok: an attention of one's own, or of which nothing is known
class MultiheadAttention(nn.Module):
    def forward(self, query, key, value):
        return query, key


class Block(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.own = MultiheadAttention()
        self.attention = attention
        self.recurrent = nn.LSTM(64, 64)

    def forward(self, x):
        x = self.own(x, x, x)[0]
        x, _ = self.attention(x, x, x)
        x, _ = self.recurrent(x)
        return x


# ok: the arguments are not in sight
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(64, 4)

    def forward(self, x, **options):
        return self.attention(x, x, x, **options)[0]


# ok: on the CPU
def check():
    x = torch.ones(3, 1, 64)
    attend = nn.MultiheadAttention(64, 4)
    return attend(x, x, x)[0]


# missed: the results are taken apart in another place
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(64, 4)

    def attend(self, x):
        return self.attention(x, x, x)

    def forward(self, x):
        return self.attend(x)[0]


# ok: before torch 2.0 the layer has no fused kernel
# set: target-torch = "1.13"
class OldLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(256, 8)

    def forward(self, x: torch.Tensor):
        return self.attention(x, x, x)[0]
