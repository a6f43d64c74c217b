// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/kernels/sorted/model_loops_impl.hpp>

template const genten::detail::ModelLoops<double>& genten::detail::compiled_model_loops<double>();
