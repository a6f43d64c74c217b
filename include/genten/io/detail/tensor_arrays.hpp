// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the compiled readers hand to the templates that make an Sptensor of it.

#include <genten/base/memory.hpp>
#include <genten/base/types.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/io/options.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace genten::detail {

/// A tensor's parts on the host.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct TensorArrays {
  using Subscripts = Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Values = Kokkos::View<Scalar*, Kokkos::HostSpace>;

  std::vector<std::size_t> dimensions;
  Subscripts subscripts;
  Values values;
  bool checked = false;  ///< subscripts are within the dimensions and values finite
  SptensorFacts facts;
};

/// TensorArrays of either ordinal.
template <RealScalar Scalar>
using AnyTensorArrays =
    std::variant<TensorArrays<Scalar, std::uint32_t>, TensorArrays<Scalar, std::uint64_t>>;

/// The ordinal that a reader is to use.
enum class OrdinalWidth {
  narrowest,  ///< 32 bits where every dimension fits, else 64
  bits32,
  bits64
};

/// What a reader accepts.
enum class Accept { text, binary, either };

template <SubscriptOrdinal Ordinal>
inline constexpr OrdinalWidth width_of = sizeof(Ordinal) == 4 ? OrdinalWidth::bits32
                                                              : OrdinalWidth::bits64;

/// Reads a tensor file of any accepted form; throws Error. Compiled into the library for float and
/// double.
template <RealScalar Scalar>
AnyTensorArrays<Scalar> read_tensor_file(const HostExec& host, const std::string& path,
                                         const ReadOptions& options, Accept accept,
                                         OrdinalWidth width, ReadReport& report);

/// An Sptensor over the arrays of the file `path`, copied only where `Exec` has memory of its own.
/// Entries are checked here if the reader has not done it.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
Sptensor<Scalar, Ordinal, Exec> to_sptensor(const HostExec& host, const std::string& path,
                                            TensorArrays<Scalar, Ordinal> arrays) {
  using Tensor = Sptensor<Scalar, Ordinal, HostExec>;
  Tensor tensor;
  try {
    tensor = arrays.checked
                 ? Tensor::trusted(host, std::move(arrays.dimensions), arrays.subscripts,
                                   arrays.values, arrays.facts)
                 : Tensor(host, std::move(arrays.dimensions), arrays.subscripts, arrays.values);
  } catch (const Error& error) {
    Error::Fields fields = error.fields();
    fields.kind = Error::Kind::file;
    fields.path = path;
    throw Error(std::move(fields));
  }
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return tensor;
  } else {
    const auto nonzeros = static_cast<double>(tensor.nnz());
    const double row = sizeof(Scalar) + static_cast<double>(tensor.order()) * sizeof(Ordinal);
    require_memory({.path = path,
                    .what = "a tensor of " + std::to_string(tensor.nnz()) + " nonzeros",
                    .parts = {{"tensor", row * nonzeros}},
                    .available = available_memory<Exec>(),
                    .device = true});
    return copy_to<Exec>(tensor);
  }
}

/// The host's view of a tensor that lies anywhere, for writers.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Sptensor<Scalar, Ordinal, HostExec> on_host(const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    return tensor;
  } else {
    return copy_to<HostExec>(tensor);
  }
}

}  // namespace genten::detail
