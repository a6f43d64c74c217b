// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows of the same name: where a model and a tensor, or two models, both have names for a mode, a
/// row of the one is the row of that name of the other, wherever it stands.

#include "labels.hpp"
#include "sidecar.hpp"

#include <genten/base/error.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/io/table.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace genten::cli {

struct LackingEntries;

/// A model or a tensor by the name of its file, with the names and numbers of its rows.
struct NamedRows {
  std::string file;
  const Labels& labels;
  std::vector<std::size_t> dimensions;
};

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
/// they are not the same names in another order, where one name stands for several rows of `own`
/// that are looked for, and where rows go by numbers of tables that count from other bases.
[[nodiscard]] RowMatch match_rows(const NamedRows& own, const NamedRows& other);

/// Throws Error of kind `file` where one of both calls rows by numbers, as --compact has them, and
/// the other one has no names: its rows are not called by their places either.
void require_no_ids_beside_rows(const NamedRows& own, const NamedRows& other);

/// Throws Error of kind `file` where `other` is a table that names the rows of a mode and `own`
/// does not: its rows have no numbers that mean anything. Likewise where its columns are not called
/// as the modes of `own` are, unless `by_place`: the command line says which column is which mode.
/// Where the modes of `own` have no names, standard error says that columns go by their places.
void require_names(const NamedRows& own, const NamedRows& other, const ReadReport& report,
                   bool by_place = false);

/// Says on standard error that rows of `file` go by their numbers, where those of `own` have names
/// in a file or beside it, and nothing names those of `file`. Not where it has as many rows as
/// `own`, by the lengths that it uses: tables number rows in the order of their names.
void tell_of_rows_by_number(const NamedRows& own, const std::string& file, const ReadReport& report,
                            const std::vector<std::size_t>& used);

/// The modes of a file, `other`, whose numbers are names: where it names no rows of a mode, and
/// those of `own` have names which are numbers, or any if it is a table.
[[nodiscard]] std::vector<std::size_t> modes_of_names(const NamedRows& own, const NamedRows& other,
                                                      const ReadReport& report);

/// The tensor of a file with the numbers of such modes as `labels` of rows, of those alone that
/// occur. `own` and the rest are as of `modes_of_names`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] Sptensor<Scalar, Ordinal, HostExec> with_numbers_as_names(
    const NamedRows& own, const std::string& file, const ReadReport& report,
    const Sptensor<Scalar, Ordinal, HostExec>& tensor, Labels& labels);

/// What to do where nothing tells from what numbers of a table count.
inline constexpr const char* remedy_of_table =
    ": --index-base 1 says that those of the table count from 1, too, --index-base 0 that they do "
    "not";
/// Of a list of entries, for which there is no such option.
inline constexpr const char* remedy_of_list = "; a list as text counts from there";

/// The options for a table that is read beside `own`: where all modes of that have names and the
/// table's header, too, these are its modes. Throws Error of kind `file` where it has others.
/// Standard error names the columns that are then of no use: all others, and without `of_values`,
/// since values are not looked at, theirs, too. Its numbers count from what the rows of `own` do; a
/// usage error says where `read` has another base, and a note with a `remedy` where `own` has none.
/// For other files `read` is returned as it is, and so are its modes where it says them itself.
[[nodiscard]] ReadOptions by_names_of(const NamedRows& own, const std::string& file,
                                      ReadOptions read, bool of_values = true,
                                      const std::string& remedy = remedy_of_table);

/// Says on standard error which rows of either the other one lacks; `consequence(how many by mode)`
/// says what comes of those of `own`. Rows of entries that are `left_out` were told. In modes of
/// numbers the rows of `own` without entries in the other one are `empty_numbers`, if they matter.
void tell_of_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                  const std::function<std::string(const std::vector<std::size_t>&)>& consequence,
                  const LackingEntries& left_out,
                  const std::vector<std::set<std::size_t>>& empty_numbers = {});

/// Throws Error of kind `file` unless both have the same rows in every mode that has names in
/// both: a model says nothing of rows that it lacks.
void require_same_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other);

/// Matches rows by their numbers in modes that are longer in `own` than in `other` and have names
/// in neither: the last ones of `own` are those that `other` lacks.
void match_longer_modes(RowMatch& match, const NamedRows& own, const NamedRows& other);

/// Throws Error of kind `file` for a mode whose rows are numbers in the tensor `own`, perhaps a
/// table, and have names in the model `other` that it begins at, or the reverse.
void require_names_of_guess(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                            bool is_table);

/// Throws Error of kind `file` unless the tensor `own` has all rows of the model `other` that it
/// begins at, by their names. Rows of the tensor that the model lacks are new: standard error names
/// them, and a mode of these that is among `fixed` modes is an error, too.
void require_rows_of_guess(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                           const std::vector<int>& fixed);

/// The model `other` with the rows and modes of `own`, which has all of its rows; others are the
/// mean of these.
template <RealScalar Scalar>
[[nodiscard]] Ktensor<Scalar, HostExec> in_rows_of(const Ktensor<Scalar, HostExec>& model,
                                                   const RowMatch& match, const NamedRows& own) {
  std::vector<FacMatrix<Scalar, HostExec>> factors;
  for (std::size_t n = 0; n < match.modes.size(); ++n) {
    const auto& from = model.factor(match.modes[n]);
    if (match.rows[n].empty()) {
      factors.push_back(from);
      continue;
    }
    const FacMatrix<Scalar, HostExec> to(own.dimensions[n], from.columns());
    for (std::size_t r = 0; r < from.columns(); ++r) {
      double sum = 0.0;
      for (std::size_t i = 0; i < from.rows(); ++i) sum += static_cast<double>(from(i, r));
      const auto mean = static_cast<Scalar>(sum / static_cast<double>(from.rows()));
      for (std::size_t i = 0; i < to.rows(); ++i) to(i, r) = mean;
      for (std::size_t i = 0; i < from.rows(); ++i) to(match.rows[n][i], r) = from(i, r);
    }
    factors.push_back(to);
  }
  return Ktensor<Scalar, HostExec>(model.weights(), std::move(factors));
}

}  // namespace genten::cli
