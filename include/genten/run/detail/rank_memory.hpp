// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a run of cp_als takes, before it is begun.

#include <genten/cp/memory.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/plan.hpp>

#include <algorithm>

namespace genten::detail {

/// What runs of cp_als take beside a tensor.
template <RealScalar Scalar, ExecutionSpace Exec>
class AlsMemory {
 public:
  /// For so many components. Counts the rows with nonzeros and the distinct values.
  AlsMemory(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, std::size_t rank,
            const CpAlsOptions& options)
      : m_dimensions(tensor.dimensions()),
        m_options(options),
        m_machine(machine_of(exec, options.mttkrp)) {
    auto relabeled = Relabeling<RowNumber, Exec>(exec, tensor).apply(exec, tensor);
    m_problem = mttkrp_problem(exec, relabeled, rank);
  }

  /// Bytes of a run of so many starts where so many are free. Throws what cp_als throws for a
  /// kernel that is named and does not fit.
  [[nodiscard]] double peak(std::size_t starts, bool from_guess, double free) const {
    CpAlsOptions options = m_options;
    options.starts = starts;
    return forecast_cp_als<Scalar, Exec>(m_problem, m_dimensions, options, m_machine,
                                         std::max(free, 0.0), from_guess)
        .memory.peak();
  }

 private:
  std::vector<std::size_t> m_dimensions;
  CpAlsOptions m_options;
  MachineProperties m_machine;
  MttkrpProblem m_problem;
};

}  // namespace genten::detail
