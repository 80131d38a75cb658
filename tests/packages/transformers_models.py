"""Programs of transformers for `models.py`: tiny models with random weights, of those above all whose files fixes change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import torch

Program = Callable[[], tuple[torch.nn.Module | None, Any]]


def transformers() -> Iterator[tuple[str, Program]]:
    tokens = torch.randint(3, 50, (2, 16))
    for name in ("Bert", "Llama", "Qwen2", "Mistral", "Gemma", "Mixtral", "Roberta", "Electra", "GPTNeoX", "Phi"):
        yield name, lambda name=name: _last(_made(name), tokens)
    yield "IBert", lambda: _last(_made("IBert", quant_mode=True), tokens)
    for is_new in (True, False):
        falcon = {"new_decoder_architecture": is_new, "multi_query": not is_new}
        yield f"Falcon {is_new}", lambda falcon=falcon: _last(_made("Falcon", **falcon), tokens)
    everywhere = torch.zeros_like(tokens)
    everywhere[0, :3] = everywhere[1, 0] = 1
    for name in ("Longformer", "LED"):
        yield name, lambda name=name: _last(_made(name, attention_window=4), tokens, global_attention_mask=everywhere)
    yield "Mvp", lambda: _last(_made("Mvp", use_prompt=True, prompt_length=3, prompt_mid_dim=8), tokens)
    for name in ("Deberta", "DebertaV2"):
        for labels in ([1, 2], [-1, -1]):
            given = torch.tensor(labels)
            yield f"{name} {labels}", lambda name=name, given=given: _classified(name, tokens, given)
    kept = torch.ones(2, 1600, dtype=torch.long)
    kept[1, 900:] = 0
    sound = {"conv_dim": (8,) * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2}
    for name in ("Hubert", "Data2VecAudio", "Wav2Vec2", "WavLM", "UniSpeech"):
        yield name, lambda name=name: _last(_made(name, **sound), torch.randn(2, 1600), attention_mask=kept)
    yield from _forecasts()
    yield from _parts_of_transformers()


def _made(name: str, kind: str = "Model", **more: Any) -> torch.nn.Module:
    """A tiny model of transformers with random weights, of what is said those settings that its configuration has."""
    import transformers

    sizes = {
        "vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
        "max_position_embeddings": 64, "pad_token_id": 0, "num_key_value_heads": 2, "d_model": 16, "encoder_layers": 1,
        "decoder_layers": 1, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16, "encoder_attention_heads": 2,
        "decoder_attention_heads": 2, "head_dim": 8,
    }  # fmt: skip
    config = getattr(transformers, f"{name}Config")
    fields = {each for base in config.__mro__ for each in getattr(base, "__annotations__", ())}
    known = {key: value for key, value in sizes.items() if key in fields and key not in config.attribute_map}
    made: torch.nn.Module = getattr(transformers, name + kind)(config(**{**known, **more}))
    return made.eval()


def _last(model: torch.nn.Module, *inputs: torch.Tensor, **named: torch.Tensor) -> tuple[torch.nn.Module, Any]:
    return model, model(*inputs, **named).last_hidden_state


def _classified(name: str, tokens: torch.Tensor, labels: torch.Tensor) -> tuple[torch.nn.Module, Any]:
    model = _made(name, "ForSequenceClassification", num_labels=3)
    return model, list(model(tokens, labels=labels)[:2])


def _forecasts() -> Iterator[tuple[str, Program]]:
    times = {"prediction_length": 4, "context_length": 8, "lags_sequence": [1, 2], "num_time_features": 1}
    for name in ("Autoformer", "TimeSeriesTransformer", "Informer"):
        more = {"label_length": 4} if name == "Autoformer" else {}
        yield name, lambda name=name, more=more: _last(_made(name, **times, **more), **_series(10, 4))


def _series(past: int, future: int) -> dict[str, torch.Tensor]:
    known, ahead = torch.rand(2, past), torch.rand(2, future)
    return {
        "past_values": known, "past_time_features": known[..., None], "past_observed_mask": torch.ones(2, past),
        "future_values": ahead, "future_time_features": ahead[..., None],
    }  # fmt: skip


def _parts_of_transformers() -> Iterator[tuple[str, Program]]:
    """Of models that are too large to be made small, the parts that fixes changed."""
    from transformers.generation import utils
    from transformers.models.aria.modeling_aria import AriaCrossAttention
    from transformers.models.evolla.modeling_evolla import EvollaSequenceCompressorResampler
    from transformers.models.idefics.modeling_idefics import IdeficsDecoupledEmbedding
    from transformers.models.idefics2.modeling_idefics2 import Idefics2MultiheadAttentionPoolingHead

    vision = SimpleNamespace(
        hidden_size=16, intermediate_size=32, num_attention_heads=2, hidden_act="gelu", layer_norm_eps=1e-5
    )
    resampled = SimpleNamespace(
        protein_encoder_config=vision, resampler_num_latents=3, resampler_depth=1, resampler_dim_head=8,
        resampler_heads=2, resampler_ff_mult=2, hidden_size=16,
    )  # fmt: skip
    aria = AriaCrossAttention(SimpleNamespace(vision_config=vision)).eval()
    yield "aria", lambda: (aria, aria(torch.rand(2, 5, 16), torch.rand(2, 3, 16)))
    pooling = Idefics2MultiheadAttentionPoolingHead(vision).eval()
    yield "idefics2", lambda: (pooling, pooling(torch.rand(2, 5, 16)))
    embedding = IdeficsDecoupledEmbedding(10, 4, 8)
    yield "idefics", lambda: (embedding, embedding(torch.randint(0, 14, (2, 9))))
    resampler = EvollaSequenceCompressorResampler(resampled)
    yield "evolla", lambda: (resampler, resampler(torch.rand(2, 5, 16), torch.ones(2, 5)))
    for seed in range(4):
        logits = torch.randn(1, 9, 7, generator=torch.Generator().manual_seed(seed))
        asked = (torch.arange(6)[None], logits[:, :4], 4, logits[:, 4:])
        yield f"speculative {seed}", lambda asked=asked: (None, list(utils._speculative_sampling(*asked)))
