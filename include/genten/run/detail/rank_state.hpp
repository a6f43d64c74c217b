// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where choose_rank stands, as the state of a Checkpoint, and what it makes of a request.

#include <genten/base/detail/option_archive.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/run/rank_choice.hpp>
#include <genten/run/request.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace genten::detail {

/// The finished ranks, and what they were found with.
struct RankState {
  static constexpr std::string_view own_name = "choose_rank 3";

  std::string name = std::string(own_name);
  /// What must be the same to go on, by name, as bytes.
  std::vector<std::string> names = {}, values = {};
  std::vector<RankRow> rows = {};
  /// By held-out entry: of the zero model, and of each row.
  std::vector<std::vector<double>> losses = {};
  std::vector<std::vector<ComponentStability>> stability = {};  ///< of each row, by component
  std::vector<std::string> models = {};  ///< of each row, the best one, as numbers_of it
  double residual = 0.0;                 ///< norm, of the last rank's best model

  static constexpr auto members() {
    using State = RankState;
    return member_table(&State::name, &State::names, &State::values, &State::rows, &State::losses,
                        &State::stability, &State::models, &State::residual);
  }
};

/// Weights and factors as bytes.
template <RealScalar Scalar>
[[nodiscard]] std::string numbers_of(const Ktensor<Scalar, HostExec>& model) {
  std::vector<Scalar> numbers(model.weights().data(), model.weights().data() + model.rank());
  for (const auto& factor : model.factors()) {
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      numbers.insert(numbers.end(), factor.row(i), factor.row(i) + model.rank());
    }
  }
  return to_bytes(numbers);
}
/// And back. Throws Error for bytes that are not those of such a model.
template <RealScalar Scalar>
[[nodiscard]] Ktensor<Scalar, HostExec> model_of_numbers(const std::string& bytes,
                                                         const std::vector<std::size_t>& dimensions,
                                                         std::size_t rank) {
  std::vector<Scalar> numbers;
  ByteReader read(bytes);
  read(numbers);
  const Ktensor<Scalar, HostExec> model(HostExec(), dimensions, rank);
  std::size_t rows = 1;
  for (const std::size_t length : dimensions) rows += length;
  if (numbers.size() != rows * rank) {
    throw Error(Error::Kind::file, "expected the models of the ranks in the checkpoint")
        .as(Error::Code::checkpoint);
  }
  const Scalar* from = numbers.data();
  std::copy_n(from, rank, model.weights().data());
  for (const auto& factor : model.factors()) {
    for (std::size_t i = 0; i < factor.rows(); ++i) std::copy_n(from += rank, rank, factor.row(i));
  }
  return model;
}

/// A state that has the request and the options, and no ranks yet.
[[nodiscard]] RankState state_of(const CpRequest& request, const RankChoiceOptions& options);
/// The state in a checkpoint. Throws Error of kind file for that of something else, and Error
/// where what must be the same is not that of `now`, or `ranks` do not begin with its own.
[[nodiscard]] RankState resumed_state(const std::string& bytes, const RankState& now,
                                      const std::vector<std::size_t>& ranks);

/// Throws Error unless there are ranks, ascending.
void check_ranks(const std::vector<std::size_t>& ranks);
/// The request of a run that stays at a model, and has error bars, if any: those of `wanted`.
[[nodiscard]] CpRequest request_at_model(const CpRequest& request, const TrustOptions& wanted,
                                         std::size_t rank, double time_limit);
/// The request for runs without held-out entries, which are missing.
[[nodiscard]] CpRequest request_for_test(const CpRequest& request);
/// Sets the rank, the number of starts and the time limit of all solvers.
void set_run(CpRequest& request, std::size_t rank, std::size_t starts, double time_limit);

/// How many of the starts have come to the least objective, and how far the worst one is from it.
void look_at_starts(const CpFigures& figures, const CpRequest& request, RankRow& row);
/// The middle one, or the mean of two; 0 of none.
[[nodiscard]] double median(std::vector<double> values);
/// Adds the starts of `run` behind those of `to`, with the seconds that they took.
void append_starts(CpFigures& to, const CpFigures& run);

}  // namespace genten::detail
