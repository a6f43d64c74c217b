// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/base/memory.hpp>
#include <genten/dist/tensor_slices.hpp>

#include <bit>
#include <limits>

namespace genten {
namespace {

using detail::HostArray;

/// Keys for `sorted_positions`: the subscripts of some modes, the last of them least significant,
/// of nonzeros that are taken in a given order, or as they are.
template <class Subscripts>
struct SubscriptKeys {
  Subscripts subscripts;
  std::vector<int> modes;
  std::vector<std::size_t> dimensions;
  const std::uint32_t* order = nullptr;

  [[nodiscard]] int words() const { return static_cast<int>(modes.size()); }
  [[nodiscard]] int bits(int word) const {
    const std::size_t length = dimensions[static_cast<std::size_t>(mode(word))];
    return static_cast<int>(std::bit_width(length == 0 ? length : length - 1));
  }
  auto operator()(offset_t p, int word) const {
    return subscripts(order == nullptr ? p : order[p], mode(word));
  }

 private:
  [[nodiscard]] int mode(int word) const {
    return modes[modes.size() - 1 - static_cast<std::size_t>(word)];
  }
};

/// The positions of the nonzeros in lexicographic order; empty where that is how they are stored.
template <SubscriptOrdinal Ordinal, class Subscripts>
HostArray<std::uint32_t> lexicographic_order(const HostExec& exec,
                                             const std::vector<std::size_t>& dimensions,
                                             const Subscripts& subscripts, SptensorFacts facts) {
  if (facts.sorted || look_at_order(exec, subscripts).sorted) return {};
  SubscriptKeys<Subscripts> keys{subscripts, {}, dimensions};
  for (int n = 0; n < static_cast<int>(dimensions.size()); ++n) keys.modes.push_back(n);
  return detail::sorted_positions<Ordinal, std::uint32_t>(
             exec, static_cast<offset_t>(subscripts.extent(0)), keys)
      .values;
}

/// The slices of one mode. `order` is the lexicographic order.
template <SubscriptOrdinal Ordinal, class Subscripts>
ModeSlices<Ordinal> mode_slices(const HostExec& exec, const std::vector<std::size_t>& dimensions,
                                const Subscripts& subscripts, int mode,
                                const HostArray<std::uint32_t>& order) {
  const std::size_t nnz = subscripts.extent(0);
  const std::uint32_t* const first = order.extent(0) == 0 ? nullptr : order.data();
  const SubscriptKeys<Subscripts> keys{subscripts, {mode}, dimensions, first};
  const auto sorted =
      detail::sorted_positions<Ordinal, std::uint32_t>(exec, static_cast<offset_t>(nnz), keys);
  ModeSlices<Ordinal> slices;
  slices.positions = sorted.values;
  if (first != nullptr) {
    for (std::size_t p = 0; p < nnz; ++p) slices.positions(p) = first[slices.positions(p)];
  }
  for (std::size_t p = 0; p < nnz; ++p) {
    if (p != 0 && sorted.keys(p) == sorted.keys(p - 1)) continue;
    slices.rows.push_back(sorted.keys(p));
    slices.starts.push_back(p);
  }
  slices.starts.push_back(nnz);
  return slices;
}

}  // namespace

template <SubscriptOrdinal Ordinal>
TensorSlices<Ordinal>::TensorSlices(const HostExec& exec, std::vector<std::size_t> dimensions,
                                    const Subscripts& subscripts, SptensorFacts facts)
    : m_dimensions(std::move(dimensions)), m_subscripts(subscripts) {
  if (nnz() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error::in("TensorSlices",
                    "expected fewer than 2^32 nonzeros, got " + std::to_string(nnz()));
  }
  const auto nonzeros = static_cast<double>(nnz());
  require_memory({.what = "sorting the nonzeros by the rows of each mode",
                  .parts = {{"positions", 4.0 * nonzeros * (order() + 1)},
                            {"rows", 16.0 * nonzeros * order()},
                            {"sorting", (8.0 + 2 * sizeof(Ordinal)) * nonzeros}},
                  .available = available_memory<HostExec>()});
  const auto first = lexicographic_order<Ordinal>(exec, m_dimensions, m_subscripts, facts);
  for (int n = 0; n < order(); ++n) {
    m_modes.push_back(mode_slices<Ordinal>(exec, m_dimensions, m_subscripts, n, first));
  }
}

template class TensorSlices<std::uint32_t>;
template class TensorSlices<std::uint64_t>;

}  // namespace genten
