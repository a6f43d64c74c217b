// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/cp/row_sizes.hpp>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace genten {
namespace {

using Model = Ktensor<double, HostExec>;

/// By component the size of what an element 1 of the factor of `mode` adds to a slice.
std::vector<double> component_sizes(const Model& model, int mode) {
  std::vector<double> sizes(model.rank());
  for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] = std::abs(model.weights()(r));
  for (int n = 0; n < static_cast<int>(model.order()); ++n) {
    if (n == mode) continue;
    const auto& factor = model.factor(n);
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      double squares = 0.0;
      for (std::size_t i = 0; i < factor.rows(); ++i) squares += factor(i, r) * factor(i, r);
      sizes[r] *= std::sqrt(squares);
    }
  }
  return sizes;
}

std::vector<double> row_sizes(const Model& model, int mode) {
  const std::vector<double> scales = component_sizes(model, mode);
  const auto& factor = model.factor(mode);
  std::vector<double> sizes(factor.rows());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t r = 0; r < scales.size(); ++r) {
      sizes[i] = std::hypot(sizes[i], factor(i, r) * scales[r]);
    }
  }
  return sizes;
}

/// Those above rounding, sorted.
std::vector<double> without_zeros(std::vector<double> sizes) {
  constexpr double rounding = 1e-12;
  std::sort(sizes.begin(), sizes.end());
  const double least = sizes.empty() ? 0.0 : rounding * sizes.back();
  std::erase_if(sizes, [&](double size) { return !(size > least); });
  return sizes;
}

double median(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  // Sizes compare by quotients. Of two that are far apart neither is usual.
  return sorted.size() % 2 == 1 ? sorted[half]
                                : std::sqrt(sorted[half - 1]) * std::sqrt(sorted[half]);
}

}  // namespace

double times_as_large(const Model& had, const Model& found, int mode, const SliceSizes& slices) {
  return times_as_large(row_sizes(had, mode), row_sizes(found, mode), slices);
}

double times_as_large(std::vector<double> had, std::vector<double> found,
                      const SliceSizes& slices) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  // Of cents beside euros half of the quotients are below 100.
  // Beyond 1e30 it is no unit, but a model that was made by hand.
  constexpr double fewest = 4, far = 50.0, farthest = 1e30, beyond = 2.0;
  const auto old = without_zeros(std::move(had));
  const auto rows = without_zeros(std::move(found));
  const auto data = without_zeros(slices.norms);
  if (static_cast<double>(old.size()) < fewest || rows.empty() || data.empty()) return none;
  const double usual = median(old), now = median(rows), times = now / usual;
  // Rows alone may be large where little determines them, and small where the model misses theirs.
  const double of_data = median(data) / usual;
  const bool larger =
      times >= far && times <= farthest && of_data >= far && now > beyond * old.back();
  const bool smaller = times * far <= 1.0 && times * farthest >= 1.0 && of_data * far <= 1.0 &&
                       beyond * now < old.front() && !slices.are_whole;
  return larger || smaller ? times : none;
}

std::string unit_doubt(double times) {
  if (std::isnan(times)) return "";
  const bool larger = times > 1.0;
  const double factor = larger ? times : 1.0 / times;
  // Two digits: which unit it is shows in the first.
  const double step = std::pow(10.0, std::floor(std::log10(factor)) - 1.0);
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", std::round(factor / step) * step);
  return std::string("the new rows are about ") + text + " times as " +
         (larger ? "large" : "small") +
         " as those that the model had: are the values in the same unit?";
}

}  // namespace genten
