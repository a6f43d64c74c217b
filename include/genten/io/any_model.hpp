// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models of either kind in files, told by their content.

#include <genten/core/ktensor.hpp>
#include <genten/core/ttensor.hpp>

#include <string>
#include <variant>

namespace genten {

/// A CP or a Tucker model on the host.
template <RealScalar Scalar>
using AnyModel = std::variant<Ktensor<Scalar, HostExec>, Ttensor<Scalar, HostExec>>;

namespace detail {
/// Compiled into the library for float and double.
template <RealScalar Scalar>
AnyModel<Scalar> read_any_model_file(const std::string& path);
}  // namespace detail

/// Whether a file begins as a model of either kind does: in Genten's binary form, or with the word
/// `ktensor` or `ttensor`. What is no regular file, or cannot be read, is none.
[[nodiscard]] bool is_model_file(const std::string& path);

/// Reads a model in any of the forms of `read_ktensor` and `read_ttensor`; a text that begins with
/// the word `ttensor` is a Tucker model. Errors are theirs. "-" is the standard input.
template <RealScalar Scalar>
[[nodiscard]] AnyModel<Scalar> read_any_model(const std::string& path) {
  return detail::read_any_model_file<Scalar>(path);
}

}  // namespace genten
