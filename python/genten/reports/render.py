# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report itself: what it says, put into its template."""

import datetime
import functools
import os
import pathlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .._missing import without_missing
from .._model.evaluation import Evaluation
from .._model.partial import leaving_out, partial_modes
from .._tensor_for import tensor_for
from ..describe import (
    Finding,
    ModelLike,
    ResultLike,
    TensorLike,
    component_order,
    fit_of,
    lengths_of,
    tucker_of,
    value_of,
)
from ..describe.another import record_of, refuse_another
from ..describe.goals import has_fit, misses_unlisted
from ..describe.protocols import fitted, model_of
from ..tensors import Tensor, beside
from .command import options_with_reading, python_lines, tool_command, unknown_reading
from .components import Component, components_of, scale_of_columns
from .core import Core, core_of, findings_of_tucker, numbers_in, size_facts
from .map import Map, map_of
from .method import count_of
from .missing import findings_of_entries, missing_facts, missing_of, partial_facts, zeros_of
from .ranks import Ranks, belief_of, ranks_of, refuse_other_ranks
from .residuals import Residuals, residuals_of
from .run import (
    Mode,
    Run,
    data_facts,
    modes_of,
    nonzeros_of,
    run_of,
    versions_of,
)
from .summary import (
    figures_of,
    figures_of_loss,
    findings_of,
    lead_of,
    lead_of_tucker,
    looked_at,
    not_looked_at,
    numbered,
)

TEMPLATES = pathlib.Path(__file__).parent / "templates"


@dataclass(kw_only=True)
class Report:
    """What the template shows of any model."""

    title: str
    lead: str
    figures: list[tuple[str, str]]
    findings: list[Finding]
    looked_at: str
    not_looked_at: str
    zeros: str
    data: list[tuple[str, str]]
    modes: list[Mode]
    numbered: str
    run: Run
    listed: str = "nonzeros"
    residuals: Residuals = field(default_factory=Residuals)
    commands: list[tuple[str, str]] = field(default_factory=list)
    versions: list[tuple[str, str]] = field(default_factory=list)
    made: str = ""


@dataclass(kw_only=True)
class CpReport(Report):
    """And of a CP model."""

    components: list[Component]
    reordered: bool
    columns: str
    map: Map | None
    ranks: Ranks | None


@dataclass(kw_only=True)
class TuckerReport(Report):
    """And of a Tucker model."""

    core: Core


