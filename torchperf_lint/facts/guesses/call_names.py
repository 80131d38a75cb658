"""What a call likely does with what it is given, by what is called."""

from __future__ import annotations

import re
from typing import Final

from torchperf_lint.facts.knowledge import moves

_LOGGING: Final = frozenset(
    "print log log_dict info debug warning warn error critical exception set_postfix set_postfix_str set_description"
    " set_description_str add_scalar add_scalars add_histogram add_image record report write writerow log_metric log_metrics"
    " logging format update_meter log_string logprint track".split()
)
_COLLECTING: Final = frozenset(("update", "append", "extend"))
_ON_HOST: Final = frozenset(
    "float int len str print round min max abs format append extend update log info debug add_scalar write item tolist size"
    " numel dim".split()
)
_ANEW: Final = frozenset(
    "rand randn randint randperm normal bernoulli multinomial dropout sample random seed print".split()
)
_DONE_TO_DATA: Final = frozenset(("set_epoch", "set_step", "resample", "shuffle_data", "update_dataset"))
_LEAVING_SOME: Final = frozenset(("nms", "batched_nms", "batched_nms_rotated", "nms_rotated", "soft_nms", "coalesce"))
_APART: Final = frozenset(
    "_C _ext Stream stream wait_stream wait_event record_stream data_ptr share_memory_ from_dlpack to_dlpack Process".split()
)
_STEPPING: Final = frozenset(("backward", "step", "fit", "manual_backward"))
_SWITCHING: Final = re.compile(
    r"grad|infer|eval|mode|ema|average|freez|frozen|context|ctx|scope|switch|use|apply|no_", re.IGNORECASE
)


def logs(name: str) -> bool:
    """`info(...)`, `add_scalar(...)`: prints or logs what it is given, and does nothing else."""
    return name in _LOGGING


def is_about_logs(name: str) -> bool:
    """`update_log(...)`, `logger(...)`: what it is given ends up in a log."""
    return "log" in name.lower()


def collects(name: str) -> bool:
    """`meter.update(...)`: adds what it is given to a total or a list."""
    return name in _COLLECTING


def queues_nothing(name: str) -> bool:
    """`round(...)`, `add_scalar(...)`: runs on the host alone."""
    return name in _ON_HOST


def gives_anew(name: str) -> bool:
    """`randn(...)`, `sample()`: gives something else each time, or tells somebody."""
    return name in _ANEW


def trains(name: str) -> bool:
    """`loss.backward()`, `trainer.fit(...)`: a script that calls what is called so trains, and does not only show that it runs."""
    return name in _STEPPING


def draws_batch(name: str) -> bool:
    """`buffer.sample(64)`, `env.step(action)`: takes a batch out of a buffer, or steps an environment, unless it is a distribution's."""
    return name in ("sample", "step")


def changes_data(name: str) -> bool:
    """`loader.dataset.set_epoch(3)`: changes a dataset between two passes, which workers that stay do not see."""
    return name in _DONE_TO_DATA


def leaves_some(name: str) -> bool:
    """`soft_nms(boxes, scores)`: how much is left is what it is called for, so its size has to be waited for."""
    return name in _LEAVING_SOME


def works_apart(name: str) -> bool:
    """`_C.render(x)`, `wait_stream`: brings other streams, kernels of one's own, or readers of the memory into a function."""
    return name in _APART


def makes_logger(name: str) -> bool:
    """`getLogger(__name__)`, `get_logger()`: gives a logger of the standard library, whose messages are formatted by `%`."""
    return name in ("getLogger", "get_logger")


def moves_to_device(name: str) -> bool:
    """`to_device(batch, device)`: moves what it is given, as the methods of tensors do."""
    return name in moves.OF_TENSORS or name == "to_device"


def may_switch(text: str) -> bool:
    """`with frozen(model) as held`, of what nothing is known: may switch gradients off; not `with open_batches() as batches`."""
    return _SWITCHING.search(text) is not None


def asserts(name: str) -> bool:
    """`self.assertEqual(...)`, `assert_close(...)`: who calls it checks, in a test as a rule."""
    return name.startswith("assert")


def drops_out(name: str) -> bool:
    """`self.attn_drop(x)`: gives what it is given, with some of it left out."""
    return "drop" in name


def loads(name: str) -> bool:
    """`load_state_dict(...)`, `reload(...)`: gives a model its weights; a block that does is not there to save alone."""
    return "load" in name
