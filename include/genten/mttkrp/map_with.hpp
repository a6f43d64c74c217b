// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The definitions of MappedMttkrp, for functors of one's own: the library has compiled none of its
/// loops for them.

#include <genten/mttkrp/detail/mapped_mttkrp_impl.hpp>
#include <genten/mttkrp/mapped_mttkrp.hpp>
