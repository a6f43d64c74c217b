# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a choice of the number of components returns."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .._display import html_of, html_table, text_table
from .._names_of_others import RANK_CHOICES
from .._options import knowing_keywords_of_methods, refuse_unknown_keywords
from .._pyttb_names import ResultNames
from .._reporting import Reportable
from ..convert.parts import imported
from ..describe.ends import doubt_of
from ..describe.goals import unlisted_zeros
from ..result import Result
from .row import HEADINGS, RankRow, texts_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ResultsByRank(dict[int, Result]):
    """The results of the ranks of a choice, which say so where none is suggested."""

    def __missing__(self, rank: Any) -> Result:
        tried = ", ".join(map(str, self)) or "none"
        said = f"no result of {rank!r} components: those tried are {tried}"
        if rank == 0:
            said = (
                "choice.suggested is 0: no number of components is suggested, since nothing "
                f"replicates; results are of {tried}"
            )
        raise KeyError(said)


@knowing_keywords_of_methods
@dataclass(frozen=True, eq=False)
class RankChoice(Reportable, ResultNames):
    """What several numbers of components come to, and which of them is suggested.

    Attributes
    ----------
    suggested : int
        The median of the picks; 0 where nothing replicates.
    decided : bool
        Whether the picks differ by no more than one place in the list of ranks, before which 0
        stands. False, too, where only the starts speak, and where the search was stopped.
    picks : dict
        'agreement', the largest R with an agreement of at least 0.95; 'held_out', that with the
        least held-out error; 'standard_error', the least R within one standard error of it. The
        first alone where fewer than 20 nonzeros are held out, as of very sparse tensors.
    reasons : list of str
        The same in sentences.
    table : list of RankRow
        One for each rank that was finished, by rank.
    results : dict of Result
        By rank that of its best start; none of 0.
    zero_loss, zero_error : float
        The mean loss of the zero model over held-out entries, R = 0, and its standard error.
    held_out : int
        How many entries were held out; 0 where a draw has too few nonzeros to test by.
    stopped_early : str or None
        'time_limit' or 'interrupted' where that left ranks out, or cut the first one short.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> choice = genten.choose_rank(X, range(1, 4), loss="poisson")
    >>> choice.suggested in choice.results, sorted(choice.picks)
    (True, ['agreement', 'held_out', 'standard_error'])
    """

    _CALLED = RANK_CHOICES
    _UNPACKED = (
        "choice.suggested is the number of components, and choice.results has its best result by "
        "number"
    )
    _ARRAY = "choice.to_pandas() is its table"

    suggested: int
    decided: bool
    picks: dict[str, int]
    reasons: list[str]
    table: list[RankRow]
    results: dict[int, Result] = field(repr=False)
    zero_loss: float
    zero_error: float
    held_out: int
    stopped_early: str | None = None

    @property
    def warnings(self) -> list[str]:
        """What is to be known of the run of the suggested number: the `Result.warnings` of its
        result. Where none is suggested, those that all results have.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
        >>> choice = genten.choose_rank(X, [1, 2], starts=3, loss="poisson")
        >>> choice.warnings == choice.results[choice.suggested].warnings
        True
        """
        if self.suggested in self.results:
            return list(self.results[self.suggested].warnings)
        first, *others = [each.warnings for each in self.results.values()] or [[]]
        return [text for text in first if all(text in each for each in others)]

    def to_pandas(self) -> Any:
        """The table, with ranks as its index.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ImportError
            Without pandas.

        Examples
        --------
        >>> import genten
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
        >>> frame = genten.choose_rank(X, [1, 2], starts=3, loss="poisson").to_pandas()
        >>> list(frame.index), list(frame.columns)[:3]
        ([1, 2], ['objective', 'fit', 'spread'])
        """
        pandas = imported("pandas", "a table of ranks needs pandas")
        rows = [dataclasses.asdict(row) for row in self.table]
        return pandas.DataFrame(rows).set_index("rank")

    def plot(self, **how: Any) -> Figure:
        """Draws fit, agreement and held-out error against rank: `genten.plots.plot_ranks`.

        Parameters
        ----------
        **how
            The keywords of `genten.plots.plot_ranks`.

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
        >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
        >>> choice = genten.choose_rank(X, [1, 2, 3], starts=3)
        >>> [axes.get_label() for axes in choice.plot().axes]
        ['fit', 'agreement', 'held-out loss']
        """
        from ..plots import plot_ranks

        refuse_unknown_keywords(how, plot_ranks, "genten.RankChoice.plot", 1)
        return plot_ranks(self, **how)

    def _lines(self) -> list[tuple[str, str]]:
        nothing = "" if self.suggested else ": nothing replicates"
        lines = [("suggested", f"{self.suggested}{nothing}{doubt_of(self)}")]
        if any(unlisted_zeros(each) for each in self.results.values()):
            text = "unlisted ones are zero; missing='unlisted' makes them unknown"
            lines.append(("entries", text))
        lines += [("reason", reason) for reason in self.reasons]
        lines.append(("held out", f"{self.held_out} entries, the same for all ranks"))
        if self.stopped_early is not None:
            lines.append(("stopped", f"{self.stopped_early}, after R = {self.table[-1].rank}"))
        return lines + [("note", warning) for warning in self.warnings]

    def __repr__(self) -> str:
        lines = "\n".join(f"  {name:<11}{text}" for name, text in self._lines())
        table = text_table(HEADINGS, [texts_of(row) for row in self.table])
        return f"<genten.RankChoice\n{lines}\n{table}>"

    def _repr_html_(self) -> str:
        table = html_table(HEADINGS, [texts_of(row) for row in self.table])
        return html_of("genten.RankChoice", self._lines()) + table
