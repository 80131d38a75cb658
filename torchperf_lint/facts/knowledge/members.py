"""What names construct, and what the members of such objects give. Data, read by `objects`.

CONSTRUCTS   kind   module   names of classes and factories in it
INSTANCES    kind   module   names of classes; what calling them gives, `operations` and the interpreter know
PATTERNS     kind   what a whole dotted name may look like; the first that fits counts, after the names above
MEMBERS      class or kind   return kind   methods and attributes

Kinds are those of `facts.values`; after a colon stands the family whose members a name has. Return kinds are those of
`schema`, and kinds; `first` is what the first argument is (for several a tuple of what they are), `tensor_tree` tensors,
however nested, `dict` a dictionary. A method and an attribute look alike here: calling a method, or reading an
attribute, gives what the row says; `__call__` is a call of the object itself. Classes go by their canonical names. Each
group begins with where it comes from.
"""

from __future__ import annotations

from typing import Final

CONSTRUCTS: Final = """
# torch 2.13: its public classes
dataset torch.utils.data ChainDataset ConcatDataset Dataset IterableDataset StackDataset Subset TensorDataset
distribution torch.distributions Bernoulli Beta Binomial Categorical Cauchy Chi2 ContinuousBernoulli Dirichlet
distribution torch.distributions Distribution
distribution torch.distributions Exponential ExponentialFamily FisherSnedecor Gamma GeneralizedPareto Geometric Gumbel
distribution torch.distributions HalfCauchy
distribution torch.distributions HalfNormal Independent InverseGamma Kumaraswamy LKJCholesky Laplace LogNormal
distribution torch.distributions LogisticNormal
distribution torch.distributions LowRankMultivariateNormal MixtureSameFamily Multinomial MultivariateNormal
distribution torch.distributions NegativeBinomial Normal
distribution torch.distributions OneHotCategorical OneHotCategoricalStraightThrough Pareto Poisson RelaxedBernoulli
distribution torch.distributions RelaxedOneHotCategorical StudentT TransformedDistribution Uniform VonMises Weibull
distribution torch.distributions Wishart
event torch Event
event torch.cuda Event
generator torch Generator
loader torch.utils.data DataLoader
module torch.distributed.fsdp FullyShardedDataParallel
module torch.jit script trace
module torch.nn DataParallel Identity Module ModuleDict ModuleList ParameterDict ParameterList Sequential
module torch.nn.parallel DistributedDataParallel
module torch.optim.swa_utils AveragedModel
object torch UntypedStorage finfo iinfo
object torch.cuda CUDAGraph
object torch.distributions AbsTransform AffineTransform CatTransform ComposeTransform CorrCholeskyTransform
object torch.distributions CumulativeDistributionTransform ExpTransform IndependentTransform LowerCholeskyTransform
object torch.distributions PositiveDefiniteTransform PowerTransform ReshapeTransform SigmoidTransform SoftmaxTransform
object torch.distributions SoftplusTransform StackTransform StickBreakingTransform TanhTransform Transform
object torch.nn.utils.rnn PackedSequence pack_padded_sequence pack_sequence
object torch.profiler profile record_function schedule
optimizer torch.distributed.optim ZeroRedundancyOptimizer
optimizer torch.optim ASGD Adadelta Adafactor Adagrad Adam AdamW Adamax LBFGS Muon NAdam Optimizer RAdam RMSprop Rprop
optimizer torch.optim SGD
optimizer torch.optim SparseAdam
sampler torch.utils.data BatchSampler DistributedSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler
sampler torch.utils.data WeightedRandomSampler
scaler torch.amp GradScaler
scaler torch.cuda.amp GradScaler
scaler torch.distributed.fsdp.sharded_grad_scaler ShardedGradScaler
scheduler torch.optim.lr_scheduler ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR
scheduler torch.optim.lr_scheduler ExponentialLR LRScheduler LambdaLR LinearLR MultiStepLR MultiplicativeLR OneCycleLR
scheduler torch.optim.lr_scheduler PolynomialLR
scheduler torch.optim.lr_scheduler ReduceLROnPlateau SequentialLR StepLR
scheduler torch.optim.swa_utils SWALR
stream torch Stream
stream torch.cuda ExternalStream Stream current_stream default_stream
# accelerate, lightning: their documentation
object accelerate Accelerator PartialState
object lightning.fabric Fabric
object lightning Fabric
module lightning.pytorch LightningModule
object lightning.pytorch Callback LightningDataModule Trainer
# pandas, Python: their documentation
object argparse Namespace
object pandas DataFrame Series
object pathlib Path
# timm 1.0: its sources
dataset timm.data create_dataset
loader timm.data create_loader
module timm create_model
module timm.models create_model
module timm.utils ModelEmaV2 ModelEmaV3
object timm.data Mixup create_transform
object timm.utils AverageMeter CheckpointSaver NativeScaler
optimizer timm.optim create_optimizer create_optimizer_v2
# transformers: its documentation
optimizer transformers AdamW Adafactor
scheduler transformers get_constant_schedule get_constant_schedule_with_warmup get_cosine_schedule_with_warmup
scheduler transformers get_cosine_with_hard_restarts_schedule_with_warmup get_inverse_sqrt_schedule
scheduler transformers get_linear_schedule_with_warmup get_polynomial_decay_schedule_with_warmup get_scheduler
module diffusers ModelMixin
scheduler diffusers.optimization get_cosine_schedule_with_warmup get_scheduler
object transformers Trainer TrainingArguments pipeline
# other optimizers and loaders: their documentation
loader monai.data DataLoader ThreadDataLoader
loader torch_geometric.loader ClusterLoader DataLoader DenseDataLoader LinkNeighborLoader NeighborLoader
loader torch_geometric.data DataLoader
optimizer lion_pytorch Lion
module ema_pytorch EMA
module torch_ema ExponentialMovingAverage
"""

