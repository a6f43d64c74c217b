# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP models."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._files.models import write_model
from ._files.sidecar import warn_of_unknown_loss
from ._missing import core_of, is_unlisted, warn_of_entries, without_missing
from ._model.evaluation import Evaluation, evaluation_of, refuse_no_loss
from ._model.ktensor import Ktensor
from ._model.new_rows import Projection
from ._model.partial import in_counting_rows, leaving_out, partial_modes
from ._model.run_record import own_loss_in
from ._model.side_by_side import with_common_rows, with_same_rows
from ._names.alignment import warn_of_empty_numbers
from ._options import knowing_keywords_of_methods, refuse_unknown_keywords
from ._predicting import Predicting
from ._reporting import Reportable
from ._model.own_loss import Loss
from ._score import Score
from ._slices import options_of_model, project_slices
from ._tensor_for import missing_of_run, tensor_for
from ._updating import UpdatingModel
from .convert.parts import AnyArray, imported
from .describe import first_row
from .tensors import Tensor, as_named, beside, lacks_names, require_shape

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@knowing_keywords_of_methods
class Model(Predicting, UpdatingModel, Reportable):
    """A CP model: the sum over r of weight r times the outer product of columns r of the factors.

    Parameters
    ----------
    weights : array of shape (R,), or None for ones
    factors : sequence of arrays of shape (I_n, R)
        One a mode. Arrays of float32 or float64 are kept as they are, without a copy.
    labels : sequence, optional
        For each mode the names of its rows, or None.
    mode_names : sequence of str, optional
        Names of the modes.

    Raises
    ------
    ValueError
        For arrays whose shapes do not go together, and for numbers that are not finite.

    Attributes
    ----------
    weights : ndarray of shape (R,)
    factors : list of ndarrays of shape (I_n, R)
    labels : list
        For each mode the names of its rows, or None.
    mode_names : list of str, or None
    loss, loss_parameter : str, float, or None
        Of the run that made it; None after least squares.

    Notes
    -----
    Two models are equal, by ``==``, where weights, factors, labels and names of modes are, and to
    one of pyttb or TensorLy, which has no names, where weights and factors are. Who writes to the
    arrays changes the model: so models have no hash, and are no keys of dictionaries.

    Examples
    --------
    >>> import genten, numpy as np
    >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.6], [0.8]])])
    >>> m
    <genten.Model 2 x 2, rank 1, float64>
    >>> m.predict([[0, 1], [1, 1]])
    array([1.6, 0. ])
    """

    def innerprod(self, other: Model | Tensor | Any) -> float:
        """Inner product with a model or with a sparse tensor: the sum of the products of elements.

        Parameters
        ----------
        other : Model of any rank, also of pyttb or TensorLy, or what `genten.tensor` takes
            Of the same shape. Where both have names of modes or labels of rows, they go by these;
            rows that a tensor lacks are zero, and a warning names them.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            For another shape, and for models whose labels are not the same.
        TypeError
            For what is neither a model nor a tensor.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.innerprod(m), m.innerprod(genten.tensor(m.to_dense()))
        (5.0, 5.0)
        """
        model = Ktensor._of(other)
        if model is None:
            return tensor_for(self, other, "innerprod").innerprod(self)
        return _core.model_innerprod(*with_same_rows(self, model, "innerprod"))

    def score(
        self, reference: Model | Any, *, weight_penalty: bool = True, greedy: bool = False,
        modes: Any = None,
    ) -> Score:
        """The factor match score against another model, as the Tensor Toolboxes define it.

        Parameters
        ----------
        reference : Model, a Result for its model, or a model of pyttb or TensorLy
            Of no more components. Where both have names of modes or labels of rows, they go by
            these, and by the numbers of rows where neither has labels, which an update may have
            made more. Rows that only one has do not count, and a warning names them.
        weight_penalty : bool
            Multiply each component's score by what the weights have in common.
        greedy : bool
            Match the best pair first, instead of for the best sum.
        modes : mode or sequence of modes, optional
            Of this model, by name or number, by which alone components are scored: rows of the
            others may be different ones, as of two halves of a table. Weights hold their norms.

        Returns
        -------
        Score
            A number, 1 for equal models, with the matching.

        Raises
        ------
        TypeError
            For what has no model.
        ValueError
            For models that cannot be compared, as those without a row in common.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model(None, [np.eye(3), np.eye(3)])
        >>> score = m.score(m)
        >>> float(score), score.permutation
        (1.0, [0, 1, 2])
        """
        other = Ktensor._of(getattr(reference, "model", reference))
        if other is None:
            raise TypeError(
                f"score: expected a Model or a Result, got {type(reference).__name__}; "
                "m.evaluate(X) compares a model with a tensor"
            )
        arrays = with_common_rows(self, other, "score", modes)
        return Score._between(*arrays, weight_penalty, greedy)

    def evaluate(
        self, X: Any, loss: str | None = None, loss_parameter: float | None = None,
        *, missing: Any = None, partial: Any = None,
    ) -> Evaluation:
        """Errors over the entries that a tensor lists and over all entries, in double.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Of the model's shape. Several nonzeros with the same subscripts are merged as in the
            run. Columns of a table are found by the names of the modes; the one that is left, or
            that of the run, has the values. Where both have names of modes or labels of rows, they
            go by these; a warning names rows that the tensor lacks, which are zero.
        loss, loss_parameter : str, float, optional
            What the model minimizes, as of `genten.cp`, by default its `loss`: then loss, deviance
            and errors are its, or, where unlisted entries are too many, estimates with an error.
        missing : 'unlisted', 'none', entries, a tensor or a path, optional
            Entries that do not count, as of `cp`: by default the unlisted ones where these were
            missing in the run that made the model, else the masked ones of a masked array. A
            warning tells of a run with a list of its own.
        partial : True, modes or 'all', optional
            Modes of which X has some rows alone: the others do not count. As of `project_rows`.

        Returns
        -------
        Evaluation

        Raises
        ------
        TypeError, ValueError
            For a number of a loss that has none, another shape, other names of modes, nonzeros in
            rows that the model lacks, duplicates that were merged by another rule than those of the
            run, and values that the loss does not take.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> found = m.evaluate(m.to_dense())
        >>> found.listed.entries, found.all.entries, found.fit, found.all.deviance
        (2, 4, 1.0, 0.0)
        >>> round(m.evaluate(np.array([[1, 1], [0, 0]]), "bernoulli-poisson").all.mean_loss, 3)
        0.151
        """
        data, missing = without_missing(X, missing, self._run)
        own = tensor_for(self, data, "evaluate", np.float64)
        some = partial_modes(partial, self.ndim, self.mode_names, "evaluate")
        told: dict[str, Any] = {"partial": some, "of_lacking": leaving_out(some, self.mode_names)}
        counts = not is_unlisted(missing, self._run)
        given = beside(self, own, "evaluate", warns=counts, **told)
        require_shape(given, self.shape, "evaluate")
        if lacks_names(own, self.labels):
            given = as_named(given, self.labels)
        away = missing_of_run(self, missing, own, given, self._run, "evaluate")
        arrays = self._rows(np.float64)
        if given._is_table and counts:
            rows = given.subscripts, self.shape, given.labels, self.mode_names
            warn_of_empty_numbers(*rows, self._run.get("index_base") or 0, **told)
        entries = away if isinstance(away, Tensor) else None
        whole = given
        if some:
            given, entries, arrays = in_counting_rows(given, entries, arrays, some)
        loss, loss_parameter = self._loss_of(loss, loss_parameter)
        refuse_no_loss(loss, "; f(X.values, m.predict(X)).sum() is its function f of nonzeros")
        warn_of_unknown_loss(self._run, loss, "evaluate")
        found = _core.evaluate(given._core, *arrays, core_of(entries), counts, loss, loss_parameter)
        own_loss = own_loss_in(self._run) if loss is None else None
        told_loss, part = loss or own_loss, found["part"]
        warn_of_entries(whole, given, away, told_loss, "evaluate", self._run, part=part, X=X)
        return evaluation_of(found, own_loss)

    def project(self, X: Any, mode: int | str, *, partial: Any = None) -> npt.NDArray[np.float64]:
        """The factor of one mode that fits a new tensor best, the others being as they are, by the
        loss and constraints of the run that made the model: the rows of `project_rows`.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Its shape is the model's but for `mode`, which may have any length; tables and names as
            of `evaluate`.
        mode : int or str
            Counted from 0, or its name.
        partial : True, modes or 'all', optional
            As of `project_rows`.

        Returns
        -------
        ndarray of shape (X.shape[mode], R)
            Least squares without constraints are as accurate as by a QR decomposition: weights and
            sizes of columns do not matter, however far apart. Where other factors do not determine
            them, as where their columns are dependent, it is the fit of least norm (by columns of
            unit norm), and a warning says so.

        Raises
        ------
        ValueError
            For a tensor of another shape or other names, a mode that there is not, and a factor
            that leaves the range of numbers.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> m.project(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]), mode=0).round(12).tolist()
        [[1.0], [2.0], [3.0]]
        """
        asked = options_of_model(self, mode, self._loss_of(None, None), {}, "project", X)
        return project_slices(self, X, mode, asked, what="project", partial=partial).rows

    def project_rows(
        self,
        X: Any,
        mode: int | str,
        *,
        loss: str | Loss | None = None,
        loss_parameter: float | None = None,
        nonnegative: bool | None = None,
        ridge: float | None = None,
        l1: float | None = None,
        lower: float | None = None,
        upper: float | None = None,
        missing: Any = None,
        training: Any = None,
        partial: Any = None,
    ) -> Projection:
        """Rows of one mode for new slices under any loss, the other factors being as they are, with
        what became of each row. What is not given is as in the run that made the model, as far as
        that is known: of models of results, and of files that lie beside what was saved with them.
        Rows are solved on the host, in double, wherever the arrays lie.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            As of `project`.
        mode : int or str
            Counted from 0, or its name.
        loss, loss_parameter : str or genten.Loss, float
            As of `cp`; by default those of the model. A loss of your own goes through all entries
            of a slice, and is given again: no model keeps functions.
        nonnegative : bool
            Whether the new rows have no negative elements; always so where the loss needs it.
        ridge, l1, lower, upper : float
            Penalties and bounds of the elements of the new rows, as of `cp`.
        missing : 'unlisted', 'none', entries or a tensor, optional
            Entries that do not count, as of `cp`, by the order of X, as it is given.
        training : optional
            The run's tensor, whose rows say which fit far worse, without what is NaN or masked.
        partial : True, modes or 'all', optional
            Modes, by number or name, of which X has some rows alone, as weeks: rows without entries
            in it do not count, and else are zeros. True is every other mode.

        Returns
        -------
        Projection
            Each row is a problem of its own, solved to 1e-10, and has the same bits alone or
            together with others.

        Raises
        ------
        ValueError
            For another shape, and a loss that does not go with the model, the values or zeros.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> found = m.project_rows(np.array([[1.0, 2.0], [2.0, 7.0]]), 0, loss="poisson")
        >>> found.rows.round(9).tolist(), found.converged.all()
        ([[1.0], [3.0]], np.True_)
        """
        given = {"loss": loss, "nonnegative": nonnegative, "ridge": ridge, "l1": l1}
        given |= {"lower": lower, "upper": upper, "missing": missing}
        options = options_of_model(self, mode, self._loss_of(loss, loss_parameter), given, X=X)
        return project_slices(self, X, mode, options, training, partial=partial)

    def plot(self, **how: Any) -> Figure:
        """Draws a row a component and a column a mode: `genten.plots.plot_model`.

        Parameters
        ----------
        **how
            The keywords of `genten.plots.plot_model`.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        ImportError
            Without Matplotlib.
        ValueError
            For a component, a mode or a kind that there is not.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.6], [0.8]])])
        >>> figure = m.plot(components=1)
        """
        from .plots import plot_model

        refuse_unknown_keywords(how, plot_model, "genten.Model.plot", 1)
        return plot_model(self, **how)

    def to_pandas(self) -> list[Any]:
        """The factors as tables of pandas, a table a mode, with labels as their index.

        Returns
        -------
        list of pandas.DataFrame
            Of shape (I_n, R), a column a component, counted from 0; the index is called as the
            mode, where that has a name. Rows without labels have their numbers, from 0, or as in
            the table that the model was made from. The arrays are copied; weights are not in them.

        Raises
        ------
        ImportError
            Without pandas.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.5]])], [["tea", "milk"]], ["item"])
        >>> table = m.to_pandas()[0]
        >>> table.index.tolist(), table.loc["milk"].tolist()
        (['tea', 'milk'], [0.5])
        """
        pandas = imported("pandas", "to_pandas needs pandas")
        self._checked()
        names: Sequence[str | None] = self.mode_names or [None] * self.ndim
        components, first = pandas.RangeIndex(self.rank, name="component"), first_row(self, 0)
        return [
            pandas.DataFrame(
                factor.copy(),
                index=pandas.RangeIndex(first, first + len(factor), name=name)
                if labels is None
                else pandas.Index(list(labels), name=name, dtype=object),
                columns=components,
            )
            for factor, labels, name in zip(self.factors, self.labels, names, strict=True)
        ]

    def to_pyttb(self) -> Any:
        """The model as a `pyttb.ktensor`, its arrays copied.

        Returns
        -------
        pyttb.ktensor

        Raises
        ------
        ImportError
            Without pyttb.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> theirs = m.to_pyttb()
        >>> theirs.ncomponents, theirs.shape
        (1, (2, 2))
        """
        pyttb = imported("pyttb", "to_pyttb needs pyttb")
        weights, arrays = self._checked()
        factors = [np.asfortranarray(factor, dtype=np.float64) for factor in arrays]
        return pyttb.ktensor(factors, weights.astype(np.float64))

    def to_tensorly(self) -> Any:
        """The model as TensorLy's `CPTensor`, its arrays copied.

        Returns
        -------
        tensorly.cp_tensor.CPTensor

        Raises
        ------
        ImportError
            Without TensorLy.

        Examples
        --------
        >>> import genten, numpy as np
        >>> m = genten.Model([2.0], [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])])
        >>> theirs = m.to_tensorly()
        >>> theirs.rank, theirs.shape
        (1, (2, 2))
        """
        tensorly = imported("tensorly.cp_tensor", "to_tensorly needs TensorLy")
        weights, factors = self._checked()
        return tensorly.CPTensor((weights.copy(), [factor.copy() for factor in factors]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model; the file appears under its name when it is complete.

        Labels, names of modes and the options of the run go into a file beside it, with
        .labels.json added to the name, which `genten.load` takes up while the file is the one that
        it was written with. What is written for other programs has none beside it: .npz holds the
        arrays weights, factor_n, labels_n where a mode has labels, and, which the tool does not
        write, mode_names and the options of the run, in JSON; .csv, which `genten.load` does not
        read, a line for each row of each factor, with its label. Modes n and rows count from 1.

        Parameters
        ----------
        path : path
            Names that end in .gkt or .bin mean Genten's binary form; .ktensor, .txt and no ending
            the Tensor Toolbox's text, compressed where .gz or .zst stands behind it; .csv and .npz
            files for other programs.

        Raises
        ------
        ValueError
            For a name with another ending, for numbers that are not finite, and for labels and
            names of modes that are not in UTF-8; nothing is written then.
        OSError
            For a file that cannot be written.

        Examples
        --------
        >>> import genten, numpy as np, os, tempfile
        >>> factors = [np.array([[1.0], [0.0]]), np.array([[0.5], [1.0]])]
        >>> m = genten.Model([2.0], factors, labels=[["a", "b"], None])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     m.save(os.path.join(folder, "m.ktensor.gz"))
        ...     loaded = genten.load(os.path.join(folder, "m.ktensor.gz"))
        >>> loaded.labels
        [['a', 'b'], None]
        """
        write_model(self, path)
