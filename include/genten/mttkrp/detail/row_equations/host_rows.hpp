// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The systems of rows on a host: a thread a task, sums in registers, tile by tile.

#include <genten/mttkrp/detail/row_equations/row_loops.hpp>

#include <algorithm>

namespace genten::detail {

inline namespace GENTEN_SIMD_SET {

/// What a thread does for a task. `Width` is that of the vectors of a line.
template <int Width, RealScalar Scalar>
class HostRows {
 public:
  /// `batch` is where systems are solved side by side.
  HostRows(const RowWork<Scalar>& work, const EntryGather<Scalar>& gather,
           const RowWorkspace& space, double* batch)
      : m_work(work),
        m_panel(gather),
        m_space(space),
        m_batch(batch),
        m_line(system_line(work.rank)),
        m_panel_entries(panel_entries(m_line)) {}

  /// Sums, and solves rows that are whole.
  void perform(const RowTask& task) const {
    if (task.piece >= 0) {
      begin(false);
      add_entries(task.begin, task.end);
      double* const piece = m_work.pieces + static_cast<std::size_t>(task.piece) * piece_size();
      std::copy(m_space.matrix, m_space.matrix + m_line * m_line, piece);
      std::copy(m_space.right, m_space.right + m_line, piece + m_line * m_line);
      return;
    }
    if (m_work.terms.descends) {
      for (offset_t place = task.first_row; place < task.end_row; ++place) {
        sum(place);
        descend(place);
      }
      return;
    }
    if (m_work.rank <= SystemBatchSize::most_rank) {
      for (offset_t place = task.first_row; place < task.end_row; place += SystemBatch::lanes) {
        solve_batch(place, std::min<offset_t>(task.end_row, place + SystemBatch::lanes));
      }
      return;
    }
    for (offset_t place = task.first_row; place < task.end_row; ++place) {
      sum(place);
      solve(place);
    }
  }

  /// Adds up the pieces of a row, and solves it.
  void perform(const CutRow& row) const {
    begin(true);
    for (offset_t p = row.first_piece; p < row.end_piece; ++p) {
      const double* const piece = m_work.pieces + static_cast<std::size_t>(p) * piece_size();
      for (std::size_t e = 0; e < m_line * m_line; ++e) m_space.matrix[e] += piece[e];
      for (std::size_t j = 0; j < m_line; ++j) m_space.right[j] += piece[m_line * m_line + j];
    }
    add_terms(row.row);
    if (m_work.terms.descends) {
      descend(row.row);
    } else {
      solve(row.row);
    }
  }

  /// A row without entries, whose system is the base; without a base it is zero.
  void perform_without_entries(offset_t row) const {
    if (m_work.terms.base == nullptr) {
      std::fill_n(m_work.output + static_cast<std::size_t>(row) * m_work.stride, m_work.rank,
                  Scalar(0));
      m_work.violations[row] = 0.0;
      return;
    }
    begin(true);
    add_terms_of(row);
    descend_row_of(row);
  }

  /// The sum of (value - model)^2 over the entries of a task, `own` being the rows of its mode.
  [[nodiscard]] double squared_residual(const RowTask& task, const Scalar* own) const {
    double sum = 0.0;
    for (offset_t place = task.first_row; place < task.end_row; ++place) {
      const bool whole = task.piece < 0;
      const Scalar* const from = own + m_work.rows[place] * m_work.stride;
      for (std::size_t j = 0; j < m_work.rank; ++j) {
        m_space.right[j] = static_cast<double>(from[j]);
      }
      std::fill(m_space.right + m_work.rank, m_space.right + m_line, 0.0);
      sum += squared_residual(whole ? m_work.begins[place] : task.begin,
                              whole ? m_work.begins[place + 1] : task.end);
    }
    return sum;
  }

 private:
  using Columns = SimdVector<double, Width>;

  [[nodiscard]] std::size_t piece_size() const { return m_line * (m_line + 1); }

  void begin(bool with_base) const {
    std::fill(m_space.matrix, m_space.matrix + m_line * m_line, 0.0);
    std::fill(m_space.right, m_space.right + m_line, 0.0);
    if (!with_base || m_work.terms.base == nullptr) return;
    for (std::size_t i = 0; i < m_work.rank; ++i) {
      const double* const from = m_work.terms.base + i * m_work.rank;
      std::copy(from, from + m_work.rank, m_space.matrix + i * m_line);
    }
  }

  void add_entries(offset_t begin, offset_t end) const {
    const SystemSums<Width> sums{m_work.rank, m_line, m_space.matrix,
                                 m_work.terms.right == nullptr ? m_space.right : nullptr};
    for (offset_t first = begin; first < end; first += m_panel_entries) {
      const auto count = static_cast<int>(std::min<offset_t>(m_panel_entries, end - first));
      m_panel.fill(first, count, m_space.panel, m_space.values);
      sums.add(m_space.panel, m_space.values, count, m_work.terms.sign);
    }
  }

  /// Sums the system of a row.
  void sum(offset_t place) const {
    begin(true);
    add_entries(m_work.begins[place], m_work.begins[place + 1]);
    add_terms(place);
  }

  /// The ridge, and the right-hand side where it is given.
  void add_terms(offset_t place) const { add_terms_of(static_cast<offset_t>(m_work.rows[place])); }
  void add_terms_of(offset_t row) const {
    if (m_work.terms.right != nullptr) {
      const Scalar* const from = m_work.terms.right + static_cast<std::size_t>(row) * m_work.stride;
      for (std::size_t j = 0; j < m_work.rank; ++j) {
        m_space.right[j] = static_cast<double>(from[j]);
      }
    }
    for (std::size_t i = 0; i < m_work.rank; ++i) {
      m_space.matrix[i * m_line + i] += m_work.terms.ridge;
    }
  }

  void descend(offset_t place) const { descend_row_of(static_cast<offset_t>(m_work.rows[place])); }
  /// Improves a row by its system, which is there from the diagonal on.
  void descend_row_of(offset_t row) const {
    const std::size_t rank = m_work.rank;
    for (std::size_t i = 1; i < rank; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        m_space.matrix[i * m_line + j] = m_space.matrix[j * m_line + i];
      }
    }
    const std::size_t at = static_cast<std::size_t>(row) * m_work.stride;
    double* const x = m_space.right + m_line;
    std::copy_n(m_work.terms.start + at, rank, x);
    m_work.violations[row] = detail::descend_row(
        OneThread(), static_cast<int>(rank), static_cast<int>(m_line), m_space.matrix,
        m_space.right, x, m_work.terms.rule,
        [&](int k) { return m_work.terms.unknown(static_cast<std::size_t>(k), rank); });
    for (std::size_t j = 0; j < rank; ++j) m_work.output[at + j] = static_cast<Scalar>(x[j]);
  }
  void solve(offset_t place) const {
    const bool solved =
        SystemSolver<Width>{m_work.rank, m_line, m_space.matrix, m_space.right}.solve(
            [&](std::size_t k) { return m_work.terms.unknown(k, m_work.rank); });
    take(place, solved, [&](std::size_t j) { return m_space.right[j]; });
  }
  /// Sums and solves the systems of a few rows.
  void solve_batch(offset_t first, offset_t end) const {
    const SystemBatch batch(m_work.rank, m_batch);
    for (offset_t place = first; place < end; ++place) {
      sum(place);
      batch.put(static_cast<int>(place - first), m_space.matrix, m_line, m_space.right);
    }
    bool safe[SystemBatch::lanes];
    batch.solve(safe, [&](std::size_t k) { return m_work.terms.unknown(k, m_work.rank); });
    for (offset_t place = first; place < end; ++place) {
      const auto lane = static_cast<int>(place - first);
      take(place, safe[lane], [&](std::size_t j) { return batch.solution(lane, j); });
    }
  }
  /// Writes a row, or marks it.
  template <class Element>
  void take(offset_t place, bool solved, const Element& element) const {
    m_work.unsafe[place] = solved ? 0 : 1;
    if (!solved) return;
    Scalar* const to = m_work.output + m_work.rows[place] * m_work.stride;
    for (std::size_t j = 0; j < m_work.rank; ++j) to[j] = static_cast<Scalar>(element(j));
  }

  [[nodiscard]] double squared_residual(offset_t begin, offset_t end) const {
    double sum = 0.0;
    for (offset_t first = begin; first < end; first += m_panel_entries) {
      const auto count = static_cast<int>(std::min<offset_t>(m_panel_entries, end - first));
      m_panel.fill(first, count, m_space.panel, m_space.values);
      const double* k = m_space.panel;
      for (int b = 0; b < count; ++b, k += m_line) {
        Columns model = Columns::zero();
        for (std::size_t j = 0; j < m_line; j += Width) {
          model += Columns::load(k + j) * Columns::load(m_space.right + j);
        }
        const double residual = m_space.values[b] - model.sum();
        sum += residual * residual;
      }
    }
    return sum;
  }

  const RowWork<Scalar>& m_work;
  EntryPanel<Scalar> m_panel;
  RowWorkspace m_space;
  double* m_batch;
  std::size_t m_line;
  offset_t m_panel_entries;
};

/// Calls body(width) with the width of the vectors that lines of systems have, as a constant's
/// type: nvcc and gcc together do not take templated lambdas everywhere.
template <class Body>
[[gnu::always_inline]] inline auto with_system_width(std::size_t rank, const Body& body) {
  switch (system_line(rank)) {
    case 1:
      return body(std::integral_constant<int, 1>());
    case 2:
      return body(std::integral_constant<int, 2>());
    case 4:
      return body(std::integral_constant<int, 4>());
    default:
      return body(std::integral_constant<int, 8>());
  }
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
