# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What models and results have in common: both can be sent as a report."""

from __future__ import annotations

import os
from typing import Any


class Reportable:
    """Something that `genten.report` can show."""

    def report(self, path: str | os.PathLike[str], **about: Any) -> None:
        """Writes one HTML file that one can send: `genten.report.write_report`.

        Parameters
        ----------
        path : path
            The file.
        **about
            The keywords of `genten.report.render_report`, as tensor, title and k.

        Raises
        ------
        ImportError
            Without Jinja2.
        ValueError
            For a name with another ending than .html or .htm, for a k below 1, for a tensor of
            another shape, or with nonzeros in rows that the model lacks, which labels tell, for the
            result of a rank that has no model, and for `ranks` beside a Tucker model.
        OSError
            For a file that cannot be written.

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
        from .report import write_report

        write_report(path, self, **about)
