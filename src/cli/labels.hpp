// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of modes and of their rows, from --labels FILE,FILE,... or from beside a file
/// (sidecar/sidecar.hpp), and back to there (sidecar/sidecar_output.hpp).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genten::cli {

/// Names where there are any, numbers elsewhere: from 1, or as a table was read that has them.
class Labels {
 public:
  /// No names.
  explicit Labels(std::size_t order) : m_rows(order), m_modes(order), m_numbers(order) {}

  /// From files, one a mode, "" for a mode without names. Throws Error unless there are as many
  /// files as modes and as many names as rows. `table_base` is of a table, see below.
  Labels(std::string_view files, const std::vector<std::size_t>& dimensions,
         std::optional<std::size_t> table_base = {});

  /// By mode, the names of the rows, none where there are none, and the name of the mode, or "".
  Labels(std::vector<std::vector<std::string>> rows, std::vector<std::string> modes,
         std::optional<std::size_t> table_base = {})
      : m_rows(std::move(rows)), m_modes(std::move(modes)), m_table_base(table_base) {
    m_numbers.resize(m_modes.size());
  }

  /// "mode 2 (gender)", the name taken from that of the file.
  [[nodiscard]] std::string mode(std::size_t mode) const;
  /// The row's name, or its number.
  [[nodiscard]] std::string row(std::size_t mode, std::size_t row) const;
  [[nodiscard]] bool named(std::size_t mode) const { return !m_rows[mode].empty(); }
  /// The number of the first row where it has no name.
  [[nodiscard]] std::size_t first_number() const { return m_table_base.value_or(1); }
  /// The same where rows without names are the numbers of a table; none elsewhere.
  [[nodiscard]] std::optional<std::size_t> table_base() const { return m_table_base; }
  /// The names of a mode's rows; none where they have none.
  [[nodiscard]] const std::vector<std::string>& rows(std::size_t mode) const {
    return m_rows[mode];
  }
  /// How many rows of a mode have names.
  [[nodiscard]] std::size_t count(std::size_t mode) const { return m_rows[mode].size(); }
  /// The name of a mode, "" where it has none.
  [[nodiscard]] const std::string& mode_name(std::size_t mode) const { return m_modes[mode]; }
  /// Those of all modes.
  [[nodiscard]] const std::vector<std::string>& mode_names() const { return m_modes; }
  /// "mode 2", counted from 1.
  [[nodiscard]] static std::string numbered(std::size_t mode);
  /// Whether anything has a name.
  [[nodiscard]] bool any() const;
  /// Whether the names of a mode are the numbers that its rows had, as --compact makes them: those
  /// of other files are then names as well.
  [[nodiscard]] bool are_numbers(std::size_t mode) const { return m_numbers[mode]; }
  [[nodiscard]] bool any_numbers() const;
  /// Gives the rows of a mode other names, which `are_numbers` or not.
  void name_rows(std::size_t mode, std::vector<std::string> names, bool are_numbers) {
    m_rows[mode] = std::move(names);
    m_numbers[mode] = are_numbers;
  }
  /// Those of the modes in another order: mode n has the names that mode `modes[n]` has here.
  [[nodiscard]] Labels permuted(const std::vector<int>& modes) const;
  /// Those of this but for the rows of one mode, which are those of a mode of `other`, or numbers
  /// where that is null.
  [[nodiscard]] Labels with_rows_of(std::size_t mode, const Labels* other,
                                    std::size_t their_mode) const;
  /// The names of some rows alone: row i of mode n is called as `rows[n][i]` here, in modes without
  /// names by its number, of which the first is `first`.
  [[nodiscard]] Labels of_rows(const std::vector<std::vector<std::uint64_t>>& rows,
                               std::size_t first) const;

 private:
  std::vector<std::vector<std::string>> m_rows;
  std::vector<std::string> m_modes;
  std::vector<bool> m_numbers;
  std::optional<std::size_t> m_table_base;
};

}  // namespace genten::cli
