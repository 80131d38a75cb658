"""How much Python does for an item of a dataset, by the names of what is called for it.

Knows the names that libraries and projects give such functions, whoever has them.
"""

from __future__ import annotations

from typing import Final

_DECODING: Final = frozenset(
    ("imread", "imdecode", "load_audio", "read_image", "decode_image", "decode_jpeg", "read_video", "read_frame", "pil_loader",
     "sf_read", "VideoReader", "VideoCapture")
)  # fmt: skip
_TOKENS: Final = frozenset(
    ("tokenize", "tokenizer", "encode_plus", "batch_encode_plus", "words_to_ids", "text_to_sequence", "word_tokenize")
)
_WORKING: Final = frozenset(
    ("open", "resize", "warpAffine", "encode", "fromarray", "to_pil_image", "resample", "melspectrogram", "transform", "transforms",
     "augment", "target_transform", "augmentation", "preprocess", "image_processor", "processor", "loader", "read_csv", "loadtxt",
     "genfromtxt", "loads", "frombuffer")
)  # fmt: skip
_MEDIA: Final = frozenset(("Image", "librosa", "soundfile", "torchaudio", "sf", "ffmpeg"))
_FILES: Final = _MEDIA | frozenset(("np", "numpy", "torch", "cv2", "pickle", "h5py", "json", "txn"))


def decodes(name: str) -> bool:
    """`imread(...)`, `load_audio(...)`: takes longer than the lines of text that belong to an image or a recording."""
    return name in _DECODING


def makes_tokens(name: str) -> bool:
    """`self.tokenizer(text)`: makes numbers of words, so what is read holds sentences, and no numbers."""
    return name in _TOKENS


def takes_long(name: str) -> bool:
    """`self.transform(image)`, `read_csv(...)`: milliseconds of Python for each item, so that workers pay."""
    return name in _WORKING or decodes(name) or makes_tokens(name)


def has_media(name: str) -> bool:
    """`Image.open(...)`, `sf.read(...)`: what is read through a thing of this name is an image or a recording."""
    return name in _MEDIA


def has_files(name: str) -> bool:
    """`np.load(...)`, `txn.get(...)`: what is read through a thing of this name is a file, or a record of a database."""
    return name in _FILES
