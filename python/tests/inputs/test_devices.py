# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of CuPy, PyTorch and others on a device, by stand-ins that behave as theirs do where
`genten.tensor` asks: what lies on a device cannot be read but in the documented ways."""

import sys
import types

import numpy as np
import pytest

import genten


def dense_of(X):
    full = np.zeros(X.shape)
    np.add.at(full, tuple(X.subscripts.astype(np.int64).T), X.values)
    return full


@pytest.fixture
def expected(random_arrays):
    return dense_of(genten.tensor(random_arrays))


class Unreadable:
    """What NumPy gets from an array on a device."""

    def __array__(self, *arguments, **keywords):
        raise TypeError("implicit conversion to a NumPy array is not allowed")

    def __dlpack__(self, **keywords):
        raise BufferError("on another device")

    def __dlpack_device__(self):
        return (2, 0)  # CUDA


class CupyArray(Unreadable):
    """A `cupy.ndarray`."""

    __cuda_array_interface__ = {"version": 3}

    def __init__(self, array):
        self._array = array
        self.shape, self.dtype, self.ndim = array.shape, array.dtype, array.ndim

    def get(self):
        return self._array.copy()


class CupyMatrix:
    """A `cupyx.scipy.sparse.coo_matrix`, whose parts are `cupy.ndarray`s."""

    __module__ = "cupyx.scipy.sparse._coo"

    def __init__(self, matrix):
        self._matrix = matrix
        self.row, self.col, self.data = map(CupyArray, (matrix.row, matrix.col, matrix.data))

    def get(self):
        return self._matrix.copy()

    def tocoo(self):
        return self


def test_cupy_arrays(random_arrays, expected):
    subscripts, values, shape = random_arrays
    on_device = CupyArray(values)
    X = genten.tensor((CupyArray(subscripts), on_device, shape))
    assert np.array_equal(dense_of(X), expected)
    vectors = [CupyArray(column) for column in subscripts.T]
    assert np.array_equal(dense_of(genten.tensor((vectors, on_device, shape))), expected)
    assert np.array_equal(dense_of(genten.tensor(CupyArray(expected))), expected)


def test_cupy_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    full = np.array([[1.0, 0, 2], [0, 0, -3]])
    X = genten.tensor(CupyMatrix(sparse.coo_matrix(full)))
    assert np.array_equal(dense_of(X), full)
    with pytest.raises(TypeError, match="shape: has no effect for a sparse array"):
        genten.tensor(CupyMatrix(sparse.coo_matrix(full)), (3, 3))


class TorchTensor(Unreadable):
    """A dense `torch.Tensor` that requires gradients and lies on a device."""

    def __init__(self, array, layout="strided", attached=True, on_device=True):
        self._array, self.layout = array, layout
        self._attached, self._on_device = attached, on_device
        self.shape = tuple(array.shape)

    def detach(self):
        return type(self)(self._array, self.layout, False, self._on_device)

    def cpu(self):
        return type(self)(self._array, self.layout, self._attached, False)

    def numpy(self):
        if self._attached:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad")
        if self._on_device:
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        if self.layout != "strided":
            raise TypeError(f"can't convert {self.layout} layout tensor to numpy")
        return self._array


class TorchSparse(TorchTensor):
    """A sparse one with `dense_dim` dimensions that are dense, not coalesced."""

    def __init__(self, array, layout="coo", attached=True, on_device=True, dense_dim=0):
        super().__init__(array, layout, attached, on_device)
        self._dense_dim = dense_dim

    def detach(self):
        return TorchSparse(self._array, self.layout, False, self._on_device, self._dense_dim)

    def is_coalesced(self):
        return False

    def dense_dim(self):
        return self._dense_dim

    def to_sparse_coo(self):
        assert self.layout != "coo"
        return TorchSparse(self._array, "coo", self._attached, self._on_device, self._dense_dim)

    def indices(self):
        raise RuntimeError("Cannot get indices on an uncoalesced tensor")

    values = indices

    def _indices(self):
        if self.layout != "coo":
            raise RuntimeError(f"_indices is not for {self.layout}")
        rows = np.stack(self._array.nonzero())
        return TorchTensor(np.concatenate([rows, rows], axis=1), "strided", self._attached)

    def _values(self):
        halves = self._array[self._array.nonzero()] / 2
        return TorchTensor(np.concatenate([halves, halves]), "strided", self._attached)


@pytest.fixture
def torch(monkeypatch):
    module = types.ModuleType("torch")
    module.Tensor, module.strided, module.sparse_coo = TorchTensor, "strided", "coo"
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


def test_sparse_tensors_of_torch(torch, expected):
    X = genten.tensor(TorchSparse(expected))
    assert X.nnz == 240 and X.shape == expected.shape
    assert np.array_equal(dense_of(X), expected)
    assert np.array_equal(dense_of(genten.tensor(TorchSparse(expected[0], "csr"))), expected[0])
    with pytest.raises(ValueError, match="expected a tensor without dense dimensions, got 1"):
        genten.tensor(TorchSparse(expected, dense_dim=1))
    with pytest.raises(TypeError, match="shape: has no effect for a PyTorch tensor"):
        genten.tensor(TorchSparse(expected), expected.shape)


def test_dense_tensors_of_torch(torch, random_arrays, expected):
    subscripts, values, shape = random_arrays
    assert np.array_equal(dense_of(genten.tensor(TorchTensor(expected))), expected)
    for given in (TorchTensor(subscripts), [TorchTensor(column) for column in subscripts.T]):
        X = genten.tensor((given, TorchTensor(values), shape))
        assert np.array_equal(dense_of(X), expected)


class OnDevice:
    """An array on a device that speaks DLPack, and copies to the host where that is asked."""

    def __init__(self, array):
        self._array = array

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, dl_device=None, copy=None, **keywords):
        if dl_device != (1, 0):
            raise BufferError("on another device")
        return self._array.copy().__dlpack__(**keywords)


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="NumPy 2.1 and later copy from devices"
)
def test_dlpack_from_a_device(random_arrays, expected):
    subscripts, values, shape = random_arrays
    X = genten.tensor((OnDevice(subscripts), OnDevice(values), shape))
    assert np.array_equal(dense_of(X), expected)
    assert np.array_equal(dense_of(genten.tensor(OnDevice(expected))), expected)
