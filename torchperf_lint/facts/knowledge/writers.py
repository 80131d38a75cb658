"""What writers of TensorBoard do with the tensors that they are handed. Data."""

from __future__ import annotations

from typing import Final

OF_SAMPLES: Final = frozenset(("add_image", "add_images", "add_video", "add_audio"))
"""Methods for what a data set holds as well as what a model makes: nothing tells where it is."""
METHODS: Final = OF_SAMPLES | {"add_scalar", "add_scalars", "add_histogram"}
"""Methods that read at once what they write down."""
