// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The strongest entries of each component of a model.

#include "labels.hpp"

#include <genten/core/ktensor.hpp>

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cmath>
#include <iosfwd>
#include <numeric>

namespace genten::cli {

struct TopEntry {
  std::size_t row = 0;
  double value = 0.0;
};

struct TopComponent {
  double weight = 0.0;
  std::vector<std::vector<TopEntry>> modes;
};

/// The `count` entries of a column that are largest in magnitude, strongest first and zeros left
/// out; of equal ones the lower row comes first.
template <RealScalar Scalar>
std::vector<TopEntry> top_of_column(const FacMatrix<Scalar, HostExec>& factor, std::size_t column,
                                    std::size_t count) {
  std::vector<std::size_t> rows(factor.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto strength = [&](std::size_t row) { return std::abs(factor(row, column)); };
  const auto stronger = [&](std::size_t a, std::size_t b) {
    return strength(a) != strength(b) ? strength(a) > strength(b) : a < b;
  };
  const std::size_t kept = std::min(count, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(kept), rows.end(),
                    stronger);
  std::vector<TopEntry> top;
  for (std::size_t k = 0; k < kept && strength(rows[k]) > 0; ++k) {
    top.push_back({rows[k], static_cast<double>(factor(rows[k], column))});
  }
  return top;
}

/// The components of a model on the host, in its order.
template <RealScalar Scalar>
std::vector<TopComponent> top_components(const Ktensor<Scalar, HostExec>& model,
                                         std::size_t count) {
  std::vector<TopComponent> components;
  for (std::size_t r = 0; r < model.rank(); ++r) {
    TopComponent component{static_cast<double>(model.weights()(r)), {}};
    for (const auto& factor : model.factors()) {
      component.modes.push_back(top_of_column(factor, r, count));
    }
    components.push_back(std::move(component));
  }
  return components;
}

/// For each component its weight, and side by side the strongest entries of each mode, but for
/// those that would be printed as zero. A blank line is before the first component unless it is
/// `alone`, without other text before it.
void print_top(std::ostream& out, const std::vector<TopComponent>& components, const Labels& labels,
               bool alone);

/// The same; rows count from 1 here, too, and have a `label` where there are names.
nlohmann::ordered_json to_json(const std::vector<TopComponent>& components, const Labels& labels);

}  // namespace genten::cli
