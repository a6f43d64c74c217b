// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// StartsState: where the starts of a solver stand, as data of the host; and how the state of a
/// checkpoint, of which that is a part, is read.

#include <genten/base/detail/option_archive.hpp>
#include <genten/cp/detail/tensor_fingerprint.hpp>
#include <genten/cp/result.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace genten::detail {

/// A start that has ended.
template <class Scalar, class Reached>
struct EndedStart {
  RunState run;
  Reached reached;
  /// Weights, then factors by rows, where the checkpoint's model is another one.
  std::vector<std::vector<Scalar>> model = {};

  static constexpr auto members() {
    return std::tuple{&EndedStart::run, &EndedStart::reached, &EndedStart::model};
  }
};

/// A start that goes on.
template <class Step>
struct LiveStart {
  RunState run;
  Step step;
  bool is_shown = true;  ///< whether an observer has seen its last iteration

  static constexpr auto members() {
    return std::tuple{&LiveStart::run, &LiveStart::step, &LiveStart::is_shown};
  }
};

/// Of all starts that have begun.
template <class Scalar, class Reached, class Step>
struct StartsState {
  std::vector<StartRecord> records;  ///< of live starts without meaning
  std::optional<EndedStart<Scalar, Reached>> best;
  std::vector<LiveStart<Step>> live;

  static constexpr auto members() {
    return std::tuple{&StartsState::records, &StartsState::best, &StartsState::live};
  }

  /// Whether they are starts of a run of so many.
  [[nodiscard]] bool are_of(std::size_t starts) const {
    std::size_t least = 0;
    bool right = records.size() <= starts && !live.empty();
    if (best) right = right && best->run.start < records.size();
    for (const auto& each : live) {
      right = right && each.run.start >= least && each.run.start < records.size();
      least = each.run.start + 1;
    }
    return right;
  }
};

template <class Archive, class Self>
requires std::same_as<std::remove_const_t<Self>, RunState>
void archive_members(Archive& archive, Self& run) {
  archive(run.start);
  archive(run.history);
}

/// What wrote the bytes of a checkpoint.
[[nodiscard]] inline std::string state_name(std::string_view bytes) {
  ByteReader read(bytes);
  std::string name;
  read(name);
  return name;
}

/// Whether the bytes of a checkpoint are of the solver with such a state, of whatever version.
template <class State>
[[nodiscard]] bool is_of_solver(std::string_view bytes) {
  const auto solver = [](std::string_view name) { return name.substr(0, name.find(',')); };
  const std::string name = state_name(bytes);
  return solver(name) == solver(State::expected_name);
}

/// What the bytes of a checkpoint say, of a solver's state; throws Error for those of another.
template <class State>
[[nodiscard]] State read_state(std::string_view bytes) {
  const std::string_view expected = State::expected_name;  // "SOLVER, VERSION"
  if (state_name(bytes) != expected) {
    throw Error("expected a checkpoint of " + std::string(expected.substr(0, expected.find(','))) +
                ", got one of another " +
                (is_of_solver<State>(bytes) ? "version of Genten" : "solver"))
        .as(Error::Code::checkpoint);
  }
  State state;
  ByteReader read(bytes);
  read(state);
  return state;
}

}  // namespace genten::detail
