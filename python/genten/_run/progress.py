# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Progress of a run: a bar by tqdm, or lines of text."""

from __future__ import annotations

import math
import sys
import time
from typing import Any

from .iteration import Iteration

SECONDS_BETWEEN_LINES = 0.5
WHOLE = ("converged", "no_improvement", "stalled")
"""Why runs end that are not cut short."""


def _bar(total: int) -> Any:
    """A bar, in notebooks one of theirs; None without tqdm."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, unit="it", leave=True)


def _held_out(iteration: Iteration) -> str:
    """The error over held-out entries, where there are any."""
    rmse = iteration.holdout_rmse
    return "" if math.isnan(rmse) else f", held-out RMSE {rmse:.6g}"


class Progress:
    """Shows where a run stands, on standard error."""

    def __init__(
        self, options: dict[str, Any], of_fit: bool = True, name: str = "genten.cp"
    ) -> None:
        self._starts = options.get("starts", 1)
        self._most = options["max_iterations"]
        self._of_fit = of_fit
        self._bar = _bar(self._most)
        if self._bar is not None:
            self._bar.set_description(name, refresh=False)
        self._start = 0
        self._previous = 0
        self._last = 0.0
        self._open = False

    def show(self, iteration: Iteration) -> None:
        """To be called after each iteration."""
        if self._bar is not None:
            self._move_bar(iteration)
        else:
            self._print(iteration)

    def _reached(self, iteration: Iteration, digits: int) -> str:
        if self._of_fit:
            return f"fit {iteration.fit:.{digits}f}, change {iteration.fit_change:.1e}"
        return f"objective {iteration.objective:.{digits + 3}g}, KKT {iteration.kkt_violation:.1e}"

    def _move_bar(self, iteration: Iteration) -> None:
        is_first = iteration.start <= self._previous or iteration.iteration == 1
        self._previous = iteration.start
        if not is_first:  # Of starts that take turns the bar follows the first.
            return
        if iteration.start != self._start:
            self._start = iteration.start
            self._bar.reset(total=self._most)
        start = f"start {iteration.start + 1} of {self._starts}, " if self._starts > 1 else ""
        self._bar.n = iteration.iteration
        self._bar.set_postfix_str(
            f"{start}{self._reached(iteration, 6)}{_held_out(iteration)}",
            refresh=False,
        )
        self._bar.update(0)

    def _print(self, iteration: Iteration) -> None:
        now = time.monotonic()
        if iteration.iteration > 1 and now - self._last < SECONDS_BETWEEN_LINES:
            return
        self._last = now
        start = f"start {iteration.start + 1}, " if self._starts > 1 else ""
        line = (
            f"{start}iteration {iteration.iteration}: {self._reached(iteration, 9)}"
            f"{_held_out(iteration)}, {iteration.seconds:.1f} s"
        )
        terminal = sys.stderr.isatty()
        print(f"\r{line}\033[K" if terminal else line, end="" if terminal else "\n",
              file=sys.stderr, flush=True)  # fmt: skip
        self._open = terminal

    def close(self, stop_reason: str) -> None:
        """Ends the line, or the bar. `stop_reason` is why the last start ended, if it has: a run
        that went no further of its own accord is all of it, however many iterations it might have
        taken."""
        if self._bar is not None:
            if stop_reason in WHOLE:
                self._bar.total = self._bar.n
                container = getattr(self._bar, "container", None)  # In notebooks it has its own.
                if container is not None:
                    container.children[1].max = self._bar.n
            self._bar.refresh()
            self._bar.close()
        elif self._open:
            print(file=sys.stderr, flush=True)
