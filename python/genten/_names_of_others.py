# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of pyttb, TensorLy, pandas and others that are none here, and what to call instead."""

from __future__ import annotations

_DENSE = "to_dense() is the array"
_FULL = f"{_DENSE}, and to_pyttb().full() pyttb's tensor"
_VALUES = f"{_DENSE}, and predict(entries) gives single values"
_NDIM = "that is ndim"
_RAVEL = "to_dense().ravel() is the array"
_LISTED = f"{_RAVEL} of all entries, and values are those listed"
_TOP = "top() is a table of the strongest rows of all components"
_TABLE = "save('m.csv') writes a table"
_PRODUCT = "factors times a matrix, with the same core, are that product"
_DRAWN = "genten.plots.plot_tucker(m) draws it"
_FACTORS = "that is factors"
_WEIGHTS = "that is weights"
_SUBSCRIPTS = "that is subscripts"
_ROWS = "X[...] takes rows by number and by name"
_TURNED = "permute(order) has its modes in another order"

_TYPES = (
    "genten.Model(m.weights.astype(t), [f.astype(t) for f in m.factors]) has numbers of a type t"
)
_FITTED = "genten.CP(rank) is an estimator with fit, transform and fit_transform"

MODELS = {
    "arrange": "a Model does not change; normalize() returns one with components by weight, and "
    "extract(permutation) one in any order",
    "fixsigns": "a Model does not change; normalize(signs=True) returns one",
    "from_function": "genten.Model(weights, factors) makes a model of arrays",
    "full": _FULL,
    "mask": "predict(W.subs) gives the values at entries",
    "redistribute": "to_pyttb().redistribute(mode) does it",
    "to_tensor": "to_dense() is the array, and to_pyttb().to_tensor() pyttb's tensor",
    "vis": "that is plot()",
    "viz": "that is plot()",
}
"""Names of `pyttb.ktensor` that are none of `Model`, and what to do instead."""

MODELS_OF_PYTTB = {
    "from_vector", "issymmetric", "mttkrp", "nvecs", "symmetrize", "to_tenmat",
    "tolist", "tovec", "ttv", "update",
}  # fmt: skip
"""Names of `pyttb.ktensor` that stand for what only pyttb does."""

MODELS_OF_OTHERS = {
    "R": "that is rank",
    "T": _TURNED,
    "U": _FACTORS,
    "components": "m[0] is the first one, for component in m goes through them, and len(m) says "
    "how many there are",
    "components_": "m[0] is the first one, and factors are the arrays",
    "core_consistency": "genten.core_consistency(X, m) is that of a model m of the tensor X",
    "core": "that is one of genten.TuckerModel; weights are the numbers of a CP model",
    "cp_copy": "that is copy()",
    "describe": _TOP,
    "factor": "factors[mode] is that of a mode",
    "astype": _TYPES,
    "coalesce": "that is of tensors; values of a Model have no duplicates",
    "factors_": _FACTORS,
    "fit": _FITTED,
    "fit_transform": _FITTED,
    "fms": "score(other) compares two models",
    "inverse_transform": _VALUES,
    "lambda_": _WEIGHTS,
    "lambdas": _WEIGHTS,
    "mode_dot": "to_tensorly().mode_dot(matrix, mode) is TensorLy's own",
    "n_components": "that is rank",
    "order": _NDIM,
    "reconstruct": _VALUES,
    "size": "math.prod(m.shape) counts its values",
    "summary": _TOP,
    "to_csv": _TABLE,
    "to_excel": _TABLE,
    "to_numpy": _DENSE,
    "to_unfolded": "to_tensorly().to_unfolded(mode) is TensorLy's own",
    "to_vec": _RAVEL,
    "transform": "project(X, mode) gives the rows of new slices",
    "u": _FACTORS,
    "weights_": _WEIGHTS,
} | dict.fromkeys(("plot_components", "plot_factors", "plot_model"), "that is plot()")
"""Names of models of others that are none of `Model`, and what to do instead."""


