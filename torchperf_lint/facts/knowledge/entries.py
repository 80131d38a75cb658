"""Which methods a framework calls by itself, and how often, by the class that they are defined for. Data.

    frequency   package   class   methods

A class is known by its package and its last name, for libraries offer one class under several paths; who derives from it
in however many steps is called alike. `STEP`: with every batch of a training; `INNER`: inside of what each step runs;
`INFERENCE`: with every batch of an evaluation, every token, every step of an environment; `ONCE`: once an epoch, whoever else
may call it. Each group begins with where it comes from.
"""

from __future__ import annotations

from functools import cache
from typing import Final

TABLE: Final = """
# torch 2.13: its documentation
INNER torch.autograd Function backward jvp vjp
STEP torch.optim Optimizer step
# lightning 2.5: the hooks of its modules and callbacks
INNER lightning LightningModule training_step validation_step test_step predict_step
STEP lightning LightningModule on_train_batch_start on_train_batch_end on_before_zero_grad on_before_backward on_after_backward
STEP lightning LightningModule on_before_optimizer_step optimizer_step optimizer_zero_grad configure_gradient_clipping
STEP lightning LightningModule on_before_batch_transfer on_after_batch_transfer
INFERENCE lightning LightningModule on_validation_batch_start on_validation_batch_end on_test_batch_start on_test_batch_end
INFERENCE lightning LightningModule on_predict_batch_start on_predict_batch_end
STEP lightning Callback on_train_batch_start on_train_batch_end on_before_zero_grad on_before_backward on_after_backward
STEP lightning Callback on_before_optimizer_step
INFERENCE lightning Callback on_validation_batch_start on_validation_batch_end on_test_batch_start on_test_batch_end
INFERENCE lightning Callback on_predict_batch_start on_predict_batch_end
# transformers 5: its Trainer, its callbacks, and what generation calls for every token
INNER transformers Trainer training_step compute_loss
INFERENCE transformers Trainer prediction_step
INNER transformers Seq2SeqTrainer training_step compute_loss
INFERENCE transformers Seq2SeqTrainer prediction_step
STEP transformers TrainerCallback on_step_begin on_step_end on_substep_end on_pre_optimizer_step on_optimizer_step
INFERENCE transformers TrainerCallback on_prediction_step
INFERENCE transformers LogitsProcessor __call__
INFERENCE transformers LogitsWarper __call__
INFERENCE transformers StoppingCriteria __call__
# trl 0.8 to 0.15: its trainers are those of transformers, and what their `compute_loss` calls
INNER trl SFTTrainer training_step compute_loss
INNER trl DPOTrainer training_step compute_loss get_batch_loss_metrics concatenated_forward dpo_loss get_batch_logps
INNER trl ORPOTrainer training_step compute_loss get_batch_loss_metrics concatenated_forward odds_ratio_loss get_batch_logps
INNER trl CPOTrainer training_step compute_loss get_batch_loss_metrics concatenated_forward cpo_loss get_batch_logps
INNER trl KTOTrainer training_step compute_loss get_batch_loss_metrics forward kto_loss get_batch_logps
INNER trl BCOTrainer training_step compute_loss get_batch_loss_metrics forward bco_loss get_batch_logps
INNER trl GRPOTrainer training_step compute_loss
# diffusers: the steps of a scheduler
INFERENCE diffusers SchedulerMixin step scale_model_input
# torchmetrics 1.9, ignite 0.5, monai 1.5, mmengine 0.10, detectron2: metrics see every batch
STEP torchmetrics Metric update
ONCE torchmetrics Metric compute plot reset
STEP ignite Metric update
ONCE ignite Metric compute reset
STEP monai CumulativeIterationMetric _compute_tensor
STEP monai IterationMetric _compute_tensor
STEP monai Trainer _iteration
INFERENCE monai Evaluator _iteration
STEP mmengine BaseMetric process
ONCE mmengine BaseMetric compute_metrics evaluate
INFERENCE detectron2 DatasetEvaluator process
ONCE detectron2 DatasetEvaluator evaluate
# mmengine 0.10 and mmcv 1.7: hooks, the steps of a model, and of an optimizer's wrapper
STEP mmengine Hook before_train_iter after_train_iter
INFERENCE mmengine Hook before_val_iter after_val_iter before_test_iter after_test_iter
STEP mmcv Hook before_train_iter after_train_iter
STEP mmengine BaseModel train_step
INFERENCE mmengine BaseModel val_step test_step
STEP mmengine OptimWrapper update_params
# detectron2: its hooks and trainers
STEP detectron2 HookBase before_step after_backward after_step
STEP detectron2 TrainerBase run_step before_step after_step
# fastai 2.8, catalyst 22.04, composer 0.32, speechbrain 1.0: hooks and steps
STEP fastai Callback before_batch after_pred after_loss before_backward after_backward before_step after_step after_batch
STEP fastai Metric accumulate
STEP catalyst Runner handle_batch
STEP catalyst Callback on_batch_start on_batch_end
STEP composer Callback batch_start batch_end before_train_batch after_train_batch before_forward after_forward before_loss
STEP composer Callback after_loss before_backward after_backward
STEP composer ComposerModel loss
INFERENCE composer ComposerModel eval_forward update_metric
STEP speechbrain Brain compute_forward compute_objectives fit_batch
INFERENCE speechbrain Brain evaluate_batch
# torch_geometric 2.8: what a layer does with its edges
INNER torch_geometric MessagePassing message aggregate update message_and_aggregate edge_update
# torchrl 0.10, gymnasium 1.2, stable-baselines3 2.7: environments and what is called with each step of one
INFERENCE torchrl EnvBase _step
INFERENCE torchrl Transform _call _apply_transform _inv_call
INFERENCE gymnasium Env step
INFERENCE gymnasium Wrapper step
INFERENCE gym Env step
INFERENCE gym Wrapper step
INFERENCE stable_baselines3 VecEnv step_async step_wait
INFERENCE stable_baselines3 BaseCallback _on_step
"""

HOOKS: Final = {
    "register_forward_hook": "INFERENCE",
    "register_forward_pre_hook": "INFERENCE",
    "register_full_backward_hook": "STEP",
    "register_full_backward_pre_hook": "STEP",
    "register_post_accumulate_grad_hook": "STEP",
    "register_comm_hook": "STEP",
    "register_step_pre_hook": "STEP",
    "register_step_post_hook": "STEP",
}
"""Methods that take a function which torch calls from then on, and how often."""


@cache
def _rows() -> dict[str, dict[tuple[str, str], str]]:
    """By method: how often it runs, by the package and the class."""
    found: dict[str, dict[tuple[str, str], str]] = {}
    for line in TABLE.strip().splitlines():
        if not line.startswith("#"):
            frequency, package, owner, *methods = line.split()
            for method in methods:
                found.setdefault(method, {})[package, owner] = frequency
    return found


def is_known(method: str) -> bool:
    """Whether any framework calls methods of a name."""
    return method in _rows()


def frequency(base: str, method: str) -> str | None:
    """How often a framework calls a method of what derives from a class, by the dotted name of the class."""
    package, _, owner = base.rpartition(".")
    for (framework, name), found in _rows().get(method, {}).items():
        if name == owner and (package == framework or package.startswith(f"{framework}.")):
            return found
    return None
