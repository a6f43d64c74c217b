# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a report says of how many components there are: a choice of the rank."""

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..convert.parts import warn
from ..describe import Finding, ModelLike, lengths_of, value_of
from ..describe.ends import doubt_of
from .charts import Chart, Line, line_chart, number
from .method import count_of
from .recorded import same_weights

ALIKE = 0.95
"""From this score on starts count as agreeing."""
HEADS = (
    "Objective", "Fit", "Reached", "Agreement", "Worst", "Held-out loss", "Congruence", "Core",
    "Seconds",
)  # fmt: skip
WANTED = ("suggested", "decided", "reasons", "ranks", "zero_model", "held_out")
"""What the JSON of ``genten rank`` has, and no other."""


@dataclass
class Ranks:
    """What the template shows."""

    suggested: str
    reasons: list[str]
    held_out: str
    rows: list[tuple[str, list[str], bool]]
    heads: tuple[str, ...] = HEADS
    charts: list[Chart] = field(default_factory=list)
    stopped: str = ""


class RecordedRanks:
    """A choice of the rank that the command-line tool recorded, with the fields of
    `genten.RankChoice` but for the results.

    Examples
    --------
    >>> record = {"suggested": 2, "decided": True, "reasons": [{"text": "so"}], "ranks": []}
    >>> choice = RecordedRanks({**record, "held_out": {"entries": 9}, "zero_model": {}})
    >>> choice.suggested, choice.reasons, choice.held_out, choice.stopped_early
    (2, ['so'], 9, None)
    """

    def __init__(self, record: dict[str, Any]) -> None:
        self.suggested = int(record["suggested"])
        self.decided = bool(record["decided"])
        self.reasons = [str(reason["text"]) for reason in record["reasons"]]
        # JSON has no infinities and NaNs: they stand there as null.
        self.table = [
            {name: math.nan if value is None else value for name, value in row.items()}
            for row in record["ranks"]
        ]
        self.held_out = int(record["held_out"]["entries"])
        self.stopped_early = record.get("stopped")
        self.tensor = record.get("tensor", {})
        self.options: dict[str, Any] = record.get("options", {})
        self.notes: list[dict[str, Any]] | None = record.get("notes")
        """What is to be known of the model of the suggested rank before it is believed."""
        self.best: dict[str, Any] | None = record.get("model")
        """Of the suggested rank: weights, how often components were found, error bars."""


def read_ranks(path: str | os.PathLike[str]) -> RecordedRanks:
    """Reads the JSON of ``genten rank --json``.

    Parameters
    ----------
    path : path-like
        The file.

    Returns
    -------
    RecordedRanks
        For `render_report` and `render_ranks`, as a `genten.RankChoice` is.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It is no JSON of ``genten rank``.

    Examples
    --------
    >>> import os, tempfile
    >>> record = {"suggested": 0, "decided": True, "reasons": [], "ranks": [], "zero_model": {}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "ranks.json")
    ...     with open(path, "w") as file:
    ...         json.dump({**record, "held_out": {"entries": 0}}, file)
    ...     read_ranks(path).suggested
    0
    """
    with open(path, encoding="utf-8") as file:
        try:
            record = json.load(file)
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{os.fspath(path)}: not JSON: {error}") from error
    if not isinstance(record, dict) or any(name not in record for name in WANTED):
        raise ValueError(
            f"{os.fspath(path)}: expected what 'genten rank --json' writes, with "
            f"{', '.join(WANTED)}"
        )
    return RecordedRanks(record)


def _number_of(row: Any, name: str) -> float:
    return float(value_of(row, name, math.nan))


def _text(value: float, digits: int = 4) -> str:
    return "–" if math.isnan(value) else number(value, digits)


def _fit(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.4f}".replace("-", "−")


