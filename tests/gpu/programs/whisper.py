"""openai/whisper at c0d2f624c09dc18e709e37c2ad90c039a4eb72a2"""

import sys
from types import SimpleNamespace

stand_in("tiktoken", "numba", "more_itertools")
import importlib.util

import torch._dynamo  # it looks for modules that are stood in for below

if importlib.util.find_spec("tqdm") is None:
    stand_in("tqdm")
import whisper
from whisper import decoding

size = whisper.ModelDimensions(80, 1500, 64, 2, 2, 51865, 448, 64, 2, 2)
model = whisper.Whisper(size).to(DEVICE)
torch.nn.init.normal_(model.decoder.positional_embedding, std=0.02)  # comes with the weights


class Words(SimpleNamespace):
    """The numbers that a multilingual vocabulary has."""

    def encode(self, text):
        return [220]

    def decode(self, tokens):
        return " ".join(map(str, tokens))


words = Words(
    sot=50258, eot=50257, sot_sequence=(50258, 50259, 50359), sot_sequence_including_notimestamps=(50258, 50259, 50359, 50363),
    no_timestamps=50363, timestamp_begin=50364, no_speech=50362, non_speech_tokens=(1, 2, 7), transcribe=50359, translate=50358,
    sot_prev=50361, sot_lm=50360, language="en", all_language_tokens=(50259, 50260), all_language_codes=("en", "zh"),
)
decoding.get_tokenizer = lambda *_, **__: words
optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
mel = torch.randn(2, 80, 3000, device=DEVICE)
for _ in range(3):
    logits = model(mel, torch.randint(0, 50257, (2, 12), device=DEVICE))
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), torch.randint(0, 50257, (24,), device=DEVICE))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
for more in ({}, {"beam_size": 2}, {"temperature": 0.5, "best_of": 2}, {"without_timestamps": True}):
    decoding.decode(model, mel[:1], whisper.DecodingOptions(language="en", sample_len=6, fp16=DEVICE == "cuda", **more))
    step()
whisper.audio.mel_filters = lambda device, n_mels: torch.rand(n_mels, 201).to(device)  # a file
whisper.log_mel_spectrogram(torch.randn(16000), device=DEVICE)
