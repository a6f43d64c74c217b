// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/dense/detail/dense_loops.hpp>
#include <genten/dense/detail/factor_update_device.hpp>
#include <genten/dense/factor_update.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// Row chunks that balance many threads, of at least two blocks each.
inline std::size_t useful_chunks(std::size_t rows) {
  return std::max<std::size_t>((rows + 2 * rows_per_block - 1) / (2 * rows_per_block), 1);
}

/// Of rows that are there.
struct WritesNothing {
  void operator()(std::size_t /*row*/) const {}
};

/// One chunk of rows of FactorUpdate::pass, which are `distance` elements apart and of which it
/// takes `stride`. `partial` holds stride * stride + 2 * stride doubles; `write` writes a row
/// before it is read.
template <class Scalar, class Write = WritesNothing>
void update_chunk(Scalar* data, std::size_t distance, std::size_t begin, std::size_t end,
                  std::size_t stride, std::size_t rank, const Scalar* first, const Scalar* second,
                  double* partial, const DenseLoops<Scalar>& loops, const Write& write = {}) {
  std::fill_n(partial, stride * stride + 2 * stride, 0.0);
  double* const column_max = partial + stride * stride;
  BlockUpdate<Scalar> update{
      distance, stride, rank, first, second, nullptr, partial, column_max, column_max + stride};
  std::vector<Scalar> workspace(update.blocks() * rows_per_block * stride);
  update.workspace = workspace.data();
  for (std::size_t i = begin; i < end; i += rows_per_block) {
    const std::size_t rows = std::min(rows_per_block, end - i);
    for (std::size_t k = 0; k < rows; ++k) write(i + k);
    loops.update(update, data + i * distance, rows);
  }
}

