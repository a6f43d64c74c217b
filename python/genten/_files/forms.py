# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What names of files say of their form."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..convert.parts import checked_dtype

TENSOR_FORMS = {
    ".tns": "frostt",
    ".txt": "sptensor",
    ".sptensor": "sptensor",
    ".mtx": "matrix-market",
    ".gtn": "binary",
    ".bin": "binary",
}
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


def split_name(path: str) -> tuple[str, str]:
    """The extension of a name without that of a compression, and the compression."""
    stem, last = os.path.splitext(path)
    compression = _COMPRESSIONS.get(last.lower(), "none")
    extension = os.path.splitext(stem)[1] if compression != "none" else last
    return extension.lower(), compression


def is_single(dtype: Any) -> bool:
    """Whether values are to be float32."""
    return dtype is not None and checked_dtype(dtype) == np.float32
