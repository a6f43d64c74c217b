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

/// Reads a text or binary tensor with 32-bit ordinals where every dimension is below 2^32, else
/// with 64-bit ones.
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
