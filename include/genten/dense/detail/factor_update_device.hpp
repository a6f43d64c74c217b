// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, in three launches: one transforms rows where they stand, one sums Gram
/// matrices of row chunks, one adds the chunks in order. For short matrices the last two may be
/// one.

#include <genten/dense/detail/add_chunks.hpp>
#include <genten/dense/detail/finish_update.hpp>
#include <genten/dense/detail/gram_chunks.hpp>
#include <genten/dense/detail/transform_rows.hpp>
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
    const int* count;  ///< see TransformRows
    double *gram, *column_max, *dots;
  };
  void run(const Call& call, typename Backend<Exec>::Mark* written) const {
    const std::size_t teams = transform(call);
    if (written != nullptr) written->set(exec);
    const std::size_t chunks = sum_grams();
    const AddChunks<Exec> add = add_task(call, chunks, teams);
    launch_update(exec, "genten::add_chunks", add, add.leagues(), add.scratch_bytes());
  }

  /// Rows as wide as this are transformed by tiles that depend on the number of transforms.
  static constexpr std::size_t most_together = 63;
  /// Whether few teams, as many as one team can add soon, sum the Gram matrix in no time.
  [[nodiscard]] bool is_short() const {
    constexpr std::size_t elements = 1 << 18, products = 1 << 22;
    return stride <= most_together && rows * stride <= elements &&
           rows * stride * stride <= products;
  }
  /// The first launch alone. Returns how many teams it has had.
  std::size_t transform(const Call& call) const {
    if (stride % 2 != 0) return transform_by<1, 4>(call);
    if (stride >= 64 && stride <= 256 && fits<2, 8>(call)) {
      return transform_by<2, 8>(call);  // a wide transform is read less often
    }
    if (stride <= most_together || fits<2, 4>(call)) return transform_by<2, 4>(call);
    return transform_by<2, 1>(call);
  }
  /// The others for a short matrix, in one launch on this object's instance: `last` gets the
  /// results. See FinishUpdate. `teams`: of the first.
  template <class Last>
  void finish(std::size_t teams, unsigned* arrived, const Last& last) const {
    if (stride % 4 == 0) return finish_by<4>(teams, arrived, last);
    if (stride % 2 == 0) return finish_by<2>(teams, arrived, last);
    return finish_by<1>(teams, arrived, last);
  }

  /// The tasks of the three launches.
  struct Tasks {
    TeamTaskList<Exec> transform, sum, add;
  };
  /// `run` for several matrices that are alike, of rows of at most `most_together` elements, in
  /// as many launches as for one: each task is what `run` launches.
  static void run_together(const Exec& exec, std::span<const DeviceUpdate> updates,
                           std::span<const Call> calls, Tasks& tasks) {
    const DeviceUpdate& like = updates[0];
    const std::size_t teams = like.stride % 2 != 0
                                  ? transform_together<1>(exec, updates, calls, tasks.transform)
                                  : transform_together<2>(exec, updates, calls, tasks.transform);
    const std::size_t chunks = like.stride % 4 == 0   ? sum_together<4>(exec, updates, tasks.sum)
                               : like.stride % 2 == 0 ? sum_together<2>(exec, updates, tasks.sum)
                                                      : sum_together<1>(exec, updates, tasks.sum);
    std::vector<AddChunks<Exec>> adds;
    for (std::size_t k = 0; k < calls.size(); ++k) {
      adds.push_back(updates[k].add_task(calls[k], chunks, teams));
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
  template <int Width, int Height>
  TransformRows<Scalar, Width, Height, Exec> task_of(const Call& call) const {
    TransformRows<Scalar, Width, Height, Exec> task{
        data, call.first, call.second, call.count, statistics(), rows, distance, rank, stride, 0};
    const std::size_t tiles = (rows + task.tile_rows() - 1) / task.tile_rows();
    task.teams = std::clamp<std::size_t>(tiles, 1, most_chunks_);
    return task;
  }
  /// Whether a team has scratch memory for tiles of so many rows; some devices have 64 KB of it.
  template <int Width, int Height>
  [[nodiscard]] bool fits(const Call& call) const {
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Exec>::scratch_size_max(0));
    return padded_scratch(task_of<Width, Height>(call).scratch_bytes()) <= most;
  }
  template <int Width, int Height>
  std::size_t transform_by(const Call& call) const {
    const auto task = task_of<Width, Height>(call);
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
  template <int Micro, class Last>
  void finish_by(std::size_t teams, unsigned* arrived, const Last& last) const {
    const auto grams = gram_task<Micro>();
    const FinishUpdate<Scalar, Micro, Exec, Last> task{grams, sums_of(grams.chunks, teams), arrived,
                                                       last};
    launch_with_vectors(exec, "genten::finish_update", task, grams.chunks, task.scratch_bytes());
  }

  template <int Micro>
  GramChunks<Scalar, Micro, Exec> gram_task() const {
    constexpr std::size_t panel = GramChunks<Scalar, Micro, Exec>::panel;
    const std::size_t most = is_short() ? std::min<std::size_t>(32, most_chunks_) : most_chunks_;
    const std::size_t chunks = std::clamp<std::size_t>(rows / 128, 1, most);
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
  template <int Width>
  static std::size_t transform_together(const Exec& exec, std::span<const DeviceUpdate> updates,
                                        std::span<const Call> calls, TeamTaskList<Exec>& list) {
    std::vector<TransformRows<Scalar, Width, 4, Exec>> tasks;
    std::size_t scratch = 0;
    for (std::size_t k = 0; k < calls.size(); ++k) {
      tasks.push_back(updates[k].template task_of<Width, 4>(calls[k]));
      scratch = std::max(scratch, tasks.back().scratch_bytes());
    }
    const std::size_t teams = tasks[0].teams;
    launch_update_tasks(exec, "genten::transform_rows", tasks, teams, scratch, list);
    return teams;
  }
  template <int Micro>
  static std::size_t sum_together(const Exec& exec, std::span<const DeviceUpdate> updates,
                                  TeamTaskList<Exec>& list) {
    std::vector<GramChunks<Scalar, Micro, Exec>> tasks;
    for (const DeviceUpdate& each : updates) tasks.push_back(each.template gram_task<Micro>());
    const auto& like = tasks[0];
    launch_update_tasks(exec, "genten::sum_grams", tasks, like.chunks * like.panels * like.panels,
                        like.scratch_bytes(), list);
    return like.chunks;
  }
};

}  // namespace genten::detail
