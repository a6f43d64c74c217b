# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Results, models and choices of the rank are sent as reports."""

from __future__ import annotations

import os
from typing import Any

from ._options import needing, refuse_unknown_keywords


@needing(
    "path",
    "report: expected the path of the page behind what it shows, as in genten.report(r, "
    "'run.html'); genten.reports.render_report(r) is the page as a text",
)
def report(source: Any, path: str | os.PathLike[str], **about: Any) -> None:
    """Writes one HTML file that one can send.

    Parameters
    ----------
    source : Result, TuckerResult, Model, TuckerModel, RankChoice or fitted CP
        What the page shows, which has this function as its method `report`. Of a choice of the rank
        it shows how many components there are, and why, and all about the best model of the
        suggested number.
    path : path
        The file.
    **about
        The keywords of `genten.reports.render_report`, as tensor, title and k; of a choice that
        suggests no rank title and date.

    Raises
    ------
    ImportError
        Without Jinja2.
    TypeError
        For what is neither a result nor a model, and for another keyword.
    ValueError
        For a name with another ending than .html or .htm, for a k below 1, for a tensor of another
        shape, or with nonzeros in rows that the model lacks, which labels tell, for the result of a
        rank that has no model, and for `ranks` beside a Tucker model.
    OSError
        For a file that cannot be written; what was there before is still there.

    Examples
    --------
    >>> import genten, os, tempfile
    >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genten.report(r, os.path.join(folder, "run.html"), title="Titanic")
    ...     os.listdir(folder)
    ['run.html']
    """
    _write(source, path, about, "genten.report")


def _write(source: Any, path: Any, about: dict[str, Any], what: str) -> None:
    """Writes the page of `what`, a function that messages name."""
    if isinstance(source, (str, os.PathLike)):
        raise TypeError(
            f"report: expected a model or a result, then the path of the page, got {source!r} "
            "first; genten.load(path) reads a model"
        )
    from ._files.paths import write_page
    from .reports.render import page_of

    page = page_of(source)
    refuse_unknown_keywords(about, page, what)
    write_page(path, lambda: page(**about))


class Reportable:
    """Something that `genten.report` can show."""

    @needing("path", "report: expected the path of the page, as in r.report('run.html')")
    def report(self, path: str | os.PathLike[str], **about: Any) -> None:
        """Writes one HTML file that one can send: `genten.report`.

        Parameters
        ----------
        path : path
            The file.
        **about
            The keywords of `genten.reports.render_report`, as tensor, title and k.

        Raises
        ------
        ImportError
            Without Jinja2.
        TypeError, ValueError, OSError
            As of `genten.report`.

        Examples
        --------
        >>> import genten, os, tempfile
        >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     r.report(os.path.join(folder, "run.html"), title="Titanic")
        ...     r.model.report(os.path.join(folder, "model.html"))
        ...     sorted(os.listdir(folder))
        ['model.html', 'run.html']
        """
        _write(self, path, about, f"genten.{type(self).__name__}.report")
