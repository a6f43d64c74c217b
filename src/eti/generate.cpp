// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/generate.hpp>

// Both scalars here: what draws subscripts is the same.
GENTEN_ETI_HOSTS(GENTEN_ETI_GENERATE, , float, std::uint32_t)
GENTEN_ETI_HOSTS(GENTEN_ETI_GENERATE, , float, std::uint64_t)
GENTEN_ETI_HOSTS(GENTEN_ETI_GENERATE, , double, std::uint32_t)
GENTEN_ETI_HOSTS(GENTEN_ETI_GENERATE, , double, std::uint64_t)
