"""eric-mitchell/direct-preference-optimization at f8b8c0f49dc92a430bae41585f9d467d3618fe2f; findings about other things had been read before"""

import os
import random
import runpy
from pathlib import Path
from types import SimpleNamespace

import torch
from torch import nn

LAYERS, WIDTH, HEADS, LONGEST, PAIRS, TESTED, BATCH = 6, 384, 6, 256, 64, 16, 8


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.drop = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH), nn.Dropout(0.1)
        self.asked, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x, mask):
        many, long, _ = x.shape
        parts = self.asked(self.first(x)).view(many, long, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = nn.functional.scaled_dot_product_attention(*parts, attn_mask=mask)
        x = x + self.drop(self.out(seen.transpose(1, 2).reshape(many, long, WIDTH)))
        return x + self.wide(self.second(x))


class Model(nn.Module):
    """A small GPT, called as those of Transformers are."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(256, WIDTH), nn.Embedding(LONGEST, WIDTH)
        self.blocks, self.norm = nn.ModuleList(Block() for _ in range(LAYERS)), nn.LayerNorm(WIDTH)

    @classmethod
    def from_pretrained(cls, *_, torch_dtype, **__):
        return cls().to(DEVICE, torch_dtype)

    def forward(self, ids, attention_mask):
        long = ids.shape[1]
        x = self.words(ids) + self.places(torch.arange(long, device=ids.device))
        before = torch.ones(long, long, dtype=torch.bool, device=ids.device).tril()
        mask = before & (attention_mask.bool()[:, None, None] | torch.eye(long, dtype=torch.bool, device=ids.device))
        for block in self.blocks:
            x = block(x, mask)
        return SimpleNamespace(logits=self.norm(x) @ self.words.weight.T)

    @torch.no_grad()
    def generate(self, ids, attention_mask, max_length, do_sample, pad_token_id):
        for _ in range(min(8, max_length - ids.shape[1])):
            chances = self(ids, attention_mask).logits[:, -1].float().softmax(-1)
            ids = torch.cat([ids, torch.multinomial(chances, 1)], 1)
            attention_mask = torch.cat([attention_mask, torch.ones_like(attention_mask[:, :1])], 1)
        return ids


class Tokenizer:
    """A letter is a word."""

    eos_token_id, pad_token_id = 0, None

    @classmethod
    def from_pretrained(cls, *_, **__):
        return cls()

    def __call__(self, text, **_):
        ids = [ord(letter) % 255 + 1 for letter in text]
        return {"input_ids": ids, "attention_mask": [1] * len(ids)}

    def batch_decode(self, rows, **_):
        return ["".join(map(chr, row)) for row in rows.tolist()]


def load_dataset(_, split, **__):
    draw = random.Random(split)

    def said(most):
        return "".join(draw.choice("abcdefgh ") for _ in range(draw.randint(8, most)))

    for _ in range(PAIRS if split == "train" else TESTED):
        asked = f"\n\nHuman: {said(80)}\n\nAssistant:"
        yield {"chosen": f"{asked} {said(120)}", "rejected": f"{asked} {said(120)}"}


def main(**_):
    """As hydra's, of the configuration that is chosen now."""
    return lambda program: lambda: program(chosen)


seed = random.seed
random.seed = lambda number=None: seed(None if number is None else int(number))  # it took numpy's then
stand_in("hydra", main=main)
stand_in("omegaconf", DictConfig=dict, OmegaConf=SimpleNamespace(register_new_resolver=lambda *_: None, resolve=lambda _: None, missing_keys=lambda _: set(), to_yaml=str, to_container=vars, save=lambda *_: None))
stand_in("transformers", AutoTokenizer=Tokenizer, AutoModelForCausalLM=Model)
stand_in("datasets", load_dataset=load_dataset, logging=None)
stand_in("wandb", init=lambda **_: None, log=lambda *_, **__: None, Table=lambda columns: SimpleNamespace(add_data=lambda *_: None))
stand_in("tensor_parallel", "bs4")
Path(".cache").mkdir()
model = SimpleNamespace(name_or_path="made", tokenizer_name_or_path=None, archive=None, block_name="Block", policy_dtype="float32", fsdp_policy_mp=None, reference_dtype="float16")
for loss in ({"name": "sft"}, {"name": "dpo", "beta": 0.1, "label_smoothing": 0, "reference_free": False}, {"name": "ipo", "beta": 0.1}):
    run = f"run-{loss['name']}"
    os.makedirs(run)
    chosen = SimpleNamespace(
        seed=0,
        exp_name=run,
        batch_size=BATCH,
        eval_batch_size=BATCH,
        debug=False,
        datasets=["hh"],
        wandb=SimpleNamespace(enabled=True, entity=None, project="made"),
        local_dirs=[".cache"],
        sample_during_eval=True,
        n_eval_model_samples=BATCH,
        do_first_eval=True,
        local_run_dir=run,
        lr=5e-7,
        gradient_accumulation_steps=2,
        max_grad_norm=10.0,
        max_length=LONGEST,
        max_prompt_length=LONGEST // 2,
        n_epochs=2,
        n_examples=None,
        n_eval_examples=TESTED,
        trainer="BasicTrainer",
        optimizer="RMSprop",
        warmup_steps=150,
        eval_every=PAIRS,
        minimum_log_interval_secs=0.1,
        model=model,
        loss=SimpleNamespace(**loss),
    )
    runpy.run_path(str(FOLDER / "train.py"), run_name="__main__")
