from __future__ import annotations

import libcst as cst

from torchperf_lint.rule import Draft, Edit, Facts, Faster, Findings, Fix, Frequency, Remove, Replace, Safety, rule
from torchperf_lint.rules.fusion.dearer_op_than_needed import match


@rule(
    "TPL612",
    names=match.NAMES,
    among=match.that_may_be_dear,
    screen=match.is_dear,
    frequency=Frequency.INFERENCE,
    fix=Safety.SAFE,
    impact=Faster("for that operation alone"),
)
def check(node: cst.Call | cst.Comparison | cst.BinaryOperation, facts: Facts) -> Findings:
    """An operation does more than is used of it, and torch has one that does less.

    A part of the result is thrown away, or two passes through memory do what one can.

    Why
    ---
    Most operations on a GPU take as long as it takes to read and write their tensors. Who asks for less, moves less.

    Instead
    -------
    | what stands there | what does less |
    |---|---|
    | `values, _ = x.max(1)`, `x.min(1)[0]` | `x.amax(1)`, `x.amin(1)` |
    | `(x > 1).sum() > 0` | `(x > 1).any()` |
    | `x.softmax(1).argmax(1)` | `x.argmax(1)` |
    | `x.sort(descending=True)[0][:k]`, also where the sorted has a name | `x.topk(k)[0]` |
    | `x.sort(-1)[0][..., k]`, `x.sort(-1)[0][..., -k:]` | `x.kthvalue(k + 1)[0]`, `x.topk(k)[0]` |
    | `torch.ones(n) * c`, `torch.zeros_like(x) + c` | `torch.full((n,), c)`, `torch.full_like(x, c)` |
    | `torch.diag(v) @ x`, `(a @ b).diagonal()` | `v[:, None] * x`, `(a * b.mT).sum(-1)` |
    | `x * g + y * (1 - g)`, `y + (x - y) * g`, `torch.max(x, torch.zeros_like(x))` | `torch.lerp(y, x, g)` twice, `x.clamp(min=0)` |
    | `torch.stack(x.chunk(n))`, `torch.cat(x.unbind())` | `x.unflatten(0, (n, -1))`, `x.flatten(0, 1)`: views |
    | `torch.stack([x.index_select(1, i) for i in places])` | one `x.index_select(1, places.flatten())`, and a view |
    | `x.split(n, 1)[0]` | `x[:, :n]` |
    | `(x * x).sum(1).sqrt()` | `torch.linalg.vector_norm(x, dim=1)` |
    | `x.abs().max()`, `x.abs().amax(1)`, without gradients | `torch.linalg.vector_norm(x, float("inf"))`, with `dim=1` |
    | `torch.bernoulli(torch.full_like(x, p))` | `torch.empty_like(x).bernoulli_(p)` |
    | `torch.multinomial(torch.ones(n), k)` | `torch.randperm(n)[:k]`, with replacement `torch.randint(n, (k,))` |
    | `torch.inverse(L) @ b`, where `L` comes from `cholesky`, `tril` or `triu` | `torch.linalg.solve_triangular(L, b, upper=False)` |
    | `(t[:, None] > marks).sum(-1)` | `torch.searchsorted(marks.sort()[0], t)`, or `torch.bucketize(t, marks)` of what is in order |
    | `average.mul_(decay).add_(x, alpha=1 - decay)`, `….add_((1 - decay) * x)` | `average.lerp_(x, 1 - decay)` |
    | `torch.min(c * torch.ones_like(x), x)`, `torch.max(x - y, torch.zeros_like(x))` | `x.clamp(max=c)`, `(x - y).clamp(min=0)` |
    | `F.one_hot(y, n).float()`, also in another order | `torch.zeros(*y.shape, n, device=y.device).scatter_(-1, y[..., None], 1)` |
    | `x * (y > 0).float()` | `x * (y > 0)` |
    | `nn.Softmax(dim=-1)(x)` | `F.softmax(x, dim=-1)`, or a layer that `__init__` makes |
    | `x.cpu().mean()`, `hits.cpu().float().sum()` | `x.mean().cpu()`, `hits.sum().cpu()` |
    | `x.mean(3).mean(2)`, `x.sum(-1).sum(-1)` | `x.mean((2, 3))`, `x.sum((-2, -1))` |
    | `p = x.softmax(-1) * mask; p / p.sum(-1, keepdim=True)` | `x.masked_fill(~mask, -torch.inf).softmax(-1)` |
    | `torch.zeros_like(x).scatter_(1, i, a) + c` | `torch.full_like(x, c).scatter_(1, i, a + c)` |
    | `y = x.clone(); y[y < 0] = 0` | `y = x.clamp(min=0)` |
    | `x.pow(self.p)`, where `self.p` is a tensor of one number that nobody trains | `x.pow(p)` of the number itself |
    | `torch.ones_like(x) * x.sign()` | `x.sign()` |
    | `x[:, None, None, :] @ y[None, :, :, None]` | `x @ y.mT`: one product of matrices for all pairs |
    | a tensor that is bound anew before it is read | nothing |

    The first six rows were measured, as the page says below; all findings are hints. Others were measured once, by hand, with torch
    2.11 on an H100 or H200: of 4,096 by 4,096 numbers `lerp` and `clamp` are 2.5 and 1.7 times as fast alone, 1.2 and 1.5 times with
    the backward pass, of 256 by 256 numbers 2.6, 1.4, 1.3 and 1.1 times; chunks that are stacked again took 6 to 17 times as long as
    the view, 1.2 times with the backward pass; `bernoulli` of a filled tensor 1.7 to 3.6 times as long as `bernoulli_`; `multinomial`
    of ones 1.5 to 2.1 times as long as `randperm`, with replacement 5 to 30 times as long as `randint`. The largest of absolute
    values (2026-11-27, H100) took 1.4 to 2.0 times as long as `vector_norm` for 256 by 256 and 512 by 512 numbers, and 1.8 to 3.1
    times for 4,096 by 4,096; but with the backward pass the norm is the slower one, 0.91 times (0.90 to 0.92) as fast for
    4,096 by 4,096: it is reported only where gradients are seen to be off.

    On an NVIDIA H100 80GB HBM3 with torch 2.11.0+cu130 (2026-11-26): of 4,096 by 4,096 numbers the root of squares took 2.7 times
    as long as `vector_norm` alone, and 1.26 times (1.24 to 1.30) with the backward pass, of 512 by 512 numbers 2.6 and 1.23 times (1.13
    to 1.36); one of four parts by `split` 1.3 times as long as a slice alone, and 1.16 times (0.97 to 1.27) with the backward pass,
    of 512 by 512 numbers 1.4 and 1.18 times (1.09 to 1.50): alone it saves 4.5 µs at either size, work of the host. The mean of 512
    by 512 numbers took 0.23 ms after a copy to the host and 0.04 ms before it, of 4,096 by 4,096 numbers 54 and 0.2 ms; of 64
    numbers 0.016 and 0.021 ms: a short tensor gains nothing. Of 4,096 numbers among 128 marks the comparison with all took 3.2 times as
    long as `bucketize` (2.9 to 3.3), of 65,536 among 1,024 marks 42 times (39 to 43). `lerp_` took 4,096 by 4,096 numbers 1.69 times
    as fast as `mul_` and `add_`, 512 by 512 numbers 1.9 times (1.8 to 2.2): there it saves a launch. A float table of
    `one_hot` over 19 classes for 8 pictures of 512 by 512 took 3.0 times as long as `scatter_` into zeros, 65,536 rows of 64 classes
    2.0 times (1.9 to 2.1), each with three times the memory. A product with a comparison that is cast took 1.5 times as long as one
    with the comparison, with the backward pass 1.20 times for 4,096 by 4,096 numbers (1.20 to 1.21) and 1.09 (1.00 to 1.12) for 512
    by 512. A layer that is made for one call costs the host 8 µs.

    There too: one element of each row took by sorting 2.0 to 2.2 times as long as by `kthvalue` for 512 rows of 512 numbers, and 1.25
    to 1.6 times for 4,096 of 4,096; the last twentieth 1.4 and 1.3 times as long as `topk`. Of one row of a million numbers
    `kthvalue` took 29 times as long as the sort, so that a sort of all that a tensor has is not reported. A mean of means over 56 by 56
    numbers took 3.0 times as long as one mean, with the backward pass 1.6 times, over 7 by 7 numbers 1.5 and 1.2 times (1.2 to 1.3); a
    softmax under a mask by hand, with the backward pass, 1.5 times (1.4 to 1.5) for 512 by 512 numbers and 2.2 times for
    4,096 by 4,096, with twice the memory; numbers scattered into zeros and raised 1.5 times as long as into a filled tensor for 1,000
    classes (1.4 to 1.6), 3.1 times for 32,000; eight selections that are stacked 2.8 times as long as one; a copy that is written
    beyond a bound 2.7 times as long as `clamp`. On an H200 (2026-11-28) a power by a number in a buffer took 1.5 times as long as by the
    number, backward as well, a product with ones 2.9 times as long as none, and pair by pair 256 vectors of 128 with 8,192 others
    197 times as long as one product, and 2,056 MiB for 8.

    Some that look alike are not in the table because they gained nothing there: `solve` for a product with an inverse, a number for
    `zeros_like` in `where`, `addmm` for a product and a sum, and `@` for `(x * w).sum(-1)`, with the backward pass; `logsumexp` took
    twice as long as `exp().sum().log()`, which overflows, and `x.softmax(0)` up to 25 times as long as `x.t().softmax(1).t()`.
    On that H100, `x[rows, index]` is slower than a `gather` by an expanded index (0.76 times its speed alone, 0.55 and 0.58 with
    the backward pass). `masked_fill` for `x * m + (~m) * c` is 1.7 and 1.4 times as fast alone, and with the backward pass nothing that
    is sure: 1.20 (0.44 to 1.21) of 4,096 by 4,096 numbers, 1.00 (0.41 to 1.30) of 512 by 512. `embedding` for `table[index]` is slower
    alone or the same (0.78 to 1.00), and with the backward pass hangs on the table: 8.6 times as fast (4.3 to 10.8) for 100,000 rows out
    of 10 by 64 numbers, 1.5 for 2,401 out of 169 by 16, 0.76 for 8,192 out of 50,000 by 512. One triangular solve for a solve
    with an identity and a product is 2.1 times as fast of 4,096 by 4,096 numbers and 1.6 of 512 by 512, and with the backward pass 2.0 and
    1.4 times.

    When it is fine
    ---------------
    On the CPU, in tests, and where nothing in sight runs it with every batch: that is not reported. For small tensors no more
    than a launch is saved, so halves of `max`, counts and a softmax are reported only where a tensor is seen to have at least
    two dimensions; that of an image (`x.max(-3)`) shows them. So is what is filled twice; a copy to the host for one number is with
    three, for the hits of a batch are few; a blend is not where there is one number a channel. What saves a single launch, or a
    single pass, is reported where a step is seen to have many of it, in a layer of which a model has several or in a loop: halves of
    `max`, counts, casts, bounds, averages, layers that are made for one call. In an optimizer by hand it is one launch of many for
    each weight. What the oldest torch that the project supports does not have is not named.

    Fix safety
    ----------
    `amax` spreads the gradient over elements that are equally large, where `max` gives it to one of them. What is the
    largest logit can be one of several after a softmax, by rounding, or where there is a NaN. Products with a diagonal do
    not carry NaN from one row to the others. `lerp` and `lerp_` round otherwise, and want tensors of one dtype,
    where what a layer gives under autocast has another: where it is not known that they have one, no fix is offered. Of a tie `clamp`
    passes the whole gradient on, where `max` passes half. Where all squares are zero, the gradient of their root is NaN, and that of
    `vector_norm` zero. What was cut and joined is a copy, and becomes a view: who writes into it writes into what it was cut
    from. `topk` puts equal elements in another order. A row of which the mask leaves nothing is NaN after a softmax of -inf, where by
    hand it is zero. Sums over two dimensions round otherwise. Whether there is a set element is answered alike, and that fix is safe.
    """
    form = facts.ask(match.form, node)
    if form is None or not facts.may_use_gpu() or facts.in_compiled(node):
        return
    tensor = facts.value_at(form.of)
    if not tensor.known or not tensor.value.maybe_cuda:
        return
    if tensor.value.kind != "tensor" or (tensor.value.rank or 0) < form.least_rank:
        return
    if form.since > facts.settings.target:
        return
    fix = None
    if form.cure is not None:
        safety = Safety.SAFE if form.is_exact and tensor.proven else Safety.UNSAFE
        fix = Fix("Use the one that does less", (_edit(facts.node(form.whole), form.cure),), safety)
    # A call alone, of whose share nobody knows.
    yield Draft(node, form.said, because=(tensor,), fix=fix, is_hint=True, needs_many=form.needs_many)


def _edit(whole: cst.CSTNode, cure: str) -> Edit:
    return Replace(whole, cure) if cure else Remove(whole)