TUCKER_MODELS = {
    "factor_matrices": _FACTORS,
    "full": _DENSE,
    "innerprod": "genten.tensor(m.to_dense()).innerprod(X) is it, and evaluate(X) compares with X",
    "isequal": "== says it",
    "mttkrp": "to_dense() is the array, of which genten.tensor has mttkrp",
    "ndims": _NDIM,
    "nvecs": "factors are leading vectors already",
    "order": _NDIM,
    "permute": "genten.TuckerModel(m.core.transpose(p), [m.factors[n] for n in p]) has other modes",
    "ttm": _PRODUCT,
    "ttv": "to_dense() is the array, of which genten.tensor has ttv",
    "double": _DENSE,
    "reconstruct": _VALUES,
    "score": "columns are found up to a rotation, so that there is nothing to match; to_dense() "
    "and evaluate(X) compare what models say",
    "to_pyttb": "pyttb.ttensor(pyttb.tensor(m.core), m.factors) is pyttb's",
    "to_tensor": _DENSE,
    "to_tensorly": "tensorly.tucker_tensor.TuckerTensor((m.core, m.factors)) is TensorLy's",
    "u": _FACTORS,
}
"""Names of `pyttb.ttensor` that are none of `TuckerModel`, and what to do instead."""

_CP_ALONE = (
    "a model of genten.cp has {0}, and genten.tucker(X, ranks) takes new rows among all data"
)

TUCKER_MODELS_OF_OTHERS = {
    "T": "genten.TuckerModel(m.core.T, m.factors[::-1]) has its modes in the other order",
    "core_tensor": "that is core",
    "loss": "it is of least squares, and genten.cp takes other losses",
    "fms": "columns are found up to a rotation, so that there is nothing to match",
    "inverse_transform": _VALUES,
    "lambda_": "that is core",
    "mode_dot": _PRODUCT,
    "n_components": "that is ranks",
    "plot": _DRAWN,
    "project": _CP_ALONE.format("project"),
    "project_rows": _CP_ALONE.format("project_rows"),
    "rank": "that is ranks",
    "size": "math.prod(m.shape) counts its values",
    "transform": _CP_ALONE.format("project"),
    "update": _CP_ALONE.format("update"),
    "to_numpy": _DENSE,
    "to_pandas": "top(mode) has the strongest rows of a mode, and factors are the arrays",
    "to_vec": _RAVEL,
    "tucker_copy": "genten.TuckerModel(m.core, m.factors) is another one",
    "viz": _DRAWN,
} | dict.fromkeys(("plot_factors", "plot_model", "plot_tucker"), _DRAWN)
"""Names of Tucker models of others that are none of `TuckerModel`, and what to do instead."""

CP_MODELS = {
    "arrange", "components", "extract", "fixsigns", "ncomponents", "normalize", "redistribute",
    "weights",
}  # fmt: skip
"""Names of CP models, here or in pyttb, that mean nothing without components."""

