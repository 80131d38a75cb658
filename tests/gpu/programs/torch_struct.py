"""torch-struct 0.5"""

import torch
from torch_struct import HMM, DependencyCRF, LinearChainCRF, NonProjectiveDependencyCRF, SemiMarkovCRF, SentCFG, TreeCRF

torch.distributions.Distribution.set_default_validate_args(False)
batch, long, kinds = 3, 6, 4


def noise(*shape):
    return torch.randn(*shape, device=DEVICE, requires_grad=True)


for at in range(3):
    lengths = torch.tensor([6, 5, 4], device=DEVICE)
    made = {
        "chain": lambda: LinearChainCRF(noise(batch, long - 1, kinds, kinds), lengths=lengths),
        "semi": lambda: SemiMarkovCRF(noise(batch, long - 1, 3, kinds, kinds), lengths=lengths),
        "tree": lambda: TreeCRF(noise(batch, long, long, 3), lengths=lengths),
        "dependencies": lambda: DependencyCRF(noise(batch, long, long), lengths=lengths),
        "single": lambda: DependencyCRF(noise(batch, long, long), multiroot=False),
        "free": lambda: NonProjectiveDependencyCRF(noise(batch, long, long)),
        "grammar": lambda: SentCFG((noise(batch, long, 3), noise(batch, 2, 5, 5), noise(batch, 2)), lengths=lengths),
        "hidden": lambda: HMM(noise(kinds, kinds), noise(5, kinds), noise(kinds), torch.randint(0, 5, (batch, long), device=DEVICE)),
    }
    for name, make in made.items():
        for ask in ("partition", "marginals", "argmax", "max", "entropy", "topk", "kmax", "sample", "log_prob", "kl", "cross_entropy", "gumbel_crf", "to_event", "count"):
            if ask in ("count",) and name != "chain":
                continue
            try:
                some = make()
                if ask in ("marginals", "argmax", "partition", "max", "entropy"):
                    told = getattr(some, ask)
                    told() if callable(told) else told
                elif ask in ("topk", "kmax"):
                    getattr(some, ask)(2)
                elif ask == "sample":
                    some.sample((2,))
                elif ask == "log_prob":
                    some.log_prob(some.argmax)
                elif ask in ("kl", "cross_entropy"):
                    getattr(some, ask)(make())
                elif ask == "gumbel_crf":
                    some.gumbel_crf(0.5)
                elif ask == "to_event":
                    sequence = torch.randint(0, kinds, (batch, long), device=DEVICE)
                    some.from_event(some.to_event(sequence, kinds))
                else:
                    some.count
            except (NotImplementedError, AttributeError, RuntimeError, ValueError, TypeError, AssertionError, KeyError, IndexError) as no:
                if at == 0:
                    print(name, ask, type(no), str(no)[:90])
    step()
