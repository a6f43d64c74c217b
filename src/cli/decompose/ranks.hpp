// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// genten decompose on the ranks of a launcher: what differs from one process.

#include "decompose.hpp"
#include "tools/launch/ranks.hpp"

#include <genten/dist/cp_als.hpp>

namespace genten::cli {

/// Throws a usage error for what needs one process, or several ranks, and has the other.
void require_options_for_ranks(const DecomposeOptions& options);

/// Runs `body`; on several ranks so that all throw what one does.
void on_all_ranks(const std::function<void()>& body);

/// Runs `body` on the only rank or the first; all throw what it throws.
void on_first_rank(const std::function<void()>& body);
/// A value of the first rank, on all.
template <class T>
[[nodiscard]] T of_first_rank(T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  RankModule* const module = RanksOfProgram::now();
  if (module != nullptr) module->ranks().broadcast(&value, sizeof value, 0);
  return value;
}

/// How many ranks the machine has, this one included.
[[nodiscard]] std::size_t ranks_of_machine();
/// Is this the only rank, or the first, which has the model and writes?
[[nodiscard]] bool is_first_rank();
/// The signal that was noted here or, if there was none, on the first rank that noted one; 0: none
/// did. All ranks call it.
[[nodiscard]] int signal_of_any_rank();

/// A tensor that several ranks have, as the tool's solvers take it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct RanksTensor {
  using scalar_type = Scalar;
  DistributedTensor<Scalar, Ordinal> parts;
};

/// Least squares on several ranks.
struct RanksSolver {
  static constexpr bool has_checkpoints = true;
  RankModule& module;
  RankOptions how = {};

  static CpAlsOptions& options_of(DecomposeOptions& options) { return options.als; }
  auto saved_options(const auto& checkpoint) const {
    return checkpoint_options(module.ranks(), checkpoint);
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Model, class Observer>
  auto run(const RanksTensor<Scalar, Ordinal>& tensor, const Checkpoint<Model>& checkpoint,
           const CpAlsOptions& options, const Observer& observer) const {
    using Exec = Kokkos::DefaultExecutionSpace;
    return cp_als(Exec(), module.ranks(), tensor.parts, checkpoint, options, observer, how);
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Observer>
  auto run(const RanksTensor<Scalar, Ordinal>& tensor, const CpAlsOptions& options,
           const Observer& observer) const {
    using Exec = Kokkos::DefaultExecutionSpace;
    return cp_als(Exec(), module.ranks(), tensor.parts, options, observer, nullptr, how);
  }
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Guess, class Observer>
  auto run(const RanksTensor<Scalar, Ordinal>& tensor, const Guess& guess,
           const CpAlsOptions& options, const Observer& observer) const {
    using Exec = Kokkos::DefaultExecutionSpace;
    return cp_als(Exec(), module.ranks(), tensor.parts, options, observer, &guess, how);
  }
};

/// How a tensor lies on the ranks, as it stands under `ranks` in the report: their number, the MPI
/// library, what divided it, nonzeros, and rows that a sweep moves.
[[nodiscard]] nlohmann::ordered_json describe_ranks(RankModule& module, const std::string& grid,
                                                    std::uint64_t nnz, std::uint64_t most_nnz,
                                                    const std::vector<double>& rows);
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] nlohmann::ordered_json ranks_json(RankModule& module, const std::string& grid,
                                                const DistributedTensor<Scalar, Ordinal>& tensor) {
  std::vector<double> rows;
  for (const auto& mode : tensor.shared) rows.push_back(static_cast<double>(mode.foreign()));
  combine(module.ranks(), rows, {});
  return describe_ranks(module, grid, tensor.nnz, tensor.most_nnz, rows);
}
/// "4 of Open MPI v4.1.4, nonzeros divided by bisection, the most 1.020 times the mean"
[[nodiscard]] std::string ranks_text(const nlohmann::ordered_json& ranks);

/// What was sent, added to `ranks`: by mode, rows, words and messages of folds and expands.
void add_account(nlohmann::ordered_json& ranks, const ExchangeAccount& account,
                 std::size_t columns);

}  // namespace genten::cli
