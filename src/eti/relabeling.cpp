// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/format/detail/relabeling_impl.hpp>

// Not beside MttkrpPlan: nvcc 13.0 then takes another template's parameter for that of materialize.
GENTEN_ETI_SCALARS(GENTEN_ETI_RELABELING, )
