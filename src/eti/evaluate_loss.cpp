// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/compare/evaluate_loss_impl.hpp>

GENTEN_ETI_TENSORS(GENTEN_ETI_EVALUATE_LOSS, )
