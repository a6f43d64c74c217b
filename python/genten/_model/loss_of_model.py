# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The loss that a model is compared by, which is checked where it is set."""

from __future__ import annotations

from .evaluation import refuse_no_loss, refuse_unknown_loss


class OfLoss:
    """What has the name of a loss, or None for least squares."""

    loss_parameter: float | None = None

    @property
    def loss(self) -> str | None:
        """The loss by which errors of the model are compared, None for least squares."""
        found: str | None = vars(self).get("loss")
        return found

    @loss.setter
    def loss(self, word: str | None) -> None:
        refuse_no_loss(word)
        refuse_unknown_loss(word)
        vars(self)["loss"] = word  # where pickles of a plain attribute have it, too
