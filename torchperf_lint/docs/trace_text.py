"""What the page of `trace` says; its figures and tables are put in by `trace_page.py`."""

from __future__ import annotations

from typing import Final

SAYS: Final = """\
# What your own program says costs

```console
torchperf-lint trace -- python train.py --lr 1e-3                     run it, and say which lines pay
torchperf-lint trace --html run.html -- torchrun --nproc-per-node 2 train.py
torchperf-lint --trace run.tpltrace --min-gain 1% src/                lint as ever, each finding with what it costs
torchperf-lint --trace chrome_trace.json.gz src/                      what a trace of torch's own profiler can tell
```

`trace` runs the command as it is: its arguments, streams, signals and exit code are its own. Some steps run untouched and are timed, 20
are profiled, some more run untouched, and then the program goes on alone (`--stop` ends it). The report goes to the standard error,
because the standard output is the program's; `--format json=FILE`, `markdown=FILE` and `--html FILE` write others.

A step begins at the optimizer's step; of several optimizers the one that steps least often counts. Where no optimizer is made, it begins
at each call of the outermost module. Otherwise say where: `--step train.py:41`, or `with torchperf_lint.step():`. `--steps 20:40`
profiles those steps; without it some twenty steps from about the thirtieth on, so that a loop of fifty quick steps is seen before it
ends. Of a program of fewer steps than that only their time is told, and which to ask for: `--steps 2:5` is the earliest, as one step is
timed before and another sets up the profiler.

Tried without a GPU under Lightning 2.6, the Trainer of transformers 5.24, accelerate 1.15, ignite 0.5, in plain and inference loops and a
cell of Jupyter: a step was one of the optimizer with all batches that are accumulated for it, exit codes were those of the programs where
they were looked at (not under accelerate), and most lines of the host the framework's. Where each part of a training makes an optimizer,
the next counts after a hundred of its steps.
Steps need not be alike: an agent plays for 128 steps of its environment and learns in 16 of its optimizer's, an epoch of 16 batches
begins with the start of its workers. Where the timed steps repeat after so many, whole rounds count.

Of several ranks (`torchrun`, `accelerate launch`, `mp.spawn`) each is observed and has a file, `run.rank1.tpltrace`. All change from
timed to profiled steps at the same one, as they wait for each other. What each would take by itself, without waiting for others and
unobserved, is replayed. The report is that of the slowest; of ranks that take as long, that of the one which waits most. No fix is said
to gain more than the other ranks let it; where another takes less, how much and at which line is named.

`torchperf-lint --verify --trace run.tpltrace --html report.html src/ -- python train.py` then measures the fixes in your program, first
those of which the trace expects most, and writes the page with what was predicted and measured of each.

## In a notebook

```python
%load_ext torchperf_lint

%%tpl_trace
for x, y in loader:
    ...
```

The cell runs in the notebook's own kernel and is observed there; what it prints and raises stays its own. The table follows, and below it
the page of the report. The loop stands in the cell; what it calls may stand in others, or in modules: all cells that ran are linted as
one notebook, and `In[3]:7` is line 7 of the third one. `--steps 6:12` profiles those steps (a short loop needs it), `--out FILE` and
`--html FILE` write the trace and the page. A cell with `await` outside of a function cannot be traced, and newer versions of IPython
count one cell too many in its tracebacks. It was tried in a Jupyter kernel on an H100: the waits of a cell were said to gain 2 % and 6 %;
with pinned batches and without its waits the cell took 13 % and 25 % less, as copies from pinned memory are shorter, which the replay did
not know then.

## What the figures mean

- **waits**: how often in a step the host waits for the GPU at a line, and **now**: for how long it stands there, or in a loader.
- **without it**: how much shorter a step is without those waits or that loader, with an interval. The profiled steps are replayed: the
  host goes from call to call, the GPU works in order, and a wait holds the host; then the wait is left out (a copy is one from pinned
  memory then). A long one need not gain anything: the next may wait instead. So the gain **after those above** is shown too, and the sum
  of all is given. In the interval is what the replay does not know: where in the host's time the profiler's cost lies (the more it was,
  the more that matters), how far timed steps differ, that what a wait read may take an operation of its own, and that a step whose
  loader does not pin has to pin a batch itself. No step takes less than its loader needs for a batch: what the system says that workers
  took of the processor, divided by how many they are. A step twice as long as others that are alike was held up, and does not count.
- **pays**: 3 % of a step or more, for sure. **no gain**: less than that, for sure. **cannot tell**: neither. *Nothing here pays* is an
  answer.
- Findings about other things than waits cannot be replayed. What their lines do for the GPU bounds what they can gain: *at most*.
- A line that has changed since the run is *stale*. Lines that have moved are found again: a trace knows lines by their digests.

## How far to trust it

On an {turns[gpu]} with torch {turns[torch]}, twice, ways that take turns in one process of the program: as it is, with the hooks *armed*
(nothing recorded), *profiled*, and with something *removed* by hand: all waits, or the loader, which then hands out one batch again and
again. Medians of turns; in brackets is where they may lie (95 %, of turns drawn again).

{table_turns}

- Of 19 removals that were predicted, 9 gained within 10 % of the step of what was predicted, and 9 lie in the interval (5 before it knew
  how steady steps were). Of the 10 that turns tell to 20 % of a step or better, 6 are within 10 %, and 7 in the interval.
- The table shows what was predicted then; predictions were changed after it. Measured anew, 6 of 11 were within 10 %, and 7 in the
  interval. A third time, with better stand-ins and six new programs: 12 of 17 within 10 % (of the new ones 5 of 6), 9 in the interval (13
  by today's). All six that were said to pay did (10.5 % to 37.9 %); `nanogpt-compiled` gained 10.7 % (predicted 14.6). Too little was
  said of `loader`, too much of style transfer; `detr` and `speaker` take longer without waits.
- A fourth time, seven programs that had never been traced: 4 within 10 % of the step, 2 in the interval. Of four that were said to pay
  `cifar` gained (29 % predicted, 19 % measured) and `attention` (9 and 13 %), `dino` not surely (13 and 3 %), and **`superres` nothing**
  (19 and 24 % in two recordings; -6 %, -34 % to 21 %). Intervals since know how the host wanders: it cannot tell there now.
- A fifth time, six more, of which it predicted five, and a sixth, three new ones: of 8 removals **5 are within 10 % of the step, 5 in the
  interval**. `supcon`, three times said to pay, had a wait left where none should be; mended, it gained 24.1 % (19.9 % predicted) and
  14.9 % (13.3 %). Since then versions without waits are asked whether they wait; those of the first four times never were.
- A seventh time, six more: of VQ-VAE, CycleGAN, an actor, a GPT, RepVGG that only looks and SSD it could tell of none, 4 are within 10 %,
  all in intervals that are wide; SSD gained 12.5 % (11.8 % predicted), the others nothing surely. DDP, a ResNet-18, was said to **pay 15
  and 16 %, and gained 3 %** (-2.4 % to 6.8 %): two workers made no more batches; with one kept batch 8.9 % (5.0 %). A trace now knows
  what workers take: it cannot tell (12.5 % with its loader gone as well, waits alone 4.3 %), and it gained 0.3 % (-6.1 % to 10.2 %).
- An eighth time, six more: **4 are within 10 %, 4 in the interval**. CMC was said to pay, and did (24.5 % predicted, 25.6 % measured). It
  could not tell of poses (14.1 and 7.6 %), monodepth2 (9.5 and 6.8 %) and Meta Pseudo Labels (15.4 and 8.3 %), nor of two of which it
  said too little: MTGNN, 2.2 % (-8.7 % to 13.1 %), measured 17.3 % (-1.4 % to 19.9 %), and MCAN, which reads the norms of 275 gradients
  one by one, 5.9 % (-11.6 % to 20.0 %), measured 21.3 % (11.0 % to 25.0 %). By torch, no version without waits waits.
- A ninth time, on an H200, both of these again, by drivers that are new, and four new ones. **All five that were predicted are within
  10 %, and in the interval**. MTGNN was said to pay, and did (15.4 % predicted, recorded anew 16.2 %; 18.4 % measured, 14.4 % to 19.3 %).
  It could not tell of MCAN (9.6 and 15.9 %, 4.1 % to 23.2 %), U-Net (6.6 and 5.5 %, one round of turns only), SAGAN (1.6 and -1.3 %) and
  seq2seq (0.9 and -3.5 %). In these turns MCAN differs from itself by 9.2 %, seq2seq by -15.2 %, MTGNN by -5.9 %: no better is it known.
  Of DreamerV3, 25,000 recorded events a step, the report was not done in the minute it had, so nothing was predicted; made later, of the
  same trace, it cannot tell (5.3 %, -32.1 % to 40.0 %). Without its waits that took 9.0 % longer, in one round.
- Why too little was said of MTGNN and MCAN the eighth time is not found: the code is the same, but the steps are others (92 ms in place
  of 40, and 77 of 113), and the GPU is. MCAN's version without waits also adds all norms by one operation: where each is added by an
  operation of its own it gained 9.3 % (-1.5 % to 11.1 %). It is not the host's own time in a call that waits: the replay takes 18 to 20
  microseconds off for each norm that is read, and one that is read took 22 more than one that is not, measured alone. Were the copy and
  the host's time before it taken off as well, MCAN would come nearer (13.2 %), but seq2seq (2.6 %) and DreamerV3 (7.6 %) further off.
- A tenth time, on an H200, eight new ones: both that were said to pay did: hypergraphs, 12.9 % predicted, 14.5 % measured (14.2 % to
  16.3 %), and a sampler, 23.6 and 17.2 % (11.8 % to 22.0 %). It could not tell of the others: a transformer for speech (18.1 and 13.7 %),
  DiffWave (2.5 and 4.3 %, one round), MART (2.9 and -1.5 %; itself -14.9 %), and three of which a few seconds told nothing: routes by
  attention, 6.2 % predicted and 20.1 % in one round, a GAN with spectral norms (1.5 and 12.3 %, itself 10.9 %) and TD7 (0.9 and 3.0 %,
  itself 18.3 %). So **6 were within 10 % of the step**. Again on another H200, with 19 to 26 rounds of turns, these three are within
  10 % too, and in the interval: 6.8 and 4.7 % (-0.9 % to 9.4 %), 0.4 and -3.8 % (-10.2 % to 1.4 %), 1.1 and -0.1 % (-2.7 % to 3.9 %).
- An eleventh time, on an H200, eight new ones: both that were said to pay did: DeepSDF, 63.5 % predicted, 83.2 % measured by a
  version that also moves work of the host to the GPU, and SAM, 17.3 and 8.9 %, in one round. It could not tell of the others:
  speech (16.4 and 17.5 %, 12.8 % to 21.6 %), SSD (23.5 and 29.3 %, one round), AGCRN (4.9 and 8.3 %), CQL (3.1 and 8.3 %, two of 41
  waits left), tables by diffusion (3.4 and 17.1 %, -11.6 % to 40.8 %) and a VAE (23.6 and 3.6 %). So **5 were within 10 % of the
  step**. Again on another H200, with 9 to 19 rounds of turns but for SSD (24.2 and 31.4 %, one round), SAM (12.9 and 14.2 %, 7.8 %
  to 16.8 %; not said to pay this time) and the tables (2.8 and 6.7 %) are within it too, the VAE is not (26.4 and 11.3 %, itself
  11.5 %): too much is said of its ten small copies a step.
- A twelfth time, on an H200, three new ones, each twice, on two machines. CSDI: 5.5 % predicted and 6.3 % measured (-5.8 % to 17.0 %),
  then 13.5 and 4.5 % (-2.3 % to 15.2 %). POMO, of which over half of the waits stay: 1.9 and -3.0 %, then 2.5 and -0.2 %. Of neither it
  could tell. Of GRAND it said that removing all waits pays, 26.5 and 31.7 %, nearly all of it in `torch.spmm` of a matrix that is not
  coalesced; the version measured then (-0.4 and -1.3 %) left these waits, of which CUDA's own mode does not tell. Tested since, with a
  matrix of rows: **it pays**, 65 % (61 to 70 %) of a step of 23 ms, more than was predicted, as its kernels are quicker too.
- A thirteenth time, on an H200, four new ones, once: preference tuning of a language model (0.7 % predicted, -5.7 and -4.9 % measured), an
  ensemble of critics (1.0 %, and 19.0 and -0.1 %), contrastive time series (7.9 %, and -4.3 and 7.3 %), and LightGCN (3.5 %, and 27.0 and
  31.4 %). Of none could it tell, and their processes differ by as much. LightGCN's version without waits also makes tensors of its lists of
  indices once a step, and not six times: that is work of the host, of which the replay of waits knows nothing.
- Once a removal was said to pay that gained nothing: all waits of `loader`, copies that wait, took 39 % more without: what stood in for
  them pins each batch within the step. With its loader gone as well the step took 20 % less, as predicted.
- Loaders were said to pay each time, and did, by medians (of `dcgan`, whose short epoch starts its workers anew, a third was predicted).
- Hooks alone cost nothing that can be measured over all programs (-0.6 %, -2.5 % to 1.8 %, then 0.1 %, -0.5 % to 1.9 %), but of
  `sampling`, whose steps are found by calls of a module: 1.4 % (0.2 % to 4.4 %), and 4.2 % (-0.1 % to 7.3 %).
- Profiled steps take -1 % to 1 % more where the GPU is the bound (`ddpm-mnist`, `sampling`), but 9 % and 10 % more in `imagenet` and
  `nanogpt`, which keep it busy for nine tenths of a step, 36 % in `nanogpt-compiled`, and up to 96 % where launches are the bound.
- torch told of {seen_turns:,} waits of these programs in their steps; {right_turns:,} are on a line that the trace names.
- DDP on two H100: without its waits `imagenet` took 13.8 % less (11.8 % to 14.9 %; 8.7 % predicted, 2.8 % to 13.7 %); nanoGPT with rank 1
  held up for 10 ms -1.6 % (rank 1 named, "no gain"), not held up 11.2 % (not predicted), and 8.8 % (2.9 % and 4.4 %, "cannot tell").

The same day, before intervals knew how steady steps were, on the same: *removed* are the waits that `--select TPL1,TPL2 --fix
--unsafe-fixes` removes from the program, or all waits, by hand. *Measured* is what that gained of the step between processes that took
turns, by lower quartiles; *itself* is the same program in a third process, and what is not larger than that is noise.

{table_h100}

- What paid by measurement (`loader`, `imagenet`, `nanogpt`) was said to pay, and no other removal was; predictions were off by 1 to 4 %
  of the step. Intervals are too narrow: three of the five measurements that are no noise lie outside (`imagenet`, `nanogpt`,
  `ddpm-mnist`). Replayed without their waits `imagenet` took 38.1 ms and `nanogpt` 19.6, and measured 38.1 and 19.5: it was the step
  before that took 3 % less in turns than when it was traced.
- `detr` without waits took 19 % more (what was read is pinned and copied instead), which says nothing of the waits; `dcgan`, `vae`,
  `mnist`, `ppo` and `mingpt-adder` differ from themselves by more than was removed.
- torch told of {seen_h100:,} waits of these programs in steps of their own; {right_h100:,} are on a line that the trace names.
- What observing costs: {costs_h100}. Waits, and how often each line waits in a step, were the same in both recordings. An event costs 5
  to 11 microseconds where launches are the bound (`detr`, `ppo`, `loader`), and predictions are calibrated to that.
- Without operators gradients that meet and are added belong to no line of the forward pass (26 of 247 launches of nanoGPT).
- DDP on two H100: nanoGPT by `torchrun` took 25.0 ms a step, and 34.4 ms when rank 1 was held up for 10 ms before each backward pass. The
  report named rank 1 and that line, and said that rank 0 would take 8.2 ms less (measured: 9.4). Both ranks of imagenet, started by
  `mp.spawn`, took as long.

Earlier, with operators recorded: on an {gpu} with torch {torch}, {count} programs, {public} of them public. *Predicted* and *measured*
are what a step gains without all of its waits, without touching its loader; measured by removing them by hand, in a process of its own.
*Same program, elsewhere* is the original in another process: what is not larger than that is noise.

{table}

- torch (`set_sync_debug_mode`) told of {seen:,} waits in runs of their own; {right:,} are on the line of the trace ({share:.1%}).
- What observing costs: {slower_gpu} where the GPU is busy for nine tenths of a step, {slower_host} where it is not. Launches are the
  bound there, and the profiler takes time for each; predictions are calibrated to the steps that ran without it.
- The prediction for `nanogpt-sample` cannot be held against its measurement: sampling without a wait takes other operations. `makemore`
  and `dcgan` differ more from themselves than from what was removed.
- `detr` is bound by its launches, 4,300 a step, and is where it fails: its waits were said to pay, and its loader, 5 %, and without its
  waits the step was no shorter. That program took 87 ms a step at first and 74 ms later on, so it is no proof of the contrary either. In
  the other programs that are bound by launches no line is said to pay.
- `ppo` rolls out 128 steps of its environment before each 16 steps of the optimizer: steps are not alike, and nothing is predicted of
  them. Without its waits (the actions fixed, nothing copied) it took 18 % less, between runs that differ by 30 %.
- Traces that torch's own profiler exported of six of the public programs, six steps each, were read: all waits of `detr` (161 a step) and
  of `superminddpm` (3) are in them.

## What it cannot see

- Python started with `-I`, `-E` or `-S` loads no hook. Workers of loaders are not observed; what the program waits for them for is.
- Only one profiler can run: where the program uses its own, ours waits until it has ended. What torch's profiler itself
  writes to the standard error is left out, for the program's own too, unless `KINETO_LOG_LEVEL` is set.
- Before Python 3.12 lines are told by `sys.settrace`, which another tool may hold; then waits have no lines.
- A program that ends while its steps are profiled (an exception, `os._exit`, SIGTERM, SIGHUP) leaves a trace of the steps before.
  SIGKILL, and a crash in C, leave none: what the profiler has seen goes with the program's memory; the error says how many steps had
  begun.
- Streams: where work waited for another stream, that is kept; copies that would overlap otherwise are not guessed.

## The file

`run.tpltrace` is JSON in gzip, about 5 KB a step, 40 KB where a step has thousands of launches. It holds no text of the program and none
of its arguments.

| key | what it holds |
|---|---|
| `format`, `version` | `torchperf-lint trace`, 2; files of version 1, which know the `operator` of each call, are read as well |
| `about` | versions, GPU, rank, the name of the script, how steps were found |
| `timing` | `steps` took `ms` each, `low` to `high`; repeat after `round`, differ by `wander`; a loader needs `loading` |
| `starts` | where each profiled step begins, in microseconds from the first; the last one is the end |
| `files` | `path`, and `digests`: ten characters a line, from the first line on |
| `lines` | columns: `file`, `number`, `ran` and `host_us` in all profiled steps |
| `sites` | columns: the innermost `line`, that of the program's `own` files, and in a backward pass the `forward` line |
| `calls` | columns: `start` (from the call before), `time`, `kind` (0 launch, 1 wait, 2 copy that waits), `name`, `site` and more |
| `works` | columns: `call`, `start`, `time`, `stream`, `name`, `bytes`, `blocks`: what the GPU did |
| `spans` | columns: `start`, `time`, `name`, `site`: loaders and optimizers |
| `names` | what names are numbers of |
| `counters` | allocator retries, graph breaks, compiled graphs in the profiled steps; peak memory |
| `untold` | what cannot be told of this trace, and why |

-1 is no line, no name. The JSON of `--format json` has the same words; `rows` are the lines that wait or load, `lines` the costs of every
line in a step, and `findings` are those of [the linter](json.md), with `impact.traced`. Figures of a `gain` that nothing is known of
are `null`, and `trouble` says why.
"""
