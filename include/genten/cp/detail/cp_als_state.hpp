// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsState: where CP-ALS stands, as data of the host: all that the bits of what follows depend
/// on. It is the state of a Checkpoint.

#include <genten/base/detail/byte_archive.hpp>
#include <genten/base/detail/option_archive.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/cp/detail/nesterov/momentum_state.hpp>
#include <genten/cp/detail/row_update.hpp>
#include <genten/cp/detail/tensor_fingerprint.hpp>
#include <genten/cp/options.hpp>
#include <genten/cp/result.hpp>

#include <algorithm>
#include <concepts>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// A factor that CpAlsStep has, by rows and without padding: either the rows with nonzeros in the
/// order of the tensor, however many ranks have had them, or all rows of a factor that the caller
/// has given and no update replaced.
template <RealScalar Scalar>
struct FactorState {
  bool given = false;
  std::vector<Scalar> elements;
};

/// One start of CP-ALS after a sweep.
template <RealScalar Scalar>
struct StepState {
  std::vector<FactorState<Scalar>> factors;
  AlgebraState algebra;
  MomentumState<Scalar> momentum = {};
};

/// The best of the starts that are done.
template <RealScalar Scalar>
struct DoneState {
  RunState run;
  StopReason stop_reason{};
  double fit = 0.0, residual_norm = 0.0, residual_error = 0.0;
  ResidualRoute residual_route{};
  std::size_t rank_deficient_solves = 0, momentum_restarts = 0;
  double objective = 0.0, penalty = 0.0, kkt_violation = 0.0;
  /// Weights, then factors by rows, where the checkpoint's model is another one.
  std::vector<std::vector<Scalar>> model;
};

template <RealScalar Scalar>
struct CpAlsState {
  /// Says what wrote the bytes, and changes with their meaning.
  static constexpr std::string_view expected_name = "CP-ALS, 5";

  std::string name{expected_name};
  CpAlsOptions options;
  std::string kernel;          ///< that ran
  bool counts_tuples = false;  ///< whether modes could be fused by tuples that occur
  TensorFingerprint tensor;
  std::vector<StartRecord> starts;  ///< that are done
  std::optional<DoneState<Scalar>> best;
  RunState run;  ///< of the start in hand
  StepState<Scalar> step;
};

/// Whether T, perhaps const, is one of the types.
template <class T, class... Types>
concept OneOf = (std::same_as<std::remove_const_t<T>, Types> || ...);

template <class Archive, OneOf<IterationRecord> Self>
void archive_members(Archive& archive, Self& record) {
  archive(record.iteration);
  archive(record.fit);
  archive(record.fit_change);
  archive(record.residual_norm);
  archive(record.objective);
  archive(record.kkt_violation);
  archive(record.seconds);
}
template <class Archive, OneOf<RunState> Self>
void archive_members(Archive& archive, Self& run) {
  archive(run.start);
  archive(run.history);
}
template <class Archive, OneOf<StartRecord> Self>
void archive_members(Archive& archive, Self& record) {
  archive(record.seed);
  archive(record.fit);
  archive(record.objective);
  archive(record.iterations);
  archive(record.stop_reason);
}
template <class Archive, OneOf<AlgebraState> Self>
void archive_members(Archive& archive, Self& algebra) {
  archive(algebra.gram);
  archive(algebra.correction);
  archive(algebra.predicted);
  archive(algebra.weights);
  archive(algebra.statistics.inner_product);
  archive(algebra.statistics.model_norm_squared);
  archive(algebra.statistics.component_norms);
  archive(algebra.statistics.penalty);
  archive(algebra.statistics.violation);
  archive(algebra.rank_deficient_solves);
  archive(algebra.penalties);
  archive(algebra.violations);
}
template <class Archive, OneOf<FactorState<float>, FactorState<double>> Self>
void archive_members(Archive& archive, Self& factor) {
  archive(factor.given);
  archive(factor.elements);
}
template <class Archive, OneOf<MomentumState<float>, MomentumState<double>> Self>
void archive_members(Archive& archive, Self& momentum) {
  archive(momentum.length);
  archive(momentum.least_cost);
  archive(momentum.restarts);
  archive(momentum.before);
  archive(momentum.algebra);
}
template <class Archive, OneOf<StepState<float>, StepState<double>> Self>
void archive_members(Archive& archive, Self& step) {
  archive(step.factors);
  archive(step.algebra);
  archive(step.momentum);
}
template <class Archive, OneOf<DoneState<float>, DoneState<double>> Self>
void archive_members(Archive& archive, Self& best) {
  archive(best.run);
  archive(best.stop_reason);
  archive(best.fit);
  archive(best.residual_norm);
  archive(best.residual_error);
  archive(best.residual_route);
  archive(best.rank_deficient_solves);
  archive(best.momentum_restarts);
  archive(best.objective);
  archive(best.penalty);
  archive(best.kkt_violation);
  archive(best.model);
}
template <class Archive, OneOf<CpAlsState<float>, CpAlsState<double>> Self>
void archive_members(Archive& archive, Self& state) {
  archive(state.name);
  archive(state.options);
  archive(state.kernel);
  archive(state.counts_tuples);
  archive(state.tensor);
  archive(state.starts);
  archive(state.best);
  archive(state.run);
  archive(state.step);
}

