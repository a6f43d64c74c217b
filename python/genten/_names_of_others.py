# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of pyttb, TensorLy, pandas and others that are none here, and what to call instead."""

from __future__ import annotations

MODELS = {
    "arrange": "a Model does not change; normalize() returns one with components by weight, and "
    "extract(permutation) one in any order",
    "fixsigns": "a Model does not change; normalize(signs=True) returns one",
    "from_function": "genten.Model(weights, factors) makes a model of arrays",
    "full": "to_dense() is the array, and to_pyttb().full() pyttb's tensor",
    "mask": "predict(W.subs) gives the values at entries",
    "redistribute": "to_pyttb().redistribute(mode) does it",
    "to_tensor": "to_dense() is the array, and to_pyttb().to_tensor() pyttb's tensor",
    "viz": "that is plot()",
}
"""Names of `pyttb.ktensor` that are none of `Model`, and what to do instead."""

MODELS_OF_PYTTB = {
    "from_vector", "issymmetric", "mttkrp", "nvecs", "symmetrize", "to_tenmat",
    "tolist", "tovec", "ttv", "update",
}  # fmt: skip
"""Names of `pyttb.ktensor` that stand for what only pyttb does."""

MODELS_OF_OTHERS = {
    "U": "that is factors",
    "components": "for component in m goes through them, and len(m) says how many there are",
    "components_": "for component in m goes through them, and factors are the arrays",
    "core_consistency": "genten.core_consistency(X, m) is that of a model m of the tensor X",
    "core": "that is one of genten.TuckerModel; weights are the numbers of a CP model",
    "cp_copy": "that is copy()",
    "describe": "top() is a table of the strongest rows of all components",
    "factor": "factors[mode] is that of a mode",
    "lambda_": "that is weights",
    "lambdas": "that is weights",
    "mode_dot": "to_tensorly().mode_dot(matrix, mode) is TensorLy's own",
    "n_components": "that is rank",
    "reconstruct": "to_dense() is the array, and predict(entries) gives single values",
    "summary": "top() is a table of the strongest rows of all components",
    "to_csv": "save('m.csv') writes a table",
    "to_excel": "save('m.csv') writes a table",
    "to_unfolded": "to_tensorly().to_unfolded(mode) is TensorLy's own",
    "to_vec": "to_dense().ravel() is the array",
    "transform": "project(X, mode) gives the rows of new slices",
    "u": "that is factors",
}
"""Names of models of others that are none of `Model`, and what to do instead."""


TUCKER_MODELS = {
    "factor_matrices": "that is factors",
    "full": "to_dense() is the array",
    "innerprod": "genten.tensor(m.to_dense()).innerprod(X) is it, and evaluate(X) compares with X",
    "isequal": "== says it",
    "mttkrp": "to_dense() is the array, of which genten.tensor has mttkrp",
    "ndims": "that is ndim",
    "nvecs": "factors are leading vectors already",
    "order": "that is ndim",
    "permute": "genten.TuckerModel(m.core.transpose(p), [m.factors[n] for n in p]) has other modes",
    "ttm": "factors times a matrix, with the same core, are that product",
    "ttv": "to_dense() is the array, of which genten.tensor has ttv",
    "double": "to_dense() is the array",
    "reconstruct": "to_dense() is the array, and predict(entries) gives single values",
    "score": "columns are found up to a rotation, so that there is nothing to match; to_dense() "
    "and evaluate(X) compare what models say",
    "to_pyttb": "pyttb.ttensor(pyttb.tensor(m.core), m.factors) is pyttb's",
    "to_tensor": "to_dense() is the array",
    "to_tensorly": "tensorly.tucker_tensor.TuckerTensor((m.core, m.factors)) is TensorLy's",
    "u": "that is factors",
}
"""Names of `pyttb.ttensor` that are none of `TuckerModel`, and what to do instead."""

TUCKER_MODELS_OF_OTHERS = {
    "mode_dot": "factors times a matrix, with the same core, are that product",
    "plot": "genten.plots.plot_tucker(m) draws it",
    "to_numpy": "to_dense() is the array",
    "to_pandas": "top(mode) has the strongest rows of a mode, and factors are the arrays",
    "to_vec": "to_dense().ravel() is the array",
    "tucker_copy": "genten.TuckerModel(m.core, m.factors) is another one",
    "viz": "genten.plots.plot_tucker(m) draws it",
}
"""Names of Tucker models of others that are none of `TuckerModel`, and what to do instead."""

CP_MODELS = {
    "arrange", "extract", "fixsigns", "ncomponents", "normalize", "redistribute", "weights",
}  # fmt: skip
"""Names of CP models, here or in pyttb, that mean nothing without components."""

