# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Long tables that come as batches of Arrow: files of Parquet, Arrow and Feather, tables and
datasets of pyarrow, relations of DuckDB, lazy frames of Polars, and what else has
``__arrow_c_stream__``. Only one batch is in memory beside the tensor; of a lazy frame all
rows are, since Polars computes it whole."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np

from . import frames, wide
from .arrow_sources import BATCH_ROWS, Source, file_form as file_form, is_dataset, source_of
from .columns import (
    OF_IDS,
    OF_TABLE,
    Holes,
    Infinite,
    checked_name,
    from_base,
    modes_of,
    parts_of_columns,
    refuse_unknown,
    subscripts_in,
    warn_of_numbers,
    warn_of_numbers_as_texts,
)
from .keys import labels_of, numbered
from .numbers import of_decimals
from .parts import (
    AnyArray,
    Parts,
    as_values,
    columns_of as columns_in,
    imported,
    loaded,
    refuse_hints,
    warn,
)
from .series import of_long_integers
from .times import texts_at_zones, texts_of

_NAMELESS = re.compile(r"__index_level_\d+__")

PENDING_KEYS = 1 << 20
"""Keys of batches that are compared with the known ones together, at least: each time a table of
all of these is built anew."""
PENDING_BYTES = 1 << 27
"""Unless they take so much memory."""

def _is_lazy(data: Any) -> bool:
    lazy = getattr(loaded("polars"), "LazyFrame", None)
    return lazy is not None and isinstance(data, lazy)


def _is_relation(data: Any) -> bool:
    relation = getattr(loaded("duckdb"), "DuckDBPyRelation", None)
    return relation is not None and isinstance(data, relation)


def accepts(data: Any) -> bool:
    """Whether `data` is a table in Arrow's form, or makes one."""
    if isinstance(data, type):
        return False
    known = _is_lazy(data) or _is_relation(data) or is_dataset(data)
    return known or hasattr(data, "__arrow_c_stream__")


