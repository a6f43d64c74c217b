# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Models, tensors and results as people see them: tables of text and of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .describe import (
    ModelLike,
    component_order,
    mode_name,
    relative_weights,
    row_name,
    shorten,
    strongest,
)

MOST_COMPONENTS, NAME_LENGTH = 20, 24


def table_of(model: ModelLike) -> str:
    """Sizes of the modes, and for each component, heaviest first, its weight, its share of the
    heaviest one's, and the strongest row of each mode, with a minus where that is negative."""
    order, rank = len(model.factors), len(model.weights)
    sizes = [f"{mode_name(model, mode)}: {len(model.factors[mode])}" for mode in range(order)]
    shares = relative_weights(model)
    rows = [("component", "weight", "relative", "strongest rows")]
    chosen = component_order(model)
    for r in chosen[:MOST_COMPONENTS]:
        names = [_strongest_name(model, mode, int(r)) for mode in range(order)]
        share = f"{shares[r]:.1%}"
        rows.append((str(r), f"{float(model.weights[r]):.6g}", share, ", ".join(names)))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [f"genten.Model of rank {rank}; {', '.join(sizes)}"]
    for row in rows:
        cells = [text.rjust(width) for text, width in zip(row, widths, strict=False)]
        lines.append("  ".join([*cells, row[3]]))
    if rank > MOST_COMPONENTS:
        lines.append(f"... and {rank - MOST_COMPONENTS} lighter ones")
    return "\n".join(lines)


def _strongest_name(model: ModelLike, mode: int, r: int) -> str:
    rows = strongest(model.factors[mode][:, r], 1)
    if not len(rows):
        return "-"
    name = shorten(row_name(model, mode, int(rows[0])), NAME_LENGTH)
    return f"{name} (-)" if model.factors[mode][rows[0], r] < 0 else name


def tucker_table(model: Any, core: Sequence[tuple[Sequence[int], float]]) -> str:
    """Sizes of the modes of a Tucker model, and for some elements of its core the columns that they
    belong to, with the strongest row of each, and a minus where that is negative."""
    sizes = [f"{mode_name(model, mode)}: {n}" for mode, n in enumerate(model.shape)]
    rows = [("core", "columns", "strongest rows")]
    for columns, value in core:
        names = [_strongest_of_column(model, mode, r) for mode, r in enumerate(columns)]
        rows.append((f"{value:.6g}", ", ".join(map(str, columns)), ", ".join(names)))
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    ranks = " x ".join(map(str, model.ranks))
    lines = [f"genten.TuckerModel of core {ranks}; {', '.join(sizes)}"]
    for value_text, columns_text, names_text in rows:
        lines.append(f"{value_text:>{widths[0]}}  {columns_text:>{widths[1]}}  {names_text}")
    return "\n".join(lines)


def _strongest_of_column(model: Any, mode: int, r: int) -> str:
    factor = model.factors[mode]
    if factor is None:
        return shorten(row_name(model, mode, r), NAME_LENGTH)
    return _strongest_name(model, mode, r)


def html_of(caption: str, rows: Sequence[tuple[str, str]]) -> str:
    """A small table of names and what they stand for, for notebooks.

    Examples
    --------
    >>> html_of("x", [("a", "1 < 2")]).count("1 &lt; 2")
    1
    """
    from html import escape  # for notebooks alone

    lines = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(text)}</td></tr>'
        for name, text in rows
    )
    return f"<table><caption>{escape(caption)}</caption><tbody>{lines}</tbody></table>"


def text_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under their names, to the right.

    Examples
    --------
    >>> print(text_table(["a", "b"], [["100", "2"]]))
      a  b
    100  2
    """
    lines = [headings, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        for line in lines
    )


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The same for notebooks.

    Examples
    --------
    >>> html_table(["a < b"], [["1"]]).count("a &lt; b")
    1
    """
    from html import escape  # for notebooks alone

    def line(kind: str, texts: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{kind}>{escape(text)}</{kind}>" for text in texts) + "</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<table><thead>{line('th', headings)}</thead><tbody>{body}</tbody></table>"
