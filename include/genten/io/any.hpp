// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensor files whose form and ordinal width are found out from their content.

#include <genten/io/tns.hpp>

namespace genten {

/// A tensor of either ordinal: `std::visit` it.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
using AnySptensor =
    std::variant<Sptensor<Scalar, std::uint32_t, Exec>, Sptensor<Scalar, std::uint64_t, Exec>>;

/// A tensor that was read, and what its file was like.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct ReadAnySptensor {
  AnySptensor<Scalar, Exec> tensor;
  ReadReport report;
};

/// Reads a text or binary tensor with the given ordinal; see `read_sptensor` and
/// `read_binary_sptensor`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] ReadSptensor<Scalar, Ordinal, Exec> read_tensor_as(const HostExec& host,
                                                                 const std::string& path,
                                                                 const ReadOptions& options = {}) {
  ReadReport report;
  auto arrays = detail::read_tensor_file<Scalar>(host, path, options, detail::Accept::either,
                                                 detail::width_of<Ordinal>, report);
  using Arrays = detail::TensorArrays<Scalar, Ordinal>;
  return {detail::to_sptensor<Exec>(host, path, std::get<Arrays>(std::move(arrays))), report};
}

/// Reads a tensor from text (see `read_sptensor`), the binary form or a table, with 32-bit ordinals
/// where every dimension is below 2^32, else with 64-bit ones.
///
/// A table is text whose first line names columns, CSV or TSV: between tabs, commas or semicolons
/// (the first of these that is in it), no field of it being a number. Options that name columns say
/// it, too. Fields are those of RFC 4180, in UTF-8. One column holds the values, `options.values`,
/// without which each row counts as 1; the others, or `options.modes`, are modes in their order.
/// Whole numbers below 2^63 - 1 are subscripts, which count from 0 here if the options do not say
/// 1; a column with anything else but numbers, or with one that begins with a zero as zip codes do,
/// is one of texts, whose sorted distinct ones are the names of the mode's rows in the report. All
/// else is as `genten.tensor` in Python has it from what
/// `pandas.read_csv` reads (before 3.1 with float_precision="round_trip"): rows of the same
/// subscripts are added up, and the nonzeros sorted then. Whatever is missing (an empty field, NA,
/// nan and what else pandas takes for that) is an Error with its line, as are numbers that are not
/// whole or negative in a mode, and where nothing says which columns are values or modes, whole
/// numbers, too.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] ReadAnySptensor<Scalar, Exec> read_tensor(const HostExec& host,
                                                        const std::string& path,
                                                        const ReadOptions& options = {}) {
  ReadReport report;
  auto arrays = detail::read_tensor_file<Scalar>(host, path, options, detail::Accept::either,
                                                 detail::OrdinalWidth::narrowest, report);
  return {std::visit(
              [&](auto& parts) -> AnySptensor<Scalar, Exec> {
                return detail::to_sptensor<Exec>(host, path, std::move(parts));
              },
              arrays),
          report};
}

/// The same on a default instance of the host's execution space.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
[[nodiscard]] ReadAnySptensor<Scalar, Exec> read_tensor(const std::string& path,
                                                        const ReadOptions& options = {}) {
  return read_tensor<Scalar, Exec>(HostExec(), path, options);
}

}  // namespace genten