class _Rows:
    """Numbers by row, which grow where they lie: `numpy.concatenate` would take twice the memory.
    """

    def __init__(self, rows: int | None, columns: int, dtype: Any) -> None:
        self._numbers = np.empty((0 if rows is None else rows, columns), dtype=dtype)
        self._filled = 0

    def fill(self, columns: Sequence[AnyArray]) -> None:
        count = len(columns[0])
        end = self._filled + count
        if end > len(self._numbers):
            longer = max(end, len(self._numbers) * 3 // 2)
            self._numbers.resize((longer, self._numbers.shape[1]), refcheck=False)
        if any(each.dtype.kind in "iu" and each.size and each.max() > np.iinfo(np.uint32).max
               for each in columns) and self._numbers.dtype == np.uint32:  # fmt: skip
            self._numbers = self._numbers.astype(np.uint64)
        for n, column in enumerate(columns):
            self._numbers[self._filled : end, n] = column
        self._filled = end

    def part(self, begin: int, column: int) -> AnyArray:
        """The numbers of a column from a row on, to be changed where they lie."""
        return self._numbers[begin : self._filled, column]

    def all(self) -> AnyArray:
        if self._filled != len(self._numbers):
            self._numbers.resize((self._filled, self._numbers.shape[1]), refcheck=False)
        return self._numbers


class _Mode:
    """A column that is a mode: its subscripts batch by batch, and labels at the end. Keys are
    numbered by their batch at first, and again when enough of them are together."""

    def __init__(self, name: str, kind: Any, base: int | None) -> None:
        self._types = imported("pyarrow", "tables in Arrow's form need pyarrow").types
        self.name = name
        self.kind = kind
        self.base = base
        self.known: Any = None  # the distinct keys, in the order in which they come
        self._pending: list[Any] = []  # keys of the batches since
        self._rows = 0
        self._known_keys = self._pending_keys = self._pending_bytes = self._settled_rows = 0
        types = self._types
        self._is_number = types.is_integer(kind) or types.is_floating(kind)

    @property
    def holds_texts(self) -> bool:
        return _is_text(self._types, self.kind)

    def subscripts(self, column: Any) -> AnyArray:
        if self._is_number:
            found = subscripts_in(column.to_numpy(zero_copy_only=False), self.name, self._rows)
            self._rows += len(found)
            if found.size and found.min() < 0:
                raise ValueError(
                    f"column {self.name!r}: expected subscripts of at least 0, got {found.min()}"
                )
            return from_base(found, self.base, f"column {self.name!r}")
        arrow = loaded("pyarrow")
        compute = imported("pyarrow.compute", "tables in Arrow's form need pyarrow")
        is_dictionary = self._types.is_dictionary(column.type)
        coded = column if is_dictionary else compute.dictionary_encode(column)
        keys = coded.dictionary
        # Keys of many batches together may be longer than offsets of 32 bits reach.
        if _is_text(self._types, keys.type):
            keys = keys.cast(arrow.large_string())
        elif self._types.is_binary(keys.type) or self._types.is_binary_view(keys.type):
            keys = keys.cast(arrow.large_binary())
        # Batches of one column of categories may have the same dictionary.
        if not (self._pending and is_dictionary and keys.equals(self._pending[-1])):
            self._pending.append(keys)
            self._pending_keys += len(keys)
            self._pending_bytes += keys.nbytes
        first = self._known_keys + self._pending_keys - len(keys)
        codes = coded.indices.to_numpy(zero_copy_only=False)
        return first + codes.astype(np.int64)  # type: ignore[no-any-return]

    def settle(self, rows: _Rows, column: int, at_end: bool = False) -> None:
        """Numbers the keys of the last batches among the known ones, if there are enough of
        them."""
        few = self._pending_keys < max(PENDING_KEYS, 2 * self._known_keys)
        if not self._pending or (few and self._pending_bytes < PENDING_BYTES and not at_end):
            return
        arrow, compute = loaded("pyarrow"), loaded("pyarrow.compute")
        keys = arrow.concat_arrays(self._pending)
        if self.known is None:
            self.known = keys.slice(0, 0)
        found = compute.index_in(keys, value_set=self.known)
        if found.null_count:
            new = compute.filter(keys, compute.is_null(found))
            distinct = compute.unique(new)
            places = found.fill_null(0).to_numpy().copy()
            places[found.is_null().to_numpy(zero_copy_only=False)] = self._known_keys + (
                compute.index_in(new, value_set=distinct).to_numpy()
            )
            self.known = arrow.concat_arrays([self.known, distinct])
        else:
            places = found.to_numpy()
        numbers = rows.part(self._settled_rows, column)
        for begin in range(0, len(numbers), BATCH_ROWS):
            part = numbers[begin : begin + BATCH_ROWS]
            part[...] = places[part - self._known_keys]
        self._settled_rows += len(numbers)
        self._known_keys, self._pending_keys, self._pending_bytes = len(self.known), 0, 0
        self._pending.clear()

    def ordered(self) -> tuple[AnyArray | None, list[str] | None]:
        """Where each known key stands among the labels, None for just so, and these."""
        if self._is_number:
            return None, None
        if self.known is None:
            return None, []
        keys = self.known
        if self._types.is_dictionary(self.kind):  # as categories, in their own order
            return None, labels_of(self.name, keys.to_pylist())
        if self._types.is_timestamp(keys.type):
            return _ordered_times(keys)
        places, labels = numbered(self.name, keys.to_pylist())
        return places, labels


def _ordered_times(keys: Any) -> tuple[AnyArray, list[str]]:
    utc = keys.to_numpy(zero_copy_only=False)
    order = np.argsort(utc)
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    if keys.type.tz is None:
        return places, texts_of(utc[order])
    local = loaded("pyarrow").compute.local_timestamp(keys).to_numpy(zero_copy_only=False)
    return places, texts_at_zones(local[order], utc[order])


def _is_text(types: Any, kind: Any) -> bool:
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _may_be_numbers(types: Any, kind: Any) -> bool:
    """Whether a column may be one of values. Of times others say how they become numbers, and of
    nested and extended types what to do."""
    kind = kind.value_type if types.is_dictionary(kind) else kind
    is_binary = types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind)
    return not (_is_text(types, kind) or types.is_time(kind) or is_binary)


def _refuse_extension(data: Any, name: str, kind: Any) -> None:
    """Complains of types that pandas has put into Arrow's, as of periods and intervals.

    Raises
    ------
    ValueError
        With what pandas makes of the table.
    """
    inner = getattr(kind, "value_type", kind)
    if not isinstance(inner, loaded("pyarrow").BaseExtensionType):
        return
    frame = "table.to_pandas()" if hasattr(data, "to_pandas") else ""
    if inner is not kind:
        frame = ""  # pandas does not take such dictionaries
    elif isinstance(data, str):
        reads = "parquet" if file_form(data) == "parquet" else "feather"
        frame = f"pandas.read_{reads}({data!r})"
    way = f"genten.tensor({frame}, ...) takes it" if frame else "make texts of it"
    raise ValueError(f"column {name!r}: expected texts, times or numbers, got {kind}: {way}")


