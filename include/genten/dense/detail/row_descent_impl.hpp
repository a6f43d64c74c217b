// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/dense/detail/device_descent.hpp>
#include <genten/dense/detail/factor_update_impl.hpp>
#include <genten/dense/row_descent.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace genten::detail {

/// Doubles that a chunk's partial results take.
[[nodiscard]] inline std::size_t descent_partial_size(std::size_t stride) {
  return stride * (stride + 4);
}

/// One chunk of rows of RowDescent::run on hosts.
template <class Scalar>
void descend_chunk(const DescentSystem<Scalar>& system, const Scalar* start, const Scalar* scale,
                   Scalar* rows, const Scalar* products, std::size_t begin, std::size_t end,
                   double* partial, const DenseLoops<Scalar>& loops) {
  const std::size_t stride = system.stride,
                    size = BlockDescent<Scalar>::workspace_size(system.rank);
  std::fill_n(partial, descent_partial_size(stride), 0.0);
  double* const column_max = partial + stride * stride;
  double* const dots = column_max + stride;
  double* const violation = dots + stride;
  std::vector<Scalar> memory(size + line_width<Scalar>);
  void* workspace = memory.data();
  std::size_t room = memory.size() * sizeof(Scalar);
  std::align(line_bytes, size * sizeof(Scalar), workspace, room);
  const BlockDescent<Scalar> descent{system,
                                     start,
                                     scale,
                                     static_cast<Scalar*>(workspace),
                                     partial,
                                     column_max,
                                     dots,
                                     violation,
                                     violation + stride};
  for (std::size_t i = begin; i < end; i += rows_per_block) {
    loops.descend(descent, rows + i * stride, products + i * stride,
                  std::min(rows_per_block, end - i));
  }
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
std::size_t RowDescent<Scalar, Exec>::most_chunks(std::size_t rank,
                                                  [[maybe_unused]] std::size_t most_rows) {
  const std::size_t stride = padded_stride(rank, sizeof(Scalar));
  const std::size_t bytes = detail::descent_partial_size(stride) * sizeof(double);
  if constexpr (is_host_space<Exec>) {
    const std::size_t affordable = std::max<std::size_t>((std::size_t{64} << 20) / bytes, 4);
    return std::min({detail::useful_chunks(most_rows), affordable, std::size_t{128}});
  } else {
    return detail::DeviceUpdate<Scalar, Exec>::most_chunks(bytes);
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
double RowDescent<Scalar, Exec>::memory(std::size_t rank, std::size_t most_rows) {
  const auto width = static_cast<double>(padded_stride(rank, sizeof(Scalar)));
  const auto columns = static_cast<double>(rank);
  const double results = is_host_space<Exec> ? 8.0 * columns * (columns + 4.0) : 0.0;
  return results + 8.0 * static_cast<double>(most_chunks(rank, most_rows)) * width * (width + 4.0);
}

template <RealScalar Scalar, ExecutionSpace Exec>
RowDescent<Scalar, Exec>::RowDescent(std::size_t rank, std::size_t most_rows)
    : m_rank(rank),
      m_stride(padded_stride(rank, sizeof(Scalar))),
      m_most_chunks(most_chunks(rank, most_rows)),
      m_gram(detail::new_view<Square>("genten::gram", rank, rank)),
      m_column_max(detail::new_view<Column>("genten::column_max", rank)),
      m_dots(detail::new_view<Column>("genten::dots", rank)),
      m_violation(detail::new_view<Column>("genten::descent_violation", rank)),
      m_absolute_sums(detail::new_view<Column>("genten::absolute_sums", rank)),
      m_partial(detail::new_view<decltype(m_partial)>("genten::descent_partial", m_most_chunks,
                                                      detail::descent_partial_size(m_stride))) {}

template <RealScalar Scalar, ExecutionSpace Exec>
void RowDescent<Scalar, Exec>::run(const Exec& exec, const Matrix& rows, const Matrix& products,
                                   const RowEquation<Scalar, Exec>& system,
                                   const RowConstraint& constraint) {
  const bool same_shape = rows.columns() == m_rank && products.columns() == m_rank &&
                          rows.stride() == m_stride && products.stride() == m_stride &&
                          products.rows() == rows.rows() && system.gram.columns() == m_rank;
  if (!same_shape) {
    throw Error::in("RowDescent", "expected rows and right-hand sides of one shape, " +
                                      std::to_string(m_rank) + " columns with row stride " +
                                      std::to_string(m_stride) + ", and a system of as many");
  }
  using System = RowEquation<Scalar, Exec>;
  const Scalar* const start = system.line(System::start);
  const Scalar* const scale = system.line(System::scale);
  const detail::DescentSystem<Scalar> shared{system.gram.data(),
                                             m_stride,
                                             m_rank,
                                             system.line(System::inverse),
                                             system.line(System::root),
                                             static_cast<Scalar>(constraint.l1),
                                             static_cast<Scalar>(constraint.lower),
                                             static_cast<Scalar>(constraint.upper)};
  if constexpr (is_host_space<Exec>) {
    const std::size_t count = rows.rows();
    const std::size_t chunks = std::min(detail::useful_chunks(count), m_most_chunks);
    const auto partial = m_partial;
    const detail::DenseLoops<Scalar>& loops = detail::dense_loops<Scalar>();
    detail::for_each_index(
        "genten::row_descent", exec, chunks, [=, &loops](const std::size_t chunk) {
          detail::descend_chunk(shared, start, scale, rows.data(), products.data(),
                                count * chunk / chunks, count * (chunk + 1) / chunks,
                                &partial(chunk, 0), loops);
        });
    detail::combine_on_host(m_partial, chunks, m_rank, m_stride, m_gram, m_column_max, m_dots);
    const std::size_t at = m_stride * m_stride + 2 * m_stride;
    m_violation(0) = 0.0;
    for (std::size_t r = 0; r < m_rank; ++r) m_absolute_sums(r) = 0.0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      m_violation(0) = detail::larger<double>(m_violation(0), m_partial(chunk, at));
      for (std::size_t r = 0; r < m_rank; ++r) {
        m_absolute_sums(r) += m_partial(chunk, at + m_stride + r);
      }
    }
  } else {
    const detail::DeviceDescent<Scalar, Exec> descent{exec,        rows.data(),   products.data(),
                                                      rows.rows(), m_most_chunks, m_partial.data()};
    descent.run(shared, start, scale, m_gram.data(), m_column_max.data(), m_dots.data(),
                m_violation.data(), m_absolute_sums.data());
  }
}

}  // namespace genten

#define GENTEN_ETI_ROW_DESCENT(PREFIX, SCALAR, EXEC) \
  PREFIX template class genten::RowDescent<SCALAR, EXEC>;

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_ROW_DESCENT, extern)
#endif
