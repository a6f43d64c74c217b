// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The text form of Tucker models, which is read from a file's content.

#include "../file/file_content.hpp"

#include <genten/core/ttensor.hpp>

namespace genten::detail {

/// Whether a text begins with the word `ttensor`.
[[nodiscard]] bool is_ttensor_text(const FileContent& file);

template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_text_ttensor(const FileContent& file);

}  // namespace genten::detail
