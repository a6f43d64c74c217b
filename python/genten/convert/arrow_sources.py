# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where batches of Arrow come from: files, datasets, and what makes a reader of its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import Any

from .parts import imported, loaded

BATCH_ROWS = 1 << 17
"""Rows of a batch, where the source lets us choose."""
BUFFER_BYTES = 1 << 20
"""What is read of a column at a time."""

_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "stream"}


def file_form(path: Any) -> str | None:
    """'parquet', 'arrow' or 'stream' by how a file begins; None of others, and of no file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            first = file.read(6)
    except (OSError, ValueError):
        return None  # Others complain.
    return next((form for magic, form in _MAGIC.items() if first.startswith(magic)), None)


def is_dataset(data: Any) -> bool:
    """Whether that is a dataset of pyarrow."""
    module = loaded("pyarrow.dataset")
    return module is not None and isinstance(data, (module.Dataset, module.Scanner))


class Source:
    """Batches, and how many rows there are where that is known."""

    def __init__(self, columns: Sequence[str], types: Any, rows: int | None) -> None:
        self.columns = list(columns)
        self.types = types
        self.rows = rows

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """The columns of these names, batch by batch."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends what is read, of which messages may keep the rest."""


class _Reader(Source):
    def __init__(self, data: Any, reader: Any) -> None:
        # Of DuckDB a second query counts rows, which may cost as much as the first.
        rows = getattr(data, "num_rows", None)
        schema = reader.schema
        super().__init__(schema.names, schema.types, rows if isinstance(rows, int) else None)
        self._reader = reader

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        places = [self.columns.index(name) for name in columns]
        for batch in self._reader:
            yield [batch.column(place) for place in places]

    def close(self) -> None:
        self._reader.close()  # without which a connection of DuckDB takes no other query


class _Dataset(Source):
    def __init__(self, dataset: Any) -> None:
        schema = dataset.schema
        super().__init__(schema.names, schema.types, dataset.count_rows())
        self._dataset = dataset

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        # Read ahead by less than pyarrow does by itself, which is many batches of all threads.
        ahead = {"batch_size": BATCH_ROWS, "batch_readahead": 2, "fragment_readahead": 1}
        for batch in self._dataset.to_batches(columns=list(columns), **ahead):
            yield batch.columns


class _Parquet(Source):
    def __init__(self, path: str) -> None:
        parquet = imported("pyarrow.parquet", "files of Parquet need pyarrow")
        # By default all of the file is kept in memory once it is read.
        self._file = parquet.ParquetFile(path, pre_buffer=False, buffer_size=BUFFER_BYTES)
        schema = self._file.schema_arrow
        super().__init__(schema.names, schema.types, self._file.metadata.num_rows)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        options = {"batch_size": BATCH_ROWS, "columns": list(columns)}
        for groups in self._row_groups():  # what is decoded of these is then let go
            for batch in self._file.iter_batches(row_groups=groups, **options):
                yield [batch.column(name) for name in columns]

    def _row_groups(self) -> Iterator[list[int]]:
        """Groups that follow each other, one or as many as have a batch of rows."""
        metadata = self._file.metadata
        groups: list[int] = []
        rows = 0
        for number in range(metadata.num_row_groups):
            groups.append(number)
            rows += metadata.row_group(number).num_rows
            if rows >= BATCH_ROWS:
                yield groups
                groups, rows = [], 0
        if groups:
            yield groups


class _ArrowFile(Source):
    def __init__(self, path: str) -> None:
        arrow = imported("pyarrow", "files of Arrow need pyarrow")
        self._file = arrow.ipc.open_file(arrow.memory_map(path))
        super().__init__(self._file.schema.names, self._file.schema.types, None)

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        places = [self.columns.index(name) for name in columns]
        for number in range(self._file.num_record_batches):
            batch = self._file.get_batch(number)
            for row in range(0, batch.num_rows, BATCH_ROWS):
                part = batch.slice(row, BATCH_ROWS)
                yield [part.column(place) for place in places]


def source_of(data: Any) -> Source:
    """The batches of a table, or of a file by its path."""
    if isinstance(data, str):
        return _Parquet(data) if file_form(data) == "parquet" else _ArrowFile(data)
    arrow = imported("pyarrow", "tables in Arrow's form need pyarrow")
    if is_dataset(data) and hasattr(data, "schema"):
        return _Dataset(data)
    for name in ("to_arrow_reader", "fetch_record_batch", "to_reader"):
        if hasattr(data, name):
            rows = () if name == "to_reader" else (BATCH_ROWS,)
            return _Reader(data, getattr(data, name)(*rows))
    return _Reader(data, arrow.RecordBatchReader.from_stream(data))
