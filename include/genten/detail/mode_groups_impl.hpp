// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/format/mode_groups.hpp>

#include <limits>

namespace genten {

inline std::vector<ModeGroup> choose_mode_groups(std::span<const std::size_t> dimensions,
                                                 std::span<const int> update_order,
                                                 double most_tuples) {
  // best[k]: the cheapest partition of the first k modes, by (groups, tuples).
  struct Best {
    std::size_t groups = std::numeric_limits<std::size_t>::max();
    double tuples = 0.0;
    std::size_t last_begin = 0;
  };
  const std::size_t order = update_order.size();
  std::vector<Best> best(order + 1);
  best[0].groups = 0;
  for (std::size_t end = 1; end <= order; ++end) {
    double tuples = 1.0;
    for (std::size_t begin = end; begin-- > 0;) {
      tuples *= static_cast<double>(dimensions[static_cast<std::size_t>(update_order[begin])]);
      if (end - begin > 1 && tuples > most_tuples) break;
      const Best candidate{best[begin].groups + 1, best[begin].tuples + tuples, begin};
      if (candidate.groups < best[end].groups ||
          (candidate.groups == best[end].groups && candidate.tuples < best[end].tuples)) {
        best[end] = candidate;
      }
    }
  }
  std::vector<ModeGroup> groups;
  for (std::size_t end = order; end > 0; end = best[end].last_begin) {
    groups.push_back({{update_order.begin() + static_cast<std::ptrdiff_t>(best[end].last_begin),
                       update_order.begin() + static_cast<std::ptrdiff_t>(end)}});
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

}  // namespace genten

namespace genten::detail {

/// Numbers the tuples of one group that occur.
template <RealScalar Scalar, ExecutionSpace Exec>
struct TupleNumbering {
  using memory_space = typename Exec::memory_space;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;

  Kokkos::Array<KeyField, max_order> fields{};
  Kokkos::Array<std::uint64_t, max_order> lengths{};
  int count = 0;
  /// By the tuple's position in the box of all possible ones: its number among those that occur.
  Kokkos::View<std::uint32_t*, memory_space> number;

  TupleNumbering(const PackedTensor<Scalar, Exec>& tensor, const ModeGroup& group) {
    std::size_t box = 1;
    for (const int mode : group.modes) {
      lengths[count] = tensor.dimensions[static_cast<std::size_t>(mode)];
      fields[count++] = tensor.layout.fields[mode];
      box *= tensor.dimensions[static_cast<std::size_t>(mode)];
    }
    number = Kokkos::View<std::uint32_t*, memory_space>("genten::tuple_number", box);
  }

  KOKKOS_FUNCTION std::uint64_t position(const std::uint64_t* key) const {
    std::uint64_t at = 0;
    for (int k = 0; k < count; ++k) at = at * lengths[k] + fields[k].get(key);
    return at;
  }

  /// Numbers the tuples and lists their subscripts.
  FusedTuples<Exec> enumerate(const Exec& exec, const PackedTensor<Scalar, Exec>& tensor) const {
    const auto self = *this;
    const auto keys = tensor.keys;
    const int words = tensor.layout.words;
    Kokkos::parallel_for(
        "genten::mark_tuples", Policy(exec, 0, tensor.nnz()), KOKKOS_LAMBDA(const offset_t p) {
          std::uint32_t* const mark = &self.number(self.position(&keys(p * words)));
          // The look first spares most of the atomics: there are many nonzeros a tuple.
          if (*static_cast<volatile std::uint32_t*>(mark) == 0) Kokkos::atomic_or(mark, 1u);
        });
    std::uint32_t tuples = 0;
    const auto box = static_cast<offset_t>(number.extent(0));
    Kokkos::parallel_scan(
        "genten::number_tuples", Policy(exec, 0, box),
        KOKKOS_LAMBDA(const offset_t at, std::uint32_t& sum, const bool last) {
          const std::uint32_t occurs = self.number(at) & 1u;
          // The low bit keeps the mark while the scan may visit an element twice.
          if (last) self.number(at) = sum << 1 | occurs;
          sum += occurs;
        },
        tuples);
    FusedTuples<Exec> result;
    result.subscripts =
        uninitialized_view<decltype(result.subscripts)>("genten::tuple_subscripts", tuples, count);
    const auto subscripts = result.subscripts;
    Kokkos::parallel_for(
        "genten::list_tuples", Policy(exec, 0, box), KOKKOS_LAMBDA(const offset_t at) {
          if ((self.number(at) & 1u) == 0) return;
          auto rest = static_cast<std::uint64_t>(at);
          const std::uint32_t row = self.number(at) >> 1;
          for (int k = self.count - 1; k >= 0; --k) {
            subscripts(row, k) = static_cast<std::uint32_t>(rest % self.lengths[k]);
            rest /= self.lengths[k];
          }
        });
    return result;
  }
};

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
FusedTensor<Scalar, Exec> fuse_modes(const Exec& exec, const PackedTensor<Scalar, Exec>& tensor,
                                     const std::vector<ModeGroup>& groups) {
  const auto in_place = [&](std::size_t g) {
    return groups[g].modes == std::vector<int>{static_cast<int>(g)};
  };
  bool same = true;
  for (std::size_t g = 0; g < groups.size(); ++g) same = same && in_place(g);
  if (same) return {tensor, std::vector<FusedTuples<Exec>>(groups.size())};
  using Numbering = detail::TupleNumbering<Scalar, Exec>;
  FusedTensor<Scalar, Exec> fused;
  fused.tuples.resize(groups.size());
  auto& result = fused.tensor;
  result.values = tensor.values;
  result.keys = detail::uninitialized_view<decltype(result.keys)>("genten::fused_keys",
                                                                  tensor.keys.extent(0));
  // First the dimensions of the fused modes, which decide the layout, then the keys.
  std::vector<Numbering> numberings;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto mode = static_cast<std::size_t>(groups[g].modes.front());
    if (groups[g].fused()) {
      numberings.emplace_back(tensor, groups[g]);
      fused.tuples[g] = numberings.back().enumerate(exec, tensor);
      result.dimensions.push_back(fused.tuples[g].size());
    } else {
      result.dimensions.push_back(tensor.dimensions[mode]);
    }
  }
  const auto layout = KeyLayout::for_dimensions(result.dimensions);
  if (!layout) throw Error("fuse_modes: the fused subscripts do not fit into 128 bits");
  result.layout = *layout;
  const KeyLayout to = result.layout;
  const int from_words = tensor.layout.words;
  const auto from_keys = tensor.keys;
  const auto to_keys = result.keys;
  Kokkos::deep_copy(exec, to_keys, std::uint64_t{0});
  std::size_t next_numbering = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const KeyField target = to.fields[g];
    const KeyField source = tensor.layout.fields[groups[g].modes.front()];
    const bool is_fused = groups[g].fused();
    const Numbering numbering =
        is_fused ? numberings[next_numbering++] : Numbering(tensor, ModeGroup{{}});
    Kokkos::parallel_for(
        "genten::fuse_keys",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
        KOKKOS_LAMBDA(const offset_t p) {
          const std::uint64_t* key = &from_keys(p * from_words);
          const std::uint64_t subscript =
              is_fused ? numbering.number(numbering.position(key)) >> 1 : source.get(key);
          to_keys(p * to.words + target.word) |= target.put(subscript);
        });
  }
  detail::fence(exec, "genten::fuse_modes");
  return fused;
}

}  // namespace genten