def render_report(
    source: ModelLike | ResultLike | Any,
    *,
    tensor: Any = None,
    tensor_name: str | None = None,
    title: str | None = None,
    k: int = 10,
    command: str | None = None,
    date: str | None = None,
    ranks: Any = None,
    missing: Any = None,
    partial: Any = None,
) -> str:
    """Everything about a model and how it was made, as one HTML page.

    Parameters
    ----------
    source : Result, TuckerResult, Model, TuckerModel or fitted CP
        What `genten.cp` or `genten.tucker` returns, what `read_recorded` has read, or a model by
        itself. It is not changed.
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
        How many rows of long modes are named in each component, or column of a Tucker model,
        and how many elements of its core. Modes of at most 16 rows are shown whole.
    command : str, optional
        The line that makes the model again, where the report would not know it.
    date : str, optional
        When the report was made. By default now, in UTC; "" leaves it out.
    ranks : RankChoice, optional
        What `genten.choose_rank` has returned, or what `read_ranks` has read: a section says how
        many components the data have, and why. None beside a Tucker model.
    missing : 'unlisted', 'none', entries, a tensor or the path of a file, optional
        Which entries of the tensor do not count, as of `Model.evaluate`; by default as in the run.
        Where that had a list which is not known here, all count, and a warning says so.
    partial : True, modes or 'all', optional
        Modes of which the tensor has some rows alone: the others do not count, as of
        `Model.evaluate`. None beside a run, whose tensor has all, or a Tucker model.

    Returns
    -------
    str
        HTML in UTF-8, with no link to anything outside.

    Raises
    ------
    TypeError
        `source` is neither a result nor a model.
    ValueError
        The estimator is not fitted, k is below 1, or model and tensor differ in shape, or the
        tensor has nonzeros in rows that the model lacks, or is not that of the run, which the
        number of its nonzeros, its norm and the fit tell, or there are `ranks` beside a Tucker
        model, or of another tensor, or what is missing or partial of none.

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
    source = fitted(source, "report")
    tucker = tucker_of(source)
    if tucker is not None and ranks is not None:
        raise ValueError(
            "ranks: expected a CP model beside a choice of the number of components, got a Tucker "
            "model, which has none"
        )
    model = model_of(source) if tucker is None else tucker
    result: Any = None if model is source else source
    tensor, missing = without_missing(tensor, missing, getattr(model, "_run", {}))
    some = _partial_modes(partial, tensor, model, result)
    takes_parts = result is None and tucker is None
    remedy = leaving_out(some, getattr(model, "mode_names", None))
    told = {"partial": some, "of_lacking": remedy} if takes_parts else {}
    if tensor is not None and (not hasattr(tensor, "subscripts") or isinstance(tensor, Tensor)):
        tensor = tensor_for(model, tensor, "the tensor")  # A path, a table, ...
    own, tensor = tensor, _placed(tensor, model, told)
    _refuse_another(tensor, model, result)
    if ranks is not None:
        nonzeros = value_of(record_of(result), "nnz", value_of(tensor, "nnz"))
        refuse_other_ranks(ranks, model, nonzeros)
    away = missing_of(missing, own, tensor, model, result)
    errors, refused = _under_loss(model, result, tensor, away, some)
    fit = None if refused else _fit(model, result, tensor, (away, some), errors)
    belief = belief_of(ranks, model) if result is None and ranks is not None else None
    chosen = ranks if belief is not None else None  # that has made this model
    source_of_notes = chosen if result is None else result
    record = record_of(result) or value_of(chosen, "tensor", {})
    name = tensor_name or value_of(record, "file") or value_of(tensor, "source")
    of = f" of {os.path.basename(name)}" if name else ""
    about: dict[str, Any] = {
        "looked_at": looked_at(source_of_notes, tucker is not None, ranks),
        "not_looked_at": not_looked_at(source_of_notes, fit is not None or bool(refused)),
        "data": data_facts(model, tensor, result, name)
        + missing_facts(away, result)
        + partial_facts(model, some),
        "modes": modes_of(model, tensor),
        "numbered": numbered(model, "components" if tucker is None else "columns"),
        "run": run_of(result),
        "listed": "known entries" if misses_unlisted(result) else "nonzeros",
        "residuals": residuals_of(model, result, tensor, k, away, some),
        "commands": _commands(model, result, tensor, tensor_name, command, chosen),
        "versions": versions_of(result) if result is not None else [],
        "made": _now() if date is None else date,
    }
    believed = result if belief is None else belief
    if tucker is None:
        findings = refused + findings_of(model, result, fit, ranks, chosen, believed)
    else:
        findings = findings_of_tucker(tucker, result)
    if value_of(source_of_notes, "notes") is None:
        findings += findings_of_entries(model, tensor, away, some)
    about["findings"] = findings
    about["zeros"] = zeros_of(model, source_of_notes, tensor, findings)
    if tucker is not None:
        core = core_of(tucker, k)
        own = [("Core", core.ranks), ("Numbers", f"{sum(numbers_in(tucker)):,}")]
        about["data"] += size_facts(tucker)
        return _rendered(
            "tucker.html.j2",
            TuckerReport(
                title=title or f"Tucker model{of}, core {core.ranks}",
                lead=lead_of_tucker(tucker, core.ranks, fit),
                figures=figures_of(own, result, tensor, fit),
                core=core,
                **about,
            ),
        )
    order = component_order(model)
    rank = len(model.weights)
    return _rendered(
        "cp.html.j2",
        CpReport(
            title=title or f"CP model{of}, {count_of(rank, 'component')}",
            lead=lead_of(model, result, fit, errors),
            figures=figures_of(
                [("Components", f"{rank:,}"), *figures_of_loss(errors)], result, tensor, fit
            ),
            components=components_of(model, k, believed),
            columns=scale_of_columns(model),
            map=map_of(model),
            ranks=None if ranks is None else ranks_of(ranks),
            reordered=bool((order != np.arange(len(order))).any()),
            **about,
        ),
    )


def _partial_modes(partial: Any, tensor: Any, model: Any, result: Any) -> list[int]:
    """The modes of which a tensor has some rows alone.

    Raises
    ------
    ValueError
        Where there is no tensor, that of a run, or a Tucker model.
    """
    if partial is None or partial is False:
        return []
    if tensor is None:
        raise ValueError("partial: has no effect without a tensor")
    if result is not None or tucker_of(model) is not None:
        beside = "a run, whose tensor has" if result is not None else "a Tucker model, which needs"
        raise ValueError(f"partial: has no effect beside {beside} all rows: leave it out")
    names = value_of(model, "mode_names")
    return partial_modes(partial, len(lengths_of(model)), names, "report")


def _placed(tensor: Any, model: Any, told: dict[str, Any]) -> Any:
    """The tensor with the model's modes and rows, and of its shape; None where there is none. By
    `told` warnings tell of rows that it lacks."""
    if tensor is None:
        return None
    if getattr(tensor, "labels", None) is not None:
        tensor = beside(model, tensor, "the tensor", **told)
    if hasattr(tensor, "_checked"):
        tensor._checked()
    shape = lengths_of(model)
    if tuple(int(length) for length in tensor.shape) != shape:
        raise ValueError(f"the tensor's shape is {tuple(tensor.shape)}, the model's is {shape}")
    return tensor


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


def page_of(source: Any) -> functools.partial[str]:
    """What renders the page of a result or a model, or of a choice of the rank, to which its best
    result belongs."""
    if not hasattr(source, "suggested"):
        return functools.partial(render_report, source)
    best = value_of(source, "results", {}).get(source.suggested)
    if best is None:
        return functools.partial(render_ranks, source)
    return functools.partial(render_report, best, ranks=source)


def _now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def _refuse_another(tensor: TensorLike | None, model: Any, result: Any) -> None:
    """Complains of a tensor that is not the run's, which the number of its nonzeros, its norm and
    the model's fit tell."""
    record = record_of(result)
    if tensor is None or value_of(record, "nnz") is None:
        return
    mine, its = nonzeros_of(tensor, record), nonzeros_of(None, record)
    if mine[0] != its[0] and (its[1] is None or mine[1] != its[1]):
        raise ValueError(
            f"the tensor: expected that of the run, with {count_of(its[0] or 0, 'nonzero')}, got "
            f"one with {mine[0]}"
        )
    refuse_another(tensor, model, result, "the tensor")


