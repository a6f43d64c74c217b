// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models as NumPy archives.

#include "sidecar/sidecar_output.hpp"

#include <genten/core/ktensor.hpp>
#include <genten/core/ttensor.hpp>

#include <string>

namespace genten::cli {

/// Writes what numpy.load reads: `weights` of shape (R,), and for mode n, which counts from 1,
/// `factor_n` of shape (I_n, R), by rows, in the precision of the model, and where its rows have
/// names `labels_n` of shape (I_n,), NumPy's fixed-width text; `number_names`, the modes whose
/// names are numbers; `mode_names` where modes have names; and `run`, a JSON text of what is known
/// of the run, as genten.load reads it. The archive is not compressed, and the same model gives the
/// same bytes. For float and double.
template <RealScalar Scalar>
void write_npz_model(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                     const OutputNames& names);

/// The same of a Tucker model: `core` of shape (R_1, ..., R_N), and factor_n of shape (I_n, R_n)
/// but for modes that are not compressed.
template <RealScalar Scalar>
void write_npz_model(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                     const OutputNames& names);

}  // namespace genten::cli
