# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""CP decompositions as estimators, which scikit-learn's tools take. None of it is imported here."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._cp import cp
from ._input import tensor
from ._missing import has_mask
from ._model.evaluation import Evaluation
from ._model.own_loss import Loss
from ._names.numbers import some_of
from ._names.text_order import warn_of_text_order
from ._names_of_others import ESTIMATORS
from ._options import knowing_keywords_of_methods, with_keywords
from ._run.request import check_names
from .convert.parts import imported, loaded
from .model import Model
from .result import Result
from .tensors import Tensor

if TYPE_CHECKING:
    from typing_extensions import Self

_KEYWORDS = [name for name in inspect.signature(cp).parameters if name not in ("X", "comm", "grid")]

_OUTPUTS = ("default", "pandas", "polars")


@knowing_keywords_of_methods
class CP:
    """What `genten.cp` does as an estimator of scikit-learn's kind: mode 0 has the samples.

    Nothing is checked or computed before `fit`, but that the keywords are some of `genten.cp`'s.
    Searches split arrays and a `Tensor` by samples, and tables by rows, which are entries: give
    them ``genten.tensor(table, values=...)``.

    Parameters
    ----------
    rank : int, optional
        Number of components R.
    {options}
        As of `genten.cp`.

    Attributes
    ----------
    model_ : Model
        After `fit`.
    result_ : Result
        After `fit`, what `genten.cp` has returned.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/titanic/titanic.tns")
    >>> found = genten.CP(2, seed=1).fit(X)
    >>> found, found.transform(X).shape, round(found.score(X), 3)
    (CP(rank=2, seed=1), (4, 2), 0.89)
    """

    model_: Model
    result_: Result

    def __init__(self, rank: int | None = None, **options: Any) -> None:
        _check(options)
        self.rank = rank
        self._options = options

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            said = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name in ESTIMATORS:
                said += f": that is {ESTIMATORS[name]}, once it is fitted"
            raise AttributeError(said)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The rank and the keywords that were given.

        Parameters
        ----------
        deep : bool
            Means nothing here, where no parameter is an estimator.

        Returns
        -------
        dict

        Examples
        --------
        >>> import genten
        >>> genten.CP(3, ridge=0.1).get_params()
        {'rank': 3, 'ridge': 0.1}
        """
        return {"rank": self.rank, **self._options}

    def set_params(self, **params: Any) -> Self:
        """Sets the rank and any of the keywords.

        Parameters
        ----------
        **params
            Rank and keywords of `genten.cp`, given before or not.

        Returns
        -------
        CP
            Itself.

        Raises
        ------
        ValueError
            For a keyword that there is not.

        Examples
        --------
        >>> import genten
        >>> genten.CP(3).set_params(rank=2, ridge=0.1)
        CP(rank=2, ridge=0.1)
        """
        given = dict(params)
        rank = given.pop("rank", self.rank)
        try:
            _check(given)
        except TypeError as error:  # As scikit-learn's estimators do.
            raise ValueError(str(error)) from None
        self.rank = rank
        self._options = {**self._options, **given}
        return self

    def fit(self, X: Any, y: Any = None) -> Self:
        """Decomposes a tensor.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
        y : object
            Means nothing here, but that a Series with the names of samples has to have them in
            their order.

        Returns
        -------
        CP
            Itself, with `model_` and `result_`.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As of `genten.cp`, and for names of `y` in another order than those of the samples.
        KeyboardInterrupt
            After Ctrl-C, by which searches and loops over fits end, too. `model_` and `result_` are
            then those of the best start so far.

        Examples
        --------
        >>> import genten
        >>> genten.CP(2, seed=1).fit(genten.read("data/titanic/titanic.tns")).model_.rank
        2
        """
        if y is not None and not has_mask(X):
            X = tensor(X)
            _refuse_other_order(X.labels[0], y)
        self.result_ = cp(X, self.rank, **self._options)
        self.model_ = self.result_.model
        if self.result_.stopped_early == "interrupted":
            raise KeyboardInterrupt("fit: model_ and result_ are those of the best start so far")
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64] | Any:
        """The factor of mode 0 that fits a tensor best, whose samples may be others than those of
        `fit`, by its loss and constraints: `Model.project`.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            Of the shape of that of `fit` but for mode 0.

        Returns
        -------
        ndarray of shape (X.shape[0], R), or what `set_output` asks for

        Raises
        ------
        ValueError
            Before `fit`, after one with a list of missing entries, which say nothing of other
            tensors but of masked arrays (`Model.project_rows` takes another list), and for a tensor
            of another shape.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/titanic/titanic.tns")
        >>> genten.CP(2, seed=1).fit(X).transform(X[:3]).shape
        (3, 2)
        """
        found = self._fitted("transform", has_mask(X)).project_rows(X, 0, loss=self._own_loss())
        return self._as_asked(found.rows, found.model.labels[0])

    def fit_transform(self, X: Any, y: Any = None) -> npt.NDArray[np.float64] | Any:
        """Fits, then transforms the same tensor.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
        y : object
            As of `fit`.

        Returns
        -------
        ndarray of shape (X.shape[0], R), or what `set_output` asks for

        Raises
        ------
        TypeError, ValueError, MemoryError
            As of both.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/titanic/titanic.tns")
        >>> genten.CP(2, seed=1).fit_transform(X).shape
        (4, 2)
        """
        given = X if has_mask(X) else tensor(X)
        return self.fit(given, y).transform(given)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """What scikit-learn calls the columns of what `transform` returns, a component each.

        Parameters
        ----------
        input_features : object
            Means nothing here.

        Returns
        -------
        ndarray of shape (R,)
            Of texts: cp0, cp1, ...

        Raises
        ------
        ValueError
            Before `fit`.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/titanic/titanic.tns")
        >>> genten.CP(2, seed=1).fit(X).get_feature_names_out().tolist()
        ['cp0', 'cp1']
        """
        rank = self._fitted("get_feature_names_out", lists=True).rank
        return np.array([f"cp{component}" for component in range(rank)], dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:
        """What `transform` and `fit_transform` return, as of scikit-learn's transformers.

        Parameters
        ----------
        transform : {'default', 'pandas', 'polars'}, optional
            An array, or a table whose columns are `get_feature_names_out`; that of pandas has the
            labels of mode 0 as its index. None changes nothing: it is then what
            ``sklearn.set_config`` says, or an array.

        Returns
        -------
        CP
            Itself.

        Raises
        ------
        ValueError
            For another word.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/titanic/titanic.tns")
        >>> genten.CP(2, seed=1).set_output(transform="pandas").fit_transform(X).columns.tolist()
        ['cp0', 'cp1']
        """
        if transform is not None:
            if transform not in _OUTPUTS:
                raise ValueError(f"transform: expected one of {_OUTPUTS}, got {transform!r}")
            # By this name scikit-learn's clone finds it.
            self._sklearn_output_config = {"transform": transform}
        return self

    def _as_asked(self, rows: npt.NDArray[np.float64], labels: Any) -> Any:
        kind = getattr(self, "_sklearn_output_config", {}).get("transform")
        if kind is None:
            sklearn = loaded("sklearn")
            kind = "default" if sklearn is None else sklearn.get_config()["transform_output"]
        if kind == "default":
            return rows
        names = self.get_feature_names_out().tolist()
        tables = imported(kind, f"an output of {kind} needs it")
        if kind == "polars":
            return tables.DataFrame(rows, schema=names, orient="row")
        return tables.DataFrame(rows, index=labels, columns=names)

    def score(self, X: Any, y: Any = None) -> float:
        """The fit of a tensor, once its samples are projected on the model: 1 is exact. After a fit
        under another loss than least squares it is minus the mean loss of an entry: scores under
        different losses do not compare.

        Parameters
        ----------
        X : Tensor, or what `genten.tensor` takes
            As of `transform`.
        y : object
            Means nothing here.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            As of `transform`.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/titanic/titanic.tns")
        >>> found = genten.CP(2, seed=1).fit(X)
        >>> found.score(X) >= found.result_.fit - 1e-12
        True
        """
        projected = self._fitted("score", has_mask(X)).project_rows(X, 0, loss=self._own_loss())
        if self._own_loss() is not None:
            return -float(projected.losses.sum() / projected.entries.sum())
        found: Evaluation = projected.model.evaluate(X)
        return found.fit if found.loss in (None, "gaussian") else -found.all.mean_loss

    def _own_loss(self) -> Loss | None:
        """The loss, where it is a function, which the model does not keep."""
        own = self._options.get("loss")
        return own if isinstance(own, Loss) else None

    def _fitted(self, what: str, lists: bool = False) -> Model:
        self._result_of_fit(what)
        if not lists and self.model_._run.get("missing") == "listed":
            raise ValueError(
                f"{what}: expected a fit without a list of missing entries, which says nothing of "
                "other tensors: model_.project_rows(X, 0, missing=...) takes theirs, and masked "
                "arrays say it themselves"
            )
        return self.model_

    def _result_of_fit(self, what: str) -> Result:
        """What reports and pictures show of it."""
        if not hasattr(self, "model_"):
            errors = loaded("sklearn.exceptions")
            kind = ValueError if errors is None else errors.NotFittedError
            raise kind(f"{what}: expected a fitted CP: call fit first")
        return self.result_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn, which alone asks, is to know."""
        utils = imported("sklearn.utils", "scikit-learn's tags need scikit-learn")
        tags = utils.Tags(estimator_type=None, target_tags=utils.TargetTags(required=False))
        tags.transformer_tags = utils.TransformerTags()
        tags.input_tags.sparse = tags.input_tags.three_d_array = True
        return tags

    def __repr__(self) -> str:
        return f"CP({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"


