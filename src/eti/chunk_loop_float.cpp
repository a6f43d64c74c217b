// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/mttkrp/kernels/sorted/chunk_loop.hpp>

GENTEN_ETI_CHUNK_LOOP(, float)
