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
    "skipped",
    "parameter",
    "variable",
]

READ_METHODS: Final = frozenset(("item", "tolist"))
TRUTH: Final = frozenset(("torch.equal", "torch.allclose", "torch.is_nonzero"))
TRUTH_METHODS: Final = frozenset(("equal", "allclose"))
NUMBERS: Final = frozenset(("int", "float", "bool", "complex"))
"""Python's own functions that read a tensor for a number."""
MATH: Final = frozenset(
    ("floor", "ceil", "exp", "log", "isnan", "isinf", "isfinite", "log2", "log10", "sqrt", "pow", "sin", "cos", "tanh", "atan2", "fabs",
     "copysign", "isclose")
)  # fmt: skip
"""Functions of `math` that read it too."""

SIZES: Final = frozenset(
    ("nonzero", "argwhere", "masked_select", "unique", "unique_consecutive", "bincount", "combinations", "where", "repeat_interleave",
     "one_hot")
)  # fmt: skip
"""Operations whose result is as large as the data say; some only with certain arguments."""

MAKERS: Final = frozenset(("arange", "zeros", "ones", "empty", "rand", "randn", "eye", "randperm"))
"""Functions of torch that take a size, and read it where it is a tensor."""
CREATORS: Final = MAKERS | {"tensor", "full", "zeros_like", "ones_like", "randn_like", "rand_like"}
"""Functions of torch that take `requires_grad`."""
SIZED_METHODS: Final = {
    **dict.fromkeys(("view", "reshape", "expand", "repeat", "narrow", "new_zeros", "new_ones", "new_empty", "roll", "unfold"), 9),
    **dict.fromkeys(("new_full", "topk"), 1),
}  # fmt: skip
"""Methods of tensors that take sizes, and how many arguments at most are such."""
SKIPPED_METHODS: Final = frozenset(("apply_", "map_", "share_memory_", "storage"))
"""Methods of tensors that Dynamo does not look into."""

HOST_LIBRARIES: Final = ("scipy.", "sklearn.", "cv2.", "PIL.", "matplotlib.", "pandas.")
"""Libraries of the host: Dynamo looks into none of them."""
ARRAYS: Final = frozenset(
    f"numpy.{name}"
    for name in (
        "array", "asarray", "arange", "linspace", "zeros", "ones", "full", "concatenate", "stack", "prod", "sum", "max", "min", "mean",
        "cumsum", "maximum", "minimum", "int64", "int32",
    )
)  # fmt: skip
"""Functions of NumPy that give an array, or a number that Dynamo makes a tensor of; `np.sqrt(n)` it works out."""
OF_ARRAYS: Final = frozenset(
    f"numpy.{name}" for name in ("sqrt", "ceil", "floor", "log", "log2", "exp", "isnan", "abs")
)
"""Functions that give an array of an array."""
ARRAY_METHODS: Final = frozenset(("max", "min", "sum", "mean", "prod", "cumsum", "astype", "reshape", "flatten"))
OPEN_ARRAYS: Final = frozenset(("numpy.unique", "numpy.nonzero", "numpy.where"))
"""Functions of NumPy whose result is as large as the data say."""

PARAMETERS: Final = frozenset(("torch.nn.Parameter", "torch.nn.parameter.Parameter"))
LAYERS: Final = frozenset(
    f"torch.nn.{name}"
    for name in (
        "Linear", "Bilinear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "Embedding", "LayerNorm", "GroupNorm",
        "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "MultiheadAttention",
    )
)  # fmt: skip
"""Layers that make parameters, unless a normalisation is told to have none."""
DRAWN: Final = frozenset(("random.uniform", "random.randint", "random.randrange"))
"""Functions of Python that give a number which becomes a part of the graph: then no branch may ask it."""

FUNCTIONS: Final[dict[str, Kind]] = {
    **dict.fromkeys(
        ("logging.debug", "logging.info", "logging.warning", "logging.error", "logging.critical", "logging.exception", "logging.log",
         "warnings.warn"), "log"),
    **dict.fromkeys(("sys.stdout.write", "sys.stderr.write", "sys.stdout.flush", "sys.stderr.flush"), "print"),
    **dict.fromkeys(
        ("random.random", "random.choice", "random.choices", "random.shuffle", "random.sample", "random.seed", "random.gauss",
         "random.betavariate", "random.getrandbits", "numpy.random.permutation", "numpy.random.shuffle", "numpy.random.choice",
         "numpy.random.RandomState", "numpy.random.beta", "torch.manual_seed", "torch.cuda.manual_seed", "torch.get_rng_state",
         "torch.Generator"), "random"),
    **dict.fromkeys(
        ("time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.time_ns", "time.sleep", "time.strftime",
         "os.path.exists", "os.path.isfile", "os.listdir", "os.getcwd", "os.getpid", "gc.collect", "uuid.uuid4", "datetime.datetime.now",
         "json.dumps", "json.loads", "inspect.stack", "threading.current_thread", "warnings.simplefilter", "warnings.filterwarnings",
         "torch.cuda.memory_allocated"), "host"),
    **dict.fromkeys(
        ("torch.autograd.grad", "torch.autograd.functional.jacobian", "torch.autograd.functional.hessian",
         "torch.autograd.functional.vjp"), "grad"),
    **dict.fromkeys(
        ("torch.nn.utils.rnn.pack_padded_sequence", "torch.nn.utils.rnn.pad_packed_sequence", "torch.nn.utils.rnn.pack_sequence",
         "torch.nested.nested_tensor", "torch.utils.data.default_collate", "torch.save",
         "torch.load", "numpy.save", "numpy.load", "torch.set_num_threads", "torch.get_num_threads",
         "inspect.currentframe", "sys.getsizeof", "threading.get_ident", "dataclasses.fields", "torch._C._is_tracing"), "skipped"),
    **dict.fromkeys(("torch.sparse_coo_tensor", "torch.sparse.FloatTensor"), "sparse"),
    **dict.fromkeys(("torch.autograd.Variable",), "variable"),
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
