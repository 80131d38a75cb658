"""What is compiled by a setting of what trains, and what is not."""

from __future__ import annotations

import pytest
from fixture import Section
from linted import lint_anew

NET = """\
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor):
        return x[x > 0]  # a graph break


"""
COMPILED = {
    "Trainer": "from transformers import Trainer, TrainingArguments\n"
    "arguments = TrainingArguments('out', torch_compile=True)\ntrainer = Trainer(model=Net(), args=arguments)\n",
    "Trainer, by place, with a mode": "from transformers import Trainer, TrainingArguments\n"
    "trainer = Trainer(Net(), TrainingArguments('out', torch_compile_mode='default'))\n",
    "a trainer of one's own": "from transformers import Trainer, TrainingArguments\n\n\nclass OwnTrainer(Trainer): ...\n\n\n"
    "trainer = OwnTrainer(Net(), TrainingArguments('out', torch_compile=True))\n",
    "accelerate": "from accelerate import Accelerator\naccelerator = Accelerator(dynamo_backend='inductor')\nnet = Net()\n"
    "net = accelerator.prepare(net)\n",
    "accelerate, with a plugin": "from accelerate import Accelerator\nfrom accelerate.utils import TorchDynamoPlugin\n"
    "plugin = TorchDynamoPlugin(backend='inductor', mode='default')\n"
    "accelerator = Accelerator(dynamo_plugin=plugin)\nnet = accelerator.prepare(Net())\n",
    "accelerate, of an enumeration": "from accelerate import Accelerator\nfrom accelerate.utils import DynamoBackend\n"
    "accelerator = Accelerator(dynamo_backend=DynamoBackend.INDUCTOR)\nnet = accelerator.prepare(Net())\n",
}
PLAIN = {
    "Trainer without it": "from transformers import Trainer, TrainingArguments\n"
    "trainer = Trainer(Net(), TrainingArguments('out', torch_compile=False))\n",
    "Trainer, by a setting from elsewhere": "from transformers import Trainer, TrainingArguments\n\n\n"
    "def train(options):\n    Trainer(Net(), TrainingArguments('out', torch_compile=options.compiled))\n",
    "accelerate without it": "from accelerate import Accelerator\naccelerator = Accelerator(dynamo_backend='no')\n"
    "net = accelerator.prepare(Net())\n",
    "accelerate, one of two": "from accelerate import Accelerator\naccelerator = Accelerator(dynamo_backend='inductor')\n"
    "accelerator = Accelerator()\nnet = accelerator.prepare(Net())\n",
    "what else is prepared": "from books import Accelerator\naccelerator = Accelerator(dynamo_backend='inductor')\n"
    "net = accelerator.prepare(Net())\n",
}
LIT = """\
import torch
from lightning.pytorch import LightningModule, Trainer
from torch import Tensor


class Lit(LightningModule):
    def training_step(self, batch: Tensor):
        return batch[batch > 0].sum()


"""


def lines(text: str) -> list[int]:
    section = Section("case", "a program", 1, text, ())
    return [each.span.start.line for each in lint_anew(section, frozenset({"TPL702"}))]


@pytest.mark.parametrize("text", COMPILED.values(), ids=COMPILED)
def test_a_setting_compiles_the_model(text: str) -> None:
    assert lines(NET + text) == [7]


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_no_setting_compiles_nothing(text: str) -> None:
    assert lines(NET + text) == []


def test_lightning_calls_the_steps_of_what_is_compiled() -> None:
    assert lines(f"{LIT}Trainer().fit(torch.compile(Lit()))\n") == [8]
    assert lines(f"{LIT}Trainer().fit(Lit())\n") == []
