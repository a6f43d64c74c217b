# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a decomposition returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._display import html_of
from ._history import History
from ._model.new_rows import Projection
from ._names.labels import checked_mode
from ._options import knowing_keywords_of_methods, refuse_unknown_keywords
from ._pyttb_names import ResultNames
from ._reporting import Reportable
from ._run.expecting import Expecting
from ._run.holdout import Holdout
from ._run.trust import Bootstrap, ComponentStability, StandardErrors
from ._missing import has_mask, warn_of_list
from ._slices import options_of_run, project_slices, refuse_own_loss
from ._updating import UpdatingResult
from .describe.ends import STOP_SENTENCES
from .describe.goals import models_means, unlisted_zeros
from .model import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_RANDOM = ("auto", "uniform", "normal")
"""The words for initial guesses of random numbers."""


@dataclass(frozen=True, eq=False)
class Note:
    """One thing to know of a run before its model is believed.

    Attributes
    ----------
    code : str
        What it is about, a word that stays the same: 'degenerate', 'iteration_limit', ...
    title, text : str
        For people; the text is a sentence.
    numbers : dict
        What the text rests on, by name.

    Examples
    --------
    >>> import genten
    >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, max_iterations=3)
    >>> [(note.code, note.numbers) for note in r.notes]
    [('iteration_limit', {'limit': 3.0})]
    """

    code: str
    title: str
    text: str
    numbers: dict[str, float]
    _in_report: str = field(default="", repr=False, compare=False)
    """The text with modes and components counted from 1, as reports count."""


@dataclass(frozen=True, eq=False)
class Start:
    """One of several random starts.

    Attributes
    ----------
    seed : int
    fit, objective : float
    iterations : int
    stop_reason : str
    holdout_rmse : float
        Over held-out entries, of the start's best iteration, by which starts are compared; NaN
        where none are held out.
    holdout_loss : float
        Of the solver 'gcp' the mean loss over held-out entries, by which starts are compared then;
        else NaN.
    history : History
        Of the iterations that this call has seen: a resumed run has not seen all.
    model : Model or None
        Of the best start the result's, and of the others with ``keep_starts=True``, but those that
        this call has not seen end, as a callback that stops a turn of several starts does not, and
        those that ended with numbers that are not finite.

    Examples
    --------
    >>> import genten
    >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1, starts=3)
    >>> [start.seed for start in r.starts]
    [1, 2, 3]
    >>> max(start.fit for start in r.starts) == r.starts[r.best_start].fit == r.fit
    True
    """

    seed: int
    fit: float
    objective: float
    iterations: int
    stop_reason: str
    holdout_rmse: float
    holdout_loss: float
    history: History = field(repr=False)
    model: Model | None = field(default=None, repr=False)


