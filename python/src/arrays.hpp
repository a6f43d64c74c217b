// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// NumPy arrays and the library's Views.

#include "runtime.hpp"

#include <genten/core/ktensor.hpp>
#include <genten/core/ttensor.hpp>

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <vector>

namespace genten::python {

/// Any array that the host can read.
using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
/// One whose elements lie row by row without gaps.
using PackedArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

template <RealScalar Scalar>
[[nodiscard]] bool holds(const PackedArray& array) {
  return array.dtype() == nb::dtype<Scalar>();
}

/// Calls `use` with a zero of the type that the array's elements have. Throws Error for arrays of
/// neither float nor double.
template <class Use>
decltype(auto) with_scalar(const PackedArray& array, const Use& use) {
  if (holds<float>(array)) return use(float());
  if (holds<double>(array)) return use(double());
  throw Error("expected an array of float32 or float64");
}

/// The elements of an array of `Scalar`s with `dimensions` dimensions.
template <class Scalar, class Array>
[[nodiscard]] const Scalar* elements(const Array& array, std::size_t dimensions) {
  if (array.dtype() != nb::dtype<Scalar>() || array.ndim() != dimensions) {
    throw Error("expected arrays of one type, and of " + std::to_string(dimensions) +
                " dimensions");
  }
  return static_cast<const Scalar*>(array.data());
}

/// A matrix whose rows lie without gaps, but perhaps not side by side, as the library's own with
/// their padding. It is only to be read, in its columns, while the array lives.
template <RealScalar Scalar>
[[nodiscard]] FacMatrix<Scalar, HostExec> matrix_of(const AnyArray& array) {
  const auto* const data = elements<Scalar>(array, 2);
  const std::size_t rows = array.shape(0), columns = array.shape(1);
  // Where there is one row or one column, the distance to the next may be any number.
  const bool adjacent = columns <= 1 || array.stride(1) == 1;
  const std::int64_t stride = rows <= 1 ? static_cast<std::int64_t>(columns) : array.stride(0);
  if (!adjacent || stride < static_cast<std::int64_t>(columns)) {
    throw Error("expected an array whose rows lie without gaps");
  }
  using Matrix = FacMatrix<Scalar, HostExec>;
  const typename Matrix::view_type view(const_cast<Scalar*>(data), rows,
                                        static_cast<std::size_t>(stride));
  return Matrix(view, columns);
}

/// Weights and factors of a model as Python hands them over.
struct ModelArrays {
  PackedArray weights;
  std::vector<AnyArray> factors;

  /// The model, without a copy: it is only to be read, while the arrays live.
  template <RealScalar Scalar>
  [[nodiscard]] Ktensor<Scalar, HostExec> view() const {
    using Model = Ktensor<Scalar, HostExec>;
    const auto mutable_data = [](const Scalar* data) { return const_cast<Scalar*>(data); };
    const typename Model::weights_view vector(mutable_data(elements<Scalar>(weights, 1)),
                                              weights.shape(0));
    std::vector<typename Model::factor_type> matrices;
    for (const AnyArray& factor : factors) matrices.push_back(matrix_of<Scalar>(factor));
    return Model(vector, std::move(matrices));
  }
};

/// Core and factors of a Tucker model, likewise: the core's elements, the first subscript varying
/// fastest, its ranks, and factors of which those of modes that are not compressed are empty.
struct TuckerArrays {
  PackedArray core;
  std::vector<std::size_t> ranks;
  std::vector<AnyArray> factors;

  template <RealScalar Scalar>
  [[nodiscard]] Ttensor<Scalar, HostExec> view() const {
    using Model = Ttensor<Scalar, HostExec>;
    const typename Model::core_view elements_of_core(const_cast<Scalar*>(elements<Scalar>(core, 1)),
                                                     core.shape(0));
    std::vector<typename Model::factor_type> matrices;
    for (const AnyArray& factor : factors) {
      matrices.push_back(factor.size() == 0 ? typename Model::factor_type()
                                            : matrix_of<Scalar>(factor));
    }
    return Model(ranks, elements_of_core, std::move(matrices));
  }
};

template <class Scalar>
using NumpyArray = nb::ndarray<nb::numpy, Scalar>;

/// An array that shows a matrix of which `owner` keeps the memory.
template <RealScalar Scalar>
[[nodiscard]] NumpyArray<Scalar> show(const FacMatrix<Scalar, HostExec>& matrix, nb::handle owner) {
  const std::array<std::size_t, 2> shape{matrix.rows(), matrix.columns()};
  const std::array<std::int64_t, 2> strides{static_cast<std::int64_t>(matrix.stride()), 1};
  return NumpyArray<Scalar>(matrix.data(), 2, shape.data(), owner, strides.data());
}

template <class View>
[[nodiscard]] auto show_vector(const View& view, nb::handle owner) {
  using Scalar = typename View::value_type;
  const std::size_t length = view.extent(0);
  return NumpyArray<Scalar>(view.data(), 1, &length, owner);
}

/// (weights, [factors]): arrays that show the model, and keep it alive together.
template <RealScalar Scalar>
[[nodiscard]] nb::tuple show(Ktensor<Scalar, HostExec> model) {
  auto* const kept = new Kept(model);
  const nb::capsule owner = capsule_of(kept);
  nb::list factors;
  for (const auto& factor : model.factors()) factors.append(show(factor, owner));
  return nb::make_tuple(show_vector(model.weights(), owner), factors);
}

/// (core, [factors]): the same of a Tucker model. Modes that are not compressed have None.
template <RealScalar Scalar>
[[nodiscard]] nb::tuple show(Ttensor<Scalar, HostExec> model) {
  auto* const kept = new Kept(model);
  const nb::capsule owner = capsule_of(kept);
  nb::list factors;
  for (int n = 0; n < model.order(); ++n) {
    const auto& factor = model.factor(n);
    factors.append(model.is_compressed(n) ? nb::cast(show(factor, owner)) : nb::none());
  }
  std::vector<std::int64_t> strides;  // the first subscript varies fastest
  std::int64_t step = 1;
  for (const std::size_t rank : model.ranks()) {
    strides.push_back(step);
    step *= static_cast<std::int64_t>(rank);
  }
  const NumpyArray<Scalar> core(model.core().data(), model.ranks().size(), model.ranks().data(),
                                owner, strides.data());
  return nb::make_tuple(core, factors);
}

}  // namespace genten::python
