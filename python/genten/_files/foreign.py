# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Files of NumPy, SciPy, MATLAB and pyttb, which are no tensors that `genten.read` takes, and no
models that `genten.load` does."""

from __future__ import annotations

import os
import zipfile

from .archives import is_archive

_SPARSE_PARTS = {"format", "shape", "data"}
"""What archives of `scipy.sparse.save_npz` have, among others."""


def way_of_others(path: str) -> str | None:
    """What makes a tensor of a file that others wrote; None of other files."""
    if is_archive(path):
        return _way_of_archive(path)
    found = _array_in(path)
    return None if found is None else f"expected a sparse tensor, got {found} makes a tensor of it"


def way_to_model(path: str) -> str | None:
    """What makes a model of an array, or of a dense tensor, that others wrote; None of other
    files."""
    found = _array_in(path)
    if found is None:
        return None
    return f"expected a model, got {found} makes a tensor of it, and genten.cp a model of that"


def _array_in(path: str) -> str | None:
    """What a file of an array is, and the call that makes a tensor of it."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        first = file.read(16)
    if first.startswith(b"\x93NUMPY"):
        return f"an array of NumPy: genten.tensor(numpy.load({path!r}))"
    if first.startswith(b"MATLAB 5.0"):
        return f"a file of MATLAB: genten.tensor(scipy.io.loadmat({path!r})[{_variable(path)!r}])"
    if first.startswith(b"MATLAB 7.3"):
        return f"a file of MATLAB, in HDF5: genten.tensor(h5py.File({path!r})['name'][()].T)"
    kind = first.split(maxsplit=1)[:1]
    if kind in ([b"tensor"], [b"matrix"]):
        call = f"genten.tensor(pyttb.import_data({path!r}))"
        return f"a dense {kind[0].decode()} of pyttb: {call}"
    return None


def _variable(path: str) -> str:
    """The first variable of a file of MATLAB that is an array of numbers, if SciPy is there to say
    so."""
    try:
        from scipy.io import whosmat

        found = whosmat(path)
    except (ImportError, OSError, ValueError):
        return "name"
    arrays = [name for name, _, kind in found if kind not in ("cell", "char", "struct", "object")]
    return arrays[0] if arrays else "name"


def _way_of_archive(path: str) -> str | None:
    try:
        with zipfile.ZipFile(path) as archive:
            files = archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return None
    names = [each.removesuffix(".npy") for each in files if each.endswith(".npy")]
    if not names:
        return None
    if set(names) >= _SPARSE_PARTS:
        way = f"genten.tensor(scipy.sparse.load_npz({path!r})) makes a tensor of it"
    elif {"weights", "core"} & set(names):
        way = f"genten.load({path!r}) reads models"
    else:
        way = f"genten.tensor(numpy.load({path!r})[{names[0]!r}]) makes a tensor of one"
    return f"expected a sparse tensor, got an archive of NumPy: {way}"
