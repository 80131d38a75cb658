"""facebookresearch/drqv2 at c0c650b76c6e5d22a7eb5f2edffd1440fe94f8ef"""

import numpy as np

stand_in("hydra", "omegaconf")
import drqv2

agent = drqv2.DrQV2Agent((9, 84, 84), (6,), DEVICE, 1e-4, 50, 256, 0.01, 2000, 2, "linear(1.0,0.1,100000)", 0.3, True)


def replay(size=16):
    while True:
        yield (
            np.random.randint(0, 255, (size, 9, 84, 84)).astype(np.uint8),
            np.random.rand(size, 6).astype(np.float32),
            np.random.rand(size, 1).astype(np.float32),
            np.ones((size, 1), dtype=np.float32),
            np.random.randint(0, 255, (size, 9, 84, 84)).astype(np.uint8),
        )


batches = replay()
for at in range(6):
    with drqv2.torch.no_grad(), drqv2.utils.eval_mode(agent):
        agent.act(next(batches)[0][0], at, eval_mode=at % 3 == 2)
    agent.update(batches, at)
    step()
