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

namespace detail {

/// The first nonzero whose value is not finite, or that has a subscript too large in one of the
/// first modes. A functor: nvcc 13 loses a lambda here when only host spaces call it.
template <class Subscripts, class Values>
struct FindBadEntry {
  using Ordinal = typename Subscripts::non_const_value_type;
  using Scalar = typename Values::non_const_value_type;

  Subscripts subscripts;
  Values values;
  Kokkos::Array<Ordinal, max_order> limit;
  int modes;

  KOKKOS_FUNCTION void operator()(const offset_t p, offset_t& bad) const {
    // x - x is 0 for every finite x and NaN otherwise.
    bool good = values(p) - values(p) == Scalar(0);
    for (int n = 0; n < modes; ++n) good = good && subscripts(p, n) < limit[n];
    if (!good && p < bad) bad = p;
  }
};

}  // namespace detail

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
                            std::span<const Ordinal> subscripts, std::span<const Scalar> values) {
    const std::size_t order = dimensions.size();
    if (subscripts.size() != values.size() * order) {
      throw Error("Sptensor: expected " + std::to_string(order) + " subscripts for each of " +
                  std::to_string(values.size()) + " values, got " +
                  std::to_string(subscripts.size()) + " subscripts");
    }
    using Kokkos::view_alloc;
    using Kokkos::WithoutInitializing;
    const auto subs = detail::new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, memory_space>>(
        view_alloc("genten::subscripts", WithoutInitializing), values.size(), order);
    const auto vals = detail::new_view<Kokkos::View<Scalar*, memory_space>>(
        view_alloc("genten::values", WithoutInitializing), values.size());
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    detail::copy_view(
        exec, subs,
        Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace, Unmanaged>(
            subscripts.data(), values.size(), order));
    detail::copy_view(
        exec, vals,
        Kokkos::View<const Scalar*, Kokkos::HostSpace, Unmanaged>(values.data(), values.size()));
    exec.fence();
    return Sptensor(exec, std::move(dimensions), subs, vals);
  }

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

  void check_shape() const {
    if (m_dimensions.empty() || m_dimensions.size() > static_cast<std::size_t>(max_order)) {
      throw Error("Sptensor: expected an order from 1 to " + std::to_string(max_order) + ", got " +
                  std::to_string(m_dimensions.size()));
    }
    if (m_subscripts.extent(0) != m_values.extent(0) ||
        (m_values.extent(0) != 0 && m_subscripts.extent(1) != m_dimensions.size())) {
      throw Error("Sptensor: expected subscripts of shape " + std::to_string(m_values.extent(0)) +
                  " x " + std::to_string(m_dimensions.size()) + ", got " +
                  std::to_string(m_subscripts.extent(0)) + " x " +
                  std::to_string(m_subscripts.extent(1)));
    }
    constexpr auto longest = std::numeric_limits<Ordinal>::max();
    for (std::size_t n = 0; n < m_dimensions.size(); ++n) {
      if (m_dimensions[n] > longest) {
        throw Error("Sptensor: mode " + std::to_string(n + 1) + " of length " +
                    std::to_string(m_dimensions[n]) + " needs 64-bit ordinals, got " +
                    std::to_string(8 * sizeof(Ordinal)) + "-bit ones");
      }
    }
  }

 public:
  /// \cond not API
  /// Throws Error naming the first value that is not finite.
  void check_values(const Exec& exec) const { check_entries(exec, 0); }

  /// The same, or the first nonzero that has a subscript too large in one of the first modes.
  void check_entries(const Exec& exec, int modes) const {
    const offset_t count = nnz();
    if (count == 0) return;
    Kokkos::Array<Ordinal, max_order> limit{};
    for (int n = 0; n < modes; ++n) limit[n] = static_cast<Ordinal>(dimension(n));
    offset_t first_bad = count;
    Kokkos::parallel_reduce(
        "genten::check_entries",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
        detail::FindBadEntry<subscripts_view, values_view>{m_subscripts, m_values, limit, modes},
        Kokkos::Min<offset_t>(first_bad));
    if (first_bad < count) throw_bad_entry(first_bad);
  }

  void check_promises(const Exec& exec) const {
    check_entries(exec, order());
    const SptensorFacts found = look_at_order(exec, m_subscripts);
    if (m_facts.sorted && !found.sorted) {
      throw Error("Sptensor: expected sorted nonzeros, as promised, got others");
    }
    if (m_facts.distinct && found.sorted && !found.distinct) {
      throw Error("Sptensor: expected distinct nonzeros, as promised, got equal subscripts");
    }
  }
  /// \endcond

 private:
  [[noreturn]] void throw_bad_entry(offset_t p) const {
    const auto row = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), Kokkos::subview(m_subscripts, p, Kokkos::ALL()));
    const auto value = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), Kokkos::subview(m_values, Kokkos::make_pair(p, p + 1)));
    for (int n = 0; n < order(); ++n) {
      if (row(n) >= dimension(n)) {
        throw Error("Sptensor: nonzero " + std::to_string(p) + ": expected a subscript below " +
                    std::to_string(dimension(n)) + " in mode " + std::to_string(n + 1) + ", got " +
                    std::to_string(row(n)));
      }
    }
    throw Error("Sptensor: nonzero " + std::to_string(p) + ": expected a finite value, got " +
                std::to_string(value(0)));
  }

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
