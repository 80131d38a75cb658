"""Models of public libraries, small, with inputs for a batch of any size."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import library as operators
from torch import nn

Inputs = Callable[[int], object]
Program = Callable[[], tuple[Callable[..., object], Inputs]]
"""Makes a model, and what gives its inputs: a tensor, a tuple of arguments, or a dictionary of them."""

HERE = Path(__file__).parent


def of(library: str, is_repository: bool = False) -> Iterator[tuple[str, Program]]:
    """The programs of a library, by name; in an order that has nothing to do with the names."""
    found = [*LIBRARIES[library]()] if library in LIBRARIES else [*_listed(library, is_repository)]
    random.Random(0).shuffle(found)
    return iter(found)


def name_operators() -> None:
    """Let a torchvision be imported that was built for another torch: it looks for operators that its library would define."""
    try:
        import_module("torchvision")
    except ImportError:
        return
    except RuntimeError:
        for name in ("nms", "qnms"):
            operators.define(f"torchvision::{name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


# ---- pictures


def timm() -> Iterator[tuple[str, Program]]:
    """One model of each file: the one with the shortest name among the smallest by name."""
    import timm

    for module in timm.list_modules():
        names = [
            name for name in timm.list_models(module=module) if not name.startswith("test_") or module == "naflexvit"
        ]
        if not names:
            continue
        small = [
            name
            for name in names
            if any(word in name for word in ("tiny", "nano", "atto", "pico", "mini", "xs", "small"))
        ]
        name = min(small or names, key=lambda each: (len(each), each))
        yield f"{module}: {name}", lambda name=name: _timm_model(name)


def _timm_model(name: str) -> tuple[nn.Module, Inputs]:
    import timm

    model = timm.create_model(name)
    channels, height, width = model.default_cfg.get("input_size", (3, 224, 224))
    return model, lambda batch: torch.randn(batch, channels, min(height, 256), min(width, 256))


def torchvision() -> Iterator[tuple[str, Program]]:
    from torchvision import models

    for name in (
        "alexnet", "convnext_tiny", "densenet121", "efficientnet_b0", "googlenet", "inception_v3", "maxvit_t", "mnasnet0_5", "mobilenet_v2",
        "mobilenet_v3_small", "regnet_y_400mf", "resnet18",
        "shufflenet_v2_x0_5", "squeezenet1_0", "swin_t", "swin_v2_t", "vgg11", "vit_b_16",
    ):  # fmt: skip
        size = 299 if name == "inception_v3" else 224
        yield (
            name,
            lambda name=name, size=size: (
                models.get_model(name, weights=None),
                lambda batch: torch.randn(batch, 3, size, size),
            ),
        )
    for name in ("fcn_resnet50", "deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large"):
        yield (
            name,
            lambda name=name: (
                models.get_model(name, weights=None, weights_backbone=None),
                lambda batch: torch.randn(batch, 3, 64, 64),
            ),
        )
    for name in ("raft_small",):
        yield (
            name,
            lambda name=name: (
                models.get_model(name, weights=None),
                lambda batch: (torch.rand(batch, 3, 128, 128), torch.rand(batch, 3, 128, 128)),
            ),
        )
    for name in (
        "retinanet_resnet50_fpn",
        "fcos_resnet50_fpn",
        "ssdlite320_mobilenet_v3_large",
        "fasterrcnn_mobilenet_v3_large_320_fpn",
    ):
        yield (
            f"{name}, training",
            lambda name=name: (
                models.get_model(name, weights=None, weights_backbone=None),
                lambda batch: (
                    [torch.rand(3, 320, 320)] * batch,
                    [{"boxes": torch.tensor([[10.0, 10.0, 90.0, 90.0]]), "labels": torch.tensor([1])}] * batch,
                ),
            ),
        )
    for name in ("r3d_18", "mc3_18", "r2plus1d_18", "s3d", "mvit_v1_b", "swin3d_t"):
        frames, size = (16, 224) if name == "mvit_v1_b" else (16, 112)
        yield (
            name,
            lambda name=name, frames=frames, size=size: (
                models.get_model(name, weights=None),
                lambda batch: torch.randn(batch, 3, frames, size, size),
            ),
        )


# ---- text and more


def transformers() -> Iterator[tuple[str, Program]]:
    """All kinds of models that `AutoModel` knows, with tiny settings, where these fit."""
    from transformers import AutoModel
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    for kind in sorted(CONFIG_MAPPING):
        yield kind, lambda kind=kind: _transformers_model(AutoModel, CONFIG_MAPPING, kind)


SMALL = {
    "hidden_size": 32, "d_model": 32, "dim": 32, "n_embd": 32, "num_hidden_layers": 2, "num_layers": 2, "n_layer": 2, "n_layers": 2,
    "encoder_layers": 2, "decoder_layers": 2, "num_attention_heads": 2, "n_head": 2, "n_heads": 2, "encoder_attention_heads": 2,
    "decoder_attention_heads": 2, "num_heads": 2, "num_key_value_heads": 1, "head_dim": 16, "intermediate_size": 48, "d_ff": 48, "d_kv": 16,
    "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "ffn_dim": 48, "vocab_size": 64, "max_position_embeddings": 64, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "image_size": 32, "patch_size": 8, "type_vocab_size": 2,
        "embed_dim": 32,
    "n_routed_experts": 4, "num_experts": 4, "num_local_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32,
}  # fmt: skip
"""Settings by the names that configurations give them; each takes those that it has as plain numbers."""


def _transformers_model(auto: Any, known: Any, kind: str) -> tuple[nn.Module, Inputs]:
    made = known[kind]()
    own = made.to_dict()
    config = known[kind](**{name: value for name, value in SMALL.items() if isinstance(own.get(name), int)})
    model: nn.Module = auto.from_config(config)
    if sum(each.numel() for each in model.parameters()) > 150e6:
        raise ValueError("the model is large")
    names = inspect.signature(model.forward).parameters
    has_pictures = "pixel_values" in names and "input_ids" not in names

    def inputs(batch: int) -> object:
        if has_pictures:
            size = getattr(config, "image_size", 32)
            return {"pixel_values": torch.randn(batch, getattr(config, "num_channels", 3), size, size)}
        if "input_values" in names and "input_ids" not in names:
            return {"input_values": torch.randn(batch, 4000)}
        tokens = torch.randint(3, 60, (batch, 12))
        given = {"input_ids": tokens, "attention_mask": torch.ones_like(tokens)}
        given |= {"decoder_input_ids": tokens} if "decoder_input_ids" in names else {}
        given |= {"pixel_values": torch.randn(batch, 3, 32, 32)} if "pixel_values" in names else {}
        return {name: value for name, value in given.items() if name in names}

    return model, inputs


# ---- graphs


def torch_geometric() -> Iterator[tuple[str, Program]]:
    from torch_geometric.nn import aggr, conv, models, norm, pool

    for home in (conv, models, norm, aggr, pool):
        for name in home.__all__ if hasattr(home, "__all__") else home.classes:
            made = getattr(home, name, None)
            if isinstance(made, type) and issubclass(made, nn.Module):
                yield f"{home.__name__.rpartition('.')[2]}.{name}", lambda made=made: _graph_layer(made)


def _graph_layer(made: type[nn.Module]) -> tuple[nn.Module, Inputs]:
    import torch_geometric.nn as layers

    mlp = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 16))
    usual: dict[str, Any] = {
        "in_channels": 16, "out_channels": 16, "hidden_channels": 16, "num_layers": 2, "channels": 16, "edge_dim": None, "K": 2, "heads": 2,
        "dim": 1, "kernel_size": 2, "num_relations": 3, "num_nodes": 8, "nn": mlp, "local_nn": None, "global_nn": None, "in_dim": 16,
        "out_dim": 16, "size": 16, "ratio": 0.5, "k": 3, "num_edge_types": 3, "walk_length": 2, "num_bases": 2, "alpha": 0.1,
        "num_types": 1,
        "conv": layers.GCNConv(16, 16), "aggrs": ["mean", "max"], "aggr": "mean", "processing_steps": 2, "num_groups": 2, "num_heads": 2,
        "num_timesteps": 2, "mlp": mlp, "encoder": layers.GCNConv(16, 16), "num_embeddings": 8, "embedding_dim": 16, "depth": 2,
        "gate_nn": nn.Linear(16, 1),
    }  # fmt: skip
    needed = [
        each
        for each in inspect.signature(made.__init__).parameters.values()
        if each.name not in {"self", "args", "kwargs"}
    ]
    model = made(**{each.name: usual[each.name] for each in needed if each.default is each.empty})
    names = inspect.signature(model.forward).parameters

    def inputs(batch: int) -> object:
        nodes = 4 * batch
        edges = torch.stack([torch.arange(nodes), torch.arange(nodes).roll(1)])
        edges = torch.cat([edges, edges.flip(0)], 1)
        given = {
            "x": torch.randn(nodes, 16), "edge_index": edges, "index": torch.arange(nodes) // 4, "batch": torch.arange(nodes) // 4,
            "edge_type": torch.arange(edges.size(1)) % 3, "pos": torch.randn(nodes, 3), "z": torch.randint(1, 9, (nodes,)),
            "edge_attr": torch.randn(edges.size(1), 16), "dim_size": batch, "edge_weight": torch.rand(edges.size(1)),
        }  # fmt: skip
        asked = {each.name for each in names.values() if each.default is each.empty or each.name in {"index", "batch"}}
        return {name: value for name, value in given.items() if name in asked}

    return model, inputs


def torchmetrics() -> Iterator[tuple[str, Program]]:
    """The functions that measure a batch."""
    from torchmetrics import functional
    from torchmetrics.functional import classification, image, regression, retrieval

    scores, classes = lambda batch: torch.rand(8 * batch, 5).softmax(1), lambda batch: torch.randint(0, 5, (8 * batch,))
    for name in dir(classification):
        made = getattr(classification, name)
        if name.startswith("binary_"):
            yield (
                name,
                lambda made=made: (made, lambda batch: (torch.rand(8 * batch), torch.randint(0, 2, (8 * batch,)))),
            )
        elif name.startswith("multiclass_"):
            yield (
                name,
                lambda made=made: (
                    lambda *given: made(*given, num_classes=5),
                    lambda batch: (scores(batch), classes(batch)),
                ),
            )
    for home in (regression, retrieval, image):
        for name in dir(home):
            made = getattr(home, name)
            if inspect.isfunction(made):
                shape = (3, 48, 48) if home is image else ()
                yield name, lambda made=made, shape=shape, home=home: (
                    made,
                    lambda batch: (
                        torch.rand(8 * batch, *shape) if not shape else torch.rand(batch, *shape),
                        torch.rand(batch, *shape) if shape else (torch.rand(8 * batch) > 0.5).float().to(
                            torch.int64 if home is retrieval else torch.float32),
                    ),
                )  # fmt: skip
    for name in (
        "pairwise_cosine_similarity",
        "pairwise_euclidean_distance",
        "pairwise_linear_similarity",
        "pairwise_manhattan_distance",
    ):
        yield name, lambda name=name: (getattr(functional, name), lambda batch: torch.rand(4 * batch, 4))


# ---- one repository a line: a module, how it is made there, and what it takes


def _made(library: str | None, given: str) -> Program:
    """A program from its source, `Class(arguments) | inputs` or `function | inputs`, with the library's names, torch's and `B`
    for the batch.

    Of a repository all modules are found from its folder: there is no library around them."""

    def program() -> tuple[Callable[..., object], Inputs]:
        maker, _, inputs = given.rpartition(" | ")
        inputs = GIVEN.get(inputs, inputs)
        home = vars(import_module(library)) if library is not None else {}
        module, _, rest = maker.partition("(")
        *path, name = module.split(".")
        scope = {"torch": torch, "nn": nn, **home}
        if path:
            scope |= vars(import_module(".".join([library, *path] if library is not None else path)))
        model = eval(f"{name}({rest}" if rest else name, scope)
        return model, lambda batch: eval(inputs, {"torch": torch, "B": batch, **scope})

    return program


def _listed(library: str, is_repository: bool) -> Iterator[tuple[str, Program]]:
    """The programs of a library in `programs.txt`, numbered."""
    lines = [line.partition(": ") for line in (HERE / "programs.txt").read_text("utf-8").splitlines() if line[0] != "#"]
    own = [line for name, _, line in lines if name == library]
    return (
        (f"{line.partition(' | ')[0].partition('(')[0]} {number}", _made(None if is_repository else library, line))
        for number, line in enumerate(own)
    )


GIVEN = {
    "IMAGE": "torch.randn(B, 3, 64, 64)",
    "TOKENS": "torch.randint(0, 64, (B, 32))",
    "SEQUENCE": "torch.randn(B, 32, 32)",
    "ROWS": "torch.randn(4 * B, 8)",
    "LABELLED": "(torch.randn(8 * B, 16), torch.arange(8 * B) % 8)",
}
LIBRARIES: dict[str, Callable[[], Iterator[tuple[str, Program]]]] = {
    "timm": timm,
    "torchvision": torchvision,
    "transformers": transformers,
    "torch_geometric": torch_geometric,
    "torchmetrics": torchmetrics,
}
"""What has programs of its own here; the others are in `programs.txt`."""
