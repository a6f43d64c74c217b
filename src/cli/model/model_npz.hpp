// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models as NumPy archives.

#include "labels.hpp"

#include <genten/core/ktensor.hpp>
#include <genten/core/ttensor.hpp>

#include <string>

namespace genten::cli {

/// Writes what numpy.load reads: `weights` of shape (R,), and for mode n, which counts from 1,
/// `factor_n` of shape (I_n, R), by rows, in the precision of the model, and where its rows have
/// names `labels_n` of shape (I_n,), NumPy's fixed-width text. The archive is not compressed, and
/// the same model gives the same bytes. For float and double.
template <RealScalar Scalar>
void write_npz_model(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                     const Labels& labels);

/// The same of a Tucker model: `core` of shape (R_1, ..., R_N), and factor_n of shape (I_n, R_n)
/// but for modes that are not compressed.
template <RealScalar Scalar>
void write_npz_model(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                     const Labels& labels);

}  // namespace genten::cli
