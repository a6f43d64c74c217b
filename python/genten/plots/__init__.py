# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of models and runs, by Matplotlib (``pip install "genten[plot]"``).

Every function returns a `matplotlib.figure.Figure` that a notebook shows by itself; `save` writes
it as PNG, SVG or PDF. Nothing depends on Matplotlib's global state or changes it, and models and
results are only read. To see a picture in a window, give `figure=matplotlib.pyplot.figure()`.
"""

try:
    import matplotlib as _matplotlib  # noqa: F401
except ImportError as error:
    raise ImportError('pictures need Matplotlib: pip install "genten[plot]"') from error

from .convergence import plot_result
from .model import plot_model
from .ranks import plot_ranks
from .starts import plot_starts
from .style import save
from .tucker import plot_tucker

__all__ = ["plot_model", "plot_ranks", "plot_result", "plot_starts", "plot_tucker", "save"]
