// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "wide_spd_blocks.hpp"
#include "wide_spd_rows.hpp"

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/kokkos_compat.hpp>

#include <utility>

namespace genten {
namespace {

/// Runs `functor` by a team a row, or by one that goes over something a row long.
template <ExecutionSpace Exec, class Functor>
void launch_spd_rows(const Exec& exec, const char* label, const Functor& functor, int league) {
  constexpr int threads = is_host_space<Exec> ? 1 : 256;
  Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(exec, league, threads, 1), functor);
}

/// Runs a functor on blocks by `league` teams.
template <ExecutionSpace Exec, class Functor>
void launch_spd_blocks(const Exec& exec, const char* label, const Functor& functor, int league) {
  // At the end there is nothing left.
  if (league > 0) {
    detail::launch_update(exec, label, functor, static_cast<std::size_t>(league),
                          Functor::scratch_bytes());
  }
}

/// Rows of as many blocks as hold n.
std::size_t rows_of_blocks(std::size_t n, std::size_t block) {
  return (n + block - 1) / block * block;
}

/// Of all arrays; a forecast asks for matrices that no count in integers would hold.
template <class Number>
Number doubles(std::size_t rows, std::size_t block) {
  const auto width = static_cast<Number>(rows), own = static_cast<Number>(block);
  return width * (2 * width + own + 5) + own * own;
}

}  // namespace

template <ExecutionSpace Exec>
double WideSpdInverse<Exec>::memory(std::size_t n) {
  return sizeof(double) * doubles<double>(rows_of_blocks(n, block), block) + sizeof(WideSpdStatus);
}

template <ExecutionSpace Exec>
WideSpdInverse<Exec>::WideSpdInverse(int n)
    : m_memory(detail::new_view<Doubles>(
          "genten::spd_workspace",
          doubles<std::size_t>(rows_of_blocks(static_cast<std::size_t>(n), block), block))),
      m_status("genten::spd_status"),
      m_host_status("genten::host_spd_status") {
  const std::size_t stride = rows_of_blocks(static_cast<std::size_t>(n), block);
  double* next = m_memory.data();
  const auto take = [&](std::size_t count) { return std::exchange(next, next + count); };
  m_arrays.size = n;
  m_arrays.stride = static_cast<int>(stride);
  m_arrays.matrix = take(stride * stride);
  m_arrays.square = take(stride * stride);
  m_arrays.panel = take(stride * block);
  m_arrays.diagonal = take(block * block);
  for (double** const column : {&m_arrays.scale, &m_arrays.sums, &m_arrays.other_sums,
                                &m_arrays.squares, &m_arrays.roots}) {
    *column = take(stride);
  }
  m_arrays.status = m_status.data();
}

template <ExecutionSpace Exec>
void WideSpdInverse<Exec>::invert(const Exec& exec) const {
  const WideSpdArrays& arrays = m_arrays;
  const int blocks = arrays.stride / block;
  Kokkos::parallel_for("genten::spd_scale", Kokkos::RangePolicy<Exec>(exec, 0, arrays.stride),
                       detail::ScaleOfDiagonal{arrays});
  launch_spd_rows(exec, "genten::spd_scale_rows", detail::ScaleRows<Exec>{arrays}, arrays.stride);
  for (int k = 0; k < blocks; ++k) {
    const detail::UpdateBlocks<Exec> update{arrays, k, blocks};
    launch_spd_blocks(exec, "genten::spd_factor_block", detail::FactorBlock<Exec>{arrays, k}, 1);
    launch_spd_blocks(exec, "genten::spd_solve_blocks", detail::SolveBlocks<Exec>{arrays, k},
                      blocks - 1);
    launch_spd_blocks(exec, "genten::spd_update_blocks", update, update.leagues());
  }
  const detail::SquareBlocks<Exec> square{arrays, blocks};
  launch_spd_blocks(exec, "genten::spd_square", square, square.leagues());
  launch_spd_rows(exec, "genten::spd_sum_rows",
                  detail::SumRows<Exec>{arrays, arrays.square, arrays.other_sums, false},
                  arrays.size);
  launch_spd_rows(exec, "genten::spd_judge", detail::JudgeInverse<Exec>{arrays}, 1);
}

template <ExecutionSpace Exec>
void WideSpdInverse<Exec>::diagonalize(const Exec& exec) const {
  constexpr int most_sweeps = 40;
  const int n = m_arrays.size, even = n + n % 2;
  m_host_status().turns = 1;
  for (int sweep = 0; sweep <= most_sweeps; ++sweep) {
    launch_spd_rows(exec, "genten::spd_measure_rows",
                    detail::SumRows<Exec>{m_arrays, m_arrays.matrix, m_arrays.squares, true}, n);
    launch_spd_rows(exec, "genten::spd_begin_sweep", detail::BeginSweep<Exec>{m_arrays}, 1);
    if (m_host_status().turns == 0 || sweep == most_sweeps) break;
    for (int round = 0; round < even - 1; ++round) {
      launch_spd_rows(exec, "genten::spd_turn_pairs",
                      detail::TurnPairs<Exec>{m_arrays, even, round}, even / 2);
    }
    detail::Backend<Exec>::queue_copy(exec, m_host_status.data(), m_status.data(),
                                      sizeof(WideSpdStatus));
    detail::fence(exec, "genten::spd_sweep");
  }
}

#define GENTEN_INSTANTIATE(UNUSED, EXEC) template class WideSpdInverse<EXEC>;
GENTEN_ETI_EXECS(GENTEN_INSTANTIATE, )

}  // namespace genten
