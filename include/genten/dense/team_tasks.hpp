// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tasks of one kind that teams of threads do in one launch.

#include <genten/base/detail/backend.hpp>

#include <type_traits>
#include <vector>

namespace genten {

/// Team functors of one kind, each done by `teams` neighbouring teams. One with a member `run`
/// gets from it the number of its team; others are called, by one team.
template <class Task, ExecutionSpace Exec>
struct TeamTasks {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  const Task* tasks;
  unsigned teams;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto league = static_cast<unsigned>(team.league_rank());
    const Task task = tasks[league / teams];
    if constexpr (requires { task.run(team, std::size_t{0}); }) {
      task.run(team, static_cast<std::size_t>(league % teams));
    } else {
      task(team);
    }
  }
};

/// Where the host leaves tasks for a device, which reads them there: they are few and short, so
/// that a copy would cost more.
template <ExecutionSpace Exec>
class TeamTaskList {
 public:
  /// The tasks as `tasks` has them, until the next call. It waits for what was queued on the
  /// instance of the last `read_by`.
  template <class Task>
  [[nodiscard]] const Task* put(const std::vector<Task>& tasks) {
    static_assert(std::is_trivially_copyable_v<Task>);
    m_read.wait();
    const std::size_t bytes = tasks.size() * sizeof(Task);
    const std::size_t words = (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    if (m_words.extent(0) < words) m_words = Words("genten::team_tasks", words);
    std::memcpy(m_words.data(), tasks.data(), bytes);
    return reinterpret_cast<const Task*>(m_words.data());
  }
  /// All that reads the tasks has been queued on `exec`.
  void read_by(const Exec& exec) { m_read.set(exec); }

 private:
  using Words = Kokkos::View<std::uint64_t*, typename detail::Backend<Exec>::pinned_space>;

  Words m_words;
  typename detail::Backend<Exec>::Event m_read;
};

}  // namespace genten