TENSORS = {
    "double": "to_dense() is the array",
    "elemfun": "map(function) does it",
    "find": "subscripts and values are those of the entries that are listed",
    "full": "to_dense() is the array, and to_pyttb().full() pyttb's tensor",
    "isequal": "== says it",
    "mask": "to_pyttb().mask(W) does it",
    "subs": "that is subscripts",
    "ndims": "that is ndim",
    "vals": "that is values, a vector",
}
"""Names of `pyttb.sptensor` that are none of `Tensor`, and what to do instead."""

TENSORS_OF_PYTTB = {
    "allsubs", "contract", "extract", "from_aggregator",
    "from_function", "logical_and", "logical_not", "logical_or", "logical_xor",
    "ones", "reshape", "scale", "spmatrix", "squash", "squeeze",
    "subdims", "to_tensor",
}  # fmt: skip
"""Names of `pyttb.sptensor` that stand for what only pyttb does."""

_OF_LISTED = "values.{0}() is that of the entries that are listed, and to_dense().{0}() of all"
_UNFOLDED = (
    "to_pyttb().to_sptenmat(numpy.array([mode])) is a sparse one, and tensorly.unfold("
    "X.to_dense(), mode) a dense one; mttkrp, ttm and nvecs need none"
)
_TURNED = "permute(order) has its modes in another order"

TENSORS_OF_OTHERS = {
    "T": _TURNED,
    "columns": "mode_names are the names of modes, and labels those of rows",
    "to_sptenmat": _UNFOLDED,
    "coords": "that is subscripts",
    "copy": "what is done to a Tensor makes another one; genten.tensor(X, copy=True) has arrays of "
    "its own",
    "data": "that is values",
    "flatten": "to_dense().ravel() is the array of all entries, and values are those listed",
    "iloc": "X[...] takes rows by number and by name",
    "index": "labels are the names of rows, and mode_names those of modes",
    "indices": "that is subscripts",
    "loc": "X[...] takes rows by number and by name",
    "mode_dot": "ttm(matrix, mode) does it",
    "moveaxis": _TURNED,
    "nonzero": "subscripts has a row for each entry that is listed",
    "numpy": "to_dense() is the array",
    "ravel": "to_dense().ravel() is the array of all entries, and values are those listed",
    "size": "nnz counts the entries that are listed, and math.prod(X.shape) all",
    "spones": "map(lambda value: 1) does it",
    "swapaxes": _TURNED,
    "to_numpy": "to_dense() is the array",
    "to_tenmat": _UNFOLDED,
    "to_tensorly": "to_dense() is the array, which TensorLy takes, and sparse.COO(X.to_coo()) the "
    "sparse one of pydata",
    "toarray": "to_dense() is the array",
    "todense": "to_dense() is the array",
    "transpose": _TURNED,
    "ttt": "innerprod(Y) sums all products; numpy.tensordot takes X.to_dense() and Y.to_dense()",
    "unfold": _UNFOLDED,
} | {name: _OF_LISTED.format(name) for name in ("max", "mean", "min", "std", "var")}
"""Names of tensors of NumPy, SciPy, TensorLy and others that are none of `Tensor`, and what to do
instead."""

TABLES = {
    "apply", "describe", "dropna", "dtypes", "fillna", "groupby", "info", "iterrows", "itertuples",
    "melt", "merge", "nlargest", "pivot", "pivot_table", "query", "rename", "sort_values", "tail",
    "to_csv", "to_excel", "to_parquet",
}  # fmt: skip
"""Names of tables of pandas, which tensors become by `to_pandas`."""

ESTIMATORS = {
    "components_": "model_.factors",
    "decomposition_": "model_",
    "errors_": "1 - result_.history.fit",
    "factors_": "model_.factors",
    "labels_": "model_.labels",
    "n_iter_": "result_.iterations",
    "predict": "model_.predict(entries)",
    "weights_": "model_.weights",
}
"""Names of estimators of others, and what they are of a fitted `genten.CP`."""