TENSORS = {
    "double": _DENSE,
    "elemfun": "map(function) does it",
    "find": "subscripts and values are those of the entries that are listed",
    "full": _FULL,
    "isequal": "== says it",
    "mask": "to_pyttb().mask(W) does it",
    "subs": _SUBSCRIPTS,
    "tenfun": "map(function) does it",
    "ndims": _NDIM,
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

_OF_LISTED = (
    "coalesce().values.{0}() is that of the entries that are listed, and to_dense().{0}() of all"
)
_UNFOLDED = (
    "to_pyttb().to_sptenmat(numpy.array([mode])) is a sparse one, and tensorly.unfold("
    "X.to_dense(), mode) a dense one; mttkrp, ttm and nvecs need none"
)

TENSORS_OF_OTHERS = {
    "T": _TURNED,
    "columns": "mode_names are the names of modes, and labels those of rows",
    "to_sptenmat": _UNFOLDED,
    "coords": _SUBSCRIPTS,
    "copy": "what is done to a Tensor makes another one; genten.tensor(X, copy=True) has arrays of "
    "its own",
    "data": "that is values",
    "flatten": _LISTED,
    "iloc": _ROWS,
    "index": "labels are the names of rows, and mode_names those of modes",
    "indices": _SUBSCRIPTS,
    "loc": _ROWS,
    "mode_dot": "ttm(matrix, mode) does it",
    "moveaxis": _TURNED,
    "nonzero": "subscripts has a row for each entry that is listed",
    "numpy": _DENSE,
    "ravel": _LISTED,
    "size": "nnz counts the entries that are listed, and math.prod(X.shape) all",
    "spones": "map(lambda value: 1) does it",
    "swapaxes": _TURNED,
    "to_numpy": _DENSE,
    "to_tenmat": _UNFOLDED,
    "to_tensorly": "to_dense() is the array, which TensorLy takes, and sparse.COO(X.to_coo()) the "
    "sparse one of pydata",
    "toarray": _DENSE,
    "todense": _DENSE,
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
    "explained_variance_ratio_": "result_.fit",
    "factors": "model_.factors",
    "inverse_transform": "model_.to_dense(), the array of all values",
    "lambda_": "model_.weights",
    "loadings_": "model_.factors",
    "model": "model_",
    "n_features_in_": "math.prod(model_.shape[1:]), the entries of a row",
    "n_iter_": "result_.iterations",
    "reconstruction_err_": "result_.residual_norm",
    "result": "result_",
    "weights": "model_.weights",
    "predict": "model_.predict(entries)",
    "weights_": "model_.weights",
}
"""Names of estimators of others, and what they are of a fitted `genten.CP`."""

_Lines = tuple[tuple[str, ...], tuple[str, ...], str]


def _by_name(*lines: _Lines) -> dict[str, tuple[tuple[str, ...], str]]:
    return {name: (attributes, said) for names, attributes, said in lines for name in names}


RESULTS = _by_name(
    (("M", "decomposition"), ("model",), "that is r.model"),
    (("components",), ("model",), "that is list(r.model)"),
    (
        ("M0", "Minit"),
        ("options",),
        "r.options['init'] says how it was made; genten.cp_als returns it, of a CP model",
    ),
    (("params",), ("options",), "that is r.options"),
    (("seed",), ("options",), "that is r.options['seed']"),
    (
        ("info", "output"),
        ("options", "fit", "iterations"),
        "that is r.options, r.fit, r.iterations and so on",
    ),
    (("describe", "summary"), (), "print(r) shows it"),
    (("converged", "success"), ("stop_reason",), "that is r.stop_reason == 'converged'"),
    (("iters", "n_epoch", "n_iter", "n_iter_", "nit"), ("iterations",), "that is r.iterations"),
    (("nInnerIters", "nTotalIters"), ("inner_iterations",), "that is r.inner_iterations"),
    (("final_f",), ("objective",), "that is r.objective"),
    (
        ("obj",),
        ("objective",),
        "that is -r.objective, as cp_apr has it, which makes the likelihood large",
    ),
    (("f_trace",), ("history", "objective"), "that is r.history.objective"),
    (("kktViolations",), ("history", "kkt_violation"), "that is r.history.kkt_violation"),
    (("normresidual",), ("residual_norm",), "that is r.residual_norm"),
    (
        ("error", "rec_error"),
        ("residual_norm", "tensor_norm"),
        "that is r.residual_norm / r.tensor_norm",
    ),
    (("errors", "errors_", "rec_errors"), ("history",), "that is 1 - r.history.fit"),
    (("time_trace", "times"), ("history",), "that is r.history.seconds"),
    (("totalTime",), ("timings",), "that is r.timings['total']"),
    (("plot_starts",), ("starts",), "that is genten.plot_starts, as genten.plot_starts(r)"),
    (("plot_convergence", "plot_history", "plot_result"), ("history",), "that is r.plot()"),
)
"""Names of what pyttb, TensorLy and SciPy return: which attributes a result r must have, and what
to say."""

RANK_CHOICES = _by_name(
    (
        ("rank", "best_rank", "n_components", "n_components_", "ncomponents", "best"),
        ("suggested",),
        "that is choice.suggested, the number of components that is suggested",
    ),
    (
        ("model", "best_model", "weights", "factors"),
        ("results", "suggested"),
        "that is choice.results[choice.suggested].model, the best one of the number that is "
        "suggested",
    ),
    (
        ("result", "best_result"),
        ("results", "suggested"),
        "that is choice.results[choice.suggested], of the best start of that number",
    ),
    (("ranks",), ("results",), "that is list(choice.results)"),
    (("plot_ranks",), ("table",), "that is choice.plot()"),
    (("scores",), ("table",), "that is choice.table, and choice.to_pandas()"),
)
"""The same of a choice of the rank."""

_READ = "genten.read(path, values=...) reads tables"
_DATA = "genten.tensor(data) takes what other libraries have"
_TABLE_OF_OTHERS = "genten.tensor(table, values=...) takes a table"
_TO = "X.to_{0}() and m.to_{0}() are those of a tensor and a model"
_TENSOR_OR_MODEL = "X.{0} and m.{0} are those of a tensor and a model"

_COMPARED = "m.score(other) compares two models"
_GENERATED = "genten.generate(shape, rank=R, support=S) makes a tensor and its model"
_RANK = "genten.choose_rank(X, range(1, 7)) says how many components there are"
_SEED = "seed= of a call, as genten.cp(X, rank, seed=1), says it"
_THREADS = "genten.config(threads=...) says how many there are"

PACKAGE = {
    "CPALS": "that is genten.cp(X, rank)",
    "CPTensor": "genten.Model(weights, factors) is a model",
    "CP_NN": "that is genten.CP(rank, nonnegative=True)",
    "CP_NN_HALS": "that is genten.CP(rank, nonnegative=True)",
    "ConstrainedCP": "genten.CP takes nonnegative=, lower=, upper=, l1= and ridge=",
    "Tucker": "that is genten.tucker(X, ranks)",
    "TuckerTensor": "genten.TuckerModel(core, factors) is a Tucker model",
    "compare": _COMPARED,
    "als": "that is genten.cp(X, rank)",
    "canonical_polyadic": "that is genten.cp(X, rank)",
    "corcondia": "genten.core_consistency(X, m) is that of a model m of the tensor X",
    "congruence_coefficient": _COMPARED,
    "constrained_parafac": "genten.cp takes nonnegative=, lower=, upper=, l1= and ridge=",
    "cp_apr": "genten.cp(X, R, loss='poisson') takes counts",
    "create_problem": "genten.generate(shape, nnz, rank=R, support=S) makes a tensor and its model",
    "cp_norm": "that is m.norm, of a model",
    "cp_normalize": "that is m.normalize(), of a model",
    "cp_to_tensor": "that is m.to_dense(), of a model",
    "decompose": "that is genten.cp(X, rank)",
    "export_data": "X.save('x.txt') and m.save('m.ktensor') write what pyttb reads, too",
    "cpd": "that is genten.cp(X, rank)",
    "factor_match_score": _COMPARED,
    "fms": _COMPARED,
    "fit": "that is genten.cp(X, rank), and genten.CP(rank).fit(X) of an estimator",
    "from_coo": _DATA,
    "from_dataframe": _TABLE_OF_OTHERS,
    "from_dense": _DATA,
    "from_duckdb": _TABLE_OF_OTHERS,
    "from_numpy": _DATA,
    "from_pandas": _TABLE_OF_OTHERS,
    "from_polars": _TABLE_OF_OTHERS,
    "from_pyttb": f"{_DATA}, sptensors among them, and genten.Model(K.weights, K.factor_matrices) "
    "is the model of a ktensor",
    "from_scipy": _DATA,
    "from_tensorly": "genten.Model(*model) is that of a CPTensor, and genten.tensor takes arrays",
    "from_torch": _DATA,
    "from_xarray": _DATA,
    "gcp": "genten.cp(X, R, loss=...) takes other losses",
    "gcp_opt": "genten.cp(X, R, loss=...) takes other losses",
    "hosvd": "genten.tucker(X, ranks, method='st-hosvd') takes ranks, and no tolerance",
    "hooi": "that is genten.tucker(X, ranks)",
    "load_model": "genten.load(path) reads a model",
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
    "Objectives": "genten.cp(X, R, loss='poisson') takes the names of losses as texts",
    "parafac": "that is genten.cp(X, rank)",
    "partial_tucker": "that is genten.tucker(X, ranks), with None in place of a rank for each mode "
    "that stays as it is",
    "plot": "r.plot() draws a run, r.model.plot() its model",
    "project": "that is m.project(X, mode), of a model",
    "project_rows": "that is m.project_rows(X, mode), of a model",
    "RandomizedCP": "genten.CP takes all entries",
    "randomised_parafac": "genten.cp(X, rank) takes all entries",
    "rank": _RANK,
    "rand": _GENERATED,
    "random_cp": _GENERATED,
    "random_tensor": _GENERATED,
    "read_model": "genten.load(path) reads a model",
    "read_tensor": "genten.read(path) reads a tensor",
    "residuals": "that is m.residuals(X), of a model",
    "save": "X.save('x.gtn') and m.save('m.gkt') write a tensor and a model",
    "save_model": "that is m.save('m.gkt'), of a model",
    "score": _COMPARED,
    "seed": _SEED,
    "set_num_threads": _THREADS,
    "set_seed": _SEED,
    "set_threads": _THREADS,
    "num_threads": _THREADS,
    "SparseTensor": "that is genten.Tensor, which genten.tensor(data) makes",
    "select_rank": _RANK,
    "estimate_rank": _RANK,
    "stream": "genten.Stream(model, mode) takes slices as they come",
    "Streaming": "genten.Stream(model, mode) takes slices as they come",
    "update": "that is m.update(X, mode), of a model",
    "predict": "that is m.predict(entries), of a model",
    "to_dense": _TENSOR_OR_MODEL.format("to_dense()"),
    "version": "that is genten.__version__",
    "set_backend": "arrays of NumPy, SciPy, PyTorch and CuPy are taken as they are",
    "sptenrand": "that is genten.generate(shape, nnz)",
    "sptensor": "genten.tensor((subs, vals, shape)) makes a tensor, of one tuple",
    "ttensor": "genten.TuckerModel(core, factors) is a Tucker model",
    "tucker_als": "that is genten.tucker(X, ranks)",
    "to_pandas": _TO.format("pandas"),
    "to_pyttb": _TO.format("pyttb"),
    "to_tensorly": "m.to_tensorly() is that of a model",
    "tucker_to_tensor": "that is m.to_dense(), of a model",
    "unfold": f"X.{_UNFOLDED}",
    "viz": "that is r.model.plot(), of a result",
} | dict.fromkeys(("from_csv", "read_csv", "read_parquet", "read_table"), _READ) | {
    name: f"that is genten.plots.{name}"
    for name in ("plot_model", "plot_ranks", "plot_result", "plot_tucker")
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
    "nonzeros": ("nnz",),
    "U": ("factors",),
    "R": ("rank", "ranks"),
    "type": ("loss",),
    "objective": ("loss",),
}
"""What other libraries call options of ours, in `cp` and in `cp_als`."""

_NOWHERE = "there is nothing like it here"

KEYWORDS_ELSEWHERE = {
    "cvg_criterion": "tolerance= is of the change of the fit",
    "exact": "modes without bounds and l1 are solved exactly, others by coordinate descent",
    "monotonicity": _NOWHERE,
    "n_jobs": _THREADS,
    "normalize_factors": "columns of the model have norm 1, but beside bounds other than 0",
    "num_threads": _THREADS,
    "orthogonalise": _NOWHERE,
    "return_errors": "1 - r.history.fit is the error after each iteration",
    "simplex": _NOWHERE,
    "smoothness": _NOWHERE,
    "svd": "init='nvecs' begins at leading singular vectors",
    "unimodality": _NOWHERE,
    "fixsigns": "signs are always made unambiguous, but where modes are fixed",
    "optdims": "fixed_modes= are the others, which keep their factors",
}
"""Options of pyttb and TensorLy that are none here, and what to do."""
