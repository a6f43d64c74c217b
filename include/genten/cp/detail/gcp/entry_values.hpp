// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Passes over the listed entries: whether a loss takes their values, its sums and its slopes.

#include <genten/base/option_field.hpp>
#include <genten/cp/detail/apr/poisson_sums.hpp>
#include <genten/cp/losses/any_loss.hpp>
#include <genten/mttkrp/mapped_mttkrp.hpp>

#include <string>

namespace genten::detail {

/// With the model's values m.
struct EntrySums {
  double value = 0.0;               ///< of f(x, m), without f(0, m) where zeros are summed apart
  double inner_product = 0.0;       ///< of x m
  double squared_difference = 0.0;  ///< of (x - m)^2

  KOKKOS_FUNCTION void add(const EntrySums& other) {
    value += other.value;
    inner_product += other.inner_product;
    squared_difference += other.squared_difference;
  }
};

/// What EntrySums are added up of, by MappedMttkrp.
struct EntryLoss {
  LossKernel loss;
  bool beyond_zero;  ///< whether f(0, m) is summed apart

  KOKKOS_INLINE_FUNCTION EntrySums operator()(double x, double m) const {
    const double f = loss.value(x, m);
    return {beyond_zero ? f - loss.value(0.0, m) : f, x * m, (x - m) * (x - m)};
  }
  void add(EntrySums& sums, const double* x, const double* m, int count) const {
    double f[most_entries], at_zero[most_entries] = {};
    loss.values(x, m, f, count);
    if (beyond_zero) loss.values(at_zero, m, at_zero, count);
    for (int k = 0; k < count; ++k) {
      sums.add({f[k] - at_zero[k], x[k] * m[k], (x[k] - m[k]) * (x[k] - m[k])});
    }
  }
};

/// What the other factors' rows are multiplied by for a gradient.
enum class SlopeOf {
  entry,              ///< f'(x, m)
  entry_beyond_zero,  ///< that without f'(0, m), which is summed over all entries
  zero_times_weight   ///< x f'(0, m), x being a weight
};

struct LossSlope {
  LossKernel loss;
  SlopeOf of;

  KOKKOS_INLINE_FUNCTION double operator()(double x, double m) const {
    if (of == SlopeOf::zero_times_weight) return x * loss.slope(0.0, m);
    const double slope = loss.slope(x, m);
    return of == SlopeOf::entry ? slope : slope - loss.slope(0.0, m);
  }
  void map(const double* x, double* m, int count) const {
    double slopes[most_entries], at_zero[most_entries] = {};
    if (of != SlopeOf::entry) loss.slopes(at_zero, m, at_zero, count);
    if (of != SlopeOf::zero_times_weight) loss.slopes(x, m, slopes, count);
    for (int k = 0; k < count; ++k) {
      m[k] = of == SlopeOf::zero_times_weight ? x[k] * at_zero[k] : slopes[k] - at_zero[k];
    }
  }
};

/// Values that a loss does not take.
struct BadValues {
  std::size_t count = 0;
  double first = 0.0;

  KOKKOS_FUNCTION static BadValues of(double x, LossData data) {
    const bool finite = x - x == 0.0;
    const bool good =
        finite && (data == LossData::real || (data == LossData::positive && x > 0.0) ||
                   (data == LossData::nonnegative && x >= 0.0) ||
                   (data == LossData::binary && (x == 0.0 || x == 1.0)));
    return {good ? 0U : 1U, good ? 0.0 : x};
  }
  KOKKOS_FUNCTION void add(const BadValues& other) {
    if (count == 0) first = other.first;
    count += other.count;
  }
};

/// Throws Error of code `data` for values that the loss does not take.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void require_loss_data(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                       const LossFacts& loss) {
  const auto values = tensor.values();
  const LossData data = loss.data;
  const auto bad = sum_of_nonzeros<BadValues>(
      "genten::loss_data", exec, tensor.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        return BadValues::of(static_cast<double>(values(p)), data);
      });
  if (bad.count == 0) return;
  const char* const expected = data == LossData::real          ? "finite values"
                               : data == LossData::nonnegative ? "values that are not negative"
                               : data == LossData::binary      ? "values 0 and 1"
                                                               : "values above 0";
  throw Error("loss " + loss.text() + ": expected " + expected + "; " + std::to_string(bad.count) +
              (bad.count == 1 ? " value is not, " : " values are not: the first is ") +
              number_text(bad.first))
      .as(Error::Code::data);
}

}  // namespace genten::detail