CP.__signature__, CP.__doc__ = with_keywords(  # type: ignore[attr-defined]
    CP, CP.__doc__, [inspect.signature(cp).parameters[name] for name in _KEYWORDS]
)


def _check(options: dict[str, Any]) -> None:
    check_names((name for name in options if name not in _KEYWORDS), "CP")


def _refuse_other_order(labels: Sequence[str] | None, y: Any) -> None:
    """Complains of a Series that has the names of samples, all or some as those of a part, where
    others stand. Other names and numbers of rows say nothing.

    Raises
    ------
    ValueError
        With the call that takes them in the order of the samples.
    """
    if labels is None or y is None or not hasattr(y, "__len__") or len(y) != len(labels):
        return
    names = list(y.index) if hasattr(y, "iloc") else []
    if names == list(labels):
        return
    if not names or not all(isinstance(name, str) for name in names):
        _warn_of_order(labels)
        return
    if len(set(names)) == len(names) and set(names) & set(labels):
        raise ValueError(
            f"y: expected names in the order of the samples of X, {some_of(labels)}, got "
            f"{some_of(names)}; where both are of one table, y.loc[X.labels[0]] brings them into "
            "it, before X is split"
        )


_TOLD: deque[frozenset[str]] = deque(maxlen=8)
"""The names of the last samples of whose order was warned."""


def _warn_of_order(labels: Sequence[str]) -> None:
    # Searches fit many parts of the same samples: of three folds any two share a half.
    if any(2 * len(told.intersection(labels)) >= len(labels) for told in _TOLD):
        return
    subject, way = "targets have", "a Series with their names as its index says otherwise"
    if warn_of_text_order([True], [len(labels)], [labels], "y", way=way, subject=subject):
        _TOLD.append(frozenset(labels))
