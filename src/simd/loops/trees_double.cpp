// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/detail/ttmc/tree_loops_impl.hpp>

template const genten::detail::TreeLoops<double>& genten::detail::compiled_tree_loops<double>();
