# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models and results that take in new slices by one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._model.ktensor import Ktensor
from ._streaming import Streaming

if TYPE_CHECKING:
    from typing_extensions import Self


class UpdatingModel(Ktensor):
    """A model that takes in new slices."""

    def update(self, X: Any, mode: int | str, *, training: Any = None, **options: Any) -> Self:
        """The model with new slices of a mode taken in, as ``genten update`` does it.

        Rows of the slices are solved, then the factors of the other modes move by the slices and by
        what the model stands for, under the loss and constraints of the run that made the model.
        `Stream` takes one batch after another, and keeps statistics between them.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            The slices, which follow those of the model; tables as of `evaluate`. Where both have
            names of modes or labels of rows, they go by these, and labels that the model lacks
            become new rows, with a warning; else rows go by their numbers, and those behind the
            model's last one are new, with a warning, too. New rows count as zeros in earlier
            slices, and rows that the new ones lack as zeros in these: a warning names them. What
            tells its shape, as arrays, must have the model's; a `Tensor` may have another one.
        mode : int or str
            In which the slices are new: counted from 0, or its name.
        training : Tensor, or what `genten.tensor` takes, optional
            What the model was fitted to: exact statistics where the fit had not converged or was
            constrained. With history=2 both are fitted again, as by `genten.cp` from this model.
        **options
            sweeps, forget, history, loss ('gaussian' or 'poisson'), nonnegative, ridge, l1, lower
            and upper: as of ``genten update``; they go before those of the run.

        Returns
        -------
        Model
            Another one, normalized; where penalties and bounds other than 0 forbid that, weights
            are one.

        Raises
        ------
        TypeError, ValueError
            For options that mean nothing or are out of range, a tensor of another order, arrays of
            another shape, labels of slices that are there already, values that the loss does not
            take, a model beyond its bounds, one of another loss, and one whose run had missing
            entries.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns").to_dense()
        >>> old = genten.cp(X[:, :, :4], 1).model
        >>> old.update(X[:, :, 4:], mode=2, sweeps=5)
        <genten.Model 2 x 2 x 6, rank 1, float64>
        """
        stream: Streaming[Self] = Streaming()
        stream._what = "update"
        stream._begin(self, mode, training, options)
        stream.update(X)
        return stream.model


class UpdatingResult:
    """A result whose model takes in new slices under the loss and constraints of the run."""

    model: Any
    options: dict[str, Any]

    def update(self, X: Any, mode: int | str, *, training: Any = None, **options: Any) -> Any:
        """The model with new slices of a mode taken in, under the loss and constraints of the run.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            The slices, as of `Model.update`.
        mode : int or str
            In which they are new: counted from 0, or its name.
        training : Tensor, or what `genten.tensor` takes, optional
            The tensor of the run, as of `Model.update`.
        **options
            As of `Model.update`; they go before those of the run.

        Returns
        -------
        Model
            Another one, normalized; where penalties and bounds other than 0 forbid that, weights
            are one.

        Raises
        ------
        TypeError, ValueError
            As of `Model.update`, and for a run with another loss or with missing entries.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns").to_dense()
        >>> r = genten.cp(X[:, :, :4], 2, loss="poisson", seed=1)
        >>> r.update(X[:, :, 4:], mode=2, sweeps=5).loss
        'poisson'
        """
        return self.model.update(X, mode, training=training, **options)
