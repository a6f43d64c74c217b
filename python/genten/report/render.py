# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report itself: what it says, put into its template."""

import datetime
import os
import pathlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .._files.paths import write_whole
from .._input import tensor as made_of
from ..describe import (
    Finding,
    ModelLike,
    ResultLike,
    TensorLike,
    component_order,
    fit_of,
    model_findings,
    result_findings,
    value_of,
)
from ..describe.goals import (
    completion_of,
    goes_by_fit,
    held_out_loss_of,
    holdout_of,
    is_generalized,
    is_of_counts,
    loss_of,
    misses_unlisted,
    stop_rule,
)
from ..describe.protocols import model_of
from ..tensors import relabelled
from .charts import number
from .command import python_lines, tool_command
from .components import Component, components_of, scale_of_columns
from .map import Map, map_of
from .method import count_of, held_out_sentence
from .ranks import Ranks, belief_of, ranks_of
from .residuals import Residuals, residuals_of
from .run import (
    Mode,
    Run,
    data_facts,
    modes_of,
    nonzeros_of,
    run_of,
    record_of,
    versions_of,
)

TEMPLATES = pathlib.Path(__file__).parent / "templates"


@dataclass
class Report:
    """What the template shows."""

    title: str
    lead: str
    figures: list[tuple[str, str]]
    findings: list[Finding]
    looked_at: str
    data: list[tuple[str, str]]
    modes: list[Mode]
    run: Run
    components: list[Component]
    reordered: bool
    map: Map | None = None
    ranks: Ranks | None = None
    listed: str = "nonzeros"
    columns: str = ""
    residuals: Residuals = field(default_factory=Residuals)
    commands: list[tuple[str, str]] = field(default_factory=list)
    versions: list[tuple[str, str]] = field(default_factory=list)
    made: str = ""


def render_report(
    source: ModelLike | ResultLike,
    *,
    tensor: Any = None,
    tensor_name: str | None = None,
    title: str | None = None,
    k: int = 10,
    command: str | None = None,
    date: str | None = None,
    ranks: Any = None,
) -> str:
    """Everything about a model and how it was made, as one HTML page.

    Parameters
    ----------
    source : Result or Model
        What `genten.cp` returns, what `read_recorded` has read, or a model by itself. It is not
        changed.
    tensor : Tensor, or what `genten.tensor` takes, optional
        The data: the report then says which values the nonzeros have, how many rows have any, at
        which entries the model is furthest from them under the loss of its run, and,
        of a model by itself, how well it fits. Where both have names, modes and rows go
        by these.
    tensor_name : str, optional
        What to call the data, as its file.
    title : str, optional
        The page's title.
    k : int
        How many entries of long modes are named in each component. Modes of at most 16 rows are
        shown whole.
    command : str, optional
        The line that makes the model again, where the report would not know it.
    date : str, optional
        When the report was made. By default now, in UTC; "" leaves it out.
    ranks : RankChoice, optional
        What `genten.choose_rank` has returned, or what `read_ranks` has read: a section says how
        many components the data have, and why.

    Returns
    -------
    str
        HTML in UTF-8, with no link to anything outside.

    Raises
    ------
    TypeError
        `source` is neither a Result nor a Model.
    ValueError
        k is below 1, or model and tensor differ in shape, or the tensor has nonzeros in rows that
        the model lacks, or another number of them than that of the run.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> eye = np.eye(3)[:, :2]
    >>> model = SimpleNamespace(
    ...     weights=np.array([2.0, 1.0]), factors=[eye, eye], labels=[["a", "b", "c"], None])
    >>> page = render_report(model, title="An example")
    >>> "<title>An example</title>" in page
    True
    """
    if k < 1:
        raise ValueError(f"k: expected at least 1, got {k}")
    model = model_of(source)
    result: Any = None if model is source else source
    shape = tuple(len(factor) for factor in model.factors)
    if tensor is not None and not hasattr(tensor, "subscripts"):  # A path, a table, ...
        tensor = made_of(tensor)
    if tensor is not None and getattr(tensor, "labels", None) is not None:
        tensor = relabelled(
            tensor, model.labels, getattr(model, "mode_names", None), what="the tensor"
        )
    if tensor is not None and hasattr(tensor, "_checked"):
        tensor._checked()
    if tensor is not None and tuple(int(length) for length in tensor.shape) != shape:
        raise ValueError(f"the tensor's shape is {tuple(tensor.shape)}, the model's is {shape}")
    _refuse_another(tensor, record_of(result))
    fit = _fit(model, result, tensor)
    belief = belief_of(ranks, model) if result is None and ranks is not None else None
    chosen = ranks if belief is not None else None  # that has made this model
    record = record_of(result) or value_of(chosen, "tensor", {})
    name = tensor_name or value_of(record, "file") or value_of(tensor, "source")
    order = component_order(model)
    report = Report(
        title=title or _title(name, len(model.weights)),
        lead=_lead(model, result, fit),
        figures=_figures(model, result, tensor, fit),
        findings=_findings(model, result, fit),
        looked_at=_looked_at(result),
        data=data_facts(model, tensor, result, name),
        modes=modes_of(model, tensor),
        run=run_of(result),
        components=components_of(model, k, result if belief is None else belief),
        listed="known cells" if misses_unlisted(result) else "nonzeros",
        columns=scale_of_columns(model),
        map=map_of(model),
        ranks=None if ranks is None else ranks_of(ranks),
        residuals=residuals_of(model, result, tensor, k),
        reordered=bool((order != np.arange(len(order))).any()),
        commands=_commands(result, tensor, tensor_name, command, chosen),
        versions=versions_of(result) if result is not None else [],
        made=_now() if date is None else date,
    )
    return _rendered("report.html.j2", report)


