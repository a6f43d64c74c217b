// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What is strongest in a Tucker model: entries of the core, and of each column of each mode.

#include "top_rows.hpp"

#include <genten/core/ttensor.hpp>

#include <functional>

namespace genten::cli {

struct TopCoreEntry {
  std::vector<std::size_t> columns;  ///< one a mode, from 0; of modes that are not compressed, rows
  double value = 0.0;
};

struct TopTucker {
  std::vector<TopCoreEntry> core;
  /// By mode and column; none for modes that are not compressed.
  std::vector<std::vector<std::vector<TopRow>>> modes;
};

/// Of core elements, `value(k)` for k below `elements`, where the first subscript varies fastest,
/// the `count` that are largest in magnitude, zeros left out; of equal ones the first comes first.
[[nodiscard]] std::vector<TopCoreEntry> top_of_core(const std::vector<std::size_t>& ranks,
                                                    std::size_t elements,
                                                    const std::function<double(std::size_t)>& value,
                                                    std::size_t count);

template <RealScalar Scalar>
[[nodiscard]] TopTucker top_of_model(const Ttensor<Scalar, HostExec>& model, std::size_t count) {
  const auto core = model.core();
  TopTucker top;
  top.core = top_of_core(
      model.ranks(), core.extent(0), [&](std::size_t k) { return static_cast<double>(core(k)); },
      count);
  for (const auto& factor : model.factors()) {
    auto& columns = top.modes.emplace_back();
    for (std::size_t r = 0; r < factor.columns(); ++r) {
      columns.push_back(top_of_column(factor, r, count));
    }
  }
  return top;
}

/// A table of the core's entries, and tables of each mode, a few columns in each. A blank line is
/// before the first unless it is `alone`, without other text before it.
void print_top(std::ostream& out, const TopTucker& top, const Labels& labels, bool alone);

/// The same; columns count from 1, rows from what they count from in the file.
nlohmann::ordered_json to_json(const TopTucker& top, const Labels& labels);

}  // namespace genten::cli
