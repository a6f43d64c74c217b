// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Relabeling: new numbers for the rows of each mode, such that only rows with nonzeros have one
/// and the busiest come first.

#include <genten/core/fac_matrix.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/format/detail/long_mode.hpp>
#include <genten/format/tuple_count.hpp>
#include <genten/format/value_dictionary.hpp>

#include <algorithm>

namespace genten {

/// How many row numbers a relabeled mode of so many rows keeps: one a row or, where the mode is
/// much longer than there are nonzeros, one a nonzero.
[[nodiscard]] constexpr std::size_t kept_row_numbers(std::size_t rows, offset_t nnz) {
  return detail::is_long_mode(rows, nnz) ? static_cast<std::size_t>(nnz) : rows;
}

/// A tensor with new row numbers, its subscripts as they were: who reads them looks each up.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class RelabeledTensor {
 public:
  using Rows = Kokkos::View<Ordinal*, typename Exec::memory_space>;

  /// The new row numbers of a mode, below its new dimension: those of its rows that have nonzeros,
  /// by old number, or those of the nonzeros themselves.
  struct Numbers {
    Rows numbers;
    bool of_nonzeros = false;
  };

  RelabeledTensor() = default;
  /// A tensor whose rows keep their numbers.
  RelabeledTensor(Sptensor<Scalar, Ordinal, Exec> tensor)  // NOLINT: may stand for it
      : m_tensor(std::move(tensor)), m_dimensions(m_tensor.dimensions()) {}
  RelabeledTensor(Sptensor<Scalar, Ordinal, Exec> tensor, std::vector<Numbers> numbers,
                  std::vector<std::size_t> dimensions)
      : m_tensor(std::move(tensor)),
        m_numbers(std::move(numbers)),
        m_dimensions(std::move(dimensions)) {}

  [[nodiscard]] const std::vector<std::size_t>& dimensions() const { return m_dimensions; }
  [[nodiscard]] offset_t nnz() const { return m_tensor.nnz(); }
  [[nodiscard]] const auto& values() const { return m_tensor.values(); }
  /// Whether rows have new numbers that are to be looked up.
  [[nodiscard]] bool relabeled() const { return !m_numbers.empty(); }

  /// Looks whether few values are distinct, unless that is known, for all who pack the tensor.
  void number_values(const Exec& exec) {
    if (!m_dictionary) m_dictionary = ValueDictionary<Scalar, Exec>::of(exec, values());
  }
  /// The dictionary of the values, if few are distinct: what number_values has found, or found now.
  [[nodiscard]] std::optional<ValueDictionary<Scalar, Exec>> dictionary(const Exec& exec) const {
    return m_dictionary ? *m_dictionary : ValueDictionary<Scalar, Exec>::of(exec, values());
  }

  /// How many tuples of each set of modes occur, as far as that is known, or estimated now: empty
  /// where that is not worth while. Devices count them at once.
  [[nodiscard]] const std::vector<TupleCount>& tuples(const Exec& exec,
                                                      const std::vector<std::vector<int>>& sets) {
    const bool known =
        m_tuples && std::equal(m_tuples->begin(), m_tuples->end(), sets.begin(), sets.end(),
                               [](const auto& one, const auto& set) { return one.modes == set; });
    if (known) return *m_tuples;
    if constexpr (is_host_space<Exec>) {
      m_tuples = estimate_tuples(m_tensor.subscripts(), nnz(), sets);
    } else {
      m_tuples.emplace();
      if (nnz() < detail::fewest_for_tuples) return *m_tuples;
      for (std::size_t set = 0; set < sets.size(); ++set) {
        m_tuples->push_back({sets[set]});
        count_tuples(exec, set);
      }
    }
    return *m_tuples;
  }
  /// Counts those of the set at that place in the list.
  void count_tuples(const Exec& exec, std::size_t set) {
    TupleCount& one = (*m_tuples)[set];
    one = genten::count_tuples(exec, m_tensor.subscripts(), nnz(), one.modes,
                               m_tensor.facts().sorted);
  }

