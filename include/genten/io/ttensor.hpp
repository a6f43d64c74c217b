// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tucker models in files.

#include <genten/core/ttensor.hpp>
#include <genten/io/ktensor.hpp>
#include <genten/io/options.hpp>

#include <string>

namespace genten {

namespace detail {
/// Compiled into the library for float and double.
template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_ttensor_file(const std::string& path);
template <RealScalar Scalar>
void write_ttensor_file(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                        KtensorFormat format, Compression compression);
}  // namespace detail

/// Reads a Tucker model, in Genten's binary form or as text: the word `ttensor`, the core as a
/// `tensor` block (order, ranks, and one element a line, the first subscript varying fastest),
/// and a `matrix` block for each factor, as the Tensor Toolbox writes tensors and matrices. A
/// factor that is the identity is that of a mode that is not compressed, and is not stored. gzip
/// and zstd compression are known. Whatever is wrong is an Error of kind `file`, of a text with
/// the line, non-finite numbers included.
template <RealScalar Scalar>
[[nodiscard]] Ttensor<Scalar, HostExec> read_ttensor(const std::string& path) {
  return detail::read_ttensor_file<Scalar>(path);
}

/// Writes either form: text in the shortest digits that read back to the same number, compressed
/// if asked for, or the binary form, which is not. The file appears under its name when it is
/// complete. In text modes that are not compressed get the identity: Error for one of more than
/// 10,000 rows.
template <RealScalar Scalar>
void write_ttensor(const std::string& path, const Ttensor<Scalar, HostExec>& model,
                   KtensorFormat format = KtensorFormat::text,
                   Compression compression = Compression::none) {
  detail::write_ttensor_file<Scalar>(path, model, format, compression);
}

}  // namespace genten