def _missing_in(column: Any) -> AnyArray:
    """The rows that lack a value, NaN among these."""
    is_float = loaded("pyarrow").types.is_floating(column.type)
    if not column.null_count and not is_float:
        return np.empty(0, dtype=np.int64)
    missing = column.is_null(nan_is_null=is_float)
    return np.flatnonzero(missing.to_numpy(zero_copy_only=False))


def _of_arrow(series: Any) -> Any:
    """A column of polars without integers of 128 bits, which pyarrow does not have: those that are
    longer than 64 bits are texts."""
    found = of_long_integers(series)
    is_longer = found is not series and found.dtype == loaded("polars").Object
    return series.cast(loaded("polars").String) if is_longer else found


def _numbers(types: Any, column: Any) -> AnyArray:
    column = of_decimals(types, column)  # as sums of DuckDB are
    return column.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _dropping(data: Any, columns: Sequence[str]) -> str:
    """How rows that lack a value are left out, for messages; "" where that takes more words."""
    frame = "relation.df()" if _is_relation(data) else "table.to_pandas()"
    is_table = _is_relation(data) or hasattr(data, "drop_null")  # of pyarrow
    return f", as by {frame}.dropna(subset={list(columns)!r})" if is_table else ""


def _leaving_infinite_out(data: Any, values: Any) -> str:
    """How rows with infinite values are left out, for messages."""
    if _is_relation(data):
        column = str(values).replace('"', '""')
        condition = f'isfinite("{column}")'
        return f", as by relation.filter({condition!r})"
    if hasattr(data, "lazy"):  # a lazy frame of Polars that was computed
        return f", as by frame.filter(polars.col({values!r}).is_finite())"
    finite = f"pyarrow.compute.is_finite(pyarrow.compute.field({values!r}))"
    if isinstance(data, str) and file_form(data) == "parquet":
        return f", as by pyarrow.parquet.read_table({data!r}, filters={finite})"
    can_filter = hasattr(data, "drop_null") or is_dataset(data)  # those of pyarrow
    return f", as by table.filter({finite})" if can_filter else ""


def _but_index(columns: Sequence[str], asked: Sequence[Any] = ()) -> list[str]:
    """The columns without those in which pandas keeps an index that has no name."""
    return [each for each in columns if each in asked or not _NAMELESS.fullmatch(each)]


def columns_of(path: str) -> list[str]:
    """The names of the columns of a file of Parquet or Arrow, but for a nameless index."""
    return _but_index(source_of(path).columns)


def columns_of_table(data: Any) -> list[str] | None:
    """The names of the columns of a table, a relation or a stream, none of which is read; None
    where it does not tell them."""
    if _is_lazy(data):
        return list(data.collect_schema().names())
    schema = getattr(data, "schema", None)
    names = getattr(schema, "names", None) or getattr(data, "columns", None)
    if not isinstance(names, (list, tuple)):
        return None
    return _but_index([str(name) for name in names])


def as_frame(data: Any) -> Any:
    """A table in Arrow's form, or what makes one, as one of pandas or polars; anything else as it
    is."""
    if frames.accepts(data) or not accepts(data) or columns_of_table(data) is None:
        return data
    if _is_lazy(data):
        return data.collect()
    if _is_relation(data):
        return data.df() if importlib.util.find_spec("pandas") else data.pl()
    if is_dataset(data):
        return data.to_table().to_pandas()
    arrow = imported("pyarrow", "tables in Arrow's form need pyarrow")
    return arrow.table(data).to_pandas()


def to_parts(
    data: Any,
    dtype: Any = None,
    shape: Any = None,
    modes: Sequence[Any] | None = None,
    values: Any = None,
    index_base: int | None = None,
    notes: bool = True,
    **hints: Any,
) -> Parts:
    """The parts of a table, or of a file by its path; as those that `frames` makes, batch by
    batch."""
    refuse_hints("a table", **hints)
    series = getattr(loaded("polars"), "Series", None)
    if series is not None and isinstance(data, series):
        raise TypeError(
            "expected a table, a column for each mode, got a Series of polars, which says nothing "
            "of modes: its .to_frame() counts how often each of its values occurs"
        )
    if _is_lazy(data):
        data = data.collect()
        data = data.with_columns(_of_arrow(each) for each in data)
    if values is not None:
        checked_name("values", values, data)
    with closing(source_of(data)) as source:
        return _parts_of(source, data, dtype, shape, modes, values, index_base, notes)


