# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models of either kind from files."""

from __future__ import annotations

import os
from typing import Any

from ._files.models import read_model
from .model import Model
from .tucker_model import TuckerModel


def load(
    path: str | os.PathLike[str],
    *,
    labels: Any = None,
    mode_names: Any = None,
    dtype: Any = None,
) -> Any:
    """Reads a model, also that of a checkpoint; content says the form and the kind.

    Parameters
    ----------
    path : path
        A model's file: the Tensor Toolbox's text, compressed or not, also that of a Tucker model,
        .ttensor; Genten's binary form; or an archive of NumPy as `save` and the tool write it,
        .npz. Of those that say nothing of a run a warning tells.
    labels : sequence, optional
        For each mode the names of its rows, the path of a file with a name a line, or None. If not
        given, those that were saved with the file.
    mode_names : sequence of str, optional
        Names of the modes; likewise.
    dtype : float32 or float64, optional
        Of all arrays; float64 if not given.

    Returns
    -------
    Model, or TuckerModel
        What stands beside the file of the run that made it, `Model.project_rows`, `Model.update`
        and `evaluate` go by: loss, constraints, missing entries and the rule for duplicates. Where
        nothing stands there, warnings say what these, `predict` and `residuals` assume.

    Raises
    ------
    OSError
        For a file that is absent, malformed or damaged.

    Examples
    --------
    >>> import genten, os, tempfile
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genten.cp(X, rank=2).model.save(os.path.join(folder, "model.ktensor"))
    ...     genten.load(os.path.join(folder, "model.ktensor")).rank
    2
    """
    is_tucker, *found, run = read_model(path, labels, mode_names, dtype)
    model: list[Any] = found
    return (TuckerModel if is_tucker else Model)(*model)._of_run(run)
