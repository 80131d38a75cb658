"""Which operations make the host wait for the GPU: one line an operation.

    name   form   when   versions   says

A plain name is both a function of `torch` and a method of tensors; `.name` is a method alone, any other dotted name
stands for itself; `X.name` is a method of an object of kind X, `name()` is an instance of a module that is called. Read
off an H200 with torch 2.11.0: GPU work was queued first, and the call came back only after it. `tests/gpu/forms.txt` has what was
asked, `tests/gpu/waits.json` the answers; a row without a form there is of the kind of one that has (`BatchNorm2d` of `BatchNorm1d`).

form
    read      a value is copied to the host
    truth     a truth value is copied to the host
    shape     the size of the result depends on the data, so the host must have it
    scalar    a number is on the one side and its use on the other: it crosses over
    size      an index, a bound or a size that the host needs is on the GPU
    copy      data of the host is copied to the GPU from pageable memory
    library   the implementation reads something back
    sync      it is there to wait
    index     what an index does (for the rules; no row has it)
    format    a value is made into text (likewise)

when (all words must hold, and an operand must be on the GPU for all of them; a name is one of the operation's schema)
    -             always
    !name         the argument `name` is absent, None or False
    name          it is given, and not None or False
    name=False    it is False
    name=True     it is True, as it is written
    name=None     it is given, and is None
    name:tensor   it is a tensor on the GPU
    name:point    it is a tensor of the host with no dimensions
    name:host     it is a tensor, array, list or tuple of the host; a plain number is none
    !name:host    it is none of those: operations that take no tensors of two devices work on the host where one is there
    2d            the first operand has two dimensions or more

versions
    the first and last version of torch for which the row holds, as `2.0-2.10`; `-` for all that were ever looked at
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

Form = Literal["read", "truth", "shape", "scalar", "size", "copy", "library", "sync", "index", "format"]


@dataclass(frozen=True, slots=True)
class WaitRow:
    """One way in which an operation makes the host wait."""

    form: Form
    when: tuple[str, ...]
    since: tuple[int, ...]
    until: tuple[int, ...]
    says: str


@cache
def _table() -> dict[str, tuple[WaitRow, ...]]:
    rows: dict[str, list[WaitRow]] = {}
    for line in TABLE.strip().splitlines():
        name, form, when, versions, says = line.split(None, 4)
        row = WaitRow(form, () if when == "-" else tuple(when.split(",")), *_versions(versions), says)  # type: ignore[arg-type]
        keys = [name] if "." in name else [f"torch.{name}", f".{name}"]
        for key in keys:
            rows.setdefault(key, []).append(row)
    return {name: tuple(found) for name, found in rows.items()}


def _versions(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first, _, last = text.partition("-")
    return parse(first or "0"), parse(last or "999")


def parse(version: str) -> tuple[int, ...]:
    """`2.11.0+cu130` as numbers that compare."""
    numbers = version.partition("+")[0].split(".")
    return tuple(int(number) for number in numbers[:2] if number.isdigit())


def of(name: str, target: tuple[int, ...]) -> tuple[WaitRow, ...]:
    """The rows of an operation that hold for a version of torch."""
    return tuple(row for row in _table().get(name, ()) if row.since <= target <= row.until)


def operations() -> Mapping[str, tuple[WaitRow, ...]]:
    """All that has rows, whatever the version."""
    return _table()


CALLS: Final = {
    "torch.nn.Transformer": ("src", "tgt", "src_mask", "tgt_mask"),
    "torch.nn.TransformerEncoder": ("src", "mask"),
    "torch.nn.TransformerDecoder": ("tgt", "memory", "tgt_mask"),
}  # fmt: skip
"""The parameters of a module's call, in their order."""

