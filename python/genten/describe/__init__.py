# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What pictures and reports say about a model and a run, in numbers and words.

Nothing here draws or writes. Pictures count from 0, as Python does; reports count from 1, as the
command-line tool and text files do: `first` says which. Both number rows without names as the table
does of which a model was made.
"""

from .findings import Finding, congruence, model_findings, result_findings, trust_findings
from .fits import fit_of
from .kinds import Kind, kind_of, places_of
from .model import (
    component_order,
    first_row,
    lengths_of,
    limits_of,
    mode_name,
    relative_weights,
    row_name,
    shorten,
    strongest,
)
from .protocols import ModelLike, ResultLike, TensorLike, tucker_of, value_of
from .trust import belief_in, is_unstable, whiskers_of

__all__ = [
    "Finding",
    "Kind",
    "ModelLike",
    "ResultLike",
    "TensorLike",
    "belief_in",
    "component_order",
    "congruence",
    "first_row",
    "fit_of",
    "is_unstable",
    "kind_of",
    "lengths_of",
    "limits_of",
    "mode_name",
    "model_findings",
    "places_of",
    "relative_weights",
    "result_findings",
    "row_name",
    "shorten",
    "strongest",
    "trust_findings",
    "tucker_of",
    "value_of",
    "whiskers_of",
]
