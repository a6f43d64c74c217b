// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The readers and writers behind `read_ktensor` and `write_ktensor`.

#include "file_content.hpp"

#include <genten/core/ktensor.hpp>

#include <span>
#include <string>

namespace genten::detail {

/// Throws Error when a model of this shape does not fit in memory.
void require_model_memory(const std::string& path, std::span<const std::size_t> dimensions,
                          std::size_t rank, std::size_t scalar_bytes);

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_text_ktensor(const FileContent& file);
template <RealScalar Scalar>
void write_text_ktensor(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                        Compression compression);

template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_binary_ktensor(const FileContent& file);
/// A model, or a checkpoint where there is the state of a solver.
template <RealScalar Scalar>
void write_binary_ktensor(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                          const std::string* state = nullptr);

}  // namespace genten::detail
