"""What torch's stubs and sources leave without annotations, in the notation of `schema`. Only `generate` uses it.

A line here replaces what was read, an indented one goes on with the line above; each was checked against torch's own
documentation or source.
"""

from __future__ import annotations

from typing import Final

FUNCTIONS: Final = """
torch.BFloat16Tensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.BoolTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.ByteTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.CharTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.DoubleTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.FloatTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.HalfTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.IntTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.LongTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.ShortTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.Tensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.are_deterministic_algorithms_enabled -> bool
torch.atleast_1d tensors:T -> T ; tensors:L+ -> L
torch.atleast_2d tensors:T -> T ; tensors:L+ -> L
torch.atleast_3d tensors:T -> T ; tensors:L+ -> L
torch.autograd.grad outputs:? inputs:? grad_outputs:?= retain_graph:b= create_graph:b= allow_unused:b=
    is_grads_batched:b= materialize_grads:b= -> L
torch.autograd.variable data:? requires_grad:b= -> T
torch.block_diag tensors:L+ -> T
torch.broadcast_shapes shapes:?+ -> size
torch.broadcast_tensors tensors:L+ -> L
torch.cartesian_prod tensors:L+ -> T
torch.cdist x1:T x2:T p:f= compute_mode:s= -> T
torch.chain_matmul matrices:L+ *out:T?= -> T
torch.compile model:?= *fullgraph:b= *dynamic:b= *backend:?= *mode:s= *options:?= *disable:b= -> any
torch.compiled_with_cxx11_abi -> bool
torch.cuda.BFloat16Tensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.BoolTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.ByteTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.CharTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.DoubleTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.FloatTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.HalfTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.IntTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.LongTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.ShortTensor size:I+ *device:D= -> T ; data:? *device:D= -> T
torch.cuda.cudart -> object
torch.cuda.current_stream device:D= -> object
torch.cuda.default_stream device:D= -> object
torch.cuda.get_arch_list -> list
torch.cuda.get_device_properties device:D= -> object
torch.cuda.init -> none
torch.cuda.ipc_collect -> none
torch.cuda.is_bf16_supported including_emulation:b= -> bool
torch.cuda.is_initialized -> bool
torch.cuda.make_graphed_callables callables:? sample_args:? num_warmup_iters:i= allow_unused_input:b= pool:?=
    -> any
torch.cuda.memory_snapshot mempool_id:?= include_traces:b= -> object
torch.cuda.memory_stats device:D= -> object
torch.cuda.set_stream stream:? -> none
torch.cuda.sparse.DoubleTensor indices:T values:T size:I= -> T
torch.cuda.sparse.FloatTensor indices:T values:T size:I= -> T
torch.cuda.stream stream:? -> object
torch.distributed.all_gather tensor_list:L tensor:T group:?= async_op:b= -> object
torch.distributed.all_gather_into_tensor output_tensor:T input_tensor:T group:?= async_op:b= -> object
torch.distributed.all_gather_object object_list:? obj:? group:?= -> none
torch.distributed.all_reduce tensor:T op:?= group:?= async_op:b= -> object
torch.distributed.all_to_all output_tensor_list:L input_tensor_list:L group:?= async_op:b= -> object
torch.distributed.all_to_all_single output:T input:T output_split_sizes:?= input_split_sizes:?= group:?=
    async_op:b= -> object
torch.distributed.barrier group:?= async_op:b= device_ids:?= -> object
torch.distributed.broadcast tensor:T src:i= group:?= async_op:b= group_src:i= -> object
torch.distributed.broadcast_object_list object_list:? src:i= group:?= device:D= group_src:i= -> none
torch.distributed.destroy_process_group group:?= -> none
torch.distributed.gather tensor:T gather_list:L= dst:i= group:?= async_op:b= group_dst:i= -> object
torch.distributed.gather_object obj:? object_gather_list:?= dst:i= group:?= group_dst:i= -> none
torch.distributed.get_backend group:?= -> str
torch.distributed.irecv tensor:T src:i= group:?= tag:i= group_src:i= -> object
torch.distributed.isend tensor:T dst:i= group:?= tag:i= group_dst:i= -> object
torch.distributed.monitored_barrier group:?= timeout:?= wait_all_ranks:b= -> none
torch.distributed.new_group ranks:?= timeout:?= backend:?= pg_options:?= use_local_synchronization:b=
    group_desc:s= device_id:D= sort_ranks:b= -> object
torch.distributed.reduce tensor:T dst:i= op:?= group:?= async_op:b= group_dst:i= -> object
torch.distributed.reduce_scatter output:T input_list:L op:?= group:?= async_op:b= -> object
torch.distributed.reduce_scatter_tensor output:T input:T op:?= group:?= async_op:b= -> object
torch.distributed.scatter tensor:T scatter_list:L= src:i= group:?= async_op:b= group_src:i= -> object
torch.distributed.scatter_object_list scatter_object_output_list:? scatter_object_input_list:?= src:i=
    group:?= group_src:i= -> none
torch.eig input:T eigenvectors:b= -> TT
torch.einsum equation:s operands:L+ -> T ; equation:s operands:L -> T
torch.from_dlpack ext_tensor:? *device:D= *copy:b= -> T
torch.get_deterministic_debug_mode -> int
torch.get_device_module device:D= -> object
torch.get_num_threads -> int
torch.is_deterministic_algorithms_warn_only_enabled -> bool
torch.is_storage obj:? -> bool
torch.is_tensor obj:? -> bool
torch.is_warn_always_enabled -> bool
torch.load f:? map_location:?= pickle_module:?= *weights_only:b= *mmap:b= -> any
torch.lobpcg A:T k:i= B:T?= X:T?= n:i= iK:T?= niter:i= tol:f= largest:b= method:s= tracker:?= ortho_iparams:?=
    ortho_fparams:?= ortho_bparams:?= -> TT
torch.lstsq input:T A:T -> TT
torch.lu A:T pivot:b= get_infos:False= out:?= -> TT ; A:T pivot:b= get_infos:True out:?= -> TTT
torch.manual_seed seed:i -> object
torch.matrix_rank input:T tol:f= symmetric:b= -> T
torch.meshgrid tensors:L *indexing:s= -> L ; tensors:L+ *indexing:s= -> L
torch.nn.Buffer data:T?= *persistent:b= -> T
torch.nn.Parameter data:T?= requires_grad:b= -> T
torch.nn.functional.threshold_ input:T threshold:f value:f -> T
torch.nn.utils.rnn.pack_padded_sequence input:T lengths:? batch_first:b= enforce_sorted:b= -> object
torch.nn.utils.rnn.pack_sequence sequences:L enforce_sorted:b= -> object
torch.nn.utils.spectral_norm module:? name:s= n_power_iterations:i= eps:f= dim:i= -> object
torch.nn.utils.weight_norm module:? name:s= dim:i= -> object
torch.norm input:T p:?= dim:I= keepdim:b= out:T?= dtype:d= -> T
torch.pca_lowrank A:T q:i= center:b= niter:i= -> TTT
torch.save obj:? f:? pickle_module:?= pickle_protocol:i= _use_new_zipfile_serialization:b= -> none
torch.set_num_threads num:i -> none
torch.set_printoptions precision:i= threshold:i= edgeitems:i= linewidth:i= profile:s= sci_mode:b= -> none
torch.solve input:T A:T -> TT
torch.sparse.DoubleTensor indices:T values:T size:I= -> T
torch.sparse.FloatTensor indices:T values:T size:I= -> T
torch.sparse.addmm mat:T mat1:T mat2:T *beta:f= *alpha:f= -> T
torch.sparse.mm sparse:T dense:T -> T ; mat1:T mat2:T reduce:s -> T
torch.svd_lowrank A:T q:i= niter:i= M:T?= -> TTT
torch.sym_float a:f -> float
torch.sym_int a:f -> int
torch.sym_max a:f b:f -> number
torch.sym_min a:f b:f -> number
torch.sym_not a:b -> bool
torch.symeig input:T eigenvectors:b= upper:b= -> TT
torch.tensordot a:T b:T dims:?= out:T?= -> T
torch.unique input:T sorted:b= return_inverse:False= return_counts:False= dim:i= -> T ;
    input:T sorted:b= return_inverse:True return_counts:False= dim:i= -> TT ;
    input:T sorted:b= return_inverse:False= return_counts:True dim:i= -> TT ;
    input:T sorted:b= return_inverse:True return_counts:True dim:i= -> TTT
torch.unique_consecutive input:T return_inverse:False= return_counts:False= dim:i= -> T ;
    input:T return_inverse:True return_counts:False= dim:i= -> TT ;
    input:T return_inverse:False= return_counts:True dim:i= -> TT ;
    input:T return_inverse:True return_counts:True dim:i= -> TTT
"""

