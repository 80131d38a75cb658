"""Hold the facts against what libraries do at run time; not part of the tests, for it needs them and takes minutes.

    python tests/oracle/libraries.py [--show 40] [torchmetrics monai x_transformers transformers kornia torch_geometric]

Needs `pip install torchmetrics monai x-transformers transformers einops kornia torch-geometric`. Prints the figures of each library.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import torch

from oracle.trace import Figures, Oracle

Program = Callable[[], object]


def torchmetrics() -> Iterator[Program]:
    import torchmetrics.functional as functional
    from torchmetrics import classification, image, regression, retrieval, text

    scores, classes = torch.rand(32, 5).softmax(1), torch.randint(0, 5, (32,))
    share, truth = torch.rand(32), torch.randint(0, 2, (32,))
    for name in dir(classification):
        made = getattr(classification, name)
        if name.startswith("Binary"):
            yield lambda made=made: _measured(_made(made), share, truth)
        elif name.startswith("Multiclass"):
            yield lambda made=made: _measured(_made(made, num_classes=5), scores, classes)
        elif name.startswith("Multilabel"):
            yield lambda made=made: _measured(_made(made, num_labels=5), scores, (scores > 0.2).int())
    for name in dir(regression):
        if name[0].isupper():
            made = getattr(regression, name)
            yield lambda made=made: _measured(_made(made), share, torch.rand(32))
    for name in dir(retrieval):
        if name.startswith("Retrieval"):
            made = getattr(retrieval, name)
            yield lambda made=made: _measured(made(), share, truth, indexes=torch.arange(32) // 8)
    pictures = torch.rand(2, 3, 48, 48), torch.rand(2, 3, 48, 48)
    for name in dir(image):
        if name[0].isupper() and "Patch" not in name and "Inception" not in name and "Frechet" not in name:
            made = getattr(image, name)
            yield lambda made=made: _measured(_made(made), *pictures)
    for name in ("BLEUScore", "CharErrorRate", "WordErrorRate", "ROUGEScore", "CHRFScore", "MatchErrorRate"):
        made = getattr(text, name)
        yield lambda made=made: made()(["the cat sat"], [["a cat sat there"]])
    yield lambda: functional.pairwise_cosine_similarity(torch.rand(8, 4))


def _made(made: Callable[..., object], **given: object) -> object:
    try:
        return made(**given)
    except (TypeError, ValueError):
        return made(num_outputs=1, **given)


def _measured(metric: object, *given: object, **named: object) -> object:
    assert isinstance(metric, torch.nn.Module)
    metric.update(*given, **named)  # type: ignore[operator]
    return metric.compute()  # type: ignore[operator]


def monai() -> Iterator[Program]:
    from monai import losses, metrics, networks, transforms

    shape = (2, 2, 16, 16)
    logits, labels = torch.randn(shape, requires_grad=True), torch.randint(0, 2, (2, 1, 16, 16))
    for name in dir(losses):
        made = getattr(losses, name)
        if isinstance(made, type) and issubclass(made, torch.nn.Module):
            yield lambda made=made: _back(_loss(made)(logits, labels))
            yield lambda made=made: _back(
                made()(torch.rand(2, 1, 24, 24, requires_grad=True), torch.rand(2, 1, 24, 24))
            )
    for name in dir(metrics):
        if name.endswith("Metric"):
            metric = getattr(metrics, name)
            yield lambda made=metric: made()(torch.rand(shape).round(), torch.rand(shape).round())
            yield lambda made=metric: made(spatial_dims=2)(torch.rand(shape), torch.rand(shape))
    nets = networks.nets
    picture = torch.randn(1, 1, 32, 32)
    flat = {"spatial_dims": 2, "in_channels": 1, "out_channels": 2}
    for name, more in {
        "UNet": {"channels": (4, 8), "strides": (2,)}, "BasicUNet": {}, "AttentionUnet": {"channels": (4, 8), "strides": (2,)},
        "SegResNet": {}, "DynUNet": {"kernel_size": [3, 3], "strides": [1, 2], "upsample_kernel_size": [2]}, "VNet": {},
        "DenseNet121": {}, "UNETR": {"img_size": 32, "feature_size": 4}, "ViT": {}, "HighResNet": {}, "AutoEncoder": {
            "channels": (4, 8), "strides": (2, 2)}, "BasicUNetPlusPlus": {}, "SwinUNETR": {"feature_size": 12},
    }.items():  # fmt: skip
        yield lambda name=name, more=more: getattr(nets, name)(**{**flat, **more})(picture)
    image = torch.rand(1, 24, 24)
    for name in dir(transforms):
        made = getattr(transforms, name)
        if isinstance(made, type) and issubclass(made, transforms.Transform) and name[0].isupper():
            if name.endswith(("d", "Dict")):
                yield lambda made=made: made(keys=["a"])({"a": image})
                yield lambda made=made: made(keys=["a"], prob=1.0)({"a": image})
            else:
                yield lambda made=made: made()(image)
                yield lambda made=made: made(prob=1.0)(image)


def _loss(made: Callable[..., torch.nn.Module]) -> torch.nn.Module:
    try:
        return made(softmax=True, to_onehot_y=True)
    except TypeError:
        return made()


def _back(loss: torch.Tensor) -> None:
    loss.mean().backward()


def x_transformers() -> Iterator[Program]:
    from x_transformers import (
        AutoregressiveWrapper,
        ContinuousTransformerWrapper,
        Decoder,
        Encoder,
        TransformerWrapper,
        XTransformer,
    )

    tokens = torch.randint(0, 32, (2, 16))
    for layer in (Decoder, Encoder):
        for given in (
            {}, {"rotary_pos_emb": True}, {"alibi_pos_bias": True}, {"rel_pos_bias": True}, {"use_rmsnorm": True},
            {"ff_glu": True, "attn_talking_heads": True}, {"attn_qk_norm": True}, {"sandwich_norm": True}, {"macaron": True},
            {"attn_one_kv_head": True}, {"use_scalenorm": True}, {"residual_attn": True}, {"shift_tokens": 1}, {"gate_residual": True},
        ):  # fmt: skip
            yield (
                lambda layer=layer, given=given: (
                    TransformerWrapper(
                        num_tokens=32, max_seq_len=32, attn_layers=layer(dim=32, depth=2, heads=2, **given)
                    )(tokens, mask=torch.ones(2, 16).bool())
                    .sum()
                    .backward()
                )
            )
    yield lambda: _generated(AutoregressiveWrapper(
        TransformerWrapper(num_tokens=32, max_seq_len=32, attn_layers=Decoder(dim=32, depth=1, heads=2))
    ), tokens)  # fmt: skip
    yield lambda: ContinuousTransformerWrapper(
        dim_in=8, dim_out=4, max_seq_len=32, attn_layers=Encoder(dim=32, depth=1, heads=2)
    )(torch.randn(2, 16, 8))
    yield lambda: XTransformer(
        dim=32, enc_num_tokens=32, enc_depth=1, enc_heads=2, enc_max_seq_len=32, dec_num_tokens=32, dec_depth=1, dec_heads=2,
        dec_max_seq_len=32,
    )(tokens, tokens)  # fmt: skip


def _generated(model: torch.nn.Module, tokens: torch.Tensor) -> None:
    model(tokens).backward()
    model.generate(tokens, 4)  # type: ignore[operator]


def transformers() -> Iterator[Program]:
    import transformers as library

    small = {
        "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48, "vocab_size": 64,
        "max_position_embeddings": 64, "num_key_value_heads": 1, "head_dim": 16, "pad_token_id": 0,
    }  # fmt: skip
    tokens = torch.randint(1, 64, (2, 12))
    mask = torch.ones_like(tokens)
    for name in (
        "Bert", "Roberta", "Albert", "Electra", "DistilBert", "Deberta", "DebertaV2", "MPNet", "ConvBert", "FNet", "Nystromformer",
    ):  # fmt: skip
        yield lambda name=name: _model(library, f"{name}ForMaskedLM", f"{name}Config", small)(
            input_ids=tokens, attention_mask=mask, labels=tokens
        ).loss.backward()
    for name in (
        "Llama", "Mistral", "Qwen2", "Gemma", "Phi", "GPTNeoX", "Falcon", "Bloom", "GPT2", "OPT", "StableLm", "Cohere", "Mixtral", "Olmo",
    ):  # fmt: skip
        yield lambda name=name: _decoded(library, name, small, tokens, mask)
    pictures = torch.rand(2, 3, 32, 32)
    for name in (
        "ViT",
        "DeiT",
        "Dinov2",
        "BeiT",
        "Swin",
        "ConvNext",
        "ResNet",
        "MobileNetV2",
        "PoolFormer",
        "Segformer",
    ):
        yield lambda name=name: _model(
            library, f"{name}ForImageClassification", f"{name}Config", {**small, "image_size": 32, "patch_size": 8}
        )(pictures, labels=torch.tensor([0, 1])).loss.backward()
    yield lambda: _model(library, "T5ForConditionalGeneration", "T5Config", {"d_model": 32, "d_ff": 32, "num_layers": 1, "d_kv": 8,
        "num_heads": 2, "vocab_size": 64})(input_ids=tokens, labels=tokens).loss.backward()  # fmt: skip


def _model(library: object, name: str, config: str, given: dict[str, object]) -> torch.nn.Module:
    made: torch.nn.Module = getattr(library, name)(getattr(library, config)(**given))
    return made


def _decoded(library: object, name: str, given: dict[str, object], tokens: torch.Tensor, mask: torch.Tensor) -> None:
    model = _model(library, f"{name}ForCausalLM" if name != "GPT2" else "GPT2LMHeadModel", f"{name}Config", given)
    model(input_ids=tokens, attention_mask=mask, labels=tokens).loss.backward()
    model.eval().generate(tokens, attention_mask=mask, max_new_tokens=3, do_sample=True)  # type: ignore[operator]


def kornia() -> Iterator[Program]:
    from kornia import augmentation, color, enhance, filters, geometry, losses, metrics, morphology

    picture = torch.rand(2, 3, 24, 24)
    given = {
        "Tensor": picture, "torch.Tensor": picture, "int": 3, "float": 0.5, "tuple[int, int]": (3, 3), "tuple[float, float]": (1.0, 1.0),
        "tuple[int, int] | int": (3, 3), "tuple[float, float] | Tensor": (1.0, 1.0), "float | Tensor": 0.5, "Tensor | float": 0.5,
        "kernel": torch.ones(3, 3), "points": torch.rand(2, 8, 2), "matrix": torch.eye(3)[None].repeat(2, 1, 1), "dsize": (12, 12),
        "M": torch.eye(3)[None].repeat(2, 1, 1), "angle": torch.rand(2), "bool": True, "str": "reflect", "reduction": "mean",
    }  # fmt: skip
    for home in (filters, color, enhance, losses, morphology, geometry, metrics):
        for name in dir(home):
            made = getattr(home, name)
            if name[0].islower() and callable(made):
                yield lambda made=made: made(*_by_signature(made, given))
            elif isinstance(made, type) and issubclass(made, torch.nn.Module):
                yield lambda made=made: made(*_by_signature(made, given))(picture)
    for name in dir(augmentation):
        made = getattr(augmentation, name)
        if name.startswith("Random") or name.endswith(("Jitter", "Jiggle", "Crop")):
            yield lambda made=made: made(*_by_signature(made, given), p=1.0)(picture)


def _by_signature(made: Callable[..., object], given: dict[str, object]) -> list[object]:
    """An argument for each parameter that has no default, by its name or its annotation; KeyError where there is none."""
    needed = [each for each in inspect.signature(made).parameters.values() if each.default is each.empty]
    names = (each.name if each.name in given else str(each.annotation) for each in needed)
    return [given[name.removeprefix("<class '").removesuffix("'>")] for name in names]


def torch_geometric() -> Iterator[Program]:
    from torch_geometric import nn, utils

    nodes, edges = torch.randn(6, 8), torch.tensor([[0, 1, 2, 3, 4, 5, 0, 2], [1, 0, 3, 2, 5, 4, 2, 0]])
    batch = torch.tensor([0, 0, 0, 1, 1, 1])
    for name in dir(nn):
        made = getattr(nn, name)
        if isinstance(made, type) and name.endswith("Conv"):
            for sizes in ((8, 8), (8,), ()):
                yield lambda made=made, sizes=sizes: made(*sizes)(nodes, edges).sum().backward()
        elif isinstance(made, type) and name.endswith(("Norm", "Aggregation")):
            yield lambda made=made: made(8)(nodes, batch)
            yield lambda made=made: made()(nodes, batch)
        elif isinstance(made, type) and name.endswith("Pooling"):
            yield lambda made=made: made(8)(nodes, edges, batch=batch)
    for name in ("GCN", "GAT", "GIN", "EdgeCNN", "GraphSAGE"):
        yield lambda name=name: getattr(nn, name)(8, 8, 2)(nodes, edges).sum().backward()
    for name in ("add_self_loops", "coalesce", "contains_isolated_nodes", "degree", "is_undirected", "remove_self_loops",
                 "to_dense_adj", "to_undirected", "get_laplacian", "negative_sampling", "dropout_edge", "to_torch_coo_tensor"):  # fmt: skip
        yield lambda name=name: getattr(utils, name)(edges if name != "degree" else edges[0])
    yield lambda: utils.to_dense_batch(nodes, batch)
    yield lambda: utils.softmax(nodes, batch)


LIBRARIES = {
    "torchmetrics": torchmetrics,
    "monai": monai,
    "x_transformers": x_transformers,
    "transformers": transformers,
    "kornia": kornia,
    "torch_geometric": torch_geometric,
}


def figures(name: str) -> tuple[Figures, Figures, int, int]:
    """The figures of the local names of one library, and of their parts; how many of its programs ran, out of how many."""
    home = Path(str(importlib.import_module(name).__file__)).parent
    oracle = Oracle(home.parent, lambda path: home in path.parents)
    ran = tried = 0
    torch.manual_seed(0)
    for program in LIBRARIES[name]():
        tried += 1
        try:
            program()  # imports what it needs; not every import bears a tracer
            oracle.run(program)
            ran += 1
        except Exception:  # a program that does not fit the installed version says nothing
            continue
    return oracle.figures, oracle.parts, ran, tried


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", default=list(LIBRARIES))
    parser.add_argument("--show", type=int, default=0, help="so many wrong and unknown answers")
    said = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in said.libraries:
        found, parts, ran, tried = figures(name)
        print(f"{name}: {ran} of {tried} programs ran; {found}", flush=True)
        print(f"    attributes and items: {parts}", flush=True)
        for title, seen in (
            ("wrong", found.wrong), ("wrong part", parts.wrong), ("unknown", found.missed), ("unknown part", parts.missed),
        ):  # fmt: skip
            for text, count in seen.most_common(said.show):
                print(f"    {title} {count}x {text}")


if __name__ == "__main__":
    main()
