// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a thread of a host does for the systems of rows, as those see it who call it: functions
/// that are compiled for each instruction set (base/detail/simd_set.hpp), and the table of them.

#include <genten/core/poisson_terms.hpp>
#include <genten/mttkrp/detail/row_equations/count_step.hpp>
#include <genten/mttkrp/detail/row_equations/entry_panel.hpp>
#include <genten/mttkrp/detail/row_equations/row_terms.hpp>

namespace genten::detail {

/// Where one thread sums and solves.
struct RowWorkspace {
  double *matrix, *right, *panel, *values;

  [[nodiscard]] static std::size_t size(std::size_t line) {
    const auto entries = static_cast<std::size_t>(panel_entries(line));
    // Whole cache lines, also for short rows.
    return (line * line + 2 * line + entries * (line + 1) + 4 * 8 + 7) / 8 * 8;
  }
  [[gnu::always_inline]] RowWorkspace(double* from, std::size_t line) {
    const auto take = [&from](std::size_t count) {
      double* const begin = from;
      from += (count + 7) / 8 * 8;
      return begin;
    };
    const auto entries = static_cast<std::size_t>(panel_entries(line));
    matrix = take(line * line);
    right = take(2 * line);  // and diagonals
    panel = take(entries * line);
    values = take(entries);
  }
};

/// What the values of a row are, beside its system.
struct CountFacts {
  double least = std::numeric_limits<double>::infinity();  ///< above 0
  double total = 0.0;

  [[gnu::always_inline]] void add(const CountFacts& other) {
    least = other.least < least ? other.least : least;
    total += other.total;
  }
};

/// What a loss and a step make of values x and the model's values m at some entries. Functions that
/// instruction sets are given, since these call functions that they must not define.
struct CountTerms {
  CountStepKind kind{};
  /// Whether values are counts, for which the loops have slopes and systems of their own, and to
  /// which a row at its minimum adds up.
  bool counts = true;
  /// x becomes the slope there.
  void (*find_slopes)(double* x, const double* m, int count) = nullptr;
  /// m becomes the scale s by which k comes to the sums of s k (s k)^T, x the value which times s
  /// is the slope.
  void (*find_systems)(double* x, double* m, int count) = nullptr;
  /// d becomes half the deviances.
  void (*find_deviances)(const double* x, const double* m, double* d, int count) = nullptr;
};

/// The functions that an instruction set has. `space` is a thread's own, of row_workspace_size.
template <class Scalar>
struct RowLoops {
  using Work = RowWork<Scalar>;
  using Gather = EntryGather<Scalar>;

  /// Sums, and solves or descends rows that are whole.
  void (*perform)(const Work&, const Gather&, double* space, const RowTask&);
  /// Adds up the pieces of a row, and solves it.
  void (*perform_cut)(const Work&, const Gather&, double* space, const CutRow&);
  /// Descends a row without entries, whose system is the base; without a base it is zero.
  void (*perform_without_entries)(const Work&, const Gather&, double* space, offset_t row);
  /// The sum of (value - model)^2 over the entries of a task, `own` being the rows of its mode.
  double (*squared_residual)(const Work&, const Gather&, double* space, const RowTask&,
                             const Scalar* own);

  /// Of PoissonNewton: sums, and a step of rows that are whole, or of a row from its pieces. Return
  /// the largest violation of these rows.
  double (*count_step)(const Work&, const Gather&, double* space, CountFacts* facts,
                       const CountTerms&, const RowTask&);
  double (*count_step_cut)(const Work&, const Gather&, double* space, CountFacts* facts,
                           const CountTerms&, const CutRow&);
  /// The sums over the nonzeros of a task, the rows' columns being multiplied by `weights`.
  DevianceSums (*count_sums)(const Work&, const Gather&, double* space, const RowTask&,
                             const double* weights, const CountTerms&);
};

/// Doubles of a thread's workspace, in whole cache lines; zeros at first: padding of panels stays
/// so.
[[nodiscard]] inline std::size_t row_workspace_size(std::size_t rank) {
  const std::size_t line = system_line(rank);
  return RowWorkspace::size(line) + std::max(SystemBatchSize::of(rank), 2 * ((line + 7) / 8 * 8));
}

/// The functions of the instruction set in use: see genten::instruction_set.
template <class Scalar>
[[nodiscard]] const RowLoops<Scalar>& row_loops();

}  // namespace genten::detail

#ifdef GENTEN_ETI
template <>
const genten::detail::RowLoops<float>& genten::detail::row_loops();
template <>
const genten::detail::RowLoops<double>& genten::detail::row_loops();
#else
#include <genten/mttkrp/detail/row_equations/row_loops_impl.hpp>

template <class Scalar>
const genten::detail::RowLoops<Scalar>& genten::detail::row_loops() {
  return compiled_row_loops<Scalar>();
}
#endif
