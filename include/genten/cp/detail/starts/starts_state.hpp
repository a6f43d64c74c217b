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
    return member_table(&EndedStart::run, &EndedStart::reached, &EndedStart::model);
  }
};

/// A start that goes on.
template <class Step>
struct LiveStart {
  RunState run;
  Step step;
  bool is_shown = true;  ///< whether an observer has seen its last iteration

  static constexpr auto members() {
    return member_table(&LiveStart::run, &LiveStart::step, &LiveStart::is_shown);
  }
};

/// Of all starts that have begun.
template <class Scalar, class Reached, class Step>
struct StartsState {
  std::vector<StartRecord> records;  ///< of live starts without meaning
  std::optional<EndedStart<Scalar, Reached>> best;
  std::vector<LiveStart<Step>> live;

  static constexpr auto members() {
    return member_table(&StartsState::records, &StartsState::best, &StartsState::live);
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

/// What a checkpoint holds: the solver's Task, which says what runs, and where its starts stand. A
/// Task is a type without scalars that names what wrote the bytes ("SOLVER, VERSION", which changes
/// with their meaning) and has the options; its bytes come first, so that it is read alone, too.
template <class Task, class Starts>
struct SolverState {
  Task task;
  Starts starts = {};

  static constexpr auto members() { return member_table(&SolverState::task, &SolverState::starts); }
};

/// Throws Error unless the bytes of a checkpoint are of the solver whose states have that name.
void check_state_name(std::string_view bytes, std::string_view expected);

/// What the bytes of a checkpoint say was to be done; throws Error for those of another solver.
template <class Task>
[[nodiscard]] Task read_task(std::string_view bytes) {
  check_state_name(bytes, Task::expected_name);
  Task task;
  ByteReader read(bytes);
  read(task);
  return task;
}

/// What they say in all, likewise.
template <class State>
[[nodiscard]] State read_state(std::string_view bytes) {
  check_state_name(bytes, decltype(State::task)::expected_name);
  State state;
  ByteReader read(bytes);
  read(state);
  return state;
}

}  // namespace genten::detail

/// The code that reads and writes a task: src/cp/checkpoint.cpp has it for all solvers.
#define GENTEN_ETI_TASK(PREFIX, TASK)                                                              \
  PREFIX template void genten::detail::archive_members(genten::detail::ByteReader&, TASK&);        \
  PREFIX template void genten::detail::archive_members(genten::detail::ByteWriter&, const TASK&);  \
  PREFIX template void genten::detail::archive_members(genten::detail::ByteCounter&, const TASK&); \
  PREFIX template TASK genten::detail::read_task<TASK>(std::string_view);
