// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Entries in rows of which a model or a tensor knows nothing, as those of ids without nonzeros.

#include "match_rows.hpp"

#include <set>
#include <string>
#include <vector>

namespace genten::cli {

/// Those of a mode.
struct UnknownRows {
  std::size_t entries = 0;
  std::set<std::size_t> rows = {};
};

/// Says on standard error how many entries of `file` are in such rows of `own`, in which, and
/// `why` nothing is known of them.
void tell_of_unknown_rows(const NamedRows& own, const std::string& file,
                          const std::vector<UnknownRows>& found, const std::string& why);

/// The same of the entries for which `is_unknown(mode, row)`, in modes whose rows are numbers: rows
/// with names were met.
template <class Tensor, class IsUnknown>
void tell_of_unknown_rows(const NamedRows& own, const std::string& file, const Tensor& entries,
                          const IsUnknown& is_unknown, const std::string& why) {
  const auto subscripts = entries.subscripts();
  std::vector<UnknownRows> found(own.dimensions.size());
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (own.labels.named(n)) continue;
    for (std::size_t p = 0; p < subscripts.extent(0); ++p) {
      const std::size_t row = subscripts(p, n);
      if (!is_unknown(n, row)) continue;
      ++found[n].entries;
      found[n].rows.insert(row);
    }
  }
  tell_of_unknown_rows(own, file, found, why);
}

/// Whether a row of a model is zero, as those of ids without nonzeros are.
template <class Model>
[[nodiscard]] bool is_zero_row(const Model& model, std::size_t mode, std::size_t row) {
  const auto& factor = model.factor(static_cast<int>(mode));
  for (std::size_t r = 0; r < factor.columns(); ++r) {
    if (factor(row, r) != 0) return false;
  }
  return true;
}

/// Of entries in rows that are zero in the model of `own`, but in the mode `but`.
template <class Model, class Tensor>
void tell_of_zero_rows(const NamedRows& own, const Model& model, const std::string& file,
                       const Tensor& entries, int but = -1) {
  const auto is_zero = [&](std::size_t mode, std::size_t row) {
    return static_cast<int>(mode) != but && is_zero_row(model, mode, row);
  };
  tell_of_unknown_rows(own, file, entries, is_zero,
                       "are zero, as those without nonzeros in its data are");
}

}  // namespace genten::cli
