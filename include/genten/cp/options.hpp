// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parameters of CP-ALS.

#include <genten/base/option_field.hpp>
#include <genten/core/factor_kind.hpp>
#include <genten/core/mode_selection.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/mttkrp/options.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace genten {

/// What is done between the sweeps of ALS to need fewer of them.
enum class Acceleration {
  none,
  nesterov  ///< momentum, with restarts: see cp/detail/nesterov/momentum.hpp
};

constexpr auto enum_words(Acceleration) {
  return std::array{
      EnumWord("none", Acceleration::none),
      EnumWord("nesterov", Acceleration::nesterov,
               "momentum, with restarts, for one more copy of the factors; the tolerance is "
               "then of three sweeps together")};
}

/// In which order a sweep updates the modes.
enum class UpdateOrder {
  given,
  automatic  ///< see cheapest_update_order in mttkrp/plan.hpp
};

constexpr auto enum_words(UpdateOrder) {
  return std::array{
      EnumWord("given", UpdateOrder::given, "as listed, or natural order"),
      EnumWord("automatic", UpdateOrder::automatic,
               "natural order or, of four to six modes, another one that brings modes together "
               "whose pairs or tuples of subscripts occur so often that iterations are faster")};
}

/// Parameters of cp_als. Defaults are those of the fields' initializers; the table `fields()` says
/// what each means.
struct CpAlsOptions {
  std::size_t rank = 16;
  std::size_t max_iterations = 100;
  double tolerance = 1e-4;
  double time_limit = 0.0;
  std::uint64_t seed = 1;
  std::size_t starts = 1;
  FactorKind init = FactorKind::uniform;
  std::vector<int> mode_order = {};
  UpdateOrder update_order = UpdateOrder::given;
  std::vector<int> fixed_modes = {};
  /// Beside nesterov `tolerance` is of the last `acceleration_window` sweeps together.
  Acceleration acceleration = Acceleration::none;
  /// Modes whose factors have no negative elements.
  ModeSelection nonnegative = {};
  /// Penalties and bounds: none, one for all modes, or one a mode. What is minimized is
  /// 1/2 ||X - M||^2 + sum_n [ridge_n / 2 ||A_n||^2 + l1_n sum |A_n|], lower_n <= A_n <= upper_n;
  /// infinite bounds are none. Penalties of fixed modes do not count.
  std::vector<double> ridge = {};
  std::vector<double> l1 = {};
  std::vector<double> lower = {};
  std::vector<double> upper = {};
  /// Bytes that a run may take beside the tensor, where it computes; 0: as many as are available.
  double memory_available = 0.0;
  MttkrpOptions mttkrp = {};

  static constexpr auto fields() {
    const auto run = member_table(
        option_field("rank", &CpAlsOptions::rank, "number of components R", 1, 1e6),
        option_field("max-iterations", &CpAlsOptions::max_iterations,
                     "sweeps over all modes at most", 0, 1e9),
        option_field(
            "tolerance", &CpAlsOptions::tolerance,
            "stop when the fit, or, under constraints, the objective by its own size, changes "
            "by less than this; 0: never",
            0.0, 1.0),
        option_field("time-limit", &CpAlsOptions::time_limit,
                     "stop after the iteration that ends past this many seconds; 0: none", 0.0),
        option_field("seed", &CpAlsOptions::seed, "seed of random initial guesses", 0.0,
                     18446744073709551615.0),
        option_field(
            "starts", &CpAlsOptions::starts,
            "random starts, of which the best is kept, by its fit or, under constraints, its "
            "objective",
            1, 1e6),
        option_field("init", &CpAlsOptions::init, "distribution of random initial guesses"),
        option_field("mode-order", &CpAlsOptions::mode_order,
                     "modes in the order of their updates; none: natural order"),
        option_field("update-order", &CpAlsOptions::update_order,
                     "in which order a sweep updates the modes"),
        option_field("fixed-modes", &CpAlsOptions::fixed_modes,
                     "modes whose factors stay as in the initial guess"),
        option_field("acceleration", &CpAlsOptions::acceleration,
                     "what is done between sweeps, to need fewer"));
    const auto memory = member_table(
        option_field("memory-available", &CpAlsOptions::memory_available,
                     "bytes that the run may take beside the tensor; 0: as many as are free", 0.0),
        option_group(&CpAlsOptions::mttkrp));
    return member_table(run, constraint_fields<CpAlsOptions>(), memory);
  }
};

/// The sweeps that an accelerated run looks back over to see whether it gets on: one may have been
/// taken back, and the next one has no momentum yet.
inline constexpr std::size_t acceleration_window = 3;

/// Whether a run may go on from a checkpoint with another value of the option of that name.
[[nodiscard]] constexpr bool may_change_on_resume(std::string_view name) {
  return name == "max-iterations" || name == "tolerance" || name == "time-limit" ||
         name == "memory-limit" || name == "memory-available";
}

}  // namespace genten
