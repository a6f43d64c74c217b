// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/kernels/sorted/sorted_loops_impl.hpp>

template const genten::detail::SortedLoops<float>& genten::detail::compiled_sorted_loops<float>();
