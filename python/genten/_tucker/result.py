# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a Tucker decomposition returns."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from .._display import html_of
from .._history import History, history_of
from .._model.run_record import origin_in, run_of
from .._pyttb_names import ResultNames
from .._reporting import Reportable
from .._run.diagnostics import stop_reason
from ..describe.ends import STOP_SENTENCES
from ..describe.goals import unlisted_zeros
from ..result import Note
from ..tensors import Tensor
from ..tucker_model import TuckerModel


@dataclass(frozen=True, eq=False)
class TuckerResult(Reportable, ResultNames):
    """The model and an account of the run.

    Attributes
    ----------
    model : TuckerModel
        Columns are orthonormal, and the first element of largest magnitude of each is positive;
        labels are the tensor's.
    fit : float
        1 - residual_norm / tensor_norm.
    residual_norm : float
        ||X - M||, the root of ||X||^2 - ||core||^2.
    residual_is_certain : bool
        Whether rounding leaves `residual_norm` right to a hundredth.
    residual_error : float
        The most by which rounding may have changed it.
    tensor_norm, core_norm : float
        ||X||, and the norm of the core, which is that of the model.
    vectors_converged : bool
        Whether all leading vectors were found to full accuracy.
    stop_reason : str
        'converged', 'iteration_limit', 'time_limit', 'callback', 'interrupted' (Ctrl-C) or
        'non_finite'; of methods that do not iterate 'converged'.
    iterations : int
        Sweeps of 'hooi' over all modes.
    history : History
        One entry a sweep.
    timings : dict
        Seconds by phase; 'total' is the last.
    backend : str
        Where it ran, as Kokkos calls it.
    options : dict
        All options of the run, with the dtype; `init` is the word, the path or the model that it
        began at.
    tensor_facts : dict
        What the tensor was, as of `Result`.
    warnings : list of str
        What is to be known before the model is believed, in plain sentences.
    notes : list of Note
        The same with codes and numbers.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> r = genten.tucker(X, (2, 1, 2))
    >>> r.model, round(r.fit, 4), r.stop_reason
    (<genten.TuckerModel 2 x 2 x 6, core 2 x 1 x 2, float64>, 0.5998, 'converged')
    """

    _UNPACKED = "r.model is the model, of r.model.core and r.model.factors"

    model: TuckerModel
    fit: float
    residual_norm: float
    residual_is_certain: bool
    residual_error: float
    tensor_norm: float
    core_norm: float
    vectors_converged: bool
    stop_reason: str
    iterations: int
    history: History
    timings: dict[str, float]
    backend: str
    options: dict[str, Any]
    warnings: list[str]
    notes: list[Note]
    tensor_facts: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """What the run took, ``timings['total']``."""
        return self.timings["total"]

    def _lines(self) -> list[tuple[str, str]]:
        shape, ranks = (
            " x ".join(map(str, each)) for each in (self.model.shape, self.model.ranks)
        )
        plural = "" if self.iterations == 1 else "s"
        stopped = f"{STOP_SENTENCES[self.stop_reason]}, {self.iterations} iteration{plural}"
        method = self.options["method"]
        return [
            ("model", f"{shape}, core {ranks}, {self.model.dtype}{unlisted_zeros(self)}"),
            ("method", method),
            *([("stopped", stopped)] if method == "hooi" else []),
            ("fit", f"{self.fit:.12f}"),
            ("residual", f"{self.residual_norm:.9g} of norm {self.tensor_norm:.9g}"),
            ("core", f"norm {self.core_norm:.9g}"),
            ("seconds", f"{self.seconds:.3f}"),
            *(("note", warning) for warning in self.warnings),
        ]

    def __repr__(self) -> str:
        lines = "\n".join(f"  {name:<10}{text}" for name, text in self._lines())
        return f"<genten.TuckerResult\n{lines}>"

    def _repr_html_(self) -> str:
        return html_of("genten.TuckerResult", self._lines())


def tucker_result_of(raw: dict[str, Any], X: Tensor, facts: dict[str, Any]) -> TuckerResult:
    """The result from the dictionary that the extension returns, the tensor as it was computed
    with, and the facts of the one that was given."""
    notes = [Note(*each) for each in raw["notes"]]
    core, factors = raw["model"]
    run = run_of({}, origin_in(X))
    more: dict[str, Any] = {
        "model": TuckerModel(core, factors, X.labels, X.mode_names)._of_run(run),
        "residual_is_certain": raw["residual_error"] <= 0.01 * raw["residual_norm"],
        "stop_reason": stop_reason(raw["stop_reason"], raw["interrupted"]),
        "history": history_of(raw["history"]),
        "options": {**raw["options"], "dtype": str(X.dtype)},
        "notes": notes,
        "warnings": raw["warnings"] + [note.text for note in notes],
        "tensor_facts": facts,
    }
    found = {each.name: raw[each.name] for each in fields(TuckerResult) if each.name in raw}
    return TuckerResult(**{**found, **more})
