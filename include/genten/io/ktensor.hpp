// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CP models in files: the Tensor Toolbox's text form and Genten's binary form.

#include <genten/core/ktensor.hpp>
#include <genten/io/options.hpp>

#include <string>

namespace genten {

/// How a model is written.
enum class KtensorFormat {
  text,   ///< the Tensor Toolbox's: `ktensor`, then a `matrix` block for each factor
  binary  ///< Genten's own: the header of binary.hpp, weights, factors by rows
};

namespace detail {
/// Compiled into the library for float and double.
template <RealScalar Scalar>
Ktensor<Scalar, HostExec> read_ktensor_file(const std::string& path);
template <RealScalar Scalar>
void write_ktensor_file(const std::string& path, const Ktensor<Scalar, HostExec>& model,
                        KtensorFormat format, Compression compression);
}  // namespace detail

/// Reads a model in either form, told by content; gzip and zstd compression too. Binary files of
/// the other scalar are converted. Whatever is wrong is an Error of kind `file` with the line,
/// non-finite numbers included. Numbers too small for Scalar become 0 where others remain in their
/// column, beside which they are nothing; a weight or a whole column that would vanish is refused.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] Ktensor<Scalar, Exec> read_ktensor(const std::string& path) {
  auto model = detail::read_ktensor_file<Scalar>(path);
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return model;
  } else {
    return clone_to<Exec>(model);
  }
}

/// Writes a model; text in the shortest digits that read back to the same number, compressed if
/// asked for, which the binary form cannot be. The file appears under its name when it is complete.
template <RealScalar Scalar, ExecutionSpace Exec>
void write_ktensor(const std::string& path, const Ktensor<Scalar, Exec>& model,
                   KtensorFormat format = KtensorFormat::text,
                   Compression compression = Compression::none) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    detail::write_ktensor_file<Scalar>(path, model, format, compression);
  } else {
    detail::write_ktensor_file<Scalar>(path, clone_to<HostExec>(model), format, compression);
  }
}

}  // namespace genten
