// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The strongest rows of each component of a model.

#include "labels.hpp"

#include <genten/core/ktensor.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cmath>
#include <iosfwd>
#include <limits>

namespace genten::cli {

/// How certain a number is; NaN where that is not known.
struct ErrorBars {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double standard_error = none;
  double lower = none, upper = none;  ///< of a bootstrap
};

struct TopRow {
  std::size_t row = 0;
  double value = 0.0;
  ErrorBars bars = {};
};

struct TopComponent {
  double weight = 0.0;
  std::vector<std::vector<TopRow>> modes;
  ErrorBars bars = {};  ///< of the weight
  ComponentStability stability = {};
  std::vector<std::size_t> strong = {};  ///< by mode, the rows at least half as strong as the first
};

/// How many elements of a column are at least half as large in magnitude as the largest.
template <RealScalar Scalar>
std::size_t strong_rows(const FacMatrix<Scalar, HostExec>& factor, std::size_t column) {
  double most = 0.0;
  for (std::size_t i = 0; i < factor.rows(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(factor(i, column))));
  }
  std::size_t count = 0;
  for (std::size_t i = 0; most > 0.0 && i < factor.rows(); ++i) {
    if (std::abs(static_cast<double>(factor(i, column))) >= 0.5 * most) ++count;
  }
  return count;
}

/// The `count` rows of a column that are largest in magnitude, strongest first and zeros left
/// out; of equal ones the lower row comes first.
template <RealScalar Scalar>
std::vector<TopRow> top_of_column(const FacMatrix<Scalar, HostExec>& factor, std::size_t column,
                                  std::size_t count) {
  const auto strength = [&](std::size_t row) { return std::abs(factor(row, column)); };
  const auto stronger = [&](std::size_t a, std::size_t b) {
    return strength(a) != strength(b) ? strength(a) > strength(b) : a < b;
  };
  // A heap of the strongest so far, the weakest of them in front: memory for those that are kept.
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < factor.rows() && count != 0; ++row) {
    if (rows.size() == count) {
      if (!stronger(row, rows.front())) continue;
      std::pop_heap(rows.begin(), rows.end(), stronger);
      rows.back() = row;
    } else {
      rows.push_back(row);
    }
    std::push_heap(rows.begin(), rows.end(), stronger);
  }
  std::sort_heap(rows.begin(), rows.end(), stronger);
  std::vector<TopRow> top;
  for (const std::size_t row : rows) {
    if (strength(row) > 0) top.push_back({row, static_cast<double>(factor(row, column)), {}});
  }
  return top;
}

/// The components of a model on the host, in its order.
template <RealScalar Scalar>
std::vector<TopComponent> top_components(const Ktensor<Scalar, HostExec>& model,
                                         std::size_t count) {
  std::vector<TopComponent> components;
  for (std::size_t r = 0; r < model.rank(); ++r) {
    TopComponent component{static_cast<double>(model.weights()(r)), {}, {}, {}, {}};
    for (const auto& factor : model.factors()) {
      component.modes.push_back(top_of_column(factor, r, count));
      component.strong.push_back(strong_rows(factor, r));
    }
    components.push_back(std::move(component));
  }
  return components;
}

/// Adds what a run says of how far the components can be believed.
void add_error_bars(std::vector<TopComponent>& components, const RunTrust& trust);

/// Rows of one mode under a title.
struct TopColumn {
  std::string title;
  std::size_t mode = 0;
  std::vector<TopRow> rows;
};

/// Prints the rows side by side, strongest first, but for those that would be printed as zero.
void print_columns(std::ostream& out, const std::vector<TopColumn>& columns, const Labels& labels);

/// For each component its weight, with its error bars and how often it was found where these are
/// known, and side by side the strongest rows of each mode, but for
/// those that would be printed as zero. A blank line is before the first component unless it is
/// `alone`, without other text before it.
void print_top(std::ostream& out, const std::vector<TopComponent>& components, const Labels& labels,
               bool alone);

/// How many rows of a mode `print_components` can make use of.
constexpr std::size_t rows_listed = 3;

/// A line for each of the first components: its weight and the rows of each mode that it is about,
/// the strongest and those that are at least half as strong.
void print_components(std::ostream& out, const std::vector<TopComponent>& components,
                      const Labels& labels, std::size_t order);

/// Rows of a mode, which count from 1, and have a `label` where there are names.
nlohmann::ordered_json to_json(const std::vector<TopRow>& rows, std::size_t mode,
                               const Labels& labels);

/// The components with the rows of each mode.
nlohmann::ordered_json to_json(const std::vector<TopComponent>& components, const Labels& labels);

}  // namespace genten::cli
