// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How large a model is at entries that nobody knows.

#include <genten/core/ktensor.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/random.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace genten {

/// The part of 10,000 random entries, the same in every call, at which a model is larger than
/// `limit`, on either side of 0.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double part_beyond(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                 double limit) {
  constexpr std::size_t looked_at = 10'000;
  const std::vector<std::size_t> dimensions = model.dimensions();
  for (const std::size_t length : dimensions) {
    if (length == 0) return 0.0;
  }
  const Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Kokkos::HostSpace> entries(
      "genten::random_entries", looked_at, dimensions.size());
  for (std::size_t p = 0; p < looked_at; ++p) {
    for (std::size_t n = 0; n < dimensions.size(); ++n) {
      entries(p, n) = random_bits(1, n, p) % dimensions[n];
    }
  }
  const auto values = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(),
      model_values(exec, model,
                   Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), entries)));
  std::size_t beyond = 0;
  for (std::size_t p = 0; p < looked_at; ++p) beyond += std::abs(values(p)) > limit ? 1 : 0;
  return static_cast<double>(beyond) / static_cast<double>(looked_at);
}

}  // namespace genten
