// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A model with more components.

#include <genten/core/fill_random.hpp>
#include <genten/core/ktensor_ops.hpp>

#include <cstdint>
#include <vector>

namespace genten::detail {

/// The model with random components of weight `size` behind its own, `rank` in all.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> grown(const Ktensor<Scalar, Exec>& model, std::size_t rank,
                                          std::uint64_t seed, double size) {
  const auto before = create_mirror_view_and_copy(model);
  const HostExec host;
  Ktensor<Scalar, HostExec> guess(host, before.dimensions(), rank);
  for (int n = 0; n < guess.order(); ++n) {
    fill_random(host, guess.factor(n), seed, n, FactorKind::uniform);
  }
  normalize(host, guess);
  std::vector<double> weights(rank, size);
  for (std::size_t r = 0; r < before.rank(); ++r) {
    weights[r] = static_cast<double>(before.weights()(r));
  }
  for (int n = 0; n < guess.order(); ++n) {
    for (std::size_t i = 0; i < guess.factor(n).rows(); ++i) {
      for (std::size_t r = 0; r < before.rank(); ++r) {
        guess.factor(n)(i, r) = before.factor(n)(i, r);
      }
    }
  }
  set_weights(host, guess, weights);
  return clone_to<Exec>(guess);
}

}  // namespace genten::detail
