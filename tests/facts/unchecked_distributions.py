"""A program that switches the checks of distributions off, where importing it runs that, for all of them."""

import torch
from torch.distributions import Categorical, Distribution, Normal

Distribution.set_default_validate_args(False)


def acts(x: torch.Tensor):
    logits = x.cuda()
    chosen = Categorical(logits=logits)  # fact: Categorical(logits=logits) => no wait
    asked = Categorical(logits=logits, validate_args=True)  # fact: Categorical(logits=logits, validate_args=True) => wait
    left = Normal(logits, 1.0, validate_args=None)  # fact: Normal(logits, 1.0, validate_args=None) => no wait
    told = asked.log_prob(chosen.sample())  # fact: asked.log_prob(chosen.sample()) => wait
    return told, left.log_prob(logits)  # fact: left.log_prob(logits) => no wait