INSTANCES: Final = """
# torch 2.13, NumPy 2.4, Pillow 12: their public classes
device torch device
dtype torch dtype
ndarray numpy ndarray
object PIL.Image Image
size torch Size
tensor torch BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor
tensor torch ShortTensor Tensor
tensor torch.cuda BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor
tensor torch.cuda LongTensor ShortTensor
tensor torch.nn Buffer Parameter UninitializedBuffer UninitializedParameter
"""

PATTERNS: Final = r"""
# classes of a library that are all of one kind; functions of torchvision and timm that build a model
dataset    (torchvision|torchaudio|torch_geometric)\.datasets\.[A-Z]\w*
dataset    (monai|monai\.data)\.\w*Dataset
metric     torchmetrics\.(\w+\.)*[A-Z]\w*
module     kornia\.(augmentation|color|enhance|feature|filters|losses|models)\.[A-Z]\w*
module     monai\.(losses|networks\.(nets|blocks|layers))\.[A-Z]\w*
module     segmentation_models_pytorch\.(\w+\.)?[A-Z]\w*
module     timm\.(layers|loss|models)\.[A-Z]\w*
module     timm\.models\.[a-z]\w*\d\w*
module     torch_geometric\.nn\.(models\.)?[A-Z]\w*
module     torchaudio\.(transforms|models|prototype\.models)\.[A-Z]\w*
module     torchvision\.models\.(\w+\.)?(alexnet|convnext|deeplabv3|densenet|efficientnet|fasterrcnn|fcn)\w*
module     torchvision\.models\.(\w+\.)?(fcos|get_model|googlenet|inception|keypointrcnn|lraspp|maskrcnn)\w*
module     torchvision\.models\.(\w+\.)?(maxvit|mc3|mnasnet|mobilenet|mvit|r2plus1d|r3d|raft|regnet|resnet)\w*
module     torchvision\.models\.(\w+\.)?(resnext|retinanet|s3d|shufflenet|squeezenet|ssd|swin|vgg|vit)\w*
module     torchvision\.models\.(\w+\.)?(wide_resnet)\w*
module     torchvision\.models\.(\w+\.)*[A-Z]\w*(?<!Weights)(?<!WeightsEnum)
module     torchvision\.ops\.[A-Z]\w*
module     torch\.(ao\.)?nn\.((modules|parallel|quantized|qat|intrinsic)\.(\w+\.)*)?[A-Z]\w*(?<!Parameter)(?<!Buffer)(?<!Options)
module     (vit_pytorch|x_transformers)\.(\w+\.)*[A-Z]\w*
module     diffusers\.(\w+\.)*(Autoencoder|VQModel|\w*Model\b|\w*Autoencoder)\w*(\.from_pretrained|\.from_config)?
object     (diffusers|transformers)\.(\w+\.)*\w+(Pipeline|Scheduler|Config)(\.from_pretrained|\.from_config)?
object:tokenizer     transformers\.(\w+\.)*\w*(Tokenizer|TokenizerFast|Processor|FeatureExtractor)(\.from_pretrained)?
module:transformers  transformers\.(\w+\.)*\w*(Model|For[A-Z]\w+)(\.from_pretrained|\.from_config)?
object     transformers\.(\w+\.)*\w*(Collator|DataCollator)\w*
object     torchvision\.transforms\.(v2\.)?[A-Z]\w*
object     torchvision\.tv_tensors\.[A-Z]\w*Format
optimizer  (apex\.optimizers|bitsandbytes\.optim|deepspeed\.ops\.(adam|lamb)|timm\.optim)\.[A-Z]\w*
optimizer  (pytorch_optimizer|torch_optimizer)\.[A-Z]\w*
scheduler  timm\.scheduler\.\w*(LRScheduler|[Ss]cheduler)
"""

