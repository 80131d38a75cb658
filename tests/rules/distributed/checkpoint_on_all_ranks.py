import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.fsdp import FullStateDictConfig, StateDictType
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


# doc: Every rank gathers the whole model on its GPU
def save(model, rank):
    options = StateDictOptions(full_state_dict=True)
    whole = get_model_state_dict(model, options=options)  # expect: TPL810 @ get_model_state_dict(model, options=options)
    if rank == 0:
        torch.save(whole, "model.pt")


# case: the same of the wrapper
def save(model, rank):
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(offload_to_cpu=True)):  # expect: TPL810 @ FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, FullStateDictConfig(offload_to_cpu=True))
        whole = model.state_dict()
    if rank == 0:
        torch.save(whole, "model.pt")


# case: at every step
def train(net: nn.Module, optimizer, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    for x, y in loader:
        F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
        optimizer.step()
        torch.save(model.state_dict(), "last.pt")  # expect: TPL810 @ torch.save(model.state_dict(), "last.pt")


# ok: one rank, on the host
def save(model, rank):
    config = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT, config):
        whole = model.state_dict()
    if rank == 0:
        torch.save(whole, "model.pt")


# ok: the same
def save(model, rank):
    whole = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
    if rank == 0:
        torch.save(whole, "model.pt")


# ok: it is loaded, by all
def load(model, state):
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT):
        model.load_state_dict(state)


# ok: each has its own part
def save(model):
    with FSDP.state_dict_type(model, StateDictType.SHARDED_STATE_DICT):
        return model.state_dict()


# ok: now and then, and by one
def train(net: nn.Module, optimizer, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    for step, (x, y) in enumerate(loader):
        F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
        optimizer.step()
        if step % 1000 == 0 and rank == 0:
            torch.save(model.state_dict(), "last.pt")


# ok: once an epoch
def train(net: nn.Module, optimizer, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    for epoch in range(10):
        for x, y in loader:
            F.cross_entropy(model(x.to(rank)), y.to(rank)).backward()
            optimizer.step()
        torch.save(model.state_dict(), "last.pt")


# ok: a queue that is kept from epoch to epoch
def train(net: nn.Module, optimizer, loader, rank):
    model = DDP(net.to(rank), device_ids=[rank], gradient_as_bucket_view=True)
    queue = None
    for epoch in range(10):
        if queue is None:
            queue = torch.zeros(2, 1024, 128).cuda()
        queue = run_epoch(loader, model, optimizer, queue)
        if queue is not None:
            torch.save({"queue": queue}, f"queue-{rank}.pt")