RESULTS = {
    "M": "r.model",
    "M0": "r.options['init']",
    "Minit": "r.options['init']",
    "components": "list(r.model)",
    "converged": "r.stop_reason == 'converged'",
    "decomposition": "r.model",
    "describe": "print(r)",
    "error": "r.residual_norm / r.tensor_norm",
    "errors": "1 - r.history.fit",
    "errors_": "1 - r.history.fit",
    "f_trace": "r.history.objective",
    "final_f": "r.objective",
    "info": "r.options, r.fit, r.iterations and so on",
    "iters": "r.iterations",
    "kktViolations": "r.history.kkt_violation",
    "nInnerIters": "r.inner_iterations, of all sweeps",
    "nTotalIters": "r.inner_iterations",
    "n_epoch": "r.iterations",
    "n_iter": "r.iterations",
    "n_iter_": "r.iterations",
    "nit": "r.iterations",
    "normresidual": "r.residual_norm",
    "obj": "r.objective",
    "output": "r.options, r.fit, r.iterations and so on",
    "params": "r.options",
    "rec_error": "r.residual_norm / r.tensor_norm",
    "rec_errors": "1 - r.history.fit",
    "seed": "r.options['seed']",
    "summary": "print(r)",
    "success": "r.stop_reason == 'converged'",
    "time_trace": "r.history.seconds",
    "times": "r.history.seconds",
    "totalTime": "r.timings['total']",
}
"""Names of what pyttb, TensorLy and SciPy return, and what they are of a result r."""

RANK_CHOICES = {
    name: "choice.suggested, the number of components that is suggested"
    for name in ("rank", "best_rank", "n_components", "n_components_", "ncomponents", "best")
} | {
    name: "choice.results[choice.suggested].model, the best one of the number that is suggested"
    for name in ("model", "best_model", "weights", "factors")
} | {
    "result": "choice.results[choice.suggested], of the best start of that number",
    "best_result": "choice.results[choice.suggested], of the best start of that number",
    "ranks": "list(choice.results)",
    "scores": "choice.table, and choice.to_pandas()",
}  # fmt: skip
"""What one may look for in a choice of the rank, and what it is."""

_DATA = "genten.tensor(data) takes what other libraries have"
_TENSOR_OR_MODEL = "X.{0} and m.{0} are those of a tensor and a model"

PACKAGE = {
    "CPTensor": "genten.Model(weights, factors) is a model",
    "CP_NN": "that is genten.CP(rank, nonnegative=True)",
    "CP_NN_HALS": "that is genten.CP(rank, nonnegative=True)",
    "ConstrainedCP": "genten.CP takes nonnegative=, lower=, upper=, l1= and ridge=",
    "Tucker": "that is genten.tucker(X, ranks)",
    "TuckerTensor": "genten.TuckerModel(core, factors) is a Tucker model",
    "compare": "m.score(other) compares two models",
    "congruence_coefficient": "m.score(other) compares two models",
    "constrained_parafac": "genten.cp takes nonnegative=, lower=, upper=, l1= and ridge=",
    "cp_apr": "genten.cp(X, R, loss='poisson') takes counts",
    "cp_norm": "that is m.norm, of a model",
    "cp_normalize": "that is m.normalize(), of a model",
    "cp_to_tensor": "that is m.to_dense(), of a model",
    "decompose": "that is genten.cp(X, rank)",
    "export_data": "X.save('x.txt') and m.save('m.ktensor') write what pyttb reads, too",
    "from_dense": _DATA,
    "from_numpy": _DATA,
    "from_pandas": "genten.tensor(table, values=...) takes a table",
    "gcp_opt": "genten.cp(X, R, loss=...) takes other losses",
    "hosvd": "genten.tucker(X, ranks, method='st-hosvd') takes ranks, and no tolerance",
    "import_data": "genten.read(path) reads a tensor, genten.load(path) a model",
    "innerprod": "that is X.innerprod(Y), of tensors and models",
    "ktensor": "genten.Model(weights, factors) is a model",
    "mode_dot": "that is X.ttm(matrix, mode), of a tensor",
    "mttkrp": "that is X.mttkrp(m, mode), of a tensor",
    "mttkrps": "that is X.mttkrps(m), of a tensor",
    "multi_mode_dot": "that is X.ttm(matrices, modes), of a tensor",
    "non_negative_parafac": "that is genten.cp(X, rank, nonnegative=True)",
    "non_negative_parafac_hals": "that is genten.cp(X, rank, nonnegative=True)",
    "norm": _TENSOR_OR_MODEL.format("norm"),
    "parafac": "that is genten.cp(X, rank)",
    "partial_tucker": "that is genten.tucker(X, ranks), with None in place of a rank for each mode "
    "that stays as it is",
    "plot": "r.plot() draws a run, r.model.plot() its model",
    "project": "that is m.project(X, mode), of a model",
    "RandomizedCP": "genten.CP takes all entries",
    "randomised_parafac": "genten.cp(X, rank) takes all entries",
    "rank": "genten.choose_rank(X, range(1, 7)) says how many components there are",
    "read_csv": "genten.read(path, values=...) reads tables",
    "read_parquet": "genten.read(path, values=...) reads tables",
    "score": "m.score(other) compares two models",
    "set_backend": "arrays of NumPy, SciPy, PyTorch and CuPy are taken as they are",
    "sptenrand": "that is genten.generate(shape, nnz)",
    "sptensor": "genten.tensor((subs, vals, shape)) makes a tensor, of one tuple",
    "ttensor": "genten.TuckerModel(core, factors) is a Tucker model",
    "tucker_als": "that is genten.tucker(X, ranks)",
    "tucker_to_tensor": "that is m.to_dense(), of a model",
    "unfold": "X.to_pyttb().to_sptenmat(numpy.array([mode])) is a sparse one, "
    "tensorly.unfold(X.to_dense(), mode) a dense one",
    "viz": "that is r.model.plot(), of a result",
}
"""Names of pyttb, TensorLy and pandas that are none of the package, and what to do instead."""

