// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The forms of Tucker models, which are read from a file's content.

#include "../file/file_content.hpp"

#include <genten/core/ttensor.hpp>
#include <genten/io/options.hpp>

#include <string>

namespace genten::detail {

/// Whether a file holds a Tucker model, in either form.
[[nodiscard]] bool is_ttensor(const FileContent& file);
/// A model in either form.
template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_ttensor_content(const FileContent& file);

template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_text_ttensor(const FileContent& file);
template <RealScalar Scalar>
void write_text_ttensor(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                        Compression compression);

template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_binary_ttensor(const FileContent& file);
template <RealScalar Scalar>
void write_binary_ttensor(const std::string& path, const Ttensor<Scalar, HostExec>& model);

}  // namespace genten::detail
