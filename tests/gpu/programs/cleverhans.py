"""cleverhans 4.0.0"""

import numpy as np
import torch
from torch import nn

stand_in("easydict")
from cleverhans.torch.attacks.carlini_wagner_l2 import carlini_wagner_l2
from cleverhans.torch.attacks.fast_gradient_method import fast_gradient_method
from cleverhans.torch.attacks.hop_skip_jump_attack import hop_skip_jump_attack
from cleverhans.torch.attacks.noise import noise
from cleverhans.torch.attacks.projected_gradient_descent import projected_gradient_descent
from cleverhans.torch.attacks.sparse_l1_descent import sparse_l1_descent
from cleverhans.torch.attacks.spsa import spsa

net = nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(100, 4)).to(DEVICE).eval()


for at in range(3):
    x = torch.rand(6, 1, 10, 10, device=DEVICE)
    y = net(x).argmax(1)
    other = (y + 1) % 4
    box = {"clip_min": 0.0, "clip_max": 1.0}
    for norm in (np.inf, 2, 1):
        tried(f"fgm {norm}", at, lambda: fast_gradient_method(net, x, 0.1, norm, sanity_checks=True, **box))
        tried(f"noise {norm}", at, lambda: noise(x, 0.1, norm, **box))
        tried(f"pgd {norm}", at, lambda: projected_gradient_descent(net, x, 0.3, 0.1, 3, norm, y=other, targeted=True, **box))
    tried("cw", at, lambda: carlini_wagner_l2(net, x, 4, binary_search_steps=2, max_iterations=12))
    tried("cw to", at, lambda: carlini_wagner_l2(net, x, 4, y=other, targeted=True, binary_search_steps=2, max_iterations=12))
    tried("l1", at, lambda: sparse_l1_descent(net, x, nb_iter=3, y=y, rand_init=True, clip_grad=True, **box))
    for norm in (np.inf, 2):
        tried(f"spsa {norm}", at, lambda: spsa(net, x[:2], 0.2, 2, norm, y=y[:2], spsa_samples=4, is_debug=True, early_stop_loss_threshold=-5.0, **box))
        tried(f"jump {norm}", at, lambda: hop_skip_jump_attack(net, x[:3], norm, initial_num_evals=8, max_num_evals=12, num_iterations=2, stepsize_search="grid_search" if norm == 2 else "geometric_progression", batch_size=8, verbose=True))
    tried("jump to", at, lambda: hop_skip_jump_attack(net, x[:2], 2, y_target=other[:2], image_target=x[2:4], initial_num_evals=8, max_num_evals=12, num_iterations=2, verbose=False))
    step()
