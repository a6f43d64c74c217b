// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where choose_rank stands, as the state of a Checkpoint, and what it makes of a request.

#include <genten/base/detail/byte_archive.hpp>
#include <genten/run/rank_choice.hpp>
#include <genten/run/request.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace genten::detail {

/// The finished ranks, and what they were found with.
struct RankState {
  static constexpr std::string_view own_name = "choose_rank 1";

  std::string name = std::string(own_name);
  /// What must be the same to go on, by name, as bytes.
  std::vector<std::string> names = {}, values = {};
  std::vector<RankRow> rows = {};
  /// By held-out entry: of the zero model, and of each row.
  std::vector<std::vector<double>> losses = {};
  double residual = 0.0;  ///< norm, of the last rank's best model
};

template <class Archive, class Self>
requires std::is_same_v<std::remove_const_t<Self>, RankRow>
void archive_members(Archive& archive, Self& row) {
  std::apply([&](const auto&... line) { (archive(row.*(line.member)), ...); }, RankRow::figures());
}
template <class Archive, class Self>
requires std::is_same_v<std::remove_const_t<Self>, RankState>
void archive_members(Archive& archive, Self& state) {
  archive(state.name);
  archive(state.names);
  archive(state.values);
  archive(state.rows);
  archive(state.losses);
  archive(state.residual);
}

/// A state that has the request and the options, and no ranks yet.
[[nodiscard]] RankState state_of(const CpRequest& request, const RankChoiceOptions& options);
/// The state in a checkpoint. Throws Error of kind file for that of something else, and OptionError
/// where what must be the same is not that of `now`, or `ranks` do not begin with its own.
[[nodiscard]] RankState resumed_state(const std::string& bytes, const RankState& now,
                                      const std::vector<std::size_t>& ranks);

/// Throws OptionError unless there are ranks, ascending.
void check_ranks(const std::vector<std::size_t>& ranks);
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
