# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Wide tables, and what tests do with messages on them: they call what stands there."""

import re
import warnings

import numpy as np
import pytest

import genten

pandas = pytest.importorskip("pandas")

MONTHS = ["Jan", "Feb", "Mar"]
SALES = np.array([[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8]])
PEOPLE = ["ann", "bob", "cy", "di"]
WIDE = pandas.DataFrame(SALES, columns=MONTHS, index=pandas.Index(PEOPLE, name="who"))
HOLED = SALES.astype(float)
HOLED[1, 2] = np.nan


def calls_in(message):
    """The calls of genten.tensor in a message, up to the parenthesis that ends each."""
    for start in (found.start() for found in re.finditer(r"genten\.tensor\(", message)):
        depth = 0
        for end in range(start, len(message)):
            depth += {"(": 1, ")": -1}.get(message[end], 0)
            if message[end] == ")" and depth == 0:
                yield message[start : end + 1]
                break


def followed(table, error=ValueError, **options):
    """The tensor of the call that a message has for a wide table."""
    with pytest.raises(error) as caught:
        genten.tensor(table, **options)
    message = str(caught.value)
    (call,) = (each for each in calls_in(message) if re.search(r"melt|stack|unpivot", each))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eval(call, {"genten": genten, "table": table}), message


def entries_of(X, name=str):
    """What a tensor has, by the names of its rows, whatever their order."""
    rows = [
        range(n) if labels is None else labels for n, labels in zip(X.shape, X.labels, strict=True)
    ]
    return {
        tuple(name(rows[mode][row]) for mode, row in enumerate(entry)): value
        for entry, value in zip(X.subscripts.tolist(), X.values.tolist(), strict=True)
    }


def expected(sales=SALES, people=PEOPLE):
    return {
        (str(who), month): float(sales[row, column])
        for row, who in enumerate(people)
        for column, month in enumerate(MONTHS)
        if not np.isnan(sales[row, column])
    }
