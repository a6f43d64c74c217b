// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// How large rows of a model are, and how far new ones are from those that it had.

#include "sweeps.hpp"

#include <genten/cp/row_sizes.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace genten {
namespace {

/// By component the size of what an element 1 of the factor of `mode` adds to a slice, beside the
/// other factors and these weights.
std::vector<double> component_sizes(const std::vector<HostMatrixOf>& factors, std::size_t mode,
                                    std::vector<double> weights) {
  for (std::size_t n = 0; n < factors.size(); ++n) {
    if (n == mode) continue;
    const auto norms = stream::column_sizes(HostExec(), factors[n], false);
    for (std::size_t r = 0; r < weights.size(); ++r) weights[r] *= norms[r];
  }
  return weights;
}

/// Adds those of the rows of a factor from `begin` on, of components of these sizes.
void append_row_sizes(const std::vector<double>& components, const HostMatrixOf& factor,
                      std::size_t begin, std::vector<double>& sizes) {
  for (std::size_t i = begin; i < factor.rows(); ++i) {
    double size = 0.0;
    for (std::size_t r = 0; r < components.size(); ++r) {
      size = std::hypot(size, factor(i, r) * components[r]);
    }
    sizes.push_back(size);
  }
}

/// The sizes of slices that a model has.
std::vector<double> row_sizes(const Ktensor<double, HostExec>& model, std::size_t mode) {
  std::vector<double> weights(model.rank()), sizes;
  for (std::size_t r = 0; r < weights.size(); ++r) weights[r] = std::abs(model.weights()(r));
  append_row_sizes(component_sizes(model.factors(), mode, std::move(weights)),
                   model.factors()[mode], 0, sizes);
  return sizes;
}

/// Components of a stream, whose rows have the weights.
std::vector<double> component_sizes(const StreamingCp::State& state) {
  return component_sizes(state.factors, state.streaming(), std::vector(state.rank(), 1.0));
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

namespace stream {

std::vector<double> row_sizes(const StreamingCp::State& state, const HostMatrixOf& rows) {
  std::vector<double> sizes;
  append_row_sizes(component_sizes(state), rows, 0, sizes);
  return sizes;
}

std::vector<double> last_row_sizes(const StreamingCp::State& state) {
  constexpr std::size_t most = 1000;
  const std::vector<double> components = component_sizes(state);
  std::vector<double> sizes;
  const auto take = [&](const HostMatrixOf& rows) {
    const std::size_t left = most - std::min(most, sizes.size());
    append_row_sizes(components, rows, rows.rows() - std::min(left, rows.rows()), sizes);
  };
  for (auto batch = state.kept.rbegin(); batch != state.kept.rend(); ++batch) take(batch->rows);
  for (auto piece = state.settled.rbegin(); piece != state.settled.rend(); ++piece) {
    take(piece->rows);
  }
  take(state.factors[state.streaming()]);
  return sizes;
}

}  // namespace stream

double times_as_large(const Ktensor<double, HostExec>& had, const Ktensor<double, HostExec>& found,
                      int mode, const SliceSizes& slices) {
  const auto at = static_cast<std::size_t>(mode);
  return times_as_large(row_sizes(had, at), row_sizes(found, at), slices);
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

}  // namespace genten