@dataclass
class RanksPage:
    """What the template of a choice of the rank by itself shows."""

    title: str
    lead: str
    ranks: Ranks
    made: str


def render_ranks(choice: Any, *, title: str | None = None, date: str | None = None) -> str:
    """How many components the data have, and why, as one HTML page.

    Parameters
    ----------
    choice : RankChoice
        What `genten.choose_rank` has returned, or what `read_ranks` has read.
    title : str, optional
        The page's title.
    date : str, optional
        When the report was made. By default now, in UTC; "" leaves it out.

    Returns
    -------
    str
        HTML in UTF-8, with no link to anything outside.

    Examples
    --------
    >>> import genten
    >>> X = genten.read("data/ucb-admissions/ucb-admissions.tns")
    >>> page = render_ranks(genten.choose_rank(X, [1, 2], starts=3, loss="poisson"))
    >>> "<title>How many components</title>" in page
    True
    """
    name = value_of(value_of(choice, "tensor", {}), "file")
    of = f" of {os.path.basename(name)}" if name else ""
    lead = (
        "Several numbers of components were tried, each from several starts, and again without "
        "some entries, by which the models were tested."
    )
    made = _now() if date is None else date
    page = RanksPage(title or "How many components" + of, lead, ranks_of(choice), made)
    return _rendered("ranks.html.j2", page)


def _rendered(template: str, report: Report | RanksPage) -> str:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(report=report) + "\n"


def write_report(
    path: str | os.PathLike[str], source: ModelLike | ResultLike, **about: Any
) -> None:
    """Writes `render_report(source, ...)` to a file, which is overwritten when all is written.

    Parameters
    ----------
    path : path-like
        The file.
    source : Result or Model
        As of `render_report`.
    **about
        The keywords of `render_report`.

    Raises
    ------
    TypeError
        `source` is neither a Result nor a Model, as where it stands before the path.
    ValueError
        k is below 1, or model and tensor differ in shape.
    OSError
        The file cannot be written; what was there before is still there.

    Examples
    --------
    >>> import genten, os, tempfile
    >>> r = genten.cp(genten.read("data/titanic/titanic.tns"), 2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(os.path.join(folder, "run.html"), r, title="Titanic")
    ...     os.listdir(folder)
    ['run.html']
    """
    if hasattr(path, "factors") or hasattr(path, "model"):
        raise TypeError(
            "write_report: expected the path first, then the model, got a "
            f"{type(path).__name__} first"
        )
    write_whole(path, render_report(source, **about))


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def _title(name: str | None, rank: int) -> str:
    of = f" of {os.path.basename(name)}" if name else ""
    return f"CP model{of}, {count_of(rank, 'component')}"


def _refuse_another(tensor: TensorLike | None, record: Any) -> None:
    """Complains of a tensor that is not the run's, which the number of its nonzeros tells."""
    if tensor is None or value_of(record, "nnz") is None:
        return
    mine, its = nonzeros_of(tensor, record), nonzeros_of(None, record)
    if mine[0] != its[0] and (its[1] is None or mine[1] != its[1]):
        raise ValueError(
            f"the tensor: expected that of the run, with {its[0]} nonzeros, got one with {mine[0]}"
        )


def _fit(model: ModelLike, result: Any, tensor: TensorLike | None) -> float | None:
    if result is not None:
        return float(result.fit)
    return fit_of(model, tensor)[0] if tensor is not None else None


