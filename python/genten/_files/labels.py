# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of names, one a line."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .. import _core
from .._names.labels import texts_of_names
from ..convert.keys import refuse_no_utf8
from .paths import file_name


def read_labels(path: str | bytes | os.PathLike[str]) -> list[str]:
    """Reads names of rows, one a line, compressed or not.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    list of str

    Raises
    ------
    OSError
        For a file that is absent, or that has an empty line.

    Examples
    --------
    >>> import genten
    >>> genten.read_labels("data/titanic/class.labels")
    ['1st', '2nd', '3rd', 'Crew']
    """
    return _core.read_labels(file_name(path))


def write_labels(path: str | os.PathLike[str], names: Sequence[str]) -> None:
    """Writes names of rows, one a line.

    Parameters
    ----------
    path : path
        The file, which appears when it is complete.
    names : sequence of str
        The names of all rows of a mode, in their order.

    Raises
    ------
    ValueError
        For a name that is empty, holds a line end or is not in UTF-8, and for None and NaN.
    OSError
        For a file that cannot be written.

    Examples
    --------
    >>> import genten, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     genten.write_labels(os.path.join(folder, "days.labels"), ["Monday", "Tuesday"])
    ...     genten.read_labels(os.path.join(folder, "days.labels"))
    ['Monday', 'Tuesday']
    """
    texts = texts_of_names(names, "write_labels: expected names")
    refuse_no_utf8(texts, "write_labels")
    _core.write_labels(file_name(path), texts)
