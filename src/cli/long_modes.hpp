// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Modes that are long because their subscripts are ids, such as hashes or times: nearly all of
/// their rows are empty, in the model too.

#include "tools/hints/alike_names.hpp"
#include "tools/hints/margin_names.hpp"
#include "tools/hints/measures.hpp"
#include "tools/hints/summed_rows.hpp"
#include "tools/hints/units.hpp"
#include "tools/long_modes.hpp"
#include "tools/tensor_input.hpp"

#include <genten/core/sptensor.hpp>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace genten {
struct EntryFacts;
}

namespace genten::cli {

/// A mode of a tensor.
struct ModeUse {
  std::size_t mode = 0;  ///< from 0
  std::size_t length = 0;
  std::size_t used = 0;   ///< rows that have nonzeros
  std::size_t least = 0;  ///< the first of these, where it may be one of ids
  bool counted = true;    ///< else there may be fewer
};

/// Whether its subscripts look like ids.
[[nodiscard]] constexpr bool is_long(const ModeUse& mode) {
  return tools::are_ids(mode.length, mode.least, mode.used);
}

/// The least subscript of a mode, or any of those that are too small for ids; 0 of a tensor that is
/// not on the host.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::size_t least_subscript(const Sptensor<Scalar, Ordinal, Exec>& tensor, int mode) {
  if constexpr (!is_host_space<Exec>) return 0;
  const auto subscripts = tensor.subscripts();
  const auto nonzeros = static_cast<std::size_t>(tensor.nnz());
  std::size_t least = tensor.dimension(mode);
  for (std::size_t p = 0; p < nonzeros && least >= tools::three_digits; ++p) {
    least = std::min<std::size_t>(least, subscripts(p, mode));
  }
  return least;
}

/// Which modes are so, and what helps, as a note; "" for none. `columns` are those of a table that
/// are modes, none of other files.
[[nodiscard]] std::string long_modes_note(const std::vector<ModeUse>& modes,
                                          const std::vector<std::string>& columns);

/// Which modes of a table have few nonzeros in each row, as `single_rows` says of times and others,
/// and what helps, as a note; "" for none. `used` says how many rows of each mode have nonzeros, 0
/// where that is too few to matter, or the note on long modes tells of it.
[[nodiscard]] std::string single_rows_note(const tools::TensorFacts& facts,
                                           const std::vector<std::size_t>& used);

/// Which modes of a table have names that somebody may have meant to be the same, or to be missing
/// values, as notes.
[[nodiscard]] std::vector<std::string> notes_on_names(const ReadReport& report,
                                                      bool looks_at_numbers);
/// These, behind a note on where the subscripts of a file begin.
[[nodiscard]] std::vector<std::string> notes_on_reading(const tools::TensorFacts& facts);

/// The columns of a table that are modes; none of other files.
[[nodiscard]] inline std::vector<std::string> columns_of(const ReadReport& report) {
  return report.table ? report.table->modes : std::vector<std::string>();
}

/// Whether a file lists the entries that somebody knows, as tables and text do. The binary form,
/// which arrays are saved in, too, does not say what its zeros are.
[[nodiscard]] inline bool lists_entries(const ReadReport& report) {
  return report.table || report.format != FileFormat::binary;
}

/// What is known of a tensor's entries from its file, for notes on a run.
[[nodiscard]] EntryFacts entry_facts(const tools::TensorFacts& facts);

/// How many rows of a mode have nonzeros; `enough` where there are as many or more.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] std::size_t rows_in_use(const Sptensor<Scalar, Ordinal, HostExec>& tensor, int mode,
                                      std::size_t enough) {
  constexpr std::size_t bits_for_one = 64;
  const auto nonzeros = static_cast<std::size_t>(tensor.nnz());
  const auto subscripts = tensor.subscripts();
  const std::size_t length = tensor.dimension(mode);
  std::size_t found = 0;
  if (length / bits_for_one > nonzeros) {
    std::unordered_set<Ordinal> seen;
    for (std::size_t p = 0; p < nonzeros && seen.size() < enough; ++p) {
      seen.insert(subscripts(p, mode));
    }
    return seen.size();
  }
  std::vector<bool> seen(length);
  // Where nonzeros are sorted, the first ones have few rows, and a part of all has many.
  for (const std::size_t step :
       {std::max<std::size_t>(nonzeros / (4 * enough), 1), std::size_t{1}}) {
    for (std::size_t p = 0; p < nonzeros && found < enough; p += step) {
      const Ordinal row = subscripts(p, mode);
      found += seen[row] ? 0 : 1;
      seen[row] = true;
    }
  }
  return found;
}

