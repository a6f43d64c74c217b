// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Lists of entries in files: in their order, with entries that are listed twice, and with or
/// without values.

#include <genten/io/tns.hpp>

namespace genten {

namespace detail {
/// Compiled into the library for float and double.
template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_entries_file(const HostExec& host, const std::string& path,
                                          const ReadOptions& options, OrdinalWidth width,
                                          ReadReport& report);
std::size_t line_of_entry(const HostExec& host, const std::string& path, const ReadOptions& options,
                          std::size_t entry);
/// Compiled into the library for float and double, 32 and 64 bits.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_entries_file(const HostExec& host, const std::string& path,
                        const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                        const WriteOptions& options);
}  // namespace detail

/// Reads the entries that a tensor file of any form lists, in the order of the file; those that it
/// lists twice stay two. In text that is no MatrixMarket file the values may be left out, all of
/// them or none: the first entry says so, and those of the tensor are 1 then. As that cannot be
/// told without knowing how many subscripts an entry has, the options must give the dimensions.
///
/// Of a table the columns that are modes must be as many as the dimensions say, and its subscripts
/// and names may be any: the tensor's dimensions are those of the table.
///
/// All else is as for `read_sptensor` and `read_binary_sptensor`, but that a text of order 1 has a
/// header only if it starts with the word `sptensor`. Of the options, `duplicates` is not looked
/// at.
template <RealScalar Scalar = double, SubscriptOrdinal Ordinal = std::uint32_t>
[[nodiscard]] ReadSptensor<Scalar, Ordinal, HostExec> read_entries(const HostExec& host,
                                                                   const std::string& path,
                                                                   const ReadOptions& options) {
  ReadReport report;
  auto arrays =
      detail::read_entries_file<Scalar>(host, path, options, detail::width_of<Ordinal>, report);
  using Arrays = detail::TensorArrays<Scalar, Ordinal>;
  return {detail::to_sptensor<HostExec>(host, path, std::get<Arrays>(std::move(arrays))), report};
}

/// The line of text, from 1, of an entry that `read_entries` has read with these options, from 0; 0
/// for files in the binary form. It reads the file again.
[[nodiscard]] inline std::size_t line_of_entry(const HostExec& host, const std::string& path,
                                               const ReadOptions& options, std::size_t entry) {
  return detail::line_of_entry(host, path, options, entry);
}

/// Writes entries and their values as text, one a line and nothing else, so that line i is about
/// entry i; values in the shortest digits that read back to the same number. Of the options,
/// `format` is not looked at. The file appears under its name when it is complete.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_entries(const HostExec& host, const std::string& path,
                   const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                   const WriteOptions& options = {}) {
  detail::write_entries_file<Scalar, Ordinal>(host, path, tensor, options);
}

}  // namespace genten