MEMBERS: Final = """
# torch.distributions 2.13: its documentation
distribution T cdf concentration df entropy enumerate_support icdf loc log_prob logits mean mode probs rate rsample
distribution T sample
distribution T sample_n scale stddev variance perplexity covariance_matrix precision_matrix scale_tril low high
distribution bool has_enumerate_support has_rsample
distribution distribution expand base_dist component_distribution mixture_distribution
distribution object arg_constraints support
distribution size batch_shape event_shape param_shape
torch.distributions.Distribution none set_default_validate_args
torch.distributions.TransformedDistribution list transforms
# torch.optim 2.13: its documentation
optimizer any step
optimizer dict defaults state state_dict
optimizer list param_groups
optimizer none add_param_group load_state_dict zero_grad
optimizer object register_step_post_hook register_step_pre_hook
scheduler dict state_dict
scheduler int last_epoch
scheduler list base_lrs get_last_lr get_lr
scheduler none load_state_dict step
scheduler optimizer optimizer
# torch.utils.data 2.13: its documentation
dataset int __len__
loader any collate_fn __iter__
loader bool drop_last persistent_workers pin_memory
loader dataset dataset
loader float timeout
loader generator generator
loader int __len__ batch_size num_workers prefetch_factor
loader sampler batch_sampler sampler
sampler int __len__ batch_size epoch num_replicas num_samples rank seed total_size
sampler none set_epoch
torch.utils.data.ConcatDataset list cumulative_sizes datasets
torch.utils.data.Subset dataset dataset
torch.utils.data.TensorDataset L tensors
# torch.amp 2.13: its documentation
scaler any step
scaler bool is_enabled
scaler dict state_dict
scaler first scale
scaler float get_backoff_factor get_growth_factor get_scale
scaler int get_growth_interval
scaler none load_state_dict set_backoff_factor set_growth_factor set_growth_interval unscale_ update
# torch.Generator, torch.cuda 2.13: their documentation
event bool query
event float elapsed_time
event none record synchronize wait
generator T get_state
generator device device
generator int initial_seed seed
generator self manual_seed set_state
stream bool query
stream device device
stream event record_event
stream int cuda_stream device_index priority
stream none synchronize wait_event wait_stream
torch.cuda.CUDAGraph none capture_begin capture_end replay reset
# buffers of torch.nn, and what its containers are called with: torch.nn 2.13
torch.nn.BatchNorm1d,torch.nn.BatchNorm2d,torch.nn.BatchNorm3d,torch.nn.SyncBatchNorm T? num_batches_tracked
torch.nn.BatchNorm1d,torch.nn.BatchNorm2d,torch.nn.BatchNorm3d,torch.nn.SyncBatchNorm T? running_mean running_var
torch.nn.parallel.DistributedDataParallel,torch.nn.DataParallel module module
torch.nn.parallel.DistributedDataParallel object join no_sync
torch.nn.Embedding int embedding_dim num_embeddings
torch.nn.Linear int in_features out_features
torch.nn.MultiheadAttention int embed_dim head_dim num_heads
torch.optim.swa_utils.AveragedModel module module
torch.optim.swa_utils.AveragedModel none update_parameters
torch.nn.utils.rnn.PackedSequence T batch_sizes
torch.nn.utils.rnn.pack_padded_sequence T batch_sizes
torch.nn.utils.rnn.pack_sequence T batch_sizes
torch.nn.utils.rnn.PackedSequence,torch.nn.utils.rnn.pack_padded_sequence,torch.nn.utils.rnn.pack_sequence T data
torch.nn.utils.rnn.PackedSequence T? sorted_indices
torch.nn.utils.rnn.pack_padded_sequence T? sorted_indices
torch.nn.utils.rnn.pack_sequence T? sorted_indices
torch.nn.utils.rnn.PackedSequence T? unsorted_indices
torch.nn.utils.rnn.pack_padded_sequence T? unsorted_indices
torch.nn.utils.rnn.pack_sequence T? unsorted_indices
torch.nn.utils.rnn.PackedSequence,torch.nn.utils.rnn.pack_padded_sequence,torch.nn.utils.rnn.pack_sequence self cpu
torch.nn.utils.rnn.PackedSequence,torch.nn.utils.rnn.pack_padded_sequence,torch.nn.utils.rnn.pack_sequence self cuda
torch.nn.utils.rnn.PackedSequence,torch.nn.utils.rnn.pack_padded_sequence,torch.nn.utils.rnn.pack_sequence self to
# torch.finfo, torch.iinfo: their documentation
torch.finfo float eps max min resolution smallest_normal tiny
torch.iinfo int max min
torch.finfo,torch.iinfo int bits
# torch.profiler 2.13: its documentation
torch.profiler.profile none add_metadata export_chrome_trace export_stacks start step stop
torch.profiler.profile object events key_averages
# Pillow 12: its documentation
PIL.Image.Image self copy crop effect_spread filter resize rotate transform transpose
# torchmetrics 1.9: its sources; classes whose result is a dict, a tuple or either
metric T __call__ compute forward
metric bool full_state_update higher_is_better is_differentiable
metric device device
metric none persistent plot reset sync unsync update
metric self cpu cuda double eval float half set_dtype to train
metric metric clone
torchmetrics.BootStrapper,torchmetrics.MetricCollection,torchmetrics.MinMaxMetric dict __call__ compute forward
torchmetrics.ClasswiseWrapper,torchmetrics.wrappers.ClasswiseWrapper dict __call__ compute forward
torchmetrics.detection.MeanAveragePrecision,torchmetrics.detection.mean_ap.MeanAveragePrecision dict __call__ compute
torchmetrics.detection.MeanAveragePrecision,torchmetrics.detection.mean_ap.MeanAveragePrecision dict forward
torchmetrics.text.BERTScore,torchmetrics.text.ROUGEScore dict compute
torchmetrics.text.rouge.ROUGEScore,torchmetrics.text.SQuAD dict compute
torchmetrics.ROC,torchmetrics.PrecisionRecallCurve,torchmetrics.MetricTracker any __call__ compute forward
torchmetrics.classification.BinaryROC,torchmetrics.classification.BinaryPrecisionRecallCurve TTT __call__ compute
torchmetrics.classification.BinaryROC,torchmetrics.classification.BinaryPrecisionRecallCurve TTT forward
torchmetrics.classification.MulticlassROC,torchmetrics.classification.MultilabelROC any __call__ compute forward
torchmetrics.classification.MulticlassPrecisionRecallCurve any __call__ compute forward
torchmetrics.classification.MultilabelPrecisionRecallCurve any __call__ compute forward
torchmetrics.image.kid.KernelInceptionDistance,torchmetrics.image.KernelInceptionDistance TT compute
torchmetrics.image.inception.InceptionScore,torchmetrics.image.InceptionScore TT compute
torchmetrics.wrappers.BootStrapper,torchmetrics.wrappers.MinMaxMetric dict __call__
torchmetrics.wrappers.MultitaskWrapper dict __call__
torchmetrics.wrappers.BootStrapper,torchmetrics.wrappers.MinMaxMetric dict compute
torchmetrics.wrappers.MultitaskWrapper dict compute
# torchvision 0.26: its documentation; most transforms take images and tensors alike
torchvision.transforms.ConvertImageDtype T __call__
torchvision.transforms.Normalize,torchvision.transforms.RandomErasing T __call__
torchvision.transforms.PILToTensor,torchvision.transforms.ToTensor T __call__
torchvision.transforms.ToPILImage object __call__
torchvision.transforms.CenterCrop,torchvision.transforms.ColorJitter first __call__
torchvision.transforms.GaussianBlur first __call__
torchvision.transforms.Grayscale,torchvision.transforms.Pad,torchvision.transforms.RandomAffine first __call__
torchvision.transforms.RandomCrop first __call__
torchvision.transforms.RandomGrayscale first __call__
torchvision.transforms.RandomHorizontalFlip first __call__
torchvision.transforms.RandomResizedCrop first __call__
torchvision.transforms.RandomRotation,torchvision.transforms.Resize first __call__
torchvision.transforms.RandomVerticalFlip first __call__
# Lightning 2: its documentation
lightning.pytorch.LightningModule any all_gather lr_schedulers optimizers example_input_array to_torchscript
lightning.pytorch.LightningModule bool automatic_optimization on_gpu strict_loading
lightning.pytorch.LightningModule device device
lightning.pytorch.LightningModule dtype dtype
lightning.pytorch.LightningModule int current_epoch global_rank global_step local_rank
lightning.pytorch.LightningModule list loggers
lightning.pytorch.LightningModule none clip_gradients freeze log log_dict manual_backward print save_hyperparameters
lightning.pytorch.LightningModule none toggle_optimizer unfreeze untoggle_optimizer
lightning.pytorch.LightningModule object fabric hparams logger trainer
lightning.pytorch.Trainer any predict train_dataloader val_dataloaders
lightning.pytorch.Trainer bool fast_dev_run is_global_zero is_last_batch sanity_checking should_stop testing training
lightning.pytorch.Trainer bool validating
lightning.pytorch.Trainer dict callback_metrics logged_metrics progress_bar_metrics
lightning.pytorch.Trainer int current_epoch global_rank global_step local_rank max_epochs max_steps node_rank
lightning.pytorch.Trainer int num_devices
lightning.pytorch.Trainer int num_nodes num_training_batches world_size
lightning.pytorch.Trainer list callbacks device_ids loggers optimizers test validate
lightning.pytorch.Trainer module lightning_module model
lightning.pytorch.Trainer none fit print save_checkpoint
lightning.pytorch.Trainer number estimated_stepping_batches
lightning.pytorch.Trainer object checkpoint_callback datamodule logger profiler strategy
lightning.pytorch.Trainer str log_dir
lightning.fabric.Fabric,lightning.Fabric any all_gather all_reduce broadcast call clip_gradients launch load run setup
lightning.fabric.Fabric,lightning.Fabric any setup_dataloaders
lightning.fabric.Fabric,lightning.Fabric bool is_global_zero
lightning.fabric.Fabric,lightning.Fabric device device
lightning.fabric.Fabric,lightning.Fabric first to_device
lightning.fabric.Fabric,lightning.Fabric int global_rank local_rank node_rank world_size
lightning.fabric.Fabric,lightning.Fabric module setup_module
lightning.fabric.Fabric,lightning.Fabric none backward barrier log log_dict print save
lightning.fabric.Fabric,lightning.Fabric object autocast init_module logger no_backward_sync rank_zero_first strategy
# Accelerate 1: its documentation
accelerate.Accelerator bool is_last_process is_local_main_process is_main_process optimizer_step_was_skipped
accelerate.Accelerator bool sync_gradients
accelerate.Accelerator bool use_distributed check_trigger
accelerate.Accelerator device device
accelerate.Accelerator dict get_state_dict
accelerate.Accelerator first gather gather_for_metrics pad_across_processes prepare reduce unwrap_model
accelerate.Accelerator int gradient_accumulation_steps local_process_index num_processes process_index
accelerate.Accelerator loader prepare_data_loader skip_first_batches
accelerate.Accelerator module prepare_model
accelerate.Accelerator none backward clip_grad_value_ end_training init_trackers load_state log print
accelerate.Accelerator none register_for_checkpointing save save_model set_trigger wait_for_everyone
accelerate.Accelerator object accumulate autocast distributed_type get_tracker main_process_first no_sync profile
accelerate.Accelerator object split_between_processes state
accelerate.Accelerator optimizer prepare_optimizer
accelerate.Accelerator scaler scaler
accelerate.Accelerator scheduler prepare_scheduler
accelerate.Accelerator str logging_dir mixed_precision project_dir save_state
accelerate.Accelerator T? clip_grad_norm_
# transformers: its documentation; `output` is what a model gives when it is called
output T last_hidden_state logits pred_boxes pred_masks prediction_logits
output T? loss pooler_output image_embeds text_embeds
output L attentions cross_attentions decoder_hidden_states encoder_hidden_states hidden_states
transformers bool is_gradient_checkpointing
transformers device device
transformers dtype dtype
transformers int num_parameters
transformers module base_model get_decoder get_encoder get_input_embeddings get_output_embeddings
transformers module resize_token_embeddings
transformers tensor_tree generate
transformers none gradient_checkpointing_disable gradient_checkpointing_enable save_pretrained tie_weights
transformers object config generation_config
tokenizer int bos_token_id eos_token_id mask_token_id model_max_length pad_token_id unk_token_id vocab_size
tokenizer list batch_decode tokenize
tokenizer tensor_tree __call__ pad
tokenizer str bos_token cls_token decode eos_token mask_token pad_token sep_token unk_token
# timm 1.0: its sources
timm.utils.AverageMeter none reset update
timm.utils.ModelEmaV2,timm.utils.ModelEmaV3 module module
timm.utils.ModelEmaV2,timm.utils.ModelEmaV3 none set update
"""
