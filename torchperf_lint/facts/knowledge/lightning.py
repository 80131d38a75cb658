"""What Lightning calls by itself. Data, from its documentation (2.5)."""

from __future__ import annotations

from typing import Final

BACKWARD: Final = ("backward", "manual_backward")
"""The methods that start a backward pass: that of a tensor of torch, and Lightning's for it."""
STEPS: Final = frozenset(("training_step", "validation_step", "test_step", "predict_step"))
"""Methods of a module that are called with each batch, which is on the device by then."""
