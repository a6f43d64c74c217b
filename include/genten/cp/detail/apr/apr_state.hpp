// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAprState: where CP-APR stands, as data of the host: the state of a Checkpoint.

#include <genten/base/member_table.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// One start of CP-APR after a sweep.
template <RealScalar Scalar>
struct AprStepState {
  std::vector<std::vector<Scalar>> factors;  ///< by rows, without padding
  std::vector<double> weights;
  std::size_t inner_iterations = 0;
  std::size_t lifted_zeros = 0;
  /// See Extrapolation; nothing where there has been no sweep to go on from.
  std::vector<std::vector<Scalar>> before;
  std::vector<double> weights_before;
  double length = 0.0;
  /// Half of that of the guess, and whether steps are Newton's by now.
  double first_deviance = 0.0;
  bool by_newton = false;

  static constexpr auto members() {
    using Self = AprStepState;
    return member_table(&Self::factors, &Self::weights, &Self::inner_iterations,
                        &Self::lifted_zeros, &Self::before, &Self::weights_before, &Self::length,
                        &Self::first_deviance, &Self::by_newton);
  }
};

/// What a start has reached.
struct AprReached {
  StopReason stop_reason = StopReason::iteration_limit;
  SweepOutcome outcome{};
  double deviance = 0.0;
  std::size_t inner_iterations = 0;
  std::size_t lifted_zeros = 0;

  static constexpr auto members() {
    using Self = AprReached;
    return member_table(&Self::stop_reason, &Self::outcome, &Self::deviance,
                        &Self::inner_iterations, &Self::lifted_zeros);
  }
};

struct CpAprTask {
  static constexpr std::string_view expected_name = "CP-APR, 6";

  std::string name{expected_name};
  CpAprOptions options;
  CountLoss loss{};    ///< of the options, which save those of the table
  std::string kernel;  ///< that traversed
  TensorFingerprint tensor;

  static constexpr auto members() {
    using Self = CpAprTask;
    return member_table(&Self::name, &Self::options, &Self::loss, &Self::kernel, &Self::tensor);
  }
};

template <RealScalar Scalar>
using CpAprState = SolverState<CpAprTask, StartsState<Scalar, AprReached, AprStepState<Scalar>>>;

}  // namespace genten::detail

GENTEN_ETI_TASK(extern, genten::detail::CpAprTask)
