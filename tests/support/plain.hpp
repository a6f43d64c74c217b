// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors, matrices and models in plain containers: conversion from and to the library's types,
/// wherever they lie (through mirrors on the host), and random ones.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace genten_test {

/// A sparse tensor in containers. Values are double, whatever the tensor's were.
struct PlainTensor {
  std::vector<std::size_t> dimensions;
  std::vector<std::vector<std::size_t>> subscripts;
  std::vector<double> values;

  [[nodiscard]] std::size_t order() const { return dimensions.size(); }
  [[nodiscard]] std::size_t nnz() const { return values.size(); }
  /// Entries by subscripts, duplicates added up.
  [[nodiscard]] std::map<std::vector<std::size_t>, double> entries() const {
    std::map<std::vector<std::size_t>, double> result;
    for (std::size_t p = 0; p < nnz(); ++p) result[subscripts[p]] += values[p];
    return result;
  }
};

/// A dense matrix by rows.
struct PlainMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> elements;

  PlainMatrix() = default;
  PlainMatrix(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), elements(row_count * column_count, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return elements[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return elements[i * columns + j]; }
};

/// a * b.
[[nodiscard]] inline PlainMatrix times(const PlainMatrix& a, const PlainMatrix& b) {
  PlainMatrix result(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < a.columns; ++k) {
      for (std::size_t j = 0; j < b.columns; ++j) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}

/// A CP model in containers.
struct PlainModel {
  std::vector<double> weights;
  std::vector<PlainMatrix> factors;
};

// ---- between the library's types, wherever they lie, and plain ones

/// The same matrix or model where the host can read it: the argument itself where it already can.
template <class Object>
[[nodiscard]] auto on_host(const Object& object) {
  if constexpr (genten::is_host_space<typename Object::execution_space>) {
    return object;
  } else {
    const auto mirror = genten::create_mirror_view(object);
    genten::deep_copy(mirror, object);
    return mirror;
  }
}

/// Calls change(mirror) for a matrix or model on the host, so that the object changes likewise.
template <class Object, class Change>
void change_on_host(const Object& object, const Change& change) {
  const auto mirror = on_host(object);
  change(mirror);
  genten::deep_copy(object, mirror);
}

template <class Scalar, class Ordinal, class Exec>
[[nodiscard]] PlainTensor plain(const genten::Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto host = genten::create_mirror_view_and_copy(tensor);
  PlainTensor result{host.dimensions(), {}, {}};
  for (std::size_t p = 0; p < static_cast<std::size_t>(host.nnz()); ++p) {
    std::vector<std::size_t> row;
    for (int n = 0; n < host.order(); ++n) row.push_back(host.subscripts()(p, n));
    result.subscripts.push_back(row);
    result.values.push_back(static_cast<double>(host.values()(p)));
  }
  return result;
}

template <class Scalar, class Exec>
[[nodiscard]] PlainMatrix plain(const genten::FacMatrix<Scalar, Exec>& matrix) {
  const auto host = on_host(matrix);
  PlainMatrix result(host.rows(), host.columns());
  for (std::size_t i = 0; i < host.rows(); ++i) {
    for (std::size_t j = 0; j < host.columns(); ++j) {
      result(i, j) = static_cast<double>(host(i, j));
    }
  }
  return result;
}

template <class Scalar, class Exec>
[[nodiscard]] PlainModel plain(const genten::Ktensor<Scalar, Exec>& model) {
  const auto host = on_host(model);
  PlainModel result;
  for (std::size_t r = 0; r < host.rank(); ++r) {
    result.weights.push_back(static_cast<double>(host.weights()(r)));
  }
  for (const auto& factor : host.factors()) result.factors.push_back(plain(factor));
  return result;
}

template <class Scalar, class Ordinal, class Exec>
[[nodiscard]] genten::Sptensor<Scalar, Ordinal, Exec> to_sptensor(const PlainTensor& tensor) {
  std::vector<Ordinal> subscripts;
  for (const auto& row : tensor.subscripts) {
    for (const std::size_t i : row) subscripts.push_back(static_cast<Ordinal>(i));
  }
  const std::vector<Scalar> values(tensor.values.begin(), tensor.values.end());
  return genten::Sptensor<Scalar, Ordinal, Exec>::from_host(tensor.dimensions, subscripts, values);
}

/// Sets the elements of a matrix, whatever its row stride.
template <class Scalar, class Exec>
void assign(const genten::FacMatrix<Scalar, Exec>& matrix, const PlainMatrix& elements) {
  change_on_host(matrix, [&](const auto& host) {
    for (std::size_t i = 0; i < elements.rows; ++i) {
      for (std::size_t j = 0; j < elements.columns; ++j) {
        host(i, j) = static_cast<Scalar>(elements(i, j));
      }
    }
  });
}

template <class Scalar, class Exec>
[[nodiscard]] genten::FacMatrix<Scalar, Exec> to_matrix(const PlainMatrix& elements) {
  const genten::FacMatrix<Scalar, Exec> result(elements.rows, elements.columns);
  assign(result, elements);
  return result;
}

template <class Scalar, class Exec>
[[nodiscard]] genten::Ktensor<Scalar, Exec> to_ktensor(const PlainModel& model) {
  std::vector<std::size_t> dimensions;
  for (const auto& factor : model.factors) dimensions.push_back(factor.rows);
  const genten::Ktensor<Scalar, Exec> result(dimensions, model.weights.size());
  change_on_host(result, [&](const auto& host) {
    for (std::size_t r = 0; r < model.weights.size(); ++r) {
      host.weights()(r) = static_cast<Scalar>(model.weights[r]);
    }
    for (std::size_t n = 0; n < dimensions.size(); ++n) assign(host.factors()[n], model.factors[n]);
  });
  return result;
}

// ---- random inputs

/// What a random tensor is to contain. Values are multiples of 1/64 in [-2, 2], so they are the
/// same in float and double; none is zero.
struct RandomTensor {
  std::vector<std::size_t> dimensions;
  std::size_t nnz = 0;
  unsigned seed = 1;
  /// Every how many nonzeros one repeats the subscripts of an earlier one; 0 for never on purpose
  /// (small tensors have chance duplicates).
  std::size_t duplicate_every = 0;
  /// Leave every slice with an odd subscript empty, in every mode longer than one.
  bool empty_slices = false;
  /// Put half of the nonzeros into slice 0 of mode 0.
  bool heavy_slice = false;
};

[[nodiscard]] inline PlainTensor random_tensor(const RandomTensor& recipe) {
  std::mt19937_64 random(recipe.seed);
  PlainTensor tensor{recipe.dimensions, {}, {}};
  for (std::size_t p = 0; p < recipe.nnz; ++p) {
    std::vector<std::size_t> row;
    for (const std::size_t dimension : recipe.dimensions) {
      std::size_t i = random() % dimension;
      if (recipe.empty_slices) i -= i % 2;
      row.push_back(i);
    }
    if (recipe.heavy_slice && p % 2 == 0) row[0] = 0;
    if (recipe.duplicate_every != 0 && p % recipe.duplicate_every == 1) {
      row = tensor.subscripts[random() % p];
    }
    const double sign = random() % 2 == 0 ? 1.0 : -1.0;
    tensor.subscripts.push_back(row);
    tensor.values.push_back(sign * static_cast<double>(1 + random() % 128) / 64.0);
  }
  return tensor;
}

/// Entries are multiples of 1/1024 in [-1, 1], the same in float and double.
[[nodiscard]] inline PlainMatrix random_matrix(std::size_t rows, std::size_t columns,
                                               unsigned seed) {
  std::mt19937_64 random(seed);
  PlainMatrix matrix(rows, columns);
  for (double& element : matrix.elements) {
    element = (static_cast<double>(random() % 2049) - 1024.0) / 1024.0;
  }
  return matrix;
}

/// Weights are multiples of 1/64 in [1/2, 3].
[[nodiscard]] inline PlainModel random_model(const std::vector<std::size_t>& dimensions,
                                             std::size_t rank, unsigned seed) {
  std::mt19937_64 random(seed);
  PlainModel model;
  for (std::size_t r = 0; r < rank; ++r) {
    model.weights.push_back(static_cast<double>(32 + random() % 161) / 64.0);
  }
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    model.factors.push_back(
        random_matrix(dimensions[n], rank, seed + 17 * static_cast<unsigned>(n) + 1));
  }
  return model;
}

// ---- errors

/// The message of the Error that `call` throws; empty where it throws none.
template <class Call>
[[nodiscard]] std::string error_of(const Call& call) {
  try {
    call();
  } catch (const genten::Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace genten_test
