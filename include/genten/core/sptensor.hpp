// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sptensor: a sparse tensor in coordinate form.

#include <genten/base/detail/staged_copy.hpp>
#include <genten/base/error.hpp>
#include <genten/base/types.hpp>
#include <genten/core/sptensor_facts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace genten {

/// Whether this build checks the promises of who makes a Sptensor by `Sptensor::trusted`.
#ifdef NDEBUG
inline constexpr bool checks_promises = false;
#else
inline constexpr bool checks_promises = true;
#endif

/// Dimensions, and for each of nnz nonzeros its N subscripts (0-based) and its value. Immutable
/// once built; copies are shallow. Duplicate subscripts are allowed and mean their sum
/// (`sum_duplicates` merges them). Explicit zeros are allowed.
///
/// Subscripts are always within the dimensions and values always finite: that is checked once,
/// where they come in. What else is known of the nonzeros goes with the tensor as its facts.
template <RealScalar Scalar, SubscriptOrdinal Ordinal = std::uint32_t,
          ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class Sptensor {
 public:
  using scalar_type = Scalar;
  using ordinal_type = Ordinal;
  using execution_space = Exec;
  using memory_space = typename Exec::memory_space;
  using values_view = Kokkos::View<const Scalar*, memory_space>;
  /// nnz x N, the subscripts of a nonzero side by side.
  using subscripts_view = Kokkos::View<const Ordinal**, Kokkos::LayoutRight, memory_space>;

  Sptensor() = default;

  /// Takes the Views without a copy, after one pass over them on `exec` that checks every subscript
  /// against its dimension and every value for being finite. Nothing more is known of them then.
  /// Throws Error naming the first offending nonzero. Views must not be written to afterwards.
  Sptensor(const Exec& exec, std::vector<std::size_t> dimensions, subscripts_view subscripts,
           values_view values)
      : Sptensor(std::move(dimensions), subscripts, values, SptensorFacts()) {
    check_entries(exec, order());
  }
  Sptensor(std::vector<std::size_t> dimensions, subscripts_view subscripts, values_view values)
      : Sptensor(Exec(), std::move(dimensions), subscripts, values) {}

  /// Takes the Views without a copy and without a look at what they hold, for those who have
  /// established it: subscripts are within the dimensions, values are finite, and all `facts` that
  /// are set are true. Only the Views' shapes are checked; where a promise is broken, results are
  /// undefined. Debug builds (without NDEBUG) check every promise that a pass over the nonzeros can
  /// check, that is all but that nonzeros out of order are distinct, and throw Error.
  static Sptensor trusted(const Exec& exec, std::vector<std::size_t> dimensions,
                          subscripts_view subscripts, values_view values, SptensorFacts facts) {
    Sptensor tensor(std::move(dimensions), subscripts, values, facts);
    if constexpr (checks_promises) tensor.check_promises(exec);
    return tensor;
  }

  /// Copies host arrays: `subscripts` holds nnz * N of them, nonzero by nonzero, 0-based.
  static Sptensor from_host(std::vector<std::size_t> dimensions,
                            std::span<const Ordinal> subscripts, std::span<const Scalar> values) {
    return from_host(Exec(), std::move(dimensions), subscripts, values);
  }
  static Sptensor from_host(const Exec& exec, std::vector<std::size_t> dimensions,
                            std::span<const Ordinal> subscripts, std::span<const Scalar> values);

  [[nodiscard]] int order() const { return static_cast<int>(m_dimensions.size()); }
  [[nodiscard]] const std::vector<std::size_t>& dimensions() const { return m_dimensions; }
  [[nodiscard]] std::size_t dimension(int n) const {
    return m_dimensions[static_cast<std::size_t>(n)];
  }
  [[nodiscard]] offset_t nnz() const { return static_cast<offset_t>(m_values.extent(0)); }
  /// nnz divided by the product of the dimensions; 0 for a tensor without elements.
  [[nodiscard]] double density() const {
    double elements = 1.0;
    for (const std::size_t dimension : m_dimensions) elements *= static_cast<double>(dimension);
    return elements > 0.0 ? static_cast<double>(nnz()) / elements : 0.0;
  }
  [[nodiscard]] const values_view& values() const { return m_values; }
  [[nodiscard]] const subscripts_view& subscripts() const { return m_subscripts; }
  /// What is known of the nonzeros. One nonzero, or none, is sorted and distinct.
  [[nodiscard]] SptensorFacts facts() const { return m_facts; }

 private:
  Sptensor(std::vector<std::size_t> dimensions, subscripts_view subscripts, values_view values,
           SptensorFacts facts)
      : m_dimensions(std::move(dimensions)),
        m_subscripts(subscripts),
        m_values(values),
        m_facts(nnz() < 2 ? SptensorFacts{true, true} : facts) {
    check_shape();
  }

  void check_shape() const;

 public:
  /// \cond not API
  /// Throws Error naming the first value that is not finite.
  void check_values(const Exec& exec) const { check_entries(exec, 0); }

  /// The same, or the first nonzero that has a subscript too large in one of the first modes.
  void check_entries(const Exec& exec, int modes) const;

  void check_promises(const Exec& exec) const;
  /// \endcond

 private:
  [[noreturn]] void throw_bad_entry(offset_t p) const;

  std::vector<std::size_t> m_dimensions;
  subscripts_view m_subscripts;
  values_view m_values;
  SptensorFacts m_facts{true, true};
};

/// The same tensor where the host can read it: the argument itself where it already can.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] auto create_mirror_view_and_copy(const Sptensor<Scalar, Ordinal, Exec>& tensor);

/// The same tensor in the memory of `To`, copied only if it lies elsewhere. Its facts go with it.
template <ExecutionSpace To, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, To> copy_to(const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const To exec;
  return Sptensor<Scalar, Ordinal, To>::trusted(
      exec, tensor.dimensions(), detail::view_on(exec, tensor.subscripts()),
      detail::view_on(exec, tensor.values()), tensor.facts());
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] auto create_mirror_view_and_copy(const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  if constexpr (is_host_space<Exec>) {
    return tensor;
  } else {
    return copy_to<HostExec>(tensor);
  }
}

}  // namespace genten

#include <genten/core/detail/sptensor_impl.hpp>
