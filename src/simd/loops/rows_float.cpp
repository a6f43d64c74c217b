// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/detail/dense_loops_impl.hpp>
#include <genten/mttkrp/detail/row_equations/row_loops_impl.hpp>

template const genten::detail::DenseLoops<float>& genten::detail::compiled_dense_loops<float>();
template const genten::detail::RowLoops<float>& genten::detail::compiled_row_loops<float>();
