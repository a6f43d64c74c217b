// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of CP-ALS share.

#include <genten/cp/cp_als.hpp>

#include "reference.hpp"

#include <gtest/gtest.h>

namespace genten_test::cp {

using Exec = Kokkos::DefaultHostExecutionSpace;
template <class Scalar>
using Tensor = genten::Sptensor<Scalar, std::uint32_t, Exec>;
template <class Scalar>
using Model = genten::Ktensor<Scalar, Exec>;
using genten::cp_als;
using genten::CpAlsOptions;
using genten::ObserverAction;
using genten::StopReason;
using Iteration = genten::KtensorIteration<double, Exec>;
using Result = genten::CpAlsResult<double, Exec>;

template <class Scalar = double>
Tensor<Scalar> make(const PlainTensor& tensor) {
  return genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
}

/// The nonzero entries of a model.
inline PlainTensor entries_of(const PlainModel& model) {
  PlainTensor tensor;
  for (const auto& factor : model.factors) tensor.dimensions.push_back(factor.rows);
  genten_test::for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    const double value = genten_test::entry_reference(model, at);
    if (value == 0.0) return;
    tensor.subscripts.push_back(at);
    tensor.values.push_back(value);
  });
  return tensor;
}

/// A random model most of whose factor entries are zero.
inline PlainModel sparse_model(const std::vector<std::size_t>& dimensions, std::size_t rank,
                               unsigned seed) {
  PlainModel model = random_model(dimensions, rank, seed);
  std::mt19937_64 random(seed);
  for (auto& factor : model.factors) {
    for (std::size_t i = 0; i < factor.rows; ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        if (random() % 3 != 0) factor(i, r) = i == r ? 1.0 : 0.0;  // no column is all zero
      }
    }
  }
  return model;
}

/// Weights and factors, one number after another.
template <class Scalar>
std::vector<Scalar> numbers(const Model<Scalar>& model) {
  std::vector<Scalar> result;
  for (std::size_t r = 0; r < model.rank(); ++r) result.push_back(model.weights()(r));
  for (const auto& factor : model.factors()) {
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < model.rank(); ++r) result.push_back(factor(i, r));
    }
  }
  return result;
}

template <class Scalar>
bool all_finite(const Model<Scalar>& model) {
  for (const Scalar x : numbers(model)) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

class CpAlsTest : public testing::Test {
 protected:
  const Exec exec{};
  const PlainTensor plain_tensor =
      random_tensor({.dimensions = {20, 15, 10}, .nnz = 700, .seed = 3, .duplicate_every = 9});
  const Tensor<double> tensor = make(plain_tensor);
};

}  // namespace genten_test::cp
