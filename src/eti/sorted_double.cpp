// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/dense/factor_update.hpp>
#include <genten/dense/row_descent.hpp>
#include <genten/format/value_dictionary.hpp>
#include <genten/mttkrp/kernels/sorted/contraction.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_FACTOR_UPDATE, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_ROW_DESCENT, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_VALUE_DICTIONARY, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_CONTRACTION, , double)
