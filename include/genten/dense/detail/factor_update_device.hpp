// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices. Of narrow rows one launch transforms them and sums Gram matrices of its
/// teams, of wide ones two; the last launch adds what teams have found, in order.

#include <genten/dense/detail/add_chunks.hpp>
#include <genten/dense/detail/finish_update.hpp>
#include <genten/dense/detail/gram_chunks.hpp>
#include <genten/dense/detail/transform_rows.hpp>
#include <genten/dense/detail/update_rows.hpp>
#include <genten/dense/team_tasks.hpp>

#include <algorithm>
#include <span>

namespace genten::detail {

/// The pass of FactorUpdate over a matrix; sums are taken in double, in an order that does not
/// change from run to run.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DeviceUpdate {
  Exec exec;
  Scalar* data;
  std::size_t rows;
  std::size_t distance;  ///< elements from one row to the next, of which `stride` are taken
  std::size_t rank, stride, most_chunks_;
  double* partial;  ///< most_chunks_ x (stride * stride + 2 * stride)

  /// Row chunks that keep the device busy and take at most 64 MB for their partial results.
  static std::size_t most_chunks(std::size_t bytes) {
    return std::clamp<std::size_t>((std::size_t{64} << 20) / bytes, 8, 528);
  }

  /// What `run` is given.
  struct Call {
    const Scalar *first, *second;
    const int* count;  ///< see UpdateRows
    double *gram, *column_max, *dots;
  };
  void run(const Call& call, typename Backend<Exec>::Event* written) const {
    std::size_t teams = 0, chunks = 0;
    if (is_narrow()) {
      chunks = teams = update_rows(call);
      if (written != nullptr) written->set(exec);
    } else {
      teams = transform(call);
      if (written != nullptr) written->set(exec);
      chunks = sum_grams();
    }
    const AddChunks<Exec> add = add_task(call, chunks, teams);
    launch_update(exec, "genten::add_chunks", add, add.leagues(), add.scratch_bytes());
  }

  /// Rows up to this width are updated by one launch, which may find out how many transforms count.
  static constexpr std::size_t most_together = widest_narrow_row;
  [[nodiscard]] bool is_narrow() const { return stride <= most_together; }
  /// Teams for a short matrix: as many as one team can add soon.
  static constexpr std::size_t most_of_short = 32;
  /// Whether so few update the rows in no time.
  [[nodiscard]] bool is_short() const {
    constexpr std::size_t elements = 1 << 18, products = 1 << 22;
    return is_narrow() && rows * stride <= elements && rows * stride * stride <= products;
  }
  /// The first launch alone, of narrow rows. Returns how many teams it has had.
  std::size_t update_rows(const Call& call) const {
    switch (update_micro(stride)) {
      case 4:
        return update_rows_by<2, 4>(call);
      case 2:
        return update_rows_by<2, 2>(call);
      default:
        return update_rows_by<1, 1>(call);
    }
  }
  /// The other for a short matrix, on this object's instance and by one team: `last` gets the
  /// results. See FinishUpdate. `teams`: of the first.
  template <class Last>
  void finish(std::size_t teams, const Last& last) const {
    const FinishUpdate<Exec, Last> task{sums_of(teams, teams), last};
    launch_with_vectors(exec, "genten::finish_update", task, 1, task.scratch_bytes());
  }

  /// The tasks of the two launches.
  struct Tasks {
    TeamTaskList<Exec> update, add;
  };
  /// `run` for several matrices that are alike and narrow, in as many launches as for one: each
  /// task is what `run` launches.
  static void run_together(const Exec& exec, std::span<const DeviceUpdate> updates,
                           std::span<const Call> calls, Tasks& tasks) {
    const std::size_t teams = update_all(exec, updates, calls, tasks.update);
    std::vector<AddChunks<Exec>> adds;
    for (std::size_t k = 0; k < calls.size(); ++k) {
      adds.push_back(updates[k].add_task(calls[k], teams, teams));
    }
    launch_update_tasks(exec, "genten::add_chunks", adds, adds[0].leagues(),
                        adds[0].scratch_bytes(), tasks.add);
  }

  /// Gram matrices of row chunks, as many as it returns.
  [[nodiscard]] std::size_t sum_grams() const {
    if (stride % 4 == 0) return sum_grams_by<4>();
    if (stride % 2 == 0) return sum_grams_by<2>();  // short rows, which a team covers
    return sum_grams_by<1>();
  }