def _parts_of(
    source: Source,
    data: Any,
    dtype: Any,
    shape: Any,
    modes: Sequence[Any] | None,
    values: Any,
    index_base: int | None,
    notes: bool,
) -> Parts:
    kinds = dict(zip(source.columns, source.types, strict=True))
    types = loaded("pyarrow").types
    if values is not None:
        refuse_unknown(source.columns, values)
        if _is_text(types, kinds[values]):
            raise ValueError(
                f"values: expected numbers in column {values!r}, got texts; cast them before"
            )
        if not _may_be_numbers(types, kinds[values]):
            raise ValueError(
                f"values: expected numbers in column {values!r}, got {kinds[values]}; without "
                "values= each row counts as 1"
            )
    there = _but_index(source.columns, [values])
    floats = [
        name for name in there if types.is_floating(kinds[name]) or types.is_decimal(kinds[name])
    ]
    about_wide = partial(wide.about_arrow, data, there, floats)
    if modes is None and notes and len(there) < len(source.columns):
        left = next(name for name in source.columns if name not in there)
        warn(
            f"column {left!r}, in which pandas has kept an index without a name, is left out: "
            "modes= or values= takes it"
        )
    names = modes_of(
        there if modes is None else source.columns, modes, values,
        floats.__contains__,
        lambda name: types.is_integer(kinds[name]),
        "values={!r}" if isinstance(data, str) else OF_TABLE,
        lambda name: "" if values is None else OF_IDS,
        about_wide,
    )  # fmt: skip
    for name in names:
        refuse_unknown(source.columns, name)
    wanted = [*names, values] if values is not None else names
    for name in wanted:
        _refuse_extension(data, name, kinds[name])
        if types.is_nested(kinds[name]):
            raise ValueError(
                f"column {name!r}: expected texts, times or numbers, got {kinds[name]}: "
                "name other columns by modes= and values="
            )
    columns = [_Mode(name, kinds[name], index_base) for name in names]
    rows = _Rows(source.rows, len(names), np.uint32)
    numbers = None
    holes, infinite, row = Holes(), Infinite(), 0
    for batch in source.batches(wanted):
        for name, column in zip(wanted, batch, strict=True):
            holes.add(name, _missing_in(column) + row)
        if holes or not len(batch[0]):  # Of the rest only what is missing is of interest then.
            row += len(batch[0])
            continue
        if values is None:
            own = np.ones(len(batch[0]), dtype=np.float64 if dtype is None else dtype)
        else:
            own = as_values(_numbers(types, batch[-1]), dtype)
            infinite.add(own, row)
        numbers = _Rows(source.rows, 1, own.dtype) if numbers is None else numbers
        rows.fill([mode.subscripts(part) for mode, part in zip(columns, batch, strict=False)])
        numbers.fill([own])
        for n, mode in enumerate(columns):
            mode.settle(rows, n)
        row += len(own)
    hint, lacking = "", [name for name in holes.columns if name != values]
    if modes is None and any(types.is_integer(kinds[name]) for name in lacking):
        whole = [name for name in names if types.is_integer(kinds[name])]
        of_values = [] if values is None else [values]
        hint = about_wide([*of_values, *whole]) if len(whole) > 1 else ""
    holes.refuse(values, _dropping(data, holes.columns), hint=hint)
    infinite.refuse(values, _leaving_infinite_out(data, values))
    for n, mode in enumerate(columns):
        mode.settle(rows, n, at_end=True)
    parts = _finished(columns, rows.all(), numbers, shape, notes, index_base is not None)
    if values is None and modes is None:
        labels = zip(columns, parts.labels or [], strict=True)
        warn_of_numbers_as_texts(names, [each if m.holds_texts else None for m, each in labels])
    parts.of_truths = values is not None and types.is_boolean(kinds[values])
    if values is not None and notes:
        taken = list(zip(columns_in(parts.subscripts), parts.labels or [], strict=True))
        warn_of_numbers(names, taken, values, parts.values, about_wide, modes is not None)
    return parts


def _finished(
    columns: list[_Mode],
    subscripts: AnyArray,
    numbers: _Rows | None,
    shape: Any,
    notes: bool,
    based: bool,
) -> Parts:
    """The parts of all batches, subscripts in the order of sorted labels."""
    taken: list[tuple[AnyArray, Sequence[str] | None]] = []
    names = [mode.name for mode in columns]
    for n, mode in enumerate(columns):
        places, labels = mode.ordered()
        if places is not None:
            for begin in range(0, len(subscripts), BATCH_ROWS):
                part = subscripts[begin : begin + BATCH_ROWS, n]
                part[...] = places[part]
        taken.append((subscripts[:, n], labels))
    own = np.empty(0) if numbers is None else numbers.all()[:, 0]
    parts = parts_of_columns(names, taken, own, shape, notes, based)
    parts.subscripts, parts.own = subscripts, True
    return parts
