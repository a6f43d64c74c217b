// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The rows of a model that grows: names of files that come become new rows.

#include "sidecar/match_rows.hpp"
#include "tools/tensor_input.hpp"

#include <genten/core/compact.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace genten::cli {

/// Names and numbers of a model's rows, and where those of a tensor are among them.
class NewRows {
 public:
  /// `options` are those of the command line that say how files are read and what the run was, as
  /// an advised command has them.
  NewRows(std::string file, Labels labels, std::vector<std::size_t> dimensions,
          std::string options);

  [[nodiscard]] const Labels& labels() const { return m_labels; }
  [[nodiscard]] NamedRows named() const { return {m_file, m_labels, m_dimensions}; }

  /// The tensor with the model's rows, of which it may lack some. Throws Error of kind `file` for
  /// rows that the model lacks.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal>
  [[nodiscard]] Sptensor<Scalar, std::uint64_t, HostExec> placed(
      const Sptensor<Scalar, Ordinal, HostExec>& tensor, const tools::TensorFacts& facts,
      const Labels& names) {
    const auto before = m_dimensions;
    const auto found = moved(tensor, place(facts, names, -1, {}));
    if (m_dimensions != before) refuse_new(facts.file);
    return found;
  }
  /// The same of slices of `mode`, 0-based, which follow those of the model as it is now; rows that
  /// it lacks are from now on its own.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal>
  [[nodiscard]] Sptensor<Scalar, std::uint64_t, HostExec> with_new(
      const Sptensor<Scalar, Ordinal, HostExec>& tensor, const tools::TensorFacts& facts,
      const Labels& names, int mode, const Ktensor<double, HostExec>& model) {
    Numbers numbers{model, std::vector<std::vector<std::size_t>>(facts.dimensions.size())};
    for (std::size_t m = 0; facts.report.table && m < numbers.met.size(); ++m) {
      if (names.named(m)) continue;
      const auto rows = genten::detail::used_rows(tensor, static_cast<int>(m));
      numbers.met[m].assign(rows.begin(), rows.end());
    }
    return moved(tensor, place(facts, names, mode, numbers));
  }
  [[nodiscard]] const std::vector<std::size_t>& dimensions() const { return m_dimensions; }
  /// Whether the slices of the last file had no names.
  [[nodiscard]] bool slices_are_numbered() const { return m_slices_are_numbered; }
  /// What is odd about the names of the last file.
  [[nodiscard]] const std::vector<std::string>& notes() const { return m_notes; }

 private:
  struct Place {
    std::vector<int> modes;                      ///< those of the tensor, by mode of the model
    std::vector<std::vector<std::size_t>> rows;  ///< by mode of the model; empty: by number
    std::vector<std::size_t> dimensions;         ///< of the tensor that is moved
  };

  /// Of a table, rows without names.
  struct Numbers {
    const Ktensor<double, HostExec>& model;
    std::vector<std::vector<std::size_t>> met;  ///< by mode of the table, those with entries
  };

  [[nodiscard]] Place place(const tools::TensorFacts& facts, const Labels& names, int mode,
                            const std::optional<Numbers>& numbers);
  [[noreturn]] void refuse_new(const std::string& file) const;
  /// Of a file of which the model has no row of its modes `strangers`: refuses it where its columns
  /// are swapped, and notes that they may be in another order. `modes` are the file's, by those of
  /// the model.
  void judge_strangers(const std::string& file, const std::vector<std::size_t>& strangers,
                       const std::vector<int>& modes, int mode, const Labels& names);
  /// Notes names of new rows that are doubtful beside those of the model.
  void note_names(std::size_t mode, const std::vector<std::string>& known,
                  const std::vector<std::string>& fresh);
  /// Notes rows of the model that a file lacks, whose own are `rows`. Returns whether there are
  /// some.
  bool note_absent(std::size_t mode, const std::vector<std::size_t>& rows);
  /// Notes how rows of the slices of a file are found without those of modes that it lacks.
  void note_way(const std::string& file, int mode, const std::vector<std::size_t>& absent);
  /// Refuses those of `all` slices of a file that are there, the first as that row of the model.
  [[noreturn]] void refuse_slices(const std::string& file, const std::string& mode,
                                  const std::vector<std::string>& slices, std::size_t all,
                                  std::size_t row) const;

  template <RealScalar Scalar, SubscriptOrdinal Ordinal>
  static Sptensor<Scalar, std::uint64_t, HostExec> moved(
      const Sptensor<Scalar, Ordinal, HostExec>& tensor, const Place& place) {
    const std::size_t order = place.modes.size();
    const Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts(
        "genten::subscripts", static_cast<std::size_t>(tensor.nnz()), order);
    for (offset_t p = 0; p < tensor.nnz(); ++p) {
      for (std::size_t n = 0; n < order; ++n) {
        const auto row = static_cast<std::size_t>(
            tensor.subscripts()(p, static_cast<std::size_t>(place.modes[n])));
        subscripts(p, n) = place.rows[n].empty() ? row : place.rows[n][row];
      }
    }
    return Sptensor<Scalar, std::uint64_t, HostExec>::trusted(
        HostExec(), place.dimensions, subscripts, tensor.values(), SptensorFacts());
  }

  std::string m_file, m_options;
  std::vector<std::size_t> m_dimensions_of_file;  ///< before any came
  Labels m_labels;
  std::vector<std::size_t> m_dimensions;
  std::vector<std::pair<std::string, std::size_t>> m_arrived;  ///< files, and their first rows
  bool m_slices_are_numbered = false;
  std::vector<std::string> m_notes;
};

}  // namespace genten::cli
