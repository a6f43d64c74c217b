// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows that two models have in common.

#include "lacking_rows.hpp"
#include "match_rows.hpp"

#include <genten/core/mode_order.hpp>

namespace genten::cli {

/// By mode of `own` the numbers of rows in it, and in the same order in another model; none where
/// all rows are the same.
struct CommonRows {
  std::vector<std::vector<std::size_t>> own, other;
};

/// By mode of `own` the rows that both models have, or throws as `require_same_rows` does where
/// there is none in some mode; standard error names rows that one of them lacks, which count for
/// nothing. Modes without names in both have the same rows.
[[nodiscard]] CommonRows rows_in_common(const RowMatch& match, const NamedRows& own,
                                        const NamedRows& other);

/// Some rows of a model, by mode of `own`: mode n is that of number `modes[n]`. All where `rows[n]`
/// is empty.
template <RealScalar Scalar>
[[nodiscard]] Ktensor<Scalar, HostExec> some_rows(
    const Ktensor<Scalar, HostExec>& model, const std::vector<int>& modes,
    const std::vector<std::vector<std::size_t>>& rows) {
  std::vector<FacMatrix<Scalar, HostExec>> factors;
  for (std::size_t n = 0; n < modes.size(); ++n) {
    const auto& from = model.factor(modes[n]);
    if (rows[n].empty()) {
      factors.push_back(from);
      continue;
    }
    const FacMatrix<Scalar, HostExec> to(rows[n].size(), from.columns());
    for (std::size_t i = 0; i < to.rows(); ++i) {
      for (std::size_t r = 0; r < from.columns(); ++r) to(i, r) = from(rows[n][i], r);
    }
    factors.push_back(to);
  }
  return Ktensor<Scalar, HostExec>(model.weights(), std::move(factors));
}

/// The entries of a tensor in some rows, which are numbered as these; in modes where `rows[n]` is
/// empty all are.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] Sptensor<Scalar, Ordinal, HostExec> in_some_rows(
    const Sptensor<Scalar, Ordinal, HostExec>& tensor,
    const std::vector<std::vector<std::size_t>>& rows) {
  const auto is_all = [](const auto& each) { return each.empty(); };
  if (std::all_of(rows.begin(), rows.end(), is_all)) return tensor;
  RowMatch match{natural_mode_order(rows.size()), {}};
  std::vector<std::size_t> lengths = tensor.dimensions();
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::vector<std::size_t> places;
    if (!rows[n].empty()) {
      places.assign(lengths[n], RowMatch::none);
      for (std::size_t i = 0; i < rows[n].size(); ++i) places[rows[n][i]] = i;
      lengths[n] = rows[n].size();
    }
    match.rows.push_back(std::move(places));
  }
  const Labels none(rows.size());
  const NamedRows own{"", none, lengths};
  std::vector<offset_t> known;
  static_cast<void>(lacking_entries(tensor, match, own, &known));
  return in_rows_of(some_entries(tensor, known), match, own, own, {});
}

}  // namespace genten::cli
