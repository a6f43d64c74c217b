// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The sparse tensor as the extension holds it.

#include "subscripts.hpp"

#include <genten/core/row_numbers.hpp>
#include <genten/io/value_summary.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <variant>

namespace genten::python {

/// A sparse tensor on the host, of any scalar and ordinal.
using AnyTensor = std::variant<
    Sptensor<double, std::uint32_t, HostExec>, Sptensor<double, std::uint64_t, HostExec>,
    Sptensor<float, std::uint32_t, HostExec>, Sptensor<float, std::uint64_t, HostExec>>;

/// A tensor whose arrays may be Python's own, which it then keeps alive. Whoever can write to these
/// can spoil them, so they are checked again before each use.
class Tensor final : public KokkosOwned {
 public:
  /// Of the arrays of a tensor that the library has made.
  explicit Tensor(AnyTensor tensor) : m_tensor(std::move(tensor)) {}
  /// Of values and subscripts of Python's. What has the layout that the library wants is taken as
  /// it is, the rest is copied. Throws Error for a subscript or a value that no tensor may have.
  Tensor(const SubscriptColumns& subscripts, nb::object subscripts_owner, const PackedArray& values,
         const std::vector<std::size_t>& dimensions, bool copy);

  /// Whether the subscripts are an array of Python's, to which others may write.
  [[nodiscard]] bool shares_subscripts() const { return m_shared_subscripts; }

  /// Of values before duplicates were merged, where some were.
  [[nodiscard]] const std::optional<ValueSummary>& as_listed() const { return m_as_listed; }
  void set_as_listed(const std::optional<ValueSummary>& values) { m_as_listed = values; }

  void let_go() noexcept override { m_tensor = AnyTensor(); }

  /// Calls `use` with the tensor, in a turn.
  template <class Use>
  auto visit(const Use& use) const {
    return in_turn([&] {
      return std::visit(
          [&](const auto& tensor) {
            if (m_shared)
              tensor.check_entries(HostExec(), m_shared_subscripts ? tensor.order() : 0);
            return use(tensor);
          },
          m_tensor);
    });
  }
  /// The same with a tensor that nobody can write to while it is used: a copy of arrays that are
  /// Python's own. For what takes long, or reads the nonzeros more than once.
  template <class Use>
  auto visit_unchanging(const Use& use) const {
    return in_turn([&] {
      return std::visit([&](const auto& tensor) { return use(m_shared ? copied(tensor) : tensor); },
                        m_tensor);
    });
  }
  /// The same with subscripts of 32 bits where the modes are short enough: one copy where solvers
  /// would make another.
  template <class Use>
  auto visit_unchanging_rows(const Use& use) const {
    return in_turn([&] {
      return std::visit(
          [&](const auto& tensor) {
            using Given = std::remove_cvref_t<decltype(tensor)>;
            if constexpr (std::is_same_v<typename Given::ordinal_type, std::uint64_t>) {
              if (auto found = m_shared_subscripts ? narrowed(tensor) : std::nullopt) {
                return use(*found);
              }
            }
            return use(m_shared ? copied(tensor) : tensor);
          },
          m_tensor);
    });
  }
  /// The same without a check, of facts that the arrays' content does not change.
  template <class Use>
  auto look(const Use& use) const {
    return std::visit(use, m_tensor);
  }

 private:
  /// Copies what is Python's own, and checks what it copies, and nothing else.
  template <RealScalar Scalar, SubscriptOrdinal Ordinal>
  auto copied(const Sptensor<Scalar, Ordinal, HostExec>& tensor) const {
    const auto count = static_cast<std::size_t>(tensor.nnz());
    if (!m_shared_subscripts) {
      const HostExec host;
      const auto values = detail::uninitialized_view<Kokkos::View<Scalar*, Kokkos::HostSpace>>(
          "genten::values", count);
      Kokkos::deep_copy(host, values, tensor.values());
      host.fence();
      auto own = Sptensor<Scalar, Ordinal, HostExec>::trusted(
          host, tensor.dimensions(), tensor.subscripts(), values, tensor.facts());
      own.check_values(host);
      return own;
    }
    const std::size_t order = tensor.dimensions().size();
    return Sptensor<Scalar, Ordinal, HostExec>::from_host(
        tensor.dimensions(), std::span(tensor.subscripts().data(), count * order),
        std::span(tensor.values().data(), count));
  }

  /// A copy with row numbers; nothing where a subscript is outside of its mode, or has no number.
  template <RealScalar Scalar>
  static auto narrowed(const Sptensor<Scalar, std::uint64_t, HostExec>& tensor) {
    using Narrow = Sptensor<Scalar, RowNumber, HostExec>;
    const HostExec host;
    const auto wide = tensor.subscripts();
    const std::size_t order = tensor.dimensions().size();
    const auto subscripts = detail::uninitialized_view<
        Kokkos::View<RowNumber**, Kokkos::LayoutRight, Kokkos::HostSpace>>("genten::subscripts",
                                                                           wide.extent(0), order);
    Kokkos::Array<std::uint64_t, max_order> ends{};
    for (std::size_t n = 0; n < order; ++n) {
      ends[n] = std::min<std::uint64_t>(tensor.dimensions()[n], std::uint64_t{1} << 32);
    }
    constexpr std::size_t block = 2048;  // stays in the cache from mode to mode
    const std::size_t count = wide.extent(0);
    std::size_t bad = 0;
    Kokkos::parallel_reduce(
        "genten::python::narrow_subscripts",
        Kokkos::RangePolicy<HostExec, Kokkos::IndexType<std::size_t>>(host, 0,
                                                                      (count + block - 1) / block),
        [=](const std::size_t b, std::size_t& sum) {
          const std::size_t begin = b * block, end = std::min(count, begin + block);
          for (std::size_t n = 0; n < order; ++n) {
            const std::uint64_t* const from = wide.data() + n;
            RowNumber* const to = subscripts.data() + n;
            std::uint64_t largest = 0;
            for (std::size_t p = begin; p < end; ++p) {
              largest = std::max(largest, from[p * order]);
              to[p * order] = static_cast<RowNumber>(from[p * order]);
            }
            sum += largest >= ends[n] ? 1 : 0;
          }
        },
        bad);
    if (bad != 0) return std::optional<Narrow>();
    const auto values = detail::uninitialized_view<Kokkos::View<Scalar*, Kokkos::HostSpace>>(
        "genten::values", wide.extent(0));
    Kokkos::deep_copy(host, values, tensor.values());
    host.fence();
    auto found = Narrow::trusted(host, tensor.dimensions(), subscripts, values, {});
    found.check_values(host);
    return std::optional(std::move(found));
  }

  AnyTensor m_tensor;
  std::optional<PackedArray> m_values;  ///< whose elements are the tensor's values
  nb::object m_subscripts;              ///< the same for subscripts
  bool m_shared = false;                ///< whether others may write to the values, at least
  bool m_shared_subscripts = false;     ///< and to the subscripts, too
  std::optional<ValueSummary> m_as_listed;
};

void bind_tensor(nb::module_& module);

}  // namespace genten::python