METHODS: Final = """
__array__ dtype:?= -> ndarray
__array_wrap__ array:? -> T
__deepcopy__ memo:? -> T
__dir__ -> list
__dlpack__ *stream:?= *max_version:?= *dl_device:?= *copy:b= -> object
__format__ format_spec:s -> str
__hash__ -> int
__ipow__ other:N -> self
__itruediv__ other:N -> self
__len__ -> int
__pos__ -> T
__repr__ *tensor_contents:?= -> str
__reversed__ -> T
__setitem__ indices:? value:? -> none
__setstate__ state:? -> none
__str__ -> str
as_subclass cls:? -> T
backward gradient:T?= retain_graph:b= create_graph:b= inputs:L= -> none
bfloat16 *memory_format:?= -> T
bool *memory_format:?= -> T
byte *memory_format:?= -> T
cdouble *memory_format:?= -> T
cfloat *memory_format:?= -> T
chalf *memory_format:?= -> T
char *memory_format:?= -> T
dim_order *ambiguity_check:?= -> list
double *memory_format:?= -> T
eig eigenvectors:b= -> TT
float *memory_format:?= -> T
half *memory_format:?= -> T
int *memory_format:?= -> T
ipu device:D= non_blocking:b= *memory_format:?= -> T
is_shared -> bool
istft n_fft:i hop_length:i= win_length:i= window:T?= center:b= normalized:b= onesided:b= length:i=
    return_complex:b= -> T
long *memory_format:?= -> T
lstsq A:T -> TT
lu pivot:b= get_infos:False= -> TT ; pivot:b= get_infos:True -> TTT
module_load other:T assign:b= -> T
mtia device:D= non_blocking:b= *memory_format:?= -> T
new size:I+ *device:D= -> T ; data:? *device:D= -> T
norm p:?= dim:I= keepdim:b= dtype:d= -> T
qscheme -> object
refine_names names:?+ -> T
register_hook hook:? -> object
register_post_accumulate_grad_hook hook:? -> object
reinforce reward:? -> none
requires_grad_ requires_grad:b= -> self
resize sizes:I+ -> T
resize_as tensor:T -> T
share_memory_ -> self
short *memory_format:?= -> T
solve A:T -> TT
split split_size:I dim:i= -> L
stft n_fft:i hop_length:i= win_length:i= window:T?= center:b= pad_mode:s= normalized:b= onesided:b=
    return_complex:b= align_to_window:b= -> T
storage -> object
storage_type -> object
symeig eigenvectors:b= upper:b= -> TT
to_sparse_coo -> T
type -> str ; dtype:? non_blocking:b= -> T
unflatten dim:i sizes:I -> T
unique sorted:b= return_inverse:False= return_counts:False= dim:i= -> T ;
    sorted:b= return_inverse:True return_counts:False= dim:i= -> TT ;
    sorted:b= return_inverse:False= return_counts:True dim:i= -> TT ;
    sorted:b= return_inverse:True return_counts:True dim:i= -> TTT
unique_consecutive return_inverse:False= return_counts:False= dim:i= -> T ;
    return_inverse:True return_counts:False= dim:i= -> TT ;
    return_inverse:False= return_counts:True dim:i= -> TT ;
    return_inverse:True return_counts:True dim:i= -> TTT
untyped_storage -> object
"""

ATTRIBUTES: Final = """
__cuda_array_interface__ object
grad_fn object
is_xla bool
layout object
name str
volatile bool
"""


def lines(text: str) -> dict[str, str]:
    """The lines of one of the texts, by name."""
    joined = text.strip().replace("\n    ", " ")
    found: dict[str, str] = {}
    for line in joined.splitlines():
        name, _, rest = line.partition(" ")
        if name in found:
            raise ValueError(f"two lines for {name}: put all its signatures on one, with ` ; ` between them")
        found[name] = rest
    return found
