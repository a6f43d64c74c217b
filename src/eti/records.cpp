// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/format/make_sorted_copy.hpp>
#include <genten/format/sorted_tuples.hpp>

GENTEN_ETI_SPACES(GENTEN_ETI_SORTED_RECORDS, )
GENTEN_ETI_SCALARS(GENTEN_ETI_PACKED_TENSOR, )
GENTEN_ETI_SCALARS(GENTEN_ETI_SORTED_COPY, )
GENTEN_ETI_HOSTS(GENTEN_ETI_SORTED_BUCKETS, )
GENTEN_ETI_SCALARS(GENTEN_ETI_PACKED_TUPLES, )
