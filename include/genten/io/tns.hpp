// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sparse tensors in text files.

#include <genten/core/sptensor.hpp>
#include <genten/io/detail/tensor_arrays.hpp>
#include <genten/io/options.hpp>

#include <string>
#include <variant>

namespace genten {

/// A tensor that was read, and what its file was like.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct ReadSptensor {
  Sptensor<Scalar, Ordinal, Exec> tensor;
  ReadReport report;
};

/// Reads a text tensor, one entry a line: N subscripts and a value, between blanks. `#`, `//`, and
/// `%` where a line starts or behind a blank, start comments that reach to the end of the line;
/// empty lines mean nothing; lines may end in CR LF. gzip and zstd compression are recognized by
/// content, whatever the name. The name "-" is the standard input (a file of that name is "./-").
/// A file that is changed while it is read is an Error.
///
/// The form is told from the lines before the first entry. An entry has at least two fields, so:
/// * `%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric|skew-symmetric`: a
///   tensor of order 2, the ones of a pattern being its values, the other half of a symmetric
///   matrix following the half that is in the file; all other MatrixMarket files are refused;
/// * the word `sptensor` alone: the Tensor Toolbox form; order, dimensions and number of entries
///   must follow, each on a line of its own;
/// * a line of one number: a header that starts with the order; dimensions must follow, and where
///   the line after them has one field again it is the number of entries;
/// * two or more fields, and one field in the next line: a header of dimensions and number of
///   entries;
/// * anything else: no header (FROSTT), dimensions are the largest subscripts.
/// A first line that could be the entry with the largest subscripts as well as a one-line header
/// `I1 ... IN nnz`, be its count right or wrong, is refused as ambiguous where three entries or
/// more follow; `Header::none` says that it is an entry.
///
/// Values are rounded correctly to Scalar. One that is too large for it is refused, and one that is
/// not 0 and would become 0.
///
/// Subscripts count from 1 unless the options say otherwise. Whatever is wrong is an Error of kind
/// `file` that names file and line, always the first wrong line; memory is computed first, and
/// what the machine has not got is an Error of kind `memory`. Duplicates are summed or refused as
/// the options say. The result does not depend on the number of threads.
///
/// Text is parsed in parallel on `host`, in two passes, straight into the tensor's arrays.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] ReadSptensor<Scalar, Ordinal, Exec> read_sptensor(const HostExec& host,
                                                                const std::string& path,
                                                                const ReadOptions& options = {}) {
  ReadReport report;
  auto arrays = detail::read_tensor_file<Scalar>(host, path, options, detail::Accept::text,
                                                 detail::width_of<Ordinal>, report);
  using Arrays = detail::TensorArrays<Scalar, Ordinal>;
  return {detail::to_sptensor<Exec>(host, path, std::get<Arrays>(std::move(arrays))), report};
}

/// The same on a default instance of the host's execution space.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] ReadSptensor<Scalar, Ordinal, Exec> read_sptensor(const std::string& path,
                                                                const ReadOptions& options = {}) {
  return read_sptensor<Scalar, Ordinal, Exec>(HostExec(), path, options);
}

namespace detail {
/// Compiled into the library for float and double, 32 and 64 bits.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_text_tensor(const HostExec& host, const std::string& path,
                       const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                       const WriteOptions& options);
}  // namespace detail

/// Writes a tensor as text; values in the shortest digits that read back to the same number. The
/// file appears under its name when it is complete.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void write_sptensor(const HostExec& host, const std::string& path,
                    const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    const WriteOptions& options = {}) {
  detail::write_text_tensor<Scalar, Ordinal>(host, path, detail::on_host(tensor), options);
}

/// The same on a default instance of the host's execution space.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void write_sptensor(const std::string& path, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    const WriteOptions& options = {}) {
  write_sptensor(HostExec(), path, tensor, options);
}

}  // namespace genten
