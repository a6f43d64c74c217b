# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A report of a model that one can send: one HTML file (``pip install "genten[report]"``).

The file holds everything it needs, pictures as inline SVG, and no scripts.
"""

try:
    import jinja2 as _jinja2  # noqa: F401
except ImportError as error:
    raise ImportError('reports need Jinja2: pip install "genten[report]"') from error

from .ranks import RecordedRanks, read_ranks
from .recorded import Recorded, read_recorded
from .render import render_ranks, render_report

__all__ = [
    "Recorded", "RecordedRanks", "read_ranks", "read_recorded", "render_ranks", "render_report",
]  # fmt: skip
