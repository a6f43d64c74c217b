// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DataError: values that a loss does not take.

#include <genten/base/error.hpp>

namespace genten {

/// Thrown where values of a tensor are none that the loss takes: what is wrong is the data, or the
/// choice of the loss, and no other argument.
class DataError : public Error {
 public:
  explicit DataError(const std::string& message) : Error(message) {}
};

}  // namespace genten
