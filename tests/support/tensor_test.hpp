// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What tests of tensors over all types share.

#include "plain.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace genten_test {

/// A typed test of tensors; `Combination` is one of AllTypes.
template <class Combination>
class TensorTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Tensor = genten::Sptensor<Scalar, Ordinal, Exec>;

  static Tensor make(const PlainTensor& tensor) {
    return to_sptensor<Scalar, Ordinal, Exec>(tensor);
  }
  static Tensor make(const RandomTensor& recipe) { return make(random_tensor(recipe)); }
  /// From its subscripts, nonzero by nonzero, and values.
  static Tensor make(std::vector<std::size_t> dimensions, const std::vector<Ordinal>& subscripts,
                     const std::vector<Scalar>& values) {
    return Tensor::from_host(std::move(dimensions), subscripts, values);
  }

  Exec exec;
};

}  // namespace genten_test
