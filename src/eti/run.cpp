// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/run/detail/run_cp_impl.hpp>

GENTEN_ETI_TENSORS(GENTEN_ETI_RUN_CP, )
