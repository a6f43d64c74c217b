// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows of the same name: where a model and a tensor, or two models, both have names for a mode, a
/// row of the one is the row of that name of the other, wherever it stands.

#include "labels.hpp"

#include <genten/base/error.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/io/table.hpp>

#include <set>
#include <string>
#include <vector>

namespace genten::cli {

/// A model or a tensor by the name of its file, with the names and numbers of its rows.
struct NamedRows {
  std::string file;
  const Labels& labels;
  std::vector<std::size_t> dimensions;
};

/// Whether there may be names of rows or modes beside a file.
[[nodiscard]] bool may_have_names(const std::string& file);

/// The names beside `file`, where there may be some beside `other`, too; otherwise none.
[[nodiscard]] Labels names_of_pair(const std::string& file, const std::string& other,
                                   const std::vector<std::size_t>& dimensions);

/// Where the rows of `other` are in `own`.
struct RowMatch {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<int> modes;  ///< mode n of `own` is mode modes[n] of `other`
  /// For mode n of `own` and each row of that of `other` its row in `own`, or none; empty where
  /// rows go by their numbers.
  std::vector<std::vector<std::size_t>> rows = {};

  /// Whether modes and rows go by their numbers.
  [[nodiscard]] bool is_by_number() const;
};

/// Modes are matched by their names where both have the same names, each once, and rows by theirs.
/// Throws Error of kind `file` where a mode of `other` has the name of another mode of `own` and
/// they are not the same names in another order, and where one name stands for several rows of
/// `own` that are looked for.
[[nodiscard]] RowMatch match_rows(const NamedRows& own, const NamedRows& other);

/// Throws Error of kind `file` where `other` is a table that names the rows of a mode and `own`
/// does not: its rows have no numbers that mean anything.
void require_names(const NamedRows& own, const NamedRows& other, const ReadReport& report);

/// Throws Error of kind `file` that names rows of `other`, by mode of `own`, that `own` lacks,
/// unless there are none.
void refuse_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                 const std::vector<std::set<std::size_t>>& rows);

/// Says on standard error which rows of either the other one lacks; `consequence` says what comes
/// of those of `own`.
void tell_of_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                  const std::string& consequence);

/// Throws Error of kind `file` unless both have the same rows in every mode that has names in
/// both: a model says nothing of rows that it lacks.
void require_same_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other);

/// The subscripts of `other` as `own` numbers them. Throws Error of kind `file` for an entry in a
/// row that `own` lacks.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] Sptensor<Scalar, Ordinal, HostExec> in_rows_of(
    const Sptensor<Scalar, Ordinal, HostExec>& tensor, const RowMatch& match, const NamedRows& own,
    const NamedRows& other) {
  using Tensor = Sptensor<Scalar, Ordinal, HostExec>;
  const std::size_t order = match.modes.size();
  const auto old = tensor.subscripts();
  const auto subscripts =
      genten::detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), old.extent(0),
          order);
  std::vector<std::set<std::size_t>> lacking(order);
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    for (std::size_t n = 0; n < order; ++n) {
      const Ordinal row = old(p, static_cast<std::size_t>(match.modes[n]));
      const auto& rows = match.rows[n];
      const std::size_t found = rows.empty() ? row : rows[row];
      if (found >= own.dimensions[n]) lacking[n].insert(row);
      subscripts(p, n) = static_cast<Ordinal>(found);
    }
  }
  refuse_rows(match, own, other, lacking);
  return Tensor::trusted(HostExec(), own.dimensions, subscripts, tensor.values(), SptensorFacts());
}

/// The model `other` with the rows and modes of `own`, which are the same.
template <RealScalar Scalar>
[[nodiscard]] Ktensor<Scalar, HostExec> in_rows_of(const Ktensor<Scalar, HostExec>& model,
                                                   const RowMatch& match) {
  std::vector<FacMatrix<Scalar, HostExec>> factors;
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const auto& from = model.factor(match.modes[n]);
    if (match.rows[n].empty()) {
      factors.push_back(from);
      continue;
    }
    const FacMatrix<Scalar, HostExec> to(from.rows(), from.columns());
    for (std::size_t i = 0; i < from.rows(); ++i) {
      for (std::size_t r = 0; r < from.columns(); ++r) to(match.rows[n][i], r) = from(i, r);
    }
    factors.push_back(to);
  }
  return Ktensor<Scalar, HostExec>(model.weights(), std::move(factors));
}

}  // namespace genten::cli