 private:
  [[nodiscard]] double* statistics() const { return partial + most_chunks_ * stride * stride; }
  /// The first launch of wide rows. Returns how many teams it has had.
  std::size_t transform(const Call& call) const {
    if (stride <= 256 && fits<8>(call)) {
      return transform_by<8>(call);  // a wide transform is read less often
    }
    return fits<4>(call) ? transform_by<4>(call) : transform_by<1>(call);
  }
  template <int Height>
  TransformRows<Scalar, Height, Exec> task_of(const Call& call) const {
    TransformRows<Scalar, Height, Exec> task{
        data, call.first, call.second, statistics(), rows, distance, rank, stride, 0};
    const std::size_t tiles = (rows + task.tile_rows() - 1) / task.tile_rows();
    task.teams = std::clamp<std::size_t>(tiles, 1, most_chunks_);
    return task;
  }
  /// Whether a team has scratch memory for tiles of so many rows; some devices have 64 KB of it.
  template <int Height>
  [[nodiscard]] bool fits(const Call& call) const {
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Exec>::scratch_size_max(0));
    return padded_scratch(task_of<Height>(call).scratch_bytes()) <= most;
  }
  template <int Height>
  std::size_t transform_by(const Call& call) const {
    const auto task = task_of<Height>(call);
    launch_update(exec, "genten::transform_rows", task, task.teams, task.scratch_bytes());
    return task.teams;
  }
  [[nodiscard]] ChunkSums<Exec> sums_of(std::size_t chunks, std::size_t teams) const {
    return {partial, statistics(), chunks, teams, stride, rank, 2};
  }
  [[nodiscard]] AddChunks<Exec> add_task(const Call& call, std::size_t chunks,
                                         std::size_t teams) const {
    return {sums_of(chunks, teams), call.gram, {call.column_max, call.dots}};
  }
  template <int Width, int Height, int Micro>
  UpdateRows<Scalar, Width, Height, Micro, Exec> update_task(const Call& call) const {
    UpdateRows<Scalar, Width, Height, Micro, Exec> task{.data = data,
                                                        .first = call.first,
                                                        .second = call.second,
                                                        .count = call.count,
                                                        .grams = partial,
                                                        .statistics = statistics(),
                                                        .rows = rows,
                                                        .distance = distance,
                                                        .rank = static_cast<unsigned>(rank),
                                                        .stride = static_cast<unsigned>(stride),
                                                        .shape = {}};
    task.divide(is_short() ? std::min(most_of_short, most_chunks_) : most_chunks_);
    return task;
  }
  /// Whether tiles are low, since there would be few of them.
  template <int Width>
  [[nodiscard]] bool has_low_tiles() const {
    constexpr std::size_t threads = update_threads<Exec>;
    return rows * stride <= most_of_short / 2 * threads * Width;
  }
  template <int Width, int Micro>
  std::size_t update_rows_by(const Call& call) const {
    return has_low_tiles<Width>() ? queue(update_task<Width, 1, Micro>(call))
                                  : queue(update_task<Width, 4, Micro>(call));
  }
  template <class Task>
  std::size_t queue(const Task& task) const {
    launch_update(exec, "genten::update_rows", task, task.teams, task.scratch_bytes());
    return task.teams;
  }

  template <int Micro>
  GramChunks<Scalar, Micro, Exec> gram_task() const {
    constexpr std::size_t panel = GramChunks<Scalar, Micro, Exec>::panel;
    const std::size_t chunks = std::clamp<std::size_t>(rows / 128, 1, most_chunks_);
    return {data, partial, rows, distance, stride, chunks, (stride + panel - 1) / panel};
  }
  template <int Micro>
  std::size_t sum_grams_by() const {
    const auto task = gram_task<Micro>();
    launch_update(exec, "genten::sum_grams", task, task.chunks * task.panels * task.panels,
                  task.scratch_bytes());
    return task.chunks;
  }

  template <class Task>
  static void launch_update_tasks(const Exec& exec, const char* label,
                                  const std::vector<Task>& tasks, std::size_t teams,
                                  std::size_t scratch, TeamTaskList<Exec>& list) {
    launch_update(exec, label, TeamTasks<Task, Exec>{list.put(tasks), static_cast<unsigned>(teams)},
                  teams * tasks.size(), scratch);
    list.read_by(exec);
  }
  static std::size_t update_all(const Exec& exec, std::span<const DeviceUpdate> updates,
                                std::span<const Call> calls, TeamTaskList<Exec>& list) {
    switch (update_micro(updates[0].stride)) {
      case 4:
        return update_together<2, 4>(exec, updates, calls, list);
      case 2:
        return update_together<2, 2>(exec, updates, calls, list);
      default:
        return update_together<1, 1>(exec, updates, calls, list);
    }
  }
  template <int Width, int Micro>
  static std::size_t update_together(const Exec& exec, std::span<const DeviceUpdate> updates,
                                     std::span<const Call> calls, TeamTaskList<Exec>& list) {
    return updates[0].template has_low_tiles<Width>()
               ? update_together_by<Width, 1, Micro>(exec, updates, calls, list)
               : update_together_by<Width, 4, Micro>(exec, updates, calls, list);
  }
  template <int Width, int Height, int Micro>
  static std::size_t update_together_by(const Exec& exec, std::span<const DeviceUpdate> updates,
                                        std::span<const Call> calls, TeamTaskList<Exec>& list) {
    std::vector<UpdateRows<Scalar, Width, Height, Micro, Exec>> tasks;
    std::size_t scratch = 0;
    for (std::size_t k = 0; k < calls.size(); ++k) {
      tasks.push_back(updates[k].template update_task<Width, Height, Micro>(calls[k]));
      scratch = std::max(scratch, tasks.back().scratch_bytes());
    }
    const std::size_t teams = tasks[0].teams;
    launch_update_tasks(exec, "genten::update_rows", tasks, teams, scratch, list);
    return teams;
  }
};

}  // namespace genten::detail