def _fields(row: Any) -> list[str]:
    """The fields of a row beside its rank, under `HEADS`."""
    loss, error = _number_of(row, "holdout_loss"), _number_of(row, "holdout_error")
    return [
        _text(_number_of(row, "objective"), 6),
        _fit(_number_of(row, "fit")),
        f"{value_of(row, 'reached'):,} of {value_of(row, 'starts'):,}",
        f"{_number_of(row, 'agreement'):.3f}",
        f"{_number_of(row, 'worst_component'):.3f}",
        "–" if math.isnan(loss) else f"{number(loss, 5)} ± {_text(error, 2)}",
        f"{_number_of(row, 'congruence'):.3f}",
        _text(_number_of(row, "core_consistency"), 3),
        f"{_number_of(row, 'seconds'):.2f}",
    ]


def _panel(rows: Sequence[Any], suggested: int, name: str, title: str) -> Chart | None:
    """A number by rank, each a point, that of the suggested rank with a ring, and held-out losses
    with a standard error on either side."""
    ranks = np.array([_number_of(row, "rank") for row in rows])
    values = np.array([_number_of(row, name) for row in rows])
    errors = np.zeros(len(rows))
    if name == "holdout_loss":
        errors = np.nan_to_num([_number_of(row, "holdout_error") for row in rows])
    finite = np.isfinite(values)
    if not finite.any():
        return None
    least, most = (values - errors)[finite].min(), (values + errors)[finite].max()
    is_score = name == "agreement"
    said = [
        f"{number(value)} at {int(rank)}"
        for rank, value in zip(ranks[finite], values[finite], strict=True)
    ]
    chart = line_chart(
        [Line(ranks, values)],
        title=title,
        description=f"By number of components: {', '.join(said)}.",
        x_label="components",
        y_label=title,
        level=(ALIKE, f"{ALIKE:g}: alike") if is_score else None,
        y_from=0.0 if is_score else float(least),
        y_to=1.0 if is_score else float(most),
    )
    if chart is None:
        return None
    for rank, value, error in zip(ranks[finite], values[finite], errors[finite], strict=True):
        x, y = chart.place(rank, value)
        chart.ends.append(("best", x, y))
        if error > 0.0:
            low, high = chart.place(rank, value - error)[1], chart.place(rank, value + error)[1]
            chart.paths.append(("other", f"M{x} {low}V{high}"))
        if rank == suggested:
            chart.mark = (x, y)
    whole = {int(rank) for rank in ranks}
    chart.x_ticks = [tick for tick in chart.x_ticks if float(tick[1].replace(",", "")) in whole]
    return chart


def belief_of(choice: Any, model: ModelLike) -> dict[str, Any] | None:
    """What a recorded choice says of how far that model can be believed, as a result would; None
    where it has nothing to say, or the model is not that of the suggested rank."""
    best = value_of(choice, "best")
    if best is None or not same_weights(best["weights"], model.weights):
        return None
    return {**best, "model": model}


def refuse_other_ranks(choice: Any, model: ModelLike, nonzeros: int | None) -> None:
    """Complains of a choice that was made of another tensor than the model, whose number of
    nonzeros may be known, and gives a warning where it has made another model of this rank.

    Raises
    ------
    ValueError
        Where lengths of modes, or numbers of nonzeros where they are known, differ.
    """
    facts = value_of(choice, "tensor", {})
    results = value_of(choice, "results", {})
    lengths = [lengths_of(each.model) for each in results.values()][:1]
    lengths += [tuple(facts["dimensions"])] if "dimensions" in facts else []
    own = lengths_of(model)
    if lengths and lengths[0] != own:
        there, here = (" x ".join(map(str, each)) for each in (lengths[0], own))
        raise ValueError(f"ranks: a choice for a tensor of {there}, but the model is of {here}")
    listed = value_of(facts, "nnz", nonzeros)
    if nonzeros is not None and listed != nonzeros:
        raise ValueError(
            f"ranks: a choice for a tensor of {listed:,} nonzeros, but that of the model has "
            f"{nonzeros:,}"
        )
    best = value_of(choice, "best", {}).get("weights", ())
    if len(best) == len(model.weights) and not same_weights(best, model.weights):
        warn(
            "ranks: the choice has made another model of "
            f"{count_of(len(model.weights), 'component')} than this one, of which it says nothing "
            "but how many components there are"
        )


