import torch
from torch import nn


# doc: Keys and values of all tokens so far
class Attention(nn.Module):
    def forward(self, k: torch.Tensor, v: torch.Tensor, past_key_value=None):
        if past_key_value is not None:
            k = torch.cat([past_key_value[0], k], dim=2)  # expect: TPL506 @ torch.cat([past_key_value[0], k], dim=2)
            v = torch.cat((past_key_value[1], v), dim=2)
        return k, v, (k, v)


# case: kept in attributes
class Cache:
    def __init__(self):
        self.key_cache: list[torch.Tensor] = []

    def update(self, key_states: torch.Tensor, layer: int):
        self.key_cache[layer] = torch.cat([self.key_cache[layer], key_states], dim=-2)  # expect: TPL506 @ torch.cat([self.key_cache[layer], key_states], dim=-2)
        return self.key_cache[layer]


# ok: it is allocated once
class Static(nn.Module):
    def forward(self, cache: torch.Tensor, k: torch.Tensor, at: int):
        cache[:, :, at : at + 1] = k
        return cache[:, :, : at + 1]


# ok: two caches, tokens, features
class Others(nn.Module):
    def forward(self, past_key: torch.Tensor, cached_value: torch.Tensor, tokens: torch.Tensor, x: torch.Tensor):
        both = torch.cat([past_key, cached_value], dim=0)
        return both, torch.cat([tokens, x], dim=1), torch.cat([x, past_key], dim=1)


# ok: keys of earlier tasks, in a training: nothing grows
def train_prompts(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.no_grad():
            past_keys = model(0, images.cuda())
        cur_keys = model(1, images.cuda())
        keys = torch.cat((past_keys.detach(), cur_keys), dim=0)
        nn.functional.cross_entropy(keys, labels.cuda()).backward()
        optimizer.step()


# ok: on the CPU
def on_host(steps: int):
    past_key = torch.zeros(1, 4)
    for _ in range(steps):
        key = torch.ones(1, 4)
        past_key = torch.cat([past_key, key])
    return past_key


# ok: some chunks of a stream
class Streaming(nn.Module):
    def forward(self, k: torch.Tensor, v: torch.Tensor, cache: torch.Tensor):
        """Of the cache `chunk_size * left` frames are kept."""
        if cache.size(0) > 0:
            key_cache, value_cache = torch.split(cache, cache.size(-1) // 2, dim=-1)
            k = torch.cat([key_cache, k], dim=2)
            v = torch.cat([value_cache, v], dim=2)
        return k, v, torch.cat((k, v), dim=-1)