def _under_loss(
    model: Any, result: Any, tensor: TensorLike | None, missing: Any, partial: list[int]
) -> tuple[Evaluation | None, list[Finding]]:
    """Errors under the loss of a model, where it has another one than least squares and no result
    knows its fit, and what to say where that loss does not take the tensor's values."""
    if tensor is None or value_of(model, "loss") is None or not hasattr(tensor, "innerprod"):
        return None, []
    if result is not None and has_fit(result):
        return None, []
    try:
        return model.evaluate(tensor, missing=missing or "none", partial=partial or None), []
    except ValueError as error:
        title = "The loss does not take the values of the tensor"
        text = f"Neither errors nor the fit of the model are known beside this tensor: {error}."
        return None, [Finding("loss", title, text)]


def _fit(
    model: ModelLike,
    result: Any,
    tensor: TensorLike | None,
    counted: tuple[Any, list[int]],
    errors: Evaluation | None,
) -> float | None:
    """Of expected values; None where it is not known. `counted` is what is missing, and the modes
    of which the tensor has some rows alone."""
    if result is not None and has_fit(result):
        return float(result.fit)
    if errors is not None:
        return errors.fit
    return fit_of(model, tensor, *counted)[0] if tensor is not None and result is None else None


def _commands(
    model: Any, result: Any, tensor: Any, name: str | None, command: str | None, chosen: Any
) -> list[tuple[str, str]]:
    if command is not None:
        return [("This makes the model again:", command)]
    source = result if result is not None else chosen
    options = value_of(source, "options", {})
    if source is None or not options:
        return []
    if getattr(model, "_run", {}).get("ridge_by_default"):
        # The run has chosen it on its way: given, it would be the same from the first iteration on.
        options = {option: value for option, value in options.items() if option != "ridge"}
    record = value_of(source, "tensor", {})
    if result is None or value_of(record, "file"):  # The command-line tool's record.
        base = int(value_of(record, "index_base", 1)) if result is not None else 1
        kind = "rank" if result is None else "decompose"
        options = options_with_reading(options, record, tensor, model)
        if value_of(record, "format") == "table" and "values" not in options:
            line = unknown_reading(options, result, kind)
        else:
            line = tool_command(options, name or value_of(record, "file", ""), base, result, kind)
        writes = ", which writes the model with --output FILE" * (result is None)
        return [(f"On the command line{writes}:", line)]
    # What a result knows of its tensor goes before what the caller calls it.
    known = value_of(result, "tensor_facts")
    file = value_of(known, "file") if known else name or value_of(tensor, "source")
    return [("In Python:", python_lines(options, file, result))]