/// What wrote the bytes of a checkpoint.
[[nodiscard]] inline std::string state_name(std::string_view bytes) {
  ByteReader read(bytes);
  std::string name;
  read(name);
  return name;
}

/// What the bytes of a checkpoint say, of a solver's state; throws Error for those of another.
template <class State>
[[nodiscard]] State read_state(std::string_view bytes) {
  const std::string expected(State::expected_name), name = state_name(bytes);
  if (name != expected) {
    // "SOLVER, VERSION"
    const std::string solver = expected.substr(0, expected.find(','));
    const bool other = name.substr(0, name.find(',')) != solver;
    throw Error("expected a checkpoint of " + solver + ", got one of another " +
                (other ? "solver" : "version of Genten"))
        .as(Error::Code::checkpoint);
  }
  State state;
  ByteReader read(bytes);
  read(state);
  return state;
}

/// A matrix's elements by rows, without padding.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<Scalar> packed_elements(const FacMatrix<Scalar, Exec>& matrix) {
  const auto host = create_mirror_view(matrix);
  if constexpr (!is_host_space<Exec>) deep_copy(host, matrix);
  std::vector<Scalar> elements;
  elements.reserve(host.rows() * host.columns());
  for (std::size_t i = 0; i < host.rows(); ++i) {
    elements.insert(elements.end(), host.row(i), host.row(i) + host.columns());
  }
  return elements;
}

/// The places of numbers, all distinct, in the order in which the numbers ascend.
template <ExecutionSpace Exec, class Numbers>
[[nodiscard]] std::vector<std::size_t> ascending_order(const Exec& exec, const Numbers& numbers) {
  using Number = typename Numbers::non_const_value_type;
  using OnHost = Kokkos::View<Number*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  std::vector<Number> on_host(numbers.extent(0));
  copy_view(exec, OnHost(on_host.data(), on_host.size()), numbers);
  fence(exec, "genten::ascending_order");
  std::vector<std::size_t> order(on_host.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return on_host[one] < on_host[other]; });
  return order;
}

/// The elements of rows with such numbers, those of smaller numbers first.
template <RealScalar Scalar, ExecutionSpace Exec, class Numbers>
[[nodiscard]] std::vector<Scalar> ascending_elements(const Exec& exec,
                                                     const FacMatrix<Scalar, Exec>& matrix,
                                                     const Numbers& numbers) {
  const auto host = create_mirror_view(matrix);
  if constexpr (!is_host_space<Exec>) deep_copy(host, matrix);
  std::vector<Scalar> elements;
  elements.reserve(host.rows() * host.columns());
  for (const std::size_t i : ascending_order(exec, numbers)) {
    elements.insert(elements.end(), host.row(i), host.row(i) + host.columns());
  }
  return elements;
}

/// The matrix of `columns` columns with these elements, row by row or, if `order` says so, row
/// order[0] first. Throws Error where there are not `rows`.
template <ExecutionSpace Exec, RealScalar Scalar>
[[nodiscard]] FacMatrix<Scalar, Exec> unpacked_matrix([[maybe_unused]] const Exec& exec,
                                                      const std::vector<Scalar>& elements,
                                                      std::size_t rows, std::size_t columns,
                                                      const std::vector<std::size_t>& order = {}) {
  if (elements.size() != rows * columns) {
    throw Error("expected a checkpoint with a factor of " + std::to_string(rows) + " x " +
                std::to_string(columns) + " elements, got " + std::to_string(elements.size()))
        .as(Error::Code::checkpoint);
  }
  const FacMatrix<Scalar, HostExec> host(rows, columns);  // whose padding is zero
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(elements.data() + i * columns, columns, host.row(order.empty() ? i : order[i]));
  }
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return host;
  } else {
    const FacMatrix<Scalar, Exec> matrix(exec, rows, columns);
    deep_copy(exec, matrix, host);
    exec.fence();
    return matrix;
  }
}

}  // namespace genten::detail
