// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models as comma-separated values, for tables of other programs.

#include "labels.hpp"

#include <genten/core/ktensor.hpp>

#include <string>

namespace genten::cli {

/// Writes one line for every row of every factor: the mode and the row, which count from 1, the
/// row's name or nothing, and its R numbers, in the shortest digits that read back to the same
/// number. A first line of mode 0 and row 0, named "weight", holds the weights; before it stand the
/// titles mode,row,name,component_1,... Fields are quoted as RFC 4180 says. For float and double.
template <RealScalar Scalar>
void write_csv_model(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                     const Labels& labels);

}  // namespace genten::cli
