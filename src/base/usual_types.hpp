// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The types for which sources of the library instantiate templates that no header defines. Those
/// that headers define have lists of their own, by execution space: see base/detail/eti.hpp.

#include <genten/base/types.hpp>

#include <cstdint>

/// M(Ordinal) for each type of subscripts.
#define GENTEN_FOR_ORDINALS(M) \
  M(std::uint32_t)             \
  M(std::uint64_t)

/// M(Scalar, Ordinal) for each type of tensors.
#define GENTEN_FOR_TENSORS(M) \
  M(float, std::uint32_t)     \
  M(float, std::uint64_t)     \
  M(double, std::uint32_t)    \
  M(double, std::uint64_t)
