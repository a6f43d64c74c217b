// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAprState: where CP-APR stands, as data of the host: the state of a Checkpoint.

#include <genten/cp/cp_apr.hpp>
#include <genten/cp/detail/cp_als_state.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// One start of CP-APR after a sweep.
template <RealScalar Scalar>
struct AprStepState {
  std::vector<std::vector<Scalar>> factors;  ///< by rows, without padding
  std::vector<double> weights;
  std::size_t inner_iterations = 0;
};

/// What a start has reached.
struct AprReached {
  StopReason stop_reason = StopReason::iteration_limit;
  SweepOutcome outcome{};
  double deviance = 0.0;
  std::size_t inner_iterations = 0;
};

/// The best of the starts that are done.
template <RealScalar Scalar>
struct AprDoneState {
  RunState run;
  AprReached reached;
  /// Weights, then factors by rows, where the checkpoint's model is another one.
  std::vector<std::vector<Scalar>> model;
};

template <RealScalar Scalar>
struct CpAprState {
  /// Says what wrote the bytes, and changes with their meaning.
  static constexpr std::string_view expected_name = "CP-APR, 1";

  std::string name{expected_name};
  CpAprOptions options;
  std::string kernel;  ///< that walked
  TensorMark tensor;
  std::vector<StartRecord> starts;  ///< that are done
  std::optional<AprDoneState<Scalar>> best;
  RunState run;  ///< of the start in hand
  AprStepState<Scalar> step;
};

template <class Archive, OneOf<CpAprOptions> Self>
void archive_members(Archive& archive, Self& options) {
  for_each_field(options, [&](const auto&, auto& value) { archive(value); });
}
template <class Archive, OneOf<AprStepState<float>, AprStepState<double>> Self>
void archive_members(Archive& archive, Self& step) {
  archive(step.factors);
  archive(step.weights);
  archive(step.inner_iterations);
}
template <class Archive, OneOf<AprReached> Self>
void archive_members(Archive& archive, Self& reached) {
  archive(reached.stop_reason);
  archive(reached.outcome.fit);
  archive(reached.outcome.residual_norm);
  archive(reached.outcome.objective);
  archive(reached.outcome.kkt_violation);
  archive(reached.deviance);
  archive(reached.inner_iterations);
}
template <class Archive, OneOf<AprDoneState<float>, AprDoneState<double>> Self>
void archive_members(Archive& archive, Self& best) {
  archive(best.run);
  archive(best.reached);
  archive(best.model);
}
template <class Archive, OneOf<CpAprState<float>, CpAprState<double>> Self>
void archive_members(Archive& archive, Self& state) {
  archive(state.name);
  archive(state.options);
  archive(state.kernel);
  archive(state.tensor);
  archive(state.starts);
  archive(state.best);
  archive(state.run);
  archive(state.step);
}

/// Weights, then factors by rows.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<Scalar>> packed_model(const Exec& exec,
                                                            const Ktensor<Scalar, Exec>& model) {
  std::vector<std::vector<Scalar>> packed(1);
  for (const double weight : host_weights(exec, model)) {
    packed.front().push_back(static_cast<Scalar>(weight));
  }
  for (const auto& factor : model.factors()) packed.push_back(packed_elements(factor));
  return packed;
}

/// The model of these dimensions. Throws Error where the numbers are not as many.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> unpacked_model(const Exec& exec,
                                                   const std::vector<std::vector<Scalar>>& packed,
                                                   const std::vector<std::size_t>& dimensions,
                                                   std::size_t rank) {
  if (packed.size() != dimensions.size() + 1 || packed.front().size() != rank) {
    throw Error("the model of a start that is done is not whole in the checkpoint");
  }
  std::vector<FacMatrix<Scalar, Exec>> factors;
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    factors.push_back(unpacked_matrix(exec, packed[n + 1], dimensions[n], rank));
  }
  const Ktensor<Scalar, Exec> model(
      typename Ktensor<Scalar, Exec>::weights_view("genten::weights", rank), std::move(factors));
  set_weights(exec, model, std::vector<double>(packed.front().begin(), packed.front().end()));
  return model;
}

}  // namespace genten::detail
