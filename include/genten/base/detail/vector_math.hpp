// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Functions of many numbers at once, compiled for each instruction set. Host code only.

namespace genten::detail {

/// y[k] = exp(x[k]) - 1 for k < count, to 4 units in the last place; above 709 that of 709. y may
/// be x.
void expm1_of_all(const double* x, double* y, int count);
/// y[k] = log x[k] likewise.
void log_of_all(const double* x, double* y, int count);
/// d[k] = x[k] log(x[k] / m[k]) - x[k] + m[k] likewise, to 10 units in the last place also where x
/// and m are close, and m[k] where x[k] is 0: half the deviance of a count and its mean.
void half_deviances(const double* x, const double* m, double* d, int count);

}  // namespace genten::detail
