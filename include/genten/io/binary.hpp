// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sparse tensors in Genten's binary form.
///
/// A header of 192 bytes (magic, endianness mark, version, what the file holds, order, widths of
/// scalar and ordinal, number of nonzeros, length of the file, checksum of the data, 16 dimensions,
/// checksum of the header), then the subscripts, nonzero by nonzero and counting from 0, then the
/// values; both start at multiples of 64 bytes. Numbers are in the byte order of the machine that
/// wrote them, and other machines refuse the file. Checksums are XXH3, 64 bits.

#include <genten/io/tns.hpp>

namespace genten {

/// Reads a binary tensor of any scalar and ordinal width, converting where the requested types
/// differ; a value that is not finite then, or 0 though it was not, is an Error. Damaged,
/// truncated, foreign and newer files are an Error of kind `file`. Of the options, `duplicates` is
/// not looked at (the form is written from tensors, whose duplicates are meant), nor is what
/// concerns text. Loads on `host`, blocks in parallel.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] ReadSptensor<Scalar, Ordinal, Exec> read_binary_sptensor(
    const HostExec& host, const std::string& path, const ReadOptions& options = {}) {
  ReadReport report;
  auto arrays = detail::read_tensor_file<Scalar>(host, path, options, detail::Accept::binary,
                                                 detail::width_of<Ordinal>, report);
  using Arrays = detail::TensorArrays<Scalar, Ordinal>;
  return {detail::to_sptensor<Exec>(host, path, std::get<Arrays>(std::move(arrays))), report};
}

/// The same on a default instance of the host's execution space.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] ReadSptensor<Scalar, Ordinal, Exec> read_binary_sptensor(
    const std::string& path, const ReadOptions& options = {}) {
  return read_binary_sptensor<Scalar, Ordinal, Exec>(HostExec(), path, options);
}

namespace detail {
/// Compiled into the library for float and double, 32 and 64 bits.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_binary_tensor(const HostExec& host, const std::string& path,
                         const Sptensor<Scalar, Ordinal, HostExec>& tensor);
}  // namespace detail

/// Writes a tensor in the binary form. The file appears under its name when it is complete.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void write_binary_sptensor(const HostExec& host, const std::string& path,
                           const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  detail::write_binary_tensor<Scalar, Ordinal>(host, path, detail::on_host(tensor));
}

/// The same on a default instance of the host's execution space.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void write_binary_sptensor(const std::string& path, const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  write_binary_sptensor(HostExec(), path, tensor);
}

}  // namespace genten
