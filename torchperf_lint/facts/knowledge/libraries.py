"""Functions outside of torch that take or give tensors. Data, read by `objects`.

    module   names | overloads in the notation of `schema`

Two things go beyond that notation: `*options:?+`, by keyword only and all that are left, takes any other keyword; and
the return kind `first` stands for what the first argument is, a tensor for a tensor, an image for an image.
Lines without a dtype or rank in `effects` say only what kind of thing comes back.
"""

from __future__ import annotations

from typing import Final

NEVER_TENSORS: Final = {
    "PIL": "object", "argparse": "object", "cv2": "ndarray", "json": "any", "logging": "object", "math": "number",
    "matplotlib": "object", "os": "any", "pandas": "object", "pathlib": "object", "random": "number", "scipy": "ndarray",
    "sklearn": "object", "string": "str", "time": "float", "wandb": "object", "warnings": "none",
}  # fmt: skip
"""What any function of a library gives where no row says more, by the library: nothing of it is a tensor."""

FUNCTIONS: Final = """
# einops 0.8, its documentation; lists of tensors are taken as if stacked, arrays give arrays
einops asnumpy | tensor:T -> ndarray
einops einsum | tensors_and_pattern:?+ -> T
einops pack | tensors:L pattern:s -> (T,list)
einops parse_shape | x:T pattern:s -> dict
einops rearrange | tensor:T pattern:s *axes:?+ -> T ; tensor:L pattern:s *axes:?+ -> T
einops reduce | tensor:T pattern:s reduction:? *axes:?+ -> T ; tensor:L pattern:s reduction:? *axes:?+ -> T
einops repeat | tensor:T pattern:s *axes:?+ -> T ; tensor:L pattern:s *axes:?+ -> T
einops unpack | tensor:T packed_shapes:? pattern:s -> L
# einx 0.4, its documentation
einx add subtract multiply divide true_divide floor_divide logaddexp maximum minimum where | pattern:s tensors:?+ *axes:?+ -> T
einx dot sum mean var std prod max min logsumexp softmax log_softmax rearrange | pattern:s tensors:?+ *axes:?+ -> T
# accelerate.utils, its documentation
accelerate.utils broadcast gather recursively_apply reduce send_to_device | tensor:? *options:?+ -> first
accelerate.utils set_seed | seed:i *options:?+ -> none
# PyG: torch_geometric.utils and torch_scatter, their documentation
torch_geometric.nn global_add_pool global_max_pool global_mean_pool | x:T batch:T? size:i= -> T
torch_geometric.utils add_self_loops coalesce remove_self_loops | edge_index:T edge_attr:T?= *options:?+ -> any
torch_geometric.utils degree | index:T num_nodes:i= dtype:d= -> T
torch_geometric.utils scatter softmax | src:T index:T ptr:T?= num_nodes:i= dim:i= *options:?+ -> T
torch_geometric.utils to_dense_adj | edge_index:T batch:T?= edge_attr:T?= max_num_nodes:i= batch_size:i= -> T
torch_geometric.utils to_dense_batch | x:T batch:T?= fill_value:f= max_num_nodes:i= batch_size:i= -> TT
torch_scatter scatter scatter_add scatter_mean scatter_sum | src:T index:T dim:i= out:T?= dim_size:i= *options:?+ -> T
torch_scatter scatter_max scatter_min | src:T index:T dim:i= out:T?= dim_size:i= -> TT
# timm 1.0, its sources
timm.utils accuracy | output:T target:T topk:?= -> L
timm.utils distribute_bn | model:? world_size:i reduce:b= -> none
timm.utils reduce_tensor | tensor:T n:i -> T
# torchaudio 2, its documentation
torchaudio load | uri:? frame_offset:i= num_frames:i= normalize:b= *options:?+ -> (T,int)
torchaudio.functional highpass_biquad lowpass_biquad resample spectrogram | waveform:T options:?+ *more:?+ -> T
# torchvision 0.26, the annotations of its sources
torchvision.io decode_avif decode_gif decode_heic decode_webp | input:T mode:?= -> T
torchvision.io decode_image decode_png | input:? mode:?= apply_exif_orientation:b= -> T
torchvision.io encode_png | input:T compression_level:i= -> T
torchvision.io read_file | path:s -> T
torchvision.io read_image | path:s mode:?= apply_exif_orientation:b= -> T
torchvision.io write_file | filename:s data:T -> none
torchvision.io write_jpeg write_png | input:T filename:s *options:?+ -> none
torchvision.ops batched_nms | boxes:T scores:T idxs:T iou_threshold:f -> T
torchvision.ops box_area | boxes:T fmt:s= -> T
torchvision.ops box_convert | boxes:T in_fmt:s out_fmt:s -> T
torchvision.ops box_iou | boxes1:T boxes2:T fmt:s= -> T
torchvision.ops clip_boxes_to_image | boxes:T size:? -> T
torchvision.ops complete_box_iou distance_box_iou | boxes1:T boxes2:T eps:f= -> T
torchvision.ops complete_box_iou_loss distance_box_iou_loss | boxes1:T boxes2:T reduction:s= eps:f= -> T
torchvision.ops generalized_box_iou_loss | boxes1:T boxes2:T reduction:s= eps:f= -> T
torchvision.ops deform_conv2d | input:T offset:T weight:T bias:T?= stride:?= padding:?= dilation:?= mask:T?= -> T
torchvision.ops drop_block2d drop_block3d | input:T p:f block_size:i inplace:b= eps:f= training:b= -> T
torchvision.ops generalized_box_iou | boxes1:T boxes2:T -> T
torchvision.ops masks_to_boxes | masks:T -> T
torchvision.ops nms | boxes:T scores:T iou_threshold:f -> T
torchvision.ops ps_roi_align | input:T boxes:T output_size:i spatial_scale:f= sampling_ratio:i= -> T
torchvision.ops ps_roi_pool | input:T boxes:T output_size:i spatial_scale:f= -> T
torchvision.ops remove_small_boxes | boxes:T min_size:f -> T
torchvision.ops roi_align | input:T boxes:? output_size:? spatial_scale:f= sampling_ratio:i= aligned:b= -> T
torchvision.ops roi_pool | input:T boxes:? output_size:? spatial_scale:f= -> T
torchvision.ops sigmoid_focal_loss | inputs:T targets:T alpha:f= gamma:f= reduction:s= -> T
torchvision.ops stochastic_depth | input:T p:f mode:s training:b= -> T
torchvision.transforms.functional adjust_brightness adjust_contrast adjust_gamma | img:? options:?+ *more:?+ -> first
torchvision.transforms.functional adjust_hue | img:? options:?+ *more:?+ -> first
torchvision.transforms.functional convert_image_dtype | image:T dtype:d= -> T
torchvision.transforms.functional affine center_crop crop equalize gaussian_blur | img:? options:?+ *more:?+ -> first
torchvision.transforms.functional hflip invert pad perspective resize | img:? options:?+ *more:?+ -> first
torchvision.transforms.functional resized_crop rgb_to_grayscale rotate vflip | img:? options:?+ *more:?+ -> first
torchvision.transforms.functional erase | img:T i:i j:i h:i w:i v:T inplace:b= -> T
torchvision.transforms.functional normalize | tensor:T mean:? std:? inplace:b= -> T
torchvision.transforms.functional pil_to_tensor to_tensor | pic:? -> T
torchvision.transforms.functional to_pil_image | pic:? mode:?= -> object
torchvision.utils draw_bounding_boxes | image:T boxes:T labels:?= *options:?+ -> T
torchvision.utils draw_keypoints | image:T keypoints:T *options:?+ -> T
torchvision.utils draw_segmentation_masks | image:T masks:T alpha:f= colors:?= -> T
torchvision.utils flow_to_image | flow:T -> T
torchvision.utils make_grid | tensor:? nrow:i= padding:i= normalize:b= value_range:?= scale_each:b= pad_value:f= -> T
torchvision.utils save_image | tensor:? fp:? format:s= *options:?+ -> none
# torchmetrics 1.9, the annotations of its sources; what may return a tuple or a dict is left out
torchmetrics.functional accuracy auroc average_precision calibration_error | preds:T target:T *options:?+ -> T
torchmetrics.functional cohen_kappa | preds:T target:T *options:?+ -> T
torchmetrics.functional concordance_corrcoef confusion_matrix cosine_similarity | preds:T target:T *options:?+ -> T
torchmetrics.functional cramers_v | preds:T target:T *options:?+ -> T
torchmetrics.functional critical_success_index exact_match f1_score fbeta_score | preds:T target:T *options:?+ -> T
torchmetrics.functional hamming_distance hinge_loss jaccard_index kl_divergence | preds:T target:T *options:?+ -> T
torchmetrics.functional log_cosh_error matthews_corrcoef mean_absolute_error | preds:T target:T *options:?+ -> T
torchmetrics.functional mean_absolute_percentage_error mean_squared_error | preds:T target:T *options:?+ -> T
torchmetrics.functional mean_squared_log_error minkowski_distance | preds:T target:T *options:?+ -> T
torchmetrics.functional negative_predictive_value | preds:T target:T *options:?+ -> T
torchmetrics.functional normalized_root_mean_squared_error panoptic_quality | preds:T target:T *options:?+ -> T
torchmetrics.functional pearson_corrcoef | preds:T target:T *options:?+ -> T
torchmetrics.functional peak_signal_noise_ratio precision r2_score recall | preds:T target:T *options:?+ -> T
torchmetrics.functional relative_squared_error retrieval_average_precision | preds:T target:T *options:?+ -> T
torchmetrics.functional retrieval_fall_out | preds:T target:T *options:?+ -> T
torchmetrics.functional retrieval_hit_rate retrieval_normalized_dcg | preds:T target:T *options:?+ -> T
torchmetrics.functional retrieval_precision | preds:T target:T *options:?+ -> T
torchmetrics.functional retrieval_r_precision retrieval_recall | preds:T target:T *options:?+ -> T
torchmetrics.functional retrieval_reciprocal_rank | preds:T target:T *options:?+ -> T
torchmetrics.functional scale_invariant_signal_noise_ratio signal_distortion_ratio | preds:T target:T *options:?+ -> T
torchmetrics.functional signal_noise_ratio spearman_corrcoef specificity | preds:T target:T *options:?+ -> T
torchmetrics.functional stat_scores | preds:T target:T *options:?+ -> T
torchmetrics.functional symmetric_mean_absolute_percentage_error theils_u | preds:T target:T *options:?+ -> T
torchmetrics.functional tschuprows_t | preds:T target:T *options:?+ -> T
torchmetrics.functional tweedie_deviance_score universal_image_quality_index | preds:T target:T *options:?+ -> T
torchmetrics.functional weighted_mean_absolute_percentage_error | preds:T target:T *options:?+ -> T
torchmetrics.functional pairwise_cosine_similarity pairwise_euclidean_distance | x:T y:T?= *options:?+ -> T
torchmetrics.functional pairwise_linear_similarity pairwise_manhattan_distance | x:T y:T?= *options:?+ -> T
torchmetrics.functional total_variation | img:T reduction:s= -> T
torchmetrics.functional.classification binary_accuracy binary_auroc | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification binary_confusion_matrix | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification binary_f1_score binary_jaccard_index | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification binary_precision binary_recall | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification binary_stat_scores | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multiclass_accuracy multiclass_auroc | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multiclass_confusion_matrix | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multiclass_f1_score | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multiclass_jaccard_index | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multiclass_precision | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multiclass_recall multiclass_stat_scores | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multilabel_accuracy multilabel_auroc | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multilabel_f1_score multilabel_precision | preds:T target:T *options:?+ -> T
torchmetrics.functional.classification multilabel_recall | preds:T target:T *options:?+ -> T
"""