def findings_of_ranks(choice: Any, rank: int) -> list[Finding]:
    """What a choice doubts itself, and what it says against a model of that many components.

    Examples
    --------
    >>> row = {"rank": 2, "starts": 8, "reached": 1, "agreement": 0.5}
    >>> record = {"suggested": 1, "decided": False, "reasons": [{"text": "So."}], "ranks": [row]}
    >>> choice = RecordedRanks({**record, "held_out": {"entries": 9}, "zero_model": {}})
    >>> [finding.key for finding in findings_of_ranks(choice, 2)]
    ['rank_undecided', 'another_rank', 'few_reached', 'starts_disagree']
    """
    found = []
    if not choice.decided and choice.stopped_early is None:
        title = "The data do not decide how many components there are"
        found.append(Finding("rank_undecided", title, " ".join(choice.reasons)))
    suggested, components = int(choice.suggested), count_of(rank, "component")
    if suggested != rank:
        text = f"The model has {components}; of what was tried "
        text += f"{suggested:,} is suggested." if suggested else "nothing replicates."
        title = "Another number of components is suggested"
        found.append(Finding("another_rank", title, text))
    if choice.stopped_early is not None:
        title = "The choice was ended early"
        found.append(Finding("rank_stopped", title, _stopped(choice)))
    for row in choice.table:
        if value_of(row, "rank") != rank:
            continue
        starts, reached = int(value_of(row, "starts")), int(value_of(row, "reached"))
        agreement = _number_of(row, "agreement")
        if 2 * reached < starts:
            text = f"Of {starts:,} starts of {components} {reached:,} came to the least objective "
            text += "that was found: a lower one may be there. Try more starts or a lower rank."
            found.append(Finding("few_reached", "Few starts came to the best model", text))
        if starts > 1 and agreement < ALIKE:
            text = f"Of {starts:,} starts of {components} the median score against the best is "
            text += f"{agreement:.3f}, where 1 means the same: its components are one reading of "
            text += "several."
            found.append(Finding("starts_disagree", "Starts found other components", text))
    return found


def ranks_of(choice: Any) -> Ranks:
    """The section on a choice of the rank: a `genten.RankChoice`, or what `read_ranks` has read."""
    rows = choice.table
    suggested = int(choice.suggested)
    text = f"{suggested:,} components" if suggested != 1 else "1 component"
    text = "None: nothing replicates" if suggested == 0 else text
    by_fit = all(math.isfinite(_number_of(row, "fit")) for row in rows)
    panels = [
        ("fit", "fit") if by_fit else ("objective", "objective"),
        ("agreement", "agreement of the starts"),
        ("holdout_loss", "held-out loss"),
    ]
    charts = [_panel(rows, suggested, name, title) for name, title in panels]
    held = "No entries were held out: too few nonzeros would have been among them."
    if choice.held_out:
        held = f"{choice.held_out:,} entries were held out, the same for all ranks."
    return Ranks(
        suggested=text + doubt_of(choice),
        reasons=list(choice.reasons),
        held_out=held,
        rows=[
            (str(value_of(row, "rank")), _fields(row), value_of(row, "rank") == suggested)
            for row in rows
        ],
        charts=[chart for chart in charts if chart is not None],
        stopped=_stopped(choice),
    )


def _stopped(choice: Any) -> str:
    early, rows = choice.stopped_early, choice.table
    last = f" after {count_of(int(value_of(rows[-1], 'rank')), 'component')}" if rows else ""
    by = {"time_limit": "by the time limit", "interrupted": "by an interruption"}
    return "" if early is None else f"The search was ended {by.get(early, early)}{last}."