ELSEWHERE = {
    "CPPower", "Parafac2", "SymmetricCP", "TensorRing", "TensorRingALS", "TensorRingALSSampled",
    "TensorTrain", "TensorTrainMatrix", "coupled_matrix_tensor_3d_factorization", "fold",
    "khatri_rao", "khatrirao", "kron", "non_negative_tucker", "non_negative_tucker_hals",
    "parafac2", "parafac_power_iteration", "power_iteration", "robust_pca", "sample_khatri_rao",
    "sptendiag", "sptenmat", "sumtensor", "symmetric_parafac_power_iteration",
    "symmetric_power_iteration", "tendiag", "teneye", "tenmat", "tenones", "tenrand",
    "tensor_ring", "tensor_ring_als", "tensor_ring_als_sampled", "tensor_train",
    "tensor_train_matrix", "tenzeros",
}  # fmt: skip
"""Functions of pyttb and TensorLy that there is nothing like here."""

KEYWORDS = {
    "stoptol": ("tolerance",),
    "tol": ("tolerance", "stoptol"),
    "maxiters": ("max_iterations",),
    "maxiter": ("max_iterations", "maxiters"),
    "n_iter_max": ("max_iterations", "maxiters"),
    "max_iter": ("max_iterations", "maxiters"),
    "max_iters": ("max_iterations", "maxiters"),
    "n_epochs": ("max_iterations", "maxiters"),
    "f_est_tol": ("tolerance",),
    "stoptime": ("time_limit",),
    "n_init": ("starts",),
    "n_starts": ("starts",),
    "algorithm": ("steps", "method"),
    "optimizer": ("method",),
    "lr": ("rate",),
    "learning_rate": ("rate",),
    "sparsity": ("l1",),
    "linesearch": ("acceleration",),
    "max_rank": ("ranks",),
    "aggfunc": ("duplicates",),
    "agg": ("duplicates",),
    "columns": ("modes",),
    "index": ("modes",),
    "random_state": ("seed",),
    "rng": ("seed",),
    "dimorder": ("mode_order",),
    "n_components": ("rank", "ranks"),
    "rank": ("ranks",),
    "ranks": ("rank",),
    "verbose": ("printitn", "progress"),
    "printitn": ("progress",),
    "non_negative": ("nonnegative",),
    "l1_reg": ("l1",),
    "l2_reg": ("ridge",),
    "regularization": ("ridge",),
    "dims": ("modes",),
    "order": ("modes",),
    "n": ("k", "mode"),
    "U": ("factors",),
    "R": ("rank", "ranks"),
    "type": ("loss",),
    "objective": ("loss",),
}
"""What other libraries call options of ours, in `cp` and in `cp_als`."""

_NOWHERE = "there is nothing like it here"
_THREADS = "genten.config(threads=...) says how many there are"

KEYWORDS_ELSEWHERE = {
    "cvg_criterion": "tolerance= is of the change of the fit",
    "exact": "least squares are always exact",
    "monotonicity": _NOWHERE,
    "n_jobs": _THREADS,
    "normalize_factors": "columns always have norm 1",
    "num_threads": _THREADS,
    "orthogonalise": _NOWHERE,
    "return_errors": "1 - r.history.fit is the error after each iteration",
    "simplex": _NOWHERE,
    "smoothness": _NOWHERE,
    "svd": "init='nvecs' begins at leading singular vectors",
    "unimodality": _NOWHERE,
    "fixsigns": "signs are always made unambiguous",
    "optdims": "fixed_modes= are the others, which keep their factors",
}
"""Options of pyttb and TensorLy that are none here, and what to do."""
