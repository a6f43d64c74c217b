# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP decomposition of sparse tensors, fast and the same from run to run.

>>> import genten
>>> X = genten.read("data/titanic/titanic.tns")
>>> r = genten.cp(X, 2, seed=1)
>>> r.model
<genten.Model 4 x 2 x 2 x 2, rank 2, float64>

Modes, subscripts and components count from 0 here; in text files, on the command line and in
messages about text files from 1.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._core import __version__
from ._cp import CpOptions, cp
from ._cp_als import cp_als
from ._estimator import CP
from ._files.labels import read_labels, write_labels
from ._generate import Planted, generate
from ._history import History
from ._input import read, tensor, write
from ._load import load
from ._model.components import Component
from ._model.evaluation import EntryErrors, Evaluation
from ._model.new_rows import Projection
from ._pyttb_names import hint_of_package
from ._rank.choice import RankChoice
from ._rank.choose import choose_rank
from ._rank.row import RankRow
from ._reporting import report
from ._run.evaluation import evaluate
from ._run.holdout import Holdout
from ._run.iteration import Iteration
from ._model.own_loss import Loss
from ._run.trust import Bootstrap, ComponentStability, Intervals, StandardErrors
from ._runtime import config
from ._score import Score
from ._stream import Stream
from ._batch import Batch
from ._tucker.consistency import core_consistency
from ._tucker.decomposition import tucker
from ._tucker.result import TuckerResult
from .model import Model
from .result import Result, Start
from .tensors import Tensor
from .tucker_model import TuckerModel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from . import plots as plots, reports as reports


def plot_starts(runs: Sequence[Result | Model] | Result, **how: Any) -> Figure:
    """Draws how alike the models of several starts are: `genten.plots.plot_starts`.

    Parameters
    ----------
    runs : sequence of Result or Model, or a Result of several starts
        Of a result without ``keep_starts=True``, which has the best one's model alone, the fits are
        drawn.
    **how
        The keywords of `genten.plots.plot_starts`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ImportError
        Without Matplotlib.
    ValueError
        For fewer than two starts.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> figure = genten.plot_starts(genten.cp(X, 2, starts=3, keep_starts=True))
    >>> [axes.get_label() for axes in figure.axes]
    ['fits', 'scores', 'score scale']
    """
    from .plots import plot_starts as draw

    return draw(runs, **how)


if not TYPE_CHECKING:  # With it every name would be one for a checker of types.

    def __getattr__(name: str) -> Any:
        if name in ("plots", "reports"):  # They need other libraries, which take time to import.
            return importlib.import_module(f"{__name__}.{name}")
        raise AttributeError(hint_of_package(name))

    def __dir__() -> list[str]:
        own = (name for name in globals() if name.startswith("__"))
        return sorted({*__all__, *own, "plots", "reports"})


__all__ = [
    "Batch",
    "Bootstrap",
    "CP",
    "EntryErrors",
    "Component",
    "ComponentStability",
    "CpOptions",
    "Evaluation",
    "History",
    "Holdout",
    "Intervals",
    "Iteration",
    "Loss",
    "Model",
    "Planted",
    "Projection",
    "RankChoice",
    "RankRow",
    "Result",
    "Score",
    "StandardErrors",
    "Start",
    "Stream",
    "Tensor",
    "TuckerModel",
    "TuckerResult",
    "__version__",
    "choose_rank",
    "config",
    "core_consistency",
    "cp",
    "cp_als",
    "evaluate",
    "generate",
    "load",
    "plot_starts",
    "read",
    "read_labels",
    "report",
    "tensor",
    "tucker",
    "write",
    "write_labels",
]
