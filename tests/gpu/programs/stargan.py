"""yunjey/stargan at 94dd002e93a2863d9b987a937b85925b80f7a19f"""

from pathlib import Path
from types import SimpleNamespace

import torch

stand_in("torchvision", "torchvision.utils")
from solver import Solver

Path("out").mkdir()
config = SimpleNamespace(
    c_dim=5,
    c2_dim=8,
    image_size=64,
    g_conv_dim=16,
    d_conv_dim=16,
    g_repeat_num=2,
    d_repeat_num=4,
    lambda_cls=1,
    lambda_rec=10,
    lambda_gp=10,
    dataset="CelebA",
    batch_size=4,
    num_iters=8,
    num_iters_decay=4,
    g_lr=1e-4,
    d_lr=1e-4,
    n_critic=2,
    beta1=0.5,
    beta2=0.999,
    resume_iters=None,
    selected_attrs=["Black_Hair", "Blond_Hair", "Brown_Hair", "Male", "Young"],
    test_iters=8,
    use_tensorboard=False,
    log_dir="out",
    sample_dir="out",
    model_save_dir="out",
    result_dir="out",
    log_step=2,
    sample_step=3,
    model_save_step=8,
    lr_update_step=3,
)
celeba = [(torch.randn(4, 3, 64, 64), torch.randint(0, 2, (4, 5)).float()) for _ in range(3)]
rafd = [(torch.randn(4, 3, 64, 64), torch.randint(0, 8, (4,))) for _ in range(3)]
solver = Solver(celeba, rafd, config)
solver.train()
solver.test()
step()
config.dataset, config.c_dim, config.num_iters = "RaFD", 8, 4
Solver(celeba, rafd, config).train()
config.dataset, config.c_dim = "Both", 5
Solver(celeba, rafd, config).train_multi()
