// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The definition of MttkrpPlan::execute_with, for functors of one's own: the library has compiled
/// none of its loops for them.

#include <genten/mttkrp/detail/plan_impl.hpp>
#include <genten/mttkrp/plan.hpp>
