"""Conditions of torch that are false when code runs eagerly: it is traced, scripted, compiled or exported where they hold. Data."""

from __future__ import annotations

from typing import Final

FALSE: Final = frozenset(
    ("torch._C._get_tracing_state", "torch._dynamo.is_compiling", "torch.compiler.is_compiling",
     "torch.compiler.is_dynamo_compiling", "torch.compiler.is_exporting", "torch.jit.is_scripting", "torch.jit.is_tracing",
     "torch.onnx.is_in_onnx_export", "torchvision._is_tracing")
)  # fmt: skip
FLAGS: Final = frozenset(("onnx_trace", "onnx_export", "exporting", "in_onnx_export", "is_exporting"))
"""What modules call a flag of theirs that whoever exports them sets."""
EXPORTERS: Final = frozenset(
    ("torch.onnx.export", "torch.onnx.dynamo_export", "torch.export.export", "torch.jit.trace")
)
"""What runs a module once, to write down its operations."""
CHECKS: Final = ("_check", "_check_is_size", "_check_value", "_constrain_as_size")
"""Functions of torch that tell `torch.export` what is known of a number read from a tensor."""
DEBUGGING: Final = frozenset(("torch.is_anomaly_enabled",))
"""Conditions that hold while somebody looks for an error."""
