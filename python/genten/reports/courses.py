# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The courses of a run in a report: what each iteration has reached, as charts and as numbers."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..describe import value_of
from ..describe.goals import (
    goes_by_fit,
    has_violation,
    holdout_of,
    returned_iteration,
    stop_rule,
)
from ..describe.protocols import Array, column_of, relative_change
from .charts import Chart, Line, line_chart, number, thinned

MOST_ROWS = 60


def _iterations(history: Any, count: int) -> Array:
    found = column_of(history, "iteration")
    return found if len(found) == count else np.arange(1.0, count + 1)


def _course(history: Any, column: str, abscissa: str, kind: str) -> Line | None:
    """A column over iterations or seconds; None where it was not recorded, or holds nothing."""
    y = column_of(history, column)
    x = _iterations(history, len(y)) if abscissa == "iteration" else column_of(history, abscissa)
    if not len(y) or len(x) != len(y) or not np.isfinite(y).any():
        return None
    return Line(x, y, kind)


def _lines(result: Any, column: str, abscissa: str) -> list[Line]:
    """The courses of all starts, the best one's last; of a start without one, its end."""
    best, lines = value_of(result, "best_start", 0), []
    for place, start in enumerate(value_of(result, "starts", ())):
        if place == best:
            continue
        line = _course(value_of(start, "history", {}), column, abscissa, "other")
        end = float(value_of(start, column, math.nan))
        if line is None and abscissa == "iteration" and math.isfinite(end):
            line = Line(
                np.array([float(value_of(start, "iterations", 0))]), np.array([end]), "other"
            )
        lines += [] if line is None else [line]
    own = _course(value_of(result, "history", {}), column, abscissa, "best")
    return [] if own is None else [*lines, own]


def _chart(result: Any, column: str, name: str, abscissa: str = "iteration") -> Chart | None:
    """The chart of a column, scaled to what it reaches from the third iteration on, and with a mark
    at the iteration whose model was returned where held-out entries have chosen it."""
    lines = _lines(result, column, abscissa)
    if not lines:
        return None
    own = lines[-1]
    first, last = (number(float(own.y[i]), 6) for i in (0, -1))
    iterations = _iterations(value_of(result, "history", {}), len(own.y))
    later = np.concatenate([line.y[2:] if len(line.y) > 4 else line.y for line in lines])
    later = later[np.isfinite(later)]
    returned = own.y[iterations == returned_iteration(result)]
    seen = np.concatenate([later, returned])
    falls = column != "fit"
    limit = None if not len(seen) else float(seen.max() if falls else seen.min())
    chart = line_chart(
        lines,
        title=f"{name[0].upper()}{name[1:]} by {'time' if abscissa == 'seconds' else abscissa}",
        description=(
            f"The {name} is {first} after iteration {int(iterations[0])} and {last} after "
            f"iteration {int(iterations[-1])}."
        ),
        x_label=abscissa,
        y_label=name,
        y_from=None if falls else limit,
        y_to=limit if falls else None,
    )
    if chart is not None and len(returned):
        x = float(own.x[iterations == returned_iteration(result)][0])
        chart.mark = chart.place(x, float(returned[0]))
        chart.description += (
            f" At iteration {returned_iteration(result)}, whose model was returned, it is "
            f"{number(float(returned[0]), 6)}."
        )
    return chart


def _change_chart(result: Any) -> Chart | None:
    rule, history = stop_rule(result), value_of(result, "history", {})
    column = column_of(history, rule.column)
    change = relative_change(column)
    if rule.column == "fit":
        change = np.abs(column_of(history, "fit_change"))
    if not len(change) or len(change) != len(column):
        return None
    text = f"The last iteration changed the {rule.name} by {number(float(change[-1]), 2)}"
    text += "" if rule.column == "fit" else " of it"
    text += f"; the tolerance is {number(rule.tolerance)}." if rule.tolerance else "."
    return _logarithmic(
        result,
        change,
        title=f"Change of the {rule.name}",
        description=text,
        y_label=f"change of the {rule.name}" + (", relative" * (rule.column != "fit")),
        tolerance=rule.tolerance,
    )


def _violation_chart(result: Any) -> Chart | None:
    violation = column_of(value_of(result, "history", {}), "kkt_violation")
    if not has_violation(result) or not len(violation):
        return None
    rule = stop_rule(result)
    tolerance = rule.tolerance if rule.column == "kkt_violation" else None
    text = f"The last iteration began with a KKT violation of {number(float(violation[-1]), 2)}"
    text += f"; the tolerance is {number(tolerance)}." if tolerance else "."
    return _logarithmic(
        result,
        violation,
        title="KKT violation",
        description=text,
        y_label="KKT violation",
        tolerance=tolerance,
    )


def _logarithmic(result: Any, y: Array, tolerance: float | None, **how: Any) -> Chart | None:
    return line_chart(
        [Line(_iterations(value_of(result, "history", {}), len(y)), y)],
        x_label="iteration",
        logarithmic=True,
        level=(tolerance, f"tolerance {number(tolerance)}") if tolerance else None,
        **how,
    )


def charts_of(result: Any) -> list[Chart]:
    """What was sought by iteration and by time, and what the run was ended by."""
    if not len(column_of(value_of(result, "history", {}), "fit")):
        return []
    if not goes_by_fit(result):
        made = [
            _chart(result, "objective", "objective"),
            _chart(result, "objective", "objective", "seconds"),
            _violation_chart(result),
        ]
    else:
        made = [_chart(result, "fit", "fit"), _chart(result, "fit", "fit", "seconds")]
        if holdout_of(result) is not None:
            made.append(_chart(result, "holdout_rmse", "held-out RMSE"))
        if stop_rule(result).column == "objective":
            made.append(_chart(result, "objective", "objective"))
        made += [_change_chart(result), _violation_chart(result)]
    return [chart for chart in made if chart is not None]


def _fixed(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.9f}".replace("-", "−")


def _digits(count: int) -> Callable[[float], str]:
    return lambda value: "–" if math.isnan(value) else number(value, count)


def history_of(result: Any) -> tuple[list[str], list[tuple[str, ...]]]:
    """The heads and the rows of a table of iterations; no rows where not all was recorded."""
    history = value_of(result, "history", {})
    fit, rule = column_of(history, "fit"), stop_rule(result)
    chosen: list[tuple[str, Array, Callable[[float], str]]] = [("Fit", fit, _fixed)]
    if rule.column == "fit":
        chosen.append(("Change", column_of(history, "fit_change"), _digits(3)))
    else:
        objective = column_of(history, "objective")
        chosen.append(("Objective", objective, _digits(9)))
        if rule.column == "objective":
            chosen.append(("Relative change", relative_change(objective), _digits(3)))
    if has_violation(result):
        chosen.append(("KKT violation", column_of(history, "kkt_violation"), _digits(3)))
    if holdout_of(result) is not None:
        chosen.append(("Held-out RMSE", column_of(history, "holdout_rmse"), _digits(6)))
        chosen.append(("Held-out MAE", column_of(history, "holdout_mae"), _digits(6)))
    chosen.append(("Seconds", column_of(history, "seconds"), _digits(4)))
    iteration = column_of(history, "iteration")
    if not len(fit) or any(len(column) != len(fit) for _, column, _ in chosen):
        return [], []
    if len(iteration) != len(fit):
        return [], []
    rows = [
        (f"{int(iteration[i]):,}", *(said(float(column[i])) for _, column, said in chosen))
        for i in thinned(len(fit), MOST_ROWS)
    ]
    return ["Iteration", *(head for head, _, _ in chosen)], rows
