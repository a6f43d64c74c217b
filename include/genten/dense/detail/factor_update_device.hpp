// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, in three launches: one transforms rows where they stand, one sums Gram
/// matrices of row chunks, one adds the chunks in order.

#include <genten/dense/detail/add_chunks.hpp>
#include <genten/dense/detail/gram_chunks.hpp>
#include <genten/dense/detail/transform_rows.hpp>

#include <algorithm>

namespace genten::detail {

/// The pass of FactorUpdate over a matrix; sums are taken in double, in an order that does not
/// change from run to run.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DeviceUpdate {
  Exec exec;
  Scalar* data;
  std::size_t rows, rank, stride, most_chunks_;
  double* partial;  ///< most_chunks_ x (stride * stride + 2 * stride)

  /// Row chunks that keep the device busy and take at most 64 MB for their partial results.
  static std::size_t most_chunks(std::size_t bytes) {
    return std::clamp<std::size_t>((std::size_t{64} << 20) / bytes, 8, 528);
  }

  void run(const Scalar* first, const Scalar* second, double* gram, double* column_max,
           double* dots, typename Backend<Exec>::Mark* written) const {
    double* const statistics = partial + most_chunks_ * stride * stride;
    std::size_t teams = 0;
    if (stride % 2 != 0) {
      teams = transform<1, 4>(first, second, statistics);
    } else if (stride >= 64 && stride <= 256 && fits<2, 8>(first, second)) {
      teams = transform<2, 8>(first, second, statistics);  // a wide transform is read less often
    } else if (stride < 64 || fits<2, 4>(first, second)) {
      teams = transform<2, 4>(first, second, statistics);
    } else {
      teams = transform<2, 1>(first, second, statistics);
    }
    if (written != nullptr) written->set(exec);
    const std::size_t chunks = sum_grams();
    const AddChunks<Exec> add{partial, statistics,        chunks, teams, stride, rank, 2,
                              gram,    {column_max, dots}};
    launch_update(exec, "genten::add_chunks", add, add.leagues(), add.scratch_bytes());
  }

  /// Gram matrices of row chunks, as many as it returns.
  [[nodiscard]] std::size_t sum_grams() const {
    if (stride % 4 == 0) return sum_grams_by<4>();
    if (stride % 2 == 0) return sum_grams_by<2>();  // short rows, which a team covers
    return sum_grams_by<1>();
  }

 private:
  template <int Width, int Height>
  TransformRows<Scalar, Width, Height, Exec> task_of(const Scalar* first, const Scalar* second,
                                                     double* statistics) const {
    return {data, first, second, statistics, rows, rank, stride, 0};
  }
  /// Whether a team has scratch memory for tiles of so many rows; some devices have 64 KB of it.
  template <int Width, int Height>
  [[nodiscard]] bool fits(const Scalar* first, const Scalar* second) const {
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Exec>::scratch_size_max(0));
    return padded_scratch(task_of<Width, Height>(first, second, nullptr).scratch_bytes()) <= most;
  }
  template <int Width, int Height>
  std::size_t transform(const Scalar* first, const Scalar* second, double* statistics) const {
    auto task = task_of<Width, Height>(first, second, statistics);
    const std::size_t tiles = (rows + task.tile_rows() - 1) / task.tile_rows();
    task.teams = std::clamp<std::size_t>(tiles, 1, most_chunks_);
    launch_update(exec, "genten::transform_rows", task, task.teams, task.scratch_bytes());
    return task.teams;
  }

  template <int Micro>
  std::size_t sum_grams_by() const {
    using Task = GramChunks<Scalar, Micro, Exec>;
    const std::size_t panels = (stride + Task::panel - 1) / Task::panel;
    const std::size_t chunks = std::clamp<std::size_t>(rows / 128, 1, most_chunks_);
    const Task task{data, partial, rows, stride, chunks, panels};
    launch_update(exec, "genten::sum_grams", task, chunks * panels * panels, Task::scratch_bytes());
    return chunks;
  }
};

}  // namespace genten::detail