/// The modes of a tensor, each row of which may have nonzeros.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<ModeUse> modes_of(const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  std::vector<ModeUse> modes;
  for (int n = 0; n < tensor.order(); ++n) {
    modes.push_back({static_cast<std::size_t>(n), tensor.dimension(n),
                     static_cast<std::size_t>(tensor.nnz()), least_subscript(tensor, n), false});
  }
  return modes;
}

/// `long_modes_note` of a tensor's modes, by a look at the nonzeros of those that may be so, which
/// ends as soon as they are not. Where the tensor is not on the host, or the rows in use are very
/// many, it is the number of nonzeros that is told.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::string long_modes_note(const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                          std::vector<ModeUse> modes,
                                          const std::vector<std::string>& columns) {
  constexpr std::size_t most_counted = 10'000'000;  // a model of a longer mode would not fit
  for (ModeUse& mode : modes) {
    if constexpr (is_host_space<Exec>) {
      const std::size_t most = tools::most_rows_of_ids(mode.length, mode.least);
      const std::size_t enough = std::min(most + 1, most_counted);
      if (most != 0) {
        const std::size_t used = rows_in_use(tensor, static_cast<int>(mode.mode), enough);
        mode.counted = used < enough;
        if (mode.counted) mode.used = used;
      }
    }
  }
  return long_modes_note(modes, columns);
}

/// By mode how many rows have nonzeros, where these are nearly as many as the nonzeros and the mode
/// is no long one; else 0.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::size_t> many_rows(const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                                 const std::vector<ModeUse>& modes) {
  const auto nonzeros = static_cast<std::size_t>(tensor.nnz());
  std::vector<std::size_t> used;
  for (ModeUse mode : modes) {
    std::size_t count = 0;
    if constexpr (is_host_space<Exec>) {
      if (mode.length >= nonzeros - nonzeros / 10 && !is_long(mode)) {
        count = rows_in_use(tensor, static_cast<int>(mode.mode), nonzeros + 1);
      }
      mode.used = count;
      if (is_long(mode)) count = 0;
    }
    used.push_back(count);
  }
  return used;
}

/// Which modes of numbers of a table may be none, whose columns hold one quantity or others than
/// the values, and which rows hold the sums of the others, as notes.
[[nodiscard]] std::vector<std::string> notes_on_numbers(const tools::TensorFacts& facts,
                                                        const tools::ModesOfTable& modes);
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::string> notes_on_numbers(
    const Sptensor<Scalar, Ordinal, Exec>& tensor, const tools::TensorFacts& facts) {
  const auto& table = facts.report.table;
  if constexpr (is_host_space<Exec>) {
    const auto count = static_cast<std::size_t>(tensor.nnz());
    if (!table || count > tools::most_looked_at) return {};
    const auto subscripts = tensor.subscripts();
    const auto values = tensor.values();
    tools::ModesOfTable modes;
    for (std::size_t n = 0; n < table->modes.size(); ++n) {
      modes.named.push_back(!table->rows[n].empty());
      modes.decimals.push_back(tools::are_decimals(table->rows[n]));
      auto& column = modes.subscripts.emplace_back(count);
      for (std::size_t p = 0; p < count; ++p) column[p] = subscripts(p, n);
    }
    for (std::size_t p = 0; p < count; ++p) modes.values.push_back(values(p));
    return notes_on_numbers(facts, modes);
  }
  return {};
}

/// Calls use(tensor, facts), with a note among the facts on such modes, which the error says, too,
/// where that takes more memory than there is.
template <class Tensor, class Use>
int with_note_on_long_modes(const Tensor& tensor, tools::TensorFacts facts, const Use& use) {
  const std::vector<ModeUse> modes = modes_of(tensor);
  const std::string note = long_modes_note(tensor, modes, columns_of(facts.report));
  if (!note.empty()) facts.notes.push_back(note);
  if (facts.report.table) {
    auto single = single_rows_note(facts, many_rows(tensor, modes));
    if (!single.empty()) facts.notes.push_back(std::move(single));
    for (std::string& numbers : notes_on_numbers(tensor, facts)) {
      facts.notes.push_back(std::move(numbers));
    }
  }
  for (std::string& more : notes_on_reading(facts)) facts.notes.push_back(std::move(more));
  try {
    return use(tensor, std::as_const(facts));
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::memory || note.empty()) throw;
    Error::Fields fields = error.fields();
    fields.complaint += "; it is so much because " + note;
    throw Error(std::move(fields));
  }
}

}  // namespace genten::cli
