"""What ends a graph of `torch.compile`, by what is called or entered. Data; asked of Dynamo by `tests/oracle/breaks/forms.txt`.

What newer versions of torch compile is not here: `.numpy()`, `assert` on a tensor, `random.randint`, generators, `try`,
context managers of Python, `x[mask] = 0`. Said of torch 2.13.
"""

from __future__ import annotations

from typing import Final, Literal

Kind = Literal[
    "branch",
    "read",
    "size",
    "print",
    "log",
    "random",
    "host",
    "context",
    "rnn",
    "grad",
    "sparse",
    "text",
    "power",
    "requires",
    "script",
]

READ_METHODS: Final = frozenset(("item", "tolist"))
TRUTH: Final = frozenset(("torch.equal", "torch.allclose", "torch.is_nonzero"))
TRUTH_METHODS: Final = frozenset(("equal", "allclose"))
NUMBERS: Final = frozenset(("int", "float", "bool"))
"""Python's own functions that read a tensor for a number."""
MATH: Final = frozenset(("floor", "ceil", "exp", "log", "isnan", "isinf", "isfinite", "log2", "log10"))
"""Functions of `math` that read it too."""

SIZES: Final = frozenset(
    ("nonzero", "argwhere", "masked_select", "unique", "unique_consecutive", "bincount", "combinations", "where", "repeat_interleave",
     "one_hot")
)  # fmt: skip
"""Operations whose result is as large as the data say; some only with certain arguments."""

MAKERS: Final = frozenset(("arange", "zeros", "ones", "empty", "rand", "randn", "eye", "randperm"))
"""Functions of torch that take a size, and read it where it is a tensor."""

FUNCTIONS: Final[dict[str, Kind]] = {
    **dict.fromkeys(
        ("logging.debug", "logging.info", "logging.warning", "logging.error", "logging.critical", "logging.exception", "logging.log",
         "warnings.warn"), "log"),
    **dict.fromkeys(("sys.stdout.write", "sys.stderr.write", "sys.stdout.flush", "sys.stderr.flush"), "print"),
    **dict.fromkeys(
        ("random.random", "random.choice", "random.choices", "random.shuffle", "random.sample", "random.seed", "random.gauss",
         "random.betavariate", "random.getrandbits", "numpy.random.permutation", "numpy.random.shuffle", "numpy.random.choice",
         "numpy.random.RandomState", "torch.manual_seed", "torch.cuda.manual_seed", "torch.get_rng_state",
         "torch.Generator"), "random"),
    **dict.fromkeys(
        ("time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.time_ns", "time.sleep", "time.strftime",
         "os.path.exists", "os.path.isfile", "os.listdir", "os.getcwd", "os.getpid", "gc.collect", "uuid.uuid4", "datetime.datetime.now",
         "json.dumps", "json.loads", "inspect.stack", "threading.current_thread", "warnings.simplefilter", "warnings.filterwarnings",
         "torch.cuda.memory_allocated"), "host"),
    **dict.fromkeys(("torch.autograd.grad",), "grad"),
    **dict.fromkeys(("torch.sparse_coo_tensor",), "sparse"),
}  # fmt: skip
"""Functions that end the graph whatever they are given."""
SCALARS: Final = frozenset(
    (
        "numpy.random.rand",
        "numpy.random.randn",
        "numpy.random.random",
        "numpy.random.normal",
        "numpy.random.uniform",
        "numpy.random.randint",
    )
)
"""Functions that end it where they give one number; an array of them is compiled."""
FIXED: Final = {"numpy.random.uniform": 2, "numpy.random.normal": 2, "numpy.random.randint": 2}
"""Of these, how many arguments come before the size; the others take nothing but the size."""

SPARSE_METHODS: Final = frozenset(("to_sparse", "to_sparse_csr", "to_sparse_csc", "to_sparse_coo"))
LOGGER_METHODS: Final = frozenset(("debug", "info", "warning", "error", "critical", "exception", "log"))
LOGGERS: Final = frozenset(("logging.getLogger",))

RNNS: Final = frozenset(("torch.nn.RNN", "torch.nn.LSTM", "torch.nn.GRU"))
"""Layers that Dynamo does not look into, unless `torch._dynamo.config.allow_rnn` says so."""

CONTEXTS: Final = frozenset(
    ("torch.autograd.detect_anomaly", "torch.autograd.set_detect_anomaly", "torch.fork_rng", "torch.device",
     "torch.backends.cudnn.flags", "torch.backends.cuda.sdp_kernel", "torch.autograd.graph.save_on_cpu",
     "torch.autograd.graph.saved_tensors_hooks", "torch.jit.optimized_execution", "threading.Lock", "numpy.errstate")
)  # fmt: skip
"""Context managers that compiled code cannot enter: all of the function around runs as if it were not compiled."""

CAPTURED: Final[dict[Kind, str]] = {"read": "capture_scalar_outputs", "size": "capture_dynamic_output_shape_ops"}
"""The settings of Dynamo under which these stay in the graph."""