@knowing_keywords_of_methods
@dataclass(frozen=True, eq=False)
class Result(Expecting, UpdatingResult, Reportable, ResultNames):
    """The model and an account of the run. Of several starts, model, stop reason, iterations, fit,
    residual and history are those of the best one.

    Attributes
    ----------
    model : Model
        Columns of unit 2-norm (poisson and bernoulli-poisson: they add up to 1), components by
        descending weight; labels are the tensor's. With bounds other than 0 columns are as they
        were bounded, and weights are one. None on ranks of a communicator other than 0.
    fit : float
        1 - residual_norm / tensor_norm; NaN, as the next, where the model's values are no means, as
        logarithms of odds: `Model.evaluate` has those of expected values.
    residual_norm : float
        ||X - M||.
    residual_is_certain : bool
        Whether rounding leaves `residual_norm` right to a hundredth.
    residual_error : float
        The most by which rounding may have changed it.
    residual_route : str
        How it was computed: 'identity', 'double_sums' or 'extended'.
    tensor_norm : float
        ||X||.
    objective, penalty : float
        What was minimized, with the factors as they were then: 1/2 residual_norm^2 + penalty; of
        the solver 'apr' the negative logarithm of the likelihood, without what does not depend
        on the model; of 'gcp' the loss + penalty, where that of 'gaussian' is the
        whole sum of squares.
    deviance : float or None
        Of the solver 'apr': twice the sum over all entries of x log(x / m) - x + m.
    inner_iterations : int or None
        Of the solver 'apr': updates of a mode, of all sweeps.
    gcp : dict or None
        Of the solver 'gcp': zeros ('none', 'closed_form', 'enumerated' or 'sampled': how unlisted
        entries were summed), entries (that count), ridge (by mode, as it was used),
        projected_gradient (its 2-norm), scale_equation (how far the model is from a condition of
        every minimum; NaN where it says nothing), objectives and gradients (that were computed),
        empty_rows, objective_error (the standard error of the objective where zeros were sampled)
        and objective_errors (after each iteration); with held-out entries holdout_loss (the mean
        loss over them), holdout_loss_error (its standard error), holdout_losses (after each
        iteration) and returned_iteration.
    completion : dict or None
        With ``missing=`` and least squares: entries (that count), rmse (over them), ridge (by mode,
        as it was used), returned_iteration, empty_rows and weight_ratio (the largest weight as a
        part of the norm that the whole tensor would have, were missing entries as large as the
        others).
    holdout : Holdout or None
        With ``holdout=``: rmse, mae and entries, the errors over held-out entries of the model that
        is returned, which is that of the iteration with the least RMSE, or loss of the solver
        'gcp'. Under losses whose model is no mean the errors are those of `predict`.
    kkt_violation : float
        Of the last iteration; NaN where no mode has bounds or an l1 penalty.
    zero_components : int
        Components of the model that are zero.
    stability : list of ComponentStability
        Of several starts, and with ``bootstrap=``: how often each component was found, by all
        starts whose ends this call has seen and by refits. Empty otherwise, and where models of
        starts would have taken more than a quarter of the memory that was free.
    standard_errors : StandardErrors or None
        With ``standard_errors=True``: of weights and of all elements of the factors.
    bootstrap : Bootstrap or None
        With ``bootstrap=``: intervals of the same; None where it was ended before any refit.
    stop_reason : str
        'converged', 'iteration_limit', 'time_limit', 'callback', 'interrupted' (Ctrl-C),
        'no_improvement' (over held-out entries), 'stalled' (no step lowered the objective any more,
        and the tolerance was not met; of the solver 'gcp') or 'non_finite'; of several starts that
        of the best one, as `iterations` is.
    stopped_early : str or None
        'interrupted', 'callback' or 'time_limit' where that ended the run in any of its starts;
        later ones were not begun, and are not in `starts`.
    iterations : int
    history : History
    starts : list of Start, drawn by `genten.plot_starts`
    best_start : int
    timings : dict
        Seconds by phase, of all starts together; 'total' is the last.
    kernel, kernel_description : str
        The MTTKRP kernel that ran, and what it chose.
    backend : str
        Where it ran, as Kokkos calls it.
    options : dict
        All options of the run, with the dtype. `init` is the word, the path or the model that
        it began at, `resume` the path of the checkpoint, and `missing` 'unlisted' or a tensor of
        the missing entries, if there were any.
    tensor_facts : dict
        What the tensor was: shape, nnz, distinct_subscripts, density, norm and dtype as it was
        given; file, how it was read ('read_options'), whether its labels stood beside it
        ('labels_beside') and duplicates, if it was read from one; duplicates and 'merged_by' where
        `genten.tensor` has merged entries with the same subscripts. Without distinct_subscripts and
        density where these would have to be counted among too many nonzeros.
    tolerance_above_fit : bool
        Whether the run ended since its tolerance is above the fit itself.
    rank_deficient_solves : int
        Linear systems that had more than one solution.
    momentum_restarts : int
        Sweeps of an accelerated run that made the model worse and were taken back.
    update_order : list of int or None
        The modes that a sweep of CP-ALS updated, in that order; None of other solvers.
    mttkrp_gflops, mttkrp_gbytes : float
        Work and traffic of MTTKRP a second, by the published formulas.
    ranks : dict or None
        With ``comm=``: count, library (the MPI), grid, most_nonzeros (of a rank) and imbalance
        (those by their mean), transport (of devices' rows), rows_by_mode (that are sent in a sweep,
        of fold and expand each), and what was sent, 'folded' and 'expanded', by mode rows, words
        and messages.
    warnings : list of str
        What is to be known before the model is believed, in plain sentences.
    notes : list of Note
        The same with codes and numbers, but for what concerns Python alone.

    Examples
    --------
    >>> import genten
    >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, max_iterations=3)
    >>> r.model.shape, r.stop_reason, r.iterations == len(r.history)
    ((4, 2, 2, 2), 'iteration_limit', True)
    >>> r.warnings
    ['The iteration limit, 3, was reached before the run converged to the tolerance, 0.0001.']
    """

    _UNPACKED = (
        "r.model is the model, of r.model.weights and r.model.factors, and r.fit, r.iterations, "
        "r.residual_norm and so on say what became of it. genten.cp_als returns three, as pyttb "
        "does: the model, the initial guess and a dictionary"
    )

    model: Model | Any  # None on other processes than 0, which few look at
    fit: float
    residual_norm: float
    residual_is_certain: bool
    residual_error: float
    residual_route: str
    tensor_norm: float
    objective: float
    penalty: float
    kkt_violation: float
    zero_components: int
    stop_reason: str
    iterations: int
    history: History
    starts: list[Start]
    best_start: int
    timings: dict[str, float]
    kernel: str
    kernel_description: str
    backend: str
    options: dict[str, Any]
    gcp: dict[str, Any] | None
    completion: dict[str, Any] | None
    holdout: Holdout | None
    deviance: float | None
    inner_iterations: int | None
    tolerance_above_fit: bool
    rank_deficient_solves: int
    momentum_restarts: int
    update_order: list[int] | None
    mttkrp_gflops: float
    mttkrp_gbytes: float
    warnings: list[str]
    notes: list[Note]
    stability: list[ComponentStability] = field(default_factory=list)
    standard_errors: StandardErrors | None = None
    bootstrap: Bootstrap | None = None
    stopped_early: str | None = None
    ranks: dict[str, Any] | None = None
    tensor_facts: dict[str, Any] = field(default_factory=dict)

    def project_rows(
        self, X: Any, mode: int | str, *, missing: Any = None, training: Any = None,
        partial: Any = None,
    ) -> Projection:
        """Rows of one mode for new slices under the loss and constraints of the run.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            As of `Model.project`.
        mode : int or str
            Counted from 0, or its name.
        missing : 'unlisted', 'none', entries or a tensor, optional
            Entries that do not count; by default 'unlisted' if that was so in the run. Entries
            that the run lists are those of its own tensor: they do not count in `training`, as what
            is NaN or masked there.
        training, partial : optional
            As of `Model.project_rows`.

        Returns
        -------
        Projection

        Raises
        ------
        ValueError
            As of `Model.project_rows`.

        Examples
        --------
        >>> import genten, numpy as np
        >>> X = genten.read("data/titanic/titanic.tns")
        >>> r = genten.cp(X, 1, loss="poisson", seed=1, tolerance=1e-12)
        >>> bool(np.allclose(r.project_rows(X, 0).rows, r.model.factors[0]))
        True
        """
        refuse_own_loss(self.model._run, "project_rows")
        at = checked_mode(mode, self.model.ndim, self.model.mode_names)
        options = options_of_run(self.model, self.model._run, at)
        if missing is not None:
            is_none = isinstance(missing, str) and missing == "none"
            options["missing"] = None if is_none else missing
        elif not has_mask(X):
            warn_of_list(self.model._run, "project_rows")
        listed = self.options.get("missing")
        own = None if isinstance(listed, str) else listed
        return project_slices(self.model, X, at, options, training, own, partial=partial)

    def plot(self, **how: Any) -> Figure:
        """Draws fit against iteration and seconds, of all starts: `genten.plots.plot_result`.

        Parameters
        ----------
        **how
            The keywords of `genten.plots.plot_result`.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ImportError
            Without Matplotlib.

        Examples
        --------
        >>> import genten
        >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1)
        >>> [axes.get_label() for axes in r.plot().axes]
        ['fit by iteration', 'fit by seconds', 'change of fit']
        """
        from .plots import plot_result

        refuse_unknown_keywords(how, plot_result, "genten.Result.plot", 1)
        return plot_result(self, **how)

    def _lines(self) -> list[tuple[str, str]]:
        plural = "" if self.iterations == 1 else "s"
        stopped = f"{STOP_SENTENCES[self.stop_reason]}, {self.iterations} iteration{plural}"
        if len(self.starts) > 1:
            best = f"start {self.best_start + 1} of {len(self.starts)}"
            stopped += f", {best}, which is starts[{self.best_start}], is the best"
        elif self.options.get("init") in _RANDOM and not self.options.get("resume"):
            stopped += ", one start"  # where another one would end nobody knows
            if self.stop_reason in ("converged", "stalled"):  # others may end so first
                stopped += ": starts=5 may find better"
        model, weights = "that of process 0", ""
        if self.model is not None:
            shape = " x ".join(str(length) for length in self.model.shape)
            model = f"{shape}, rank {self.model.rank}, {self.model.dtype}{unlisted_zeros(self)}"
            weights = " ".join(f"{weight:.7g}" for weight in self.model.weights[:6])
            if self.model.rank > 6:
                weights += f" ... ({self.model.rank})"
        lines = [
            ("model", model),
            *self._ranks_lines(),
            ("stopped", stopped),
            *self._fit_lines(),
            *self._constrained_lines(),
            *self._completed_lines(),
            ("weights", weights),
            *self._trust_lines(),
            ("kernel", f"{self.kernel} on {self.backend}"),
            ("seconds", f"{self.timings.get('total', 0.0):.3f}"),
        ]
        lines = [line for line in lines if line != ("weights", "")]
        return lines + [("note", warning) for warning in self.warnings]

    def _fit_lines(self) -> list[tuple[str, str]]:
        """None where the model's values are no means, as logarithms of odds."""
        if not models_means(self.options.get("loss"), self.options.get("loss_parameter")):
            return []
        return [
            ("fit", f"{self.fit:.12g}"),
            ("residual", f"{self.residual_norm:.9g} of norm {self.tensor_norm:.9g}"),
        ]

    def _trust_lines(self) -> list[tuple[str, str]]:
        """How often components were found, and how certain weights are."""
        lines = []
        parts = []
        for name, count in (("starts", len(self.starts)), ("refits", self._refits())):
            shares = [getattr(each, name) for each in self.stability]
            if shares and shares[0] == shares[0]:
                words = " ".join(f"{share:.0%}" for share in shares)
                parts.append(f"{words} of {count if count > 1 else 'the'} {name}")
        unstable = [str(r) for r, each in enumerate(self.stability) if each.unstable]
        if unstable:
            parts.append("unstable: " + ", ".join(unstable))
        if parts:
            lines.append(("found", "components in " + "; ".join(parts)))
        if self.standard_errors is not None:
            lines.append(("errors", str(self.standard_errors)))
        return lines

    def _refits(self) -> int:
        return 0 if self.bootstrap is None else self.bootstrap.refits

    def _ranks_lines(self) -> list[tuple[str, str]]:
        """Of runs on several processes."""
        if self.ranks is None:
            return []
        grid = self.ranks["grid"]
        divided = "bisection" if grid is None else f"grid {grid}"
        text = f"{self.ranks['count']} of {self.ranks['library']}, nonzeros divided by {divided}"
        return [("processes", f"{text}, the most {self.ranks['imbalance']:.3f} times the mean")]

    def _completed_lines(self) -> list[tuple[str, str]]:
        """Of runs with missing entries."""
        found = self.completion
        if found is None:
            return []
        lines = [("entries", f"{found['entries']:.12g} count, RMSE {found['rmse']:.6g}")]
        if self.holdout is not None:
            iteration = found["returned_iteration"]
            lines.append(("held out", f"{self.holdout}, the least, of iteration {iteration}"))
        return lines

    def _conditions(self) -> str:
        return f"the conditions of a minimum hold to within {self.kkt_violation:.2g}"

    def _constrained_lines(self) -> list[tuple[str, str]]:
        """Of runs under constraints, which have penalties or something that may be violated."""
        if self.deviance is not None:
            return [
                ("objective", f"{self.objective:.12g}, deviance {self.deviance:.9g}"),
                ("KKT", self._conditions()),
            ]
        if self.gcp is not None:
            of_it = f", {self.penalty:.6g} of it penalties" if self.penalty > 0 else ""
            if self.gcp["zeros"] == "sampled":
                of_it = f" +- {self.gcp['objective_error']:.2g}, zeros being sampled{of_it}"
            if self.options.get("loss") == "gaussian":
                of_it += " (squares are not halved, as they are by other solvers)"
            part = f"{self.kkt_violation:.2g} of the objective by factors"
            return [
                ("loss", self._loss()),
                ("objective", f"{self.objective:.12g}{of_it}"),
                ("gradient", f"projected {self.gcp['projected_gradient']:.2g}, {part}"),
                *self._held_out_lines(),
            ]
        violated = self.kkt_violation == self.kkt_violation
        if not violated and not self.penalty > 0:
            return []
        penalties = f", {self.penalty:.6g} of it penalties" if self.penalty > 0 else ""
        lines = [("objective", f"{self.objective:.12g}{penalties}")]
        if violated:
            lines.append(("KKT", f"{self._conditions()} of the norm"))
        return lines

    def _held_out_lines(self) -> list[tuple[str, str]]:
        """Of generalized runs with held-out entries."""
        found = self.gcp
        if found is None or self.holdout is None:
            return []
        loss, error = found["holdout_loss"], found["holdout_loss_error"]
        text = f"mean loss {loss:.6g} +- {error:.2g} over {self.holdout.entries} entries, "
        return [("held out", f"{text}the least, of iteration {found['returned_iteration']}")]

    def _loss(self) -> str:
        number = self.options.get("loss_parameter")
        loss = str(self.options["loss"])
        return loss if number is None else f"{loss}({number:g})"

    def __repr__(self) -> str:
        lines = "\n".join(f"  {name:<10}{text}" for name, text in self._lines())
        return f"<genten.Result\n{lines}>"

    def _repr_html_(self) -> str:
        return html_of("genten.Result", self._lines())
