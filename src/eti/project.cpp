// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/project/project_rows_impl.hpp>

GENTEN_ETI_TENSORS(GENTEN_ETI_PROJECT_ROWS, )
GENTEN_ETI_SCALARS(GENTEN_ETI_COLUMN_SCALES, )