  /// Device-callable: subscripts()(p, mode) is the new subscript of nonzero p.
  class Subscripts {
   public:
    explicit Subscripts(const RelabeledTensor& from) : m_old(from.m_tensor.subscripts()) {
      for (std::size_t m = 0; m < from.m_numbers.size(); ++m) {
        auto& numbers = from.m_numbers[m].of_nonzeros ? m_of_nonzeros : m_of_rows;
        numbers[m] = from.m_numbers[m].numbers.data();
      }
    }
    KOKKOS_FUNCTION Ordinal operator()(offset_t p, int mode) const {
      if (m_of_nonzeros[mode] != nullptr) return m_of_nonzeros[mode][p];
      const Ordinal old = m_old(p, mode);
      return m_of_rows[mode] == nullptr ? old : m_of_rows[mode][old];
    }
    [[nodiscard]] offset_t nnz() const { return static_cast<offset_t>(m_old.extent(0)); }

   private:
    typename Sptensor<Scalar, Ordinal, Exec>::subscripts_view m_old;
    Kokkos::Array<const Ordinal*, max_order> m_of_rows{};
    Kokkos::Array<const Ordinal*, max_order> m_of_nonzeros{};
  };
  [[nodiscard]] Subscripts subscripts() const { return Subscripts(*this); }

  /// The tensor with its new subscripts written out; its values are shared.
  [[nodiscard]] Sptensor<Scalar, Ordinal, Exec> materialize(const Exec& exec) const;

 private:
  Sptensor<Scalar, Ordinal, Exec> m_tensor;
  std::vector<Numbers> m_numbers;
  std::vector<std::size_t> m_dimensions;
  /// Empty until it was looked for; what was found may be that there is none.
  std::optional<std::optional<ValueDictionary<Scalar, Exec>>> m_dictionary;
  std::optional<std::vector<TupleCount>> m_tuples;  ///< of the sets that were last asked for
};

/// For each mode, the rows that have nonzeros, by descending number of them (ties in their order).
///
/// Rows without nonzeros have a zero MTTKRP and need no work, so a solver may run on the relabeled
/// tensor, whose modes are as long as there are rows in use. Busy rows side by side share cache
/// lines and pages, which the gathers of MTTKRP feel. A tensor without nonzeros keeps its rows.
/// Time and memory are of the order of the nonzeros, however long the modes are.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class Relabeling {
 public:
  using Rows = RowList<Exec>;

  /// Counts the nonzeros of every slice and numbers the rows. Deterministic.
  template <RealScalar Scalar>
  Relabeling(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor);
  /// Of a tensor whose rows have their new numbers already: by mode and new number, the old one.
  explicit Relabeling(std::vector<Rows> original) : m_original(std::move(original)) {}

  /// The tensor with the new numbers.
  template <RealScalar Scalar>
  [[nodiscard]] RelabeledTensor<Scalar, Ordinal, Exec> apply(
      const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) const;

  /// By new row number of a mode, the row of the original tensor.
  [[nodiscard]] const Rows& original_rows(int mode) const {
    return m_original[static_cast<std::size_t>(mode)];
  }
  /// Lengths of the relabeled modes.
  [[nodiscard]] std::vector<std::size_t> dimensions() const {
    std::vector<std::size_t> result;
    for (const Rows& rows : m_original) result.push_back(rows.extent(0));
    return result;
  }

  /// narrow(i, :) = wide(original_rows(mode)(i), :).
  template <RealScalar Scalar>
  void gather_rows(const Exec& exec, int mode, const FacMatrix<Scalar, Exec>& wide,
                   const FacMatrix<Scalar, Exec>& narrow) const;

 private:
  std::vector<Rows> m_original;
};

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/format/detail/relabeling_impl.hpp>
#endif
