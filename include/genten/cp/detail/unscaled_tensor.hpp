// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// UnscaledTensor: a tensor whose values are divided by a power of two.

#include <genten/base/detail/power_of_two.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/processes/processes.hpp>
#include <genten/cp/options.hpp>

#include <array>
#include <cmath>

namespace genten::detail {

/// A tensor without its scale, a power of two such that nothing that is done with the values
/// overflows or underflows. Of a tensor with values of ordinary size the scale is 1 and no copy is
/// made.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct UnscaledTensor {
  Sptensor<Scalar, Ordinal, Exec> tensor;
  int exponent = 0;   ///< the scale is 2^exponent
  double norm = 0.0;  ///< of the unscaled tensor
  double size = 0.0;  ///< of its nonzeros: the root of the mean of their squares

  /// Throws Error where the norm of the tensor itself is beyond the range of double, and one of
  /// kind memory where there is none for another copy of the values.
  static UnscaledTensor of(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                           const CpAlsOptions& options,
                           const Processes<Scalar, Ordinal, Exec>& processes = {}) {
    UnscaledTensor result{tensor};
    double largest = max_abs(exec, tensor);
    processes.exchange().combine({}, {&largest, 1});
    result.exponent = scale_exponent(largest, scale_quantum<Scalar>);
    if (result.exponent != 0) {
      const double available = processes.available(options);
      processes.together([&] { result.take_scale_out(exec, options, available); });
    }
    const double norm = genten::norm(exec, result.tensor);
    std::array<double, 2> sums{norm * norm, static_cast<double>(tensor.nnz())};
    processes.exchange().combine(sums, {});
    // Of one process that is `norm`: the root of a square is exact.
    result.norm = std::sqrt(sums[0]);
    if (result.norm > 0.0) result.size = result.norm / std::sqrt(sums[1]);
    processes.together([&] { result.check_norm(); });
    return result;
  }

 private:
  void check_norm() const {
    if (std::isfinite(std::ldexp(norm, exponent))) return;
    throw Error::in("cp_als", Error::Kind::runtime,
                    "the norm of the tensor, " + to_text(WideNumber(norm, exponent)) +
                        ", is not representable in double");
  }
  void take_scale_out(const Exec& exec, const CpAlsOptions& options, double available) {
    require_memory({.what = "CP-ALS, to take the scale of the values out,",
                    .parts = {{"values", static_cast<double>(tensor.nnz()) * sizeof(Scalar)}},
                    .available = available,
                    .allowed = options.memory_available > 0.0,
                    .device = !is_host_space<Exec>});
    tensor = times_power_of_two(exec, tensor, -exponent);
  }
};

}  // namespace genten::detail