def _lead(model: ModelLike, result: Any, fit: float | None) -> str:
    ways, rank = len(model.factors), len(model.weights)
    record = completion_of(result)
    holes = "" if record is None else " with missing cells"
    text = f"A table of numbers in {count_of(ways, 'way')}{holes} is written as the sum of "
    text += f"{count_of(rank, 'simple pattern')}."
    if is_of_counts(result):
        return text + _lead_of_counts(result, fit)
    if is_generalized(result):
        return text + _lead_of_loss(result, fit)
    data = "data" if record is None else "cells that count"
    if fit is not None and np.isfinite(fit) and fit >= 0:
        text += (
            f" The model accounts for {1 - (1 - fit) ** 2:.1%} of the sum of squares of the {data}:"
            f" its fit is {number(fit)}, where 1 is exact and 0 is no better than nothing."
        )
    held = held_out_sentence(result)
    return f"{text} {held}" if held else text


def _lead_of_counts(result: Any, fit: float | None) -> str:
    deviance = value_of(result, "deviance")
    text = " The patterns were sought under which these counts are most likely"
    if deviance is not None:
        text += f": the deviance from the data is {number(float(deviance), 6)}, where 0 is exact"
    text += "."
    if fit is not None and np.isfinite(fit):
        text += f" By least squares, which were not sought, the fit is {number(fit)}."
    return text


def _lead_of_loss(result: Any, fit: float | None) -> str:
    objective = number(float(value_of(result, "objective", np.nan)), 6)
    text = f" The patterns were sought under which the loss, {loss_of(result)}, is least: the "
    text += f"objective is {objective}."
    held = held_out_loss_of(result)
    if held is not None:
        loss, error, entries = held
        text += (
            f" Over {count_of(entries, 'cell')} that it was not fitted to, the mean loss is"
            f" {number(loss)}, with a standard error of {number(error)}."
        )
    if fit is not None and np.isfinite(fit):
        text += f" By least squares, which were not sought, the fit is {number(fit)}."
    return text


def _figures(
    model: ModelLike, result: Any, tensor: TensorLike | None, fit: float | None
) -> list[tuple[str, str]]:
    figures = [("Components", f"{len(model.weights):,}")]
    if fit is not None:
        figures.insert(0, ("Fit", number(fit)))
    held, deviance = holdout_of(result), value_of(result, "deviance")
    if held is not None:
        figures.insert(1, ("Held-out RMSE", number(float(value_of(held, "rmse", np.nan)))))
    if deviance is not None:
        figures.insert(0, ("Deviance", number(float(deviance))))
    nnz, distinct = nonzeros_of(tensor, record_of(result))
    if nnz is not None:
        whole = "Known cells" if misses_unlisted(result) else "Nonzeros"
        figures.append((whole if distinct == nnz else "Stored entries", f"{nnz:,}"))
    if result is not None:
        figures.append(("Iterations", f"{result.iterations:,}"))
        starts = len(value_of(result, "starts", ()))
        if starts > 1:
            figures.append(("Starts", f"{starts:,}"))
    return figures


def _findings(model: ModelLike, result: Any, fit: float | None) -> list[Finding]:
    """Those of the run, and where it has no notes, or there is no run, those of the model."""
    found = [] if result is None else result_findings(result)
    if value_of(result, "notes") is None:
        # Weights are no norms where columns add up to 1, and where entries are missing the whole
        # tensor is larger than what is known of it.
        compares = goes_by_fit(result) and completion_of(result) is None
        norm = value_of(result, "tensor_norm") if compares else None
        found += model_findings(model, norm, fit)
    return found


def _looked_at(result: Any) -> str:
    looked = ["components that are nearly the same, that cancel each other, or without weight"]
    if value_of(result, "notes") is not None:
        ways = ["how the run ended"]
        ways += ["its tolerance"] * (stop_rule(result).column == "fit")
        ways += ["rounding"] + ["redundant equations"] * goes_by_fit(result)
        if len(value_of(result, "starts", ())) > 1:
            ways.append("agreement of the starts")
        looked = [*ways, *looked]
    return ", ".join(looked)


def _commands(
    result: Any, tensor: Any, name: str | None, command: str | None, chosen: Any
) -> list[tuple[str, str]]:
    if command is not None:
        return [("This makes the model again:", command)]
    source = result if result is not None else chosen
    options = value_of(source, "options", {})
    if source is None or not options:
        return []
    record = value_of(source, "tensor", {})
    if result is None:
        line = tool_command(options, name or value_of(record, "file", ""), command="rank")
        return [("On the command line, which writes the model with --output FILE:", line)]
    if value_of(record, "file"):  # The command-line tool's record.
        base = int(value_of(record, "index_base", 1))
        line = tool_command(options, name or record["file"], base, result)
        return [("On the command line:", line)]
    # What a result knows of its tensor goes before what the caller calls it.
    known = value_of(result, "tensor_facts")
    file = value_of(known, "file") if known else name or value_of(tensor, "source")
    return [("In Python:", python_lines(options, file, result))]
