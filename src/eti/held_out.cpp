// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/gcp/hold_out.hpp>

GENTEN_ETI_TENSORS(GENTEN_ETI_SELECT_ENTRIES, )
GENTEN_ETI_TENSORS(GENTEN_ETI_HOLD_OUT, )
