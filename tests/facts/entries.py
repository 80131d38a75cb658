"""What frameworks call by themselves, and how often."""

import copy

import gymnasium
import lightning.pytorch as pl
import torch
import torchmetrics
from ignite.metrics.metric import Metric as IgniteMetric
from mmengine.hooks import Hook
from pytorch_lightning.callbacks import Callback
from torch import nn
from torch_geometric.nn.conv import MessagePassing
from transformers import LogitsProcessor, Trainer, TrainerCallback
from trl import DPOTrainer


class Watch(Callback):
    def on_train_batch_end(self, trainer, model, outputs, batch, number):
        self.seen(outputs["loss"].mean())  # fact: outputs["loss"].mean() => STEP

    def seen(self, loss):
        self.total = loss + self.total  # fact: loss + self.total => STEP

    def on_train_epoch_end(self, trainer, model):
        print(self.total.item())  # fact: self.total.item() => ONCE

    def on_validation_batch_end(self, trainer, model, outputs, batch, number):
        self.total = outputs.mean()  # fact: outputs.mean() => INFERENCE


class WatchMore(Watch):
    def on_train_batch_start(self, trainer, model, batch, number):
        self.total = batch.sum()  # fact: batch.sum() => STEP


class Net(pl.LightningModule):
    def on_before_optimizer_step(self, optimizer):
        self.norm = self.grads().sum()  # fact: self.grads().sum() => STEP

    def training_step(self, batch, number):
        return self.model(batch)  # fact: self.model(batch) => INNER


class Accuracy(torchmetrics.Metric):
    def update(self, preds, target):
        self.right += (preds == target).sum()  # fact: preds == target => STEP

    def compute(self):
        return self.right.item()  # fact: self.right.item() => ONCE


class Psnr(IgniteMetric):
    def update(self, output):
        self.sum += output.mean()  # fact: output.mean() => STEP

    def compute(self):
        return self.sum / 3  # fact: self.sum / 3 => ONCE


class Log(Hook):
    def after_train_iter(self, runner, batch_idx):
        return runner.loss.mean()  # fact: runner.loss.mean() => STEP

    def after_train_epoch(self, runner):
        return runner.loss.sum()  # fact: runner.loss.sum() => ONCE


class Tuner(Trainer):
    def training_step(self, model, inputs):
        return model(inputs)  # fact: model(inputs) => INNER


class Notes(TrainerCallback):
    def on_step_end(self, args, state, control, **more):
        return state.loss.mean()  # fact: state.loss.mean() => STEP


class Never(LogitsProcessor):
    def __call__(self, ids, scores):
        return scores.masked_fill(ids == 3, 0)  # fact: ids == 3 => INFERENCE


class Layer(MessagePassing):
    def message(self, x_j):
        return x_j.relu()  # fact: x_j.relu() => INNER


class Square(torch.autograd.Function):
    @staticmethod
    def backward(ctx, grad):
        return grad * 2  # fact: grad * 2 => INNER


class Cart(gymnasium.Env):
    def step(self, action):
        return action + 1  # fact: action + 1 => INFERENCE


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.layer.register_forward_hook(self.note)

    def note(self, module, given, output):
        self.last = output.mean()  # fact: output.mean() => INFERENCE

    def update(self, preds):
        self.right = preds.sum()  # fact: preds.sum() => ONCE


class Metric:
    def update(self, preds):
        self.right = preds.sum()  # fact: preds.sum() => ONCE


def clip(parameter):
    parameter.grad.clamp_(-1, 1)  # fact: parameter.grad.clamp_(-1, 1) => STEP


for weight in Watched().parameters():
    weight.register_post_accumulate_grad_hook(clip)


class Preference(DPOTrainer):
    def get_batch_loss_metrics(self, model, batch, train_eval="train"):
        losses, chosen, rejected = self.dpo_loss(batch["chosen"], batch["rejected"])
        margins = (chosen - rejected).mean()  # fact: (chosen - rejected).mean() => INNER
        return losses.mean(), {"margins": margins}


class WeightsEMA:
    def __init__(self, model, decay):
        self.module = copy.deepcopy(model)
        self.decay = decay

    def update(self, model):
        def blend(mine, theirs):
            return mine * self.decay + theirs * (1 - self.decay)  # fact: mine * self.decay => INNER

        for mine, theirs in zip(self.module.parameters(), model.parameters()):
            mine.copy_(blend(mine, theirs))  # fact: mine => INNER

    def restore(self, model):
        for mine, theirs in zip(self.module.parameters(), model.parameters()):
            theirs.copy_(mine)  # fact: mine => ONCE


class Cinema:
    def update(self, preds):
        self.right = preds.sum()  # fact: preds.sum() => ONCE


def ban(input_ids, scores, words):
    scores[:, words] = -1.0  # fact: scores => INFERENCE && scores => tensor, maybe, rank 2
    return scores


class Search:
    def shorten(self, scores, input_ids):
        return scores.sum()  # fact: scores.sum() => ONCE
