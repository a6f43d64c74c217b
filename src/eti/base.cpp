// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/detail/sort_pairs.hpp>
#include <genten/base/detail/staged_copy.hpp>

GENTEN_ETI_SPACES(GENTEN_ETI_COPY_BYTES, )
GENTEN_ETI_SORT()