TABLE: Final = """
.item                 read     -                    -   copies the value to the host
.tolist               read     -                    -   copies the values to the host
.numpy                read     -                    -   copies the values to the host
.equal                truth    !other:host          -   answers with a Python bool
torch.equal           truth    !input:host,!other:host -   answers with a Python bool
allclose              truth    -                    -   answers with a Python bool
is_nonzero            truth    -                    -   answers with a Python bool
nonzero               shape    -                    -   the size of its result depends on the data
torch.where           shape    !input,!self         -   with one argument it is `nonzero`
torch.where           scalar   input:point          -   the number is copied to the GPU
torch.where           scalar   other:point          -   the number is copied to the GPU
.where                scalar   other:point          -   the number is copied to the GPU
argwhere              shape    -                    -   the size of its result depends on the data
masked_select         shape    -                    -   the size of its result depends on the data
unique                shape    -                    -   the size of its result depends on the data
unique_consecutive    shape    -                    -   the size of its result depends on the data
bincount              shape    -                    -   the size of its result depends on the data
histc                 shape    !max                 -   without `min` and `max` it reads the range of the data
repeat_interleave     shape    repeats:tensor,!output_size  -   without `output_size` it reads the sum of `repeats`
torch.repeat_interleave shape  !repeats,!output_size -  without `output_size` it reads the sum of `repeats`
torch.nn.functional.one_hot shape !num_classes      -   without `num_classes` it reads the largest label
combinations          shape    -                    -   it selects by a mask
.to_sparse            shape    -                    -   the number of entries depends on the data
.to_sparse_csr        shape    -                    -   the number of entries depends on the data
.to_sparse_csc        shape    -                    -   the number of entries depends on the data
.to_sparse_coo        shape    -                    -   the number of entries depends on the data
.coalesce             shape    -                    -   the number of entries depends on the data
masked_fill           scalar   value:tensor         -   the host reads the value to fill with
.masked_fill_         scalar   value:tensor         -   the host reads the value to fill with
add                   scalar   alpha:tensor         -   the host reads `alpha`
sub                   scalar   alpha:tensor         -   the host reads `alpha`
.add_                 scalar   alpha:tensor         -   the host reads `alpha`
.sub_                 scalar   alpha:tensor         -   the host reads `alpha`
torch.full            scalar   fill_value:tensor    -   the host reads the value to fill with
.new_full             scalar   fill_value:tensor    -   the host reads the value to fill with
torch.full_like       scalar   fill_value:tensor    -   the host reads the value to fill with
torch.arange          size     end:tensor           -   the host needs the bounds
torch.arange          size     start:tensor         -   the host needs the bounds
torch.linspace        scalar   start:tensor         -   the host reads the bounds
torch.linspace        scalar   end:tensor           -   the host reads the bounds
torch.zeros           size     size:tensor          -   the host needs the size
torch.ones            size     size:tensor          -   the host needs the size
torch.empty           size     size:tensor          -   the host needs the size
torch.rand            size     size:tensor          -   the host needs the size
torch.randn           size     size:tensor          -   the host needs the size
torch.full            size     size:tensor          -   the host needs the size
torch.eye             size     n:tensor             -   the host needs the size
torch.randperm        size     n:tensor             -   the host needs the size
.new_zeros            size     size:tensor          -   the host needs the size
.new_ones             size     size:tensor          -   the host needs the size
.new_empty            size     size:tensor          -   the host needs the size
.view                 size     size:tensor          -   the host needs the size
.reshape              size     shape:tensor         -   the host needs the size
.expand               size     size:tensor          -   the host needs the size
.repeat               size     repeats:tensor       -   the host needs the size
.broadcast_to         size     size:tensor          -   the host needs the size
.new_full             size     size:tensor          -   the host needs the size
.unflatten            size     sizes:tensor         -   the host needs the size
torch.linspace        size     steps:tensor         -   the host needs the size
torch.nn.functional.affine_grid size size:tensor    -   the host needs the size
torch.nn.functional.interpolate size size:tensor    -   the host needs the size
torch.nn.functional.pad size   pad:tensor           -   the host needs the size
torch.nn.functional.one_hot size num_classes:tensor -   the host needs the size
narrow                size     start:tensor         -   the host needs the bounds
narrow                size     length:tensor        -   the host needs the bounds
select                size     index:tensor         -   the host needs the index
.split                size     split_size:tensor    -   the host needs the sizes
torch.split           size     split_size_or_sections:tensor -   the host needs the sizes
topk                  size     k:tensor             -   the host needs `k`
roll                  size     shifts:tensor        -   the host needs the shift
quantile              copy     q:host               -   the quantiles are copied to the GPU
torch.linalg.inv      library  -                    -   checks on the host whether the matrix is singular; `inv_ex` does not
inverse               library  -                    -   checks on the host whether the matrix is singular; `linalg.inv_ex` does not
torch.linalg.cholesky library  -                    -   checks on the host for failure; `cholesky_ex` does not
cholesky              library  -                    -   checks on the host for failure; `linalg.cholesky_ex` does not
torch.linalg.solve    library  -                    -   checks on the host whether the matrix is singular; `solve_ex` does not
torch.linalg.lu_factor library -                    -   checks on the host for failure; `lu_factor_ex` does not
torch.linalg.ldl_factor library -                   -   checks on the host for failure; `ldl_factor_ex` does not
torch.linalg.tensorinv library -                    -   checks on the host whether the matrix is singular
torch.linalg.tensorsolve library -                  -   checks on the host whether the matrix is singular
torch.linalg.lstsq    library  -                    -   reads its status back
torch.linalg.eigh     library  -                    -   reads its status back
torch.linalg.eigvalsh library  -                    -   reads its status back
torch.linalg.eig      library  -                    -   reads its status back
torch.linalg.eigvals  library  -                    -   reads its status back
torch.linalg.svd      library  -                    -   reads its status back
torch.linalg.svdvals  library  -                    -   reads its status back
svd                   library  -                    -   reads its status back
torch.svd_lowrank     library  -                    -   reads its status back
torch.pca_lowrank     library  -                    -   reads its status back
torch.linalg.pinv     library  -                    -   reads its status back
pinverse              library  -                    -   reads its status back
torch.linalg.matrix_rank library -                  -   reads its status back
torch.linalg.cond     library  -                    -   reads its status back
torch.linalg.matrix_exp library -                   -   reads norms back
matrix_exp            library  -                    -   reads norms back
torch.corrcoef        library  -                    -   checks its weights on the host
torch.cov             library  -                    -   checks its weights on the host
.corrcoef             library  -                    -   checks its weights on the host
.cov                  library  -                    -   checks its weights on the host
torch.normal          library  mean:tensor,std:tensor -  checks on the host that no deviation is negative
torch.segment_reduce  library  !unsafe              -   checks the lengths on the host
torch.nn.functional.ctc_loss library -              -   reads lengths and targets back
torch.nn.functional.embedding_bag library offsets:tensor - reads the first offset back
torch.nn.utils.clip_grad_norm_ library error_if_nonfinite=True - reads whether the norm is finite
torch.nn.utils.rnn.pack_padded_sequence library enforce_sorted=False - sorts on the host and copies the order
torch.nn.Transformer() library src_mask:tensor,!src_is_causal - looks whether the mask is causal; `src_is_causal` tells it
torch.nn.Transformer() library tgt_mask:tensor,!tgt_is_causal - looks whether the mask is causal; `tgt_is_causal` tells it
torch.nn.TransformerEncoder() library mask:tensor,!is_causal - looks whether the mask is causal; `is_causal` tells it
torch.nn.TransformerDecoder() library tgt_mask:tensor,!tgt_is_causal - looks whether the mask is causal; `tgt_is_causal` tells it
torch.nn.BatchNorm1d() library self.momentum=None  -   with `momentum=None` it reads how many batches it has seen
torch.nn.BatchNorm2d() library self.momentum=None  -   with `momentum=None` it reads how many batches it has seen
torch.nn.BatchNorm3d() library self.momentum=None  -   with `momentum=None` it reads how many batches it has seen
torch.nn.SyncBatchNorm() library self.momentum=None -  with `momentum=None` it reads how many batches it has seen
torchvision.ops.nms   shape    -                    -   the number of boxes kept depends on the data
torchvision.ops.batched_nms shape -                 -   the number of boxes kept depends on the data
torchvision.ops.boxes.nms shape -                   -   the number of boxes kept depends on the data
torchvision.ops.boxes.batched_nms shape -           -   the number of boxes kept depends on the data
torchvision.ops.remove_small_boxes shape -          -   the number of boxes kept depends on the data
torchvision.utils.save_image read -                 -   copies the image to the host
distribution.log_prob library  -                    -   checks its argument on the host; say `validate_args=False`
scaler.get_scale      read     -                    -   copies the scale to the host
scaler.state_dict     read     -                    -   copies the scale to the host
stream.synchronize    sync     -                    -   waits until the stream is done
event.synchronize     sync     -                    -   waits until the event is reached
torch.cuda.synchronize sync    -                    -   waits until the GPU is idle
torch.cuda.current_stream.synchronize sync -        -   waits until the stream is done
torch.accelerator.synchronize sync -                -   waits until the GPU is idle
"""