/// Adds the chunks' partial results in order and mirrors the upper triangle.
template <class Square, class Column, class Partial>
void combine_on_host(const Partial& partial, std::size_t chunks, std::size_t rank,
                     std::size_t stride, const Square& gram, const Column& column_max,
                     const Column& dots) {
  for (std::size_t a = 0; a < rank; ++a) {
    column_max(a) = 0.0;
    dots(a) = 0.0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      column_max(a) = larger<double>(column_max(a), partial(chunk, stride * stride + a));
      dots(a) += partial(chunk, stride * stride + stride + a);
    }
    for (std::size_t b = a; b < rank; ++b) {
      double sum = 0.0;
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) sum += partial(chunk, a * stride + b);
      gram(a, b) = sum;
      gram(b, a) = sum;
    }
  }
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
bool FactorUpdate<Scalar, Exec>::is_wide([[maybe_unused]] std::size_t rank) {
  if constexpr (is_host_space<Exec>) {
    return false;
  } else {
    return rank >= Wide::least_rank && detail::has_vendor_gemm<Exec>();
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
std::size_t FactorUpdate<Scalar, Exec>::most_chunks(std::size_t rank,
                                                    [[maybe_unused]] std::size_t most_rows) {
  const std::size_t stride = padded_stride(rank, sizeof(Scalar));
  const std::size_t bytes = (stride * stride + 2 * stride) * sizeof(double);
  if constexpr (is_host_space<Exec>) {
    // As many chunks as balance many threads, unless their Gram matrices would take more than 64
    // MB.
    const std::size_t affordable = std::max<std::size_t>((std::size_t{64} << 20) / bytes, 4);
    return std::min({detail::useful_chunks(most_rows), affordable, std::size_t{128}});
  } else {
    return detail::DeviceUpdate<Scalar, Exec>::most_chunks(bytes);
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
double FactorUpdate<Scalar, Exec>::memory(std::size_t rank, std::size_t most_rows,
                                          const FactorUpdateTuning& tuning) {
  const std::size_t stride = padded_stride(rank, sizeof(Scalar));
  const std::size_t chunks = most_chunks(rank, most_rows);
  const auto width = static_cast<double>(stride), columns = static_cast<double>(rank);
  const double results = is_host_space<Exec> ? 8.0 * columns * (columns + 2.0) : 0.0;
  if (is_wide(rank)) return Wide::memory(stride, most_rows, tuning.wide_block_bytes, chunks);
  return results + 8.0 * static_cast<double>(chunks) * width * (width + 2.0);
}

template <RealScalar Scalar, ExecutionSpace Exec>
FactorUpdate<Scalar, Exec>::FactorUpdate(std::size_t rank, std::size_t most_rows,
                                         [[maybe_unused]] const FactorUpdateTuning& tuning)
    : m_rank(rank),
      m_stride(padded_stride(rank, sizeof(Scalar))),
      m_most_chunks(most_chunks(rank, most_rows)) {
  if constexpr (!is_host_space<Exec>) {
    if (is_wide(rank))
      m_wide.emplace(rank, m_stride, most_rows, tuning.wide_block_bytes, m_most_chunks);
  }
  m_gram = detail::new_view<Square>("genten::gram", rank, rank);
  m_column_max = detail::new_view<Column>("genten::column_max", rank);
  m_dots = detail::new_view<Column>("genten::dots", rank);
  if (!m_wide) {
    m_partial = detail::new_view<decltype(m_partial)>("genten::update_partial", m_most_chunks,
                                                      m_stride * m_stride + 2 * m_stride);
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
void FactorUpdate<Scalar, Exec>::run(const Exec& exec, const Matrix& matrix,
                                     std::span<const Matrix> transforms, Event* written,
                                     const int* count) {
  run_pass(exec, {this, matrix, transforms, count}, written);
}

template <RealScalar Scalar, ExecutionSpace Exec>
void FactorUpdate<Scalar, Exec>::run_rows([[maybe_unused]] const Exec& exec, const Matrix& matrix,
                                          std::span<const Matrix> transforms, const int* count) {
  check(matrix);
  if constexpr (!is_host_space<Exec>) {
    m_begun = on_device(exec, matrix);
    m_teams = m_begun->update_rows(call_of({this, matrix, transforms, count}));
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
void FactorUpdate<Scalar, Exec>::run_together(const Exec& exec, std::span<const Pass> passes,
                                              [[maybe_unused]] Tasks& tasks) {
  if (passes.empty()) return;
  for (const Pass& each : passes) each.update->check(each.matrix);
  if constexpr (is_host_space<Exec>) {
    pass_on_host(exec, passes, nullptr);
  } else {
    if (!passes[0].update->takes_counts()) {
      for (const Pass& each : passes) run_pass(exec, each, nullptr);
      return;
    }
    std::vector<Device> updates;
    std::vector<typename Device::Call> calls;
    for (const Pass& each : passes) {
      updates.push_back(each.update->on_device(exec, each.matrix));
      calls.push_back(call_of(each));
    }
    if (!tasks.of_device) tasks.of_device.emplace();
    Device::run_together(exec, updates, calls, *tasks.of_device);
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
void FactorUpdate<Scalar, Exec>::measure(const Exec& exec, const Matrix& matrix) {
  run_pass(exec, {this, matrix, {}}, nullptr);
}

template <RealScalar Scalar, ExecutionSpace Exec>
void FactorUpdate<Scalar, Exec>::check(const Matrix& matrix) const {
  const bool fits = m_wide ? matrix.stride() == m_stride : matrix.stride() >= m_stride;
  if (matrix.columns() == m_rank && fits) {
    // Devices read two elements at once.
    const bool pairs = !is_host_space<Exec> && m_stride % 2 == 0;
    const auto address = reinterpret_cast<std::uintptr_t>(matrix.data());
    if (!pairs || (matrix.stride() % 2 == 0 && address % (2 * sizeof(Scalar)) == 0)) return;
    throw Error::in("FactorUpdate",
                    "expected rows that begin at even elements of aligned memory, got a row "
                    "stride of " +
                        std::to_string(matrix.stride()));
  }
  throw Error::in("FactorUpdate", "expected " + std::to_string(m_rank) +
                                      " columns with a row stride of " +
                                      (m_wide ? "" : "at least ") + std::to_string(m_stride) +
                                      ", got " + std::to_string(matrix.columns()) +
                                      " with row stride " + std::to_string(matrix.stride()));
}

template <RealScalar Scalar, ExecutionSpace Exec>
void FactorUpdate<Scalar, Exec>::pass_on_host([[maybe_unused]] const Exec& exec,
                                              [[maybe_unused]] std::span<const Pass> passes,
                                              [[maybe_unused]] Event* written) {
  if constexpr (is_host_space<Exec>) {
    // All are alike.
    const FactorUpdate& like = *passes[0].update;
    const std::size_t rows = passes[0].matrix.rows(), rank = like.m_rank, stride = like.m_stride;
    const std::size_t chunks = std::min(detail::useful_chunks(rows), like.m_most_chunks);
    const Pass* const all = passes.data();
    const std::size_t count = passes.size();
    const detail::DenseLoops<Scalar>& loops = detail::dense_loops<Scalar>();
    detail::for_each_index(
        "genten::factor_update", exec, chunks * count, [=, &loops](const std::size_t index) {
          const std::size_t chunk = index / count;
          const Pass& pass = all[index % count];
          detail::update_chunk(pass.matrix.data(), pass.matrix.stride(), rows * chunk / chunks,
                               rows * (chunk + 1) / chunks, stride, rank, pass.first(),
                               pass.second(), &pass.update->m_partial(chunk, 0), loops);
        });
    if (written != nullptr) written->set(exec);
    for (const Pass& pass : passes) {
      const FactorUpdate& found = *pass.update;
      detail::combine_on_host(found.m_partial, chunks, rank, stride, found.m_gram,
                              found.m_column_max, found.m_dots);
    }
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
template <class Write>
void FactorUpdate<Scalar, Exec>::write_and_measure(const Exec& exec, const Matrix& matrix,
                                                   const Write& write) {
  check(matrix);
  if constexpr (is_host_space<Exec>) {
    const std::size_t rows = matrix.rows(), stride = m_stride, rank = m_rank;
    const std::size_t chunks = std::min(detail::useful_chunks(rows), m_most_chunks);
    const auto partial = m_partial;
    Scalar* const data = matrix.data();
    const std::size_t distance = matrix.stride();
    const detail::DenseLoops<Scalar>& loops = detail::dense_loops<Scalar>();
    detail::for_each_index(
        "genten::write_and_measure", exec, chunks, [=, &loops](const std::size_t chunk) {
          detail::update_chunk<Scalar>(data, distance, rows * chunk / chunks,
                                       rows * (chunk + 1) / chunks, stride, rank, nullptr, nullptr,
                                       &partial(chunk, 0), loops, write);
        });
    detail::combine_on_host(m_partial, chunks, m_rank, m_stride, m_gram, m_column_max, m_dots);
  } else {
    Kokkos::parallel_for("genten::write_and_measure",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(
                             exec, 0, matrix.rows() * matrix.columns()),
                         write);
    measure(exec, matrix);
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
void FactorUpdate<Scalar, Exec>::run_pass(const Exec& exec, const Pass& pass, Event* written) {
  FactorUpdate& update = *pass.update;
  update.check(pass.matrix);
  if constexpr (is_host_space<Exec>) {
    pass_on_host(exec, {&pass, 1}, written);
  } else {
    const auto call = call_of(pass);
    if (update.m_wide) {
      update.m_wide->run(exec, pass.matrix.data(), pass.matrix.rows(), call.first, call.second,
                         call.gram, call.column_max, call.dots, written);
    } else {
      update.on_device(exec, pass.matrix).run(call, written);
    }
  }
}

}  // namespace genten

#define GENTEN_ETI_FACTOR_UPDATE(PREFIX, SCALAR, EXEC) \
  PREFIX template class genten::FactorUpdate<SCALAR, EXEC>;

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_FACTOR_UPDATE, extern)
#endif
