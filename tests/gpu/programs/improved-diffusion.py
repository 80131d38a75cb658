"""openai/improved-diffusion at 1bc7bbbdc414d83d4abf2ad8cc1446dc36c4e4d5"""

import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
import torch.distributed as dist

np.int = int  # numpy 2 lacks it
world = SimpleNamespace(
    rank=0, size=1, Get_rank=lambda: 0, Get_size=lambda: 1, bcast=lambda what, root=0: what
)
stand_in("mpi4py", MPI=SimpleNamespace(COMM_WORLD=world))
stand_in("blobfile", BlobFile=open, join=os.path.join, exists=os.path.exists)
stand_in("PIL")
from improved_diffusion import dist_util, logger
from improved_diffusion.resample import create_named_schedule_sampler
from improved_diffusion.script_util import create_model_and_diffusion, model_and_diffusion_defaults
from improved_diffusion.train_util import TrainLoop

dist.init_process_group(
    "nccl" if DEVICE == "cuda" else "gloo", init_method=f"file://{Path('meet').resolve()}", rank=0, world_size=1
)
logger.configure(dir="log", format_strs=["csv"])
for sampler, half, sigma in (("uniform", False, False), ("loss-second-moment", DEVICE == "cuda", True)):
    given = model_and_diffusion_defaults() | {
        "image_size": 32,
        "num_channels": 32,
        "num_res_blocks": 1,
        "class_cond": True,
        "diffusion_steps": 8,
        "noise_schedule": "cosine",
        "learn_sigma": sigma,
    }
    model, diffusion = create_model_and_diffusion(**given)
    model.to(dist_util.dev())
    schedule = create_named_schedule_sampler(sampler, diffusion)
    data = iter([(torch.randn(8, 3, 32, 32), {"y": torch.randint(0, 10, (8,))}) for _ in range(8)])
    TrainLoop(
        model=model,
        diffusion=diffusion,
        data=data,
        batch_size=8,
        microbatch=4,
        lr=1e-4,
        ema_rate="0.9999",
        log_interval=2,
        save_interval=4,
        resume_checkpoint="",
        use_fp16=half,
        schedule_sampler=schedule,
        lr_anneal_steps=5,
    ).run_loop()
    step()
    model.eval()
    for loop in (diffusion.p_sample_loop, diffusion.ddim_sample_loop):
        loop(model, (4, 3, 32, 32), clip_denoised=True, model_kwargs={"y": torch.zeros(4, dtype=int, device=dist_util.dev())})
        step()
    batch = torch.rand(4, 3, 32, 32).to(dist_util.dev())
    diffusion.calc_bpd_loop(model, batch, model_kwargs={"y": torch.zeros(4, dtype=int, device=dist_util.dev())})
    step()
dist.destroy_process_group()
