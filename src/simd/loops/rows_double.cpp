// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/detail/dense_loops_impl.hpp>
#include <genten/dense/detail/tall_loops_impl.hpp>
#include <genten/mttkrp/detail/row_equations/row_loops_impl.hpp>

template const genten::detail::DenseLoops<double>& genten::detail::compiled_dense_loops<double>();
template const genten::detail::RowLoops<double>& genten::detail::compiled_row_loops<double>();

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

const TallLoops& compiled_tall_loops() {
  static constexpr TallLoops loops{add_tall_gram, multiply_tall_rows};
  return loops;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
