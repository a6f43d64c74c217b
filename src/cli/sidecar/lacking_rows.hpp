// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Entries in rows that a model lacks: they are refused, all at once, or left out.

#include "match_rows.hpp"

#include <genten/base/enum_words.hpp>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace genten::cli {

/// What becomes of entries in rows that a model lacks.
enum class UnknownEntries { refuse, skip };

constexpr auto enum_words(UnknownEntries) {
  return std::array{
      EnumWord("refuse", UnknownEntries::refuse, "an error that counts them"),
      EnumWord("skip", UnknownEntries::skip, "they are left out, and a note counts them")};
}
/// What `--unknown` says in help.
inline constexpr const char* unknown_meaning = "entries of rows that MODEL does not know";

/// The number that a name of digits alone is, without zeros before it; "" of other names.
[[nodiscard]] std::string number_in(const std::string& name);

/// Rows by their numbers, and the first entry in one of them.
struct LackingRows {
  std::set<std::size_t> rows;
  std::size_t first_row = 0, first_entry = 0;

  /// Entries come in their order.
  void add(std::size_t row, std::size_t entry) {
    if (rows.empty()) first_row = row, first_entry = entry;
    rows.insert(row);
  }
};

/// Entries of a file in rows that another one lacks.
struct LackingEntries {
  std::vector<LackingRows> rows = {};  ///< by mode of the other one
  std::size_t entries = 0;             ///< each once, whatever lacks
  std::size_t all = 0;                 ///< entries of the file
};

/// "mode 2 (sex): b.tns has rows that a.gkt lacks: "man", "woman" and 3 more".
[[nodiscard]] std::string lacks(const std::string& mode, const std::string& with,
                                const std::string& without, const std::vector<std::string>& names);
/// The names of rows of a mode, or their numbers.
[[nodiscard]] std::vector<std::string> names_of(const NamedRows& of, std::size_t mode,
                                                const std::set<std::size_t>& rows);

/// "; ...", where entries are left without those of unknown rows, and where none are.
using WayOut = std::function<std::string(bool some_left)>;

/// What to do where entries are in rows that a model lacks.
struct WayToNewRows {
  std::string model;
  bool is_cp = true;      ///< so that the model may be given new rows
  bool may_skip = false;  ///< --unknown is an option
  bool projects = false;  ///< it is genten project that lacks rows of the other modes

  [[nodiscard]] std::string operator()(bool some_left) const;
};

/// What a refusal of rows says besides.
struct RowsRefusal {
  WayOut way_out = {};
  const ReadOptions* listed = nullptr;  ///< of a file that was read as a list: to tell lines
};

/// Throws Error of kind `file` that names rows of `other`, by mode of `own`, that `own` lacks, says
/// how many entries are concerned, and the nearest name, unless there are none.
void refuse_rows(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                 const LackingEntries& lacking, const RowsRefusal& refusal);

/// Says on standard error which entries are left out. Throws Error of kind `file` with a way out
/// where these are all.
void report_left_out(const RowMatch& match, const NamedRows& own, const NamedRows& other,
                     const LackingEntries& lacking, const WayOut& way_out);

/// Does what `refuse_rows` does for numbers that are beyond the rows of `own` in the list `file`,
/// whose rows go by their numbers. Nothing where these are not what is wrong with it, or it cannot
/// be read again.
void refuse_numbers(const NamedRows& own, const std::string& file, ReadOptions read,
                    const WayOut& way_out);
/// What `read()` returns, which reads such a list.
template <class Read>
decltype(auto) refusing_numbers(const NamedRows& own, const std::string& file,
                                const ReadOptions& options, const WayOut& way_out,
                                const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    // Of another order it may read as a list without values.
    if (error.kind() == Error::Kind::file && error.code() != Error::Code::other_order) {
      refuse_numbers(own, file, options, way_out);
    }
    throw;
  }
}

