// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The models that subcommands write.

#include "tools/files.hpp"

#include <genten/io/ktensor.hpp>

namespace genten::cli {

/// Writes a model in the form that the file's name says; nothing for an empty name.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_model(const std::string& path, const Ktensor<Scalar, Exec>& model) {
  if (path.empty()) return;
  write_ktensor(path, model,
                tools::is_binary_model(path) ? KtensorFormat::binary : KtensorFormat::text,
                tools::compression_of_name(path));
}

}  // namespace genten::cli