/// The row of `own` for one of `other`; too large for none.
[[nodiscard]] inline std::size_t row_of(const RowMatch& match, std::size_t mode, std::size_t row) {
  const auto& rows = match.rows[mode];
  return rows.empty() ? row : rows[row];
}

/// The entries of `tensor` in rows that `own` lacks. The positions of the others are added to
/// `known`, if that is not null.
template <class Tensor>
[[nodiscard]] LackingEntries lacking_entries(const Tensor& tensor, const RowMatch& match,
                                             const NamedRows& own,
                                             std::vector<offset_t>* known = nullptr) {
  const std::size_t order = match.modes.size();
  LackingEntries lacking{std::vector<LackingRows>(order), 0,
                         static_cast<std::size_t>(tensor.nnz())};
  const auto subscripts = tensor.subscripts();
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    bool is_known = true;
    for (std::size_t n = 0; n < order; ++n) {
      const std::size_t row = subscripts(p, static_cast<std::size_t>(match.modes[n]));
      if (row_of(match, n, row) < own.dimensions[n]) continue;
      lacking.rows[n].add(row, static_cast<std::size_t>(p));
      is_known = false;
    }
    if (!is_known) {
      ++lacking.entries;
    } else if (known != nullptr) {
      known->push_back(p);
    }
  }
  return lacking;
}

/// By mode, the rows of `own` without entries in a tensor that has its rows.
template <class Tensor>
[[nodiscard]] std::vector<std::set<std::size_t>> empty_rows(const Tensor& tensor,
                                                            const NamedRows& own) {
  const auto subscripts = tensor.subscripts();
  std::vector<std::set<std::size_t>> empty(own.dimensions.size());
  for (std::size_t n = 0; n < empty.size(); ++n) {
    std::vector<bool> met(own.dimensions[n]);
    for (std::size_t p = 0; p < subscripts.extent(0); ++p) met[subscripts(p, n)] = true;
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (!met[i]) empty[n].insert(i);
    }
  }
  return empty;
}

/// Some entries of a tensor, in the order of their positions.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] Sptensor<Scalar, Ordinal, HostExec> some_entries(
    const Sptensor<Scalar, Ordinal, HostExec>& tensor, const std::vector<offset_t>& positions) {
  using Tensor = Sptensor<Scalar, Ordinal, HostExec>;
  const auto order = static_cast<std::size_t>(tensor.order());
  const auto subscripts =
      genten::detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), positions.size(),
          order);
  const auto values = genten::detail::new_view<Kokkos::View<Scalar*, Kokkos::HostSpace>>(
      Kokkos::view_alloc("genten::values", Kokkos::WithoutInitializing), positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (std::size_t n = 0; n < order; ++n) subscripts(i, n) = tensor.subscripts()(positions[i], n);
    values(i) = tensor.values()(positions[i]);
  }
  return Tensor::trusted(HostExec(), tensor.dimensions(), subscripts, values, SptensorFacts());
}

/// The subscripts of `other` as `own` numbers them. Throws Error of kind `file` for an entry in a
/// row that `own` lacks, as of `refuse_rows`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] Sptensor<Scalar, Ordinal, HostExec> in_rows_of(
    const Sptensor<Scalar, Ordinal, HostExec>& tensor, const RowMatch& match, const NamedRows& own,
    const NamedRows& other, const RowsRefusal& refusal) {
  using Tensor = Sptensor<Scalar, Ordinal, HostExec>;
  refuse_rows(match, own, other, lacking_entries(tensor, match, own), refusal);
  const std::size_t order = match.modes.size();
  const auto old = tensor.subscripts();
  const auto subscripts =
      genten::detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing), old.extent(0),
          order);
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    for (std::size_t n = 0; n < order; ++n) {
      const std::size_t row = old(p, static_cast<std::size_t>(match.modes[n]));
      subscripts(p, n) = static_cast<Ordinal>(row_of(match, n, row));
    }
  }
  return Tensor::trusted(HostExec(), own.dimensions, subscripts, tensor.values(), SptensorFacts());
}

}  // namespace genten::cli
