// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/mttkrp/kernels/sorted/row_reuse.hpp>
#include <genten/mttkrp/kernels/sorted/sorted.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_order_impl.hpp>

#include <sstream>

namespace genten::kernels {

inline double Sorted::cost(const MttkrpProblem& problem, const MachineProperties& machine) {
  const double row = problem.row_bytes();
  double bytes = 0.0;
  for (int n = 0; n < problem.order(); ++n) {
    double gathered = 0.0;
    for (int m = 0; m < problem.order(); ++m) {
      const double table =
          static_cast<double>(problem.dimensions[static_cast<std::size_t>(m)]) * row;
      if (m != n && table > machine.near_cache) gathered += row;
    }
    bytes += static_cast<double>(problem.nnz) *
             (8.0 + static_cast<double>(problem.scalar_bytes) + 0.25 * gathered);
  }
  return bytes;
}

/// The sorted copies of a tensor, the tables of fused groups and the contractions between them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class Sorted::Prepared {
 public:
  static bool accepts(const MttkrpProblem& problem) {
    return RecordLayout::for_dimensions(problem.dimensions, std::nullopt).has_value();
  }

  Prepared(const Exec& exec, RelabeledTensor<Scalar, Ordinal, Exec> tensor,
           const MttkrpProblem& problem, const MttkrpOptions&, const Tuning& tuning)
      : m_stride(padded_stride(problem.rank, sizeof(Scalar))) {
    const MachineProperties machine = MachineProperties::of(exec);
    m_groups = choose_mode_groups(problem.dimensions, problem.update_order,
                                  static_cast<double>(problem.nnz) / tuning.fuse_density);
    if (!fits_when_fused(problem.dimensions)) {
      m_groups = choose_mode_groups(problem.dimensions, problem.update_order, 0.0);
    }
    const auto packed = pack_records(exec, tensor, m_groups);
    if (!packed) throw Error("kernel sorted: the subscripts do not fit into 128 bits");
    // The records are all that is needed from here on.
    tensor = {};
    detail::SortWorkspace<Exec> room;
    detail::ColumnPanel<Scalar, Exec> panel;
    double row_bytes = problem.row_bytes();
    if (is_host_space<Exec> && uses_panel(packed->dimensions, row_bytes,
                                          static_cast<double>(packed->nnz()), machine, tuning)) {
      panel = {
          std::accumulate(packed->dimensions.begin(), packed->dimensions.end(), std::size_t{0}),
          tuning.packs_per_panel};
      row_bytes = 64.0 * tuning.packs_per_panel;
    }
    const auto groups = static_cast<int>(m_groups.size());
    const auto nonzeros = static_cast<double>(packed->nnz());
    std::vector<NonzeroOrder> orders;
    if constexpr (is_host_space<Exec>) {
      orders = choose_orders(
          packed->dimensions, nonzeros, row_bytes, machine, tuning,
          [&](const NonzeroOrder& order) { return detail::mean_row_reuse(exec, *packed, order); });
    } else {
      // Devices hide the latency of gathers by their many threads.
      for (int g = 0; g < groups; ++g) orders.push_back(NonzeroOrder::by_row(g));
    }
    m_members.resize(m_groups.size());
    for (int g = 0; g < groups; ++g) {
      const NonzeroOrder& order = orders[static_cast<std::size_t>(g)];
      std::vector<int> others;
      for (int h = 0; h < groups; ++h) {
        if (h != g && h != order.fetched_mode) others.push_back(h);
      }
      if (order.fetched_mode) others.push_back(*order.fetched_mode);
      const offset_t chunk =
          chunk_length(order, packed->dimensions[static_cast<std::size_t>(g)], row_bytes, nonzeros,
                       8.0 * packed->layout.words, machine, tuning);
      // The last sort may lay its copy where the packed records lay.
      const bool last = std::all_of(orders.begin() + g, orders.end(),
                                    [&](const auto& later) { return later.tiles == order.tiles; });
      m_main.emplace_back(
          make_sorted_copy(exec, *packed, order, chunk,
                           last ? detail::SortInput::consume : detail::SortInput::keep, room),
          others, m_stride, panel);
      if (m_groups[static_cast<std::size_t>(g)].fused()) {
        prepare_members(exec, g, packed->tuples[static_cast<std::size_t>(g)], problem.dimensions,
                        tuning, room);
      }
    }
  }

  /// Writes the MTTKRP of `mode` to `output`, whose rows have the same padded stride as all
  /// factors.
  void run(const Exec& exec, const FactorSet<Scalar>& factors, int mode,
           const FacMatrix<Scalar, Exec>& matrix) {
    Scalar* const output = matrix.data();
    const std::size_t g = group_of(mode);
    if (!m_groups[g].fused()) {
      contract(exec, factors, g, output);
      return;
    }
    Members& group = m_members[g];
    // Without a mode outside the group no version tells that there are no sums yet.
    if (outdated(factors, group.sum_versions, g, false) || !group.summed) {
      contract(exec, factors, g, group.sums.data());
      group.summed = true;
    }
    const auto& modes = m_groups[g].modes;
    const auto member =
        static_cast<std::size_t>(std::find(modes.begin(), modes.end(), mode) - modes.begin());
    std::vector<const Scalar*> tables{group.sums.data()};
    for (const int other : modes) {
      if (other != mode) tables.push_back(factors.data[other]);
    }
    group.contractions[member].run(exec, tables, output);
  }

  /// What was chosen, e.g. "mode 1: blocks of 2^11 rows, sorted by 2:2^11 1:2^11 3:2^5, adding;
  /// mode 2: ...".
  [[nodiscard]] std::string describe() const {
    std::ostringstream text;
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
      const auto& order = m_main[g].copy().order;
      text << (g == 0 ? "" : "; ") << (m_groups[g].fused() ? "modes" : "mode");
      for (const int mode : m_groups[g].modes) text << ' ' << mode + 1;
      if (m_groups[g].fused()) text << " fused";
      text << ": ";
      if (order.row_block_bits == 0) {
        text << "by row";
      } else {
        text << "blocks of 2^" << order.row_block_bits << " rows, sorted by";
        for (const auto& tile : order.tiles) {
          const auto& modes = m_groups[static_cast<std::size_t>(tile.mode)].modes;
          for (const int mode : modes) text << (mode == modes.front() ? " " : "+") << mode + 1;
          text << ":2^" << tile.bits;
        }
      }
      text << (m_main[g].sums_runs() ? ", runs" : ", adding");
      if (order.non_temporal) text << ", non-temporal";
      if (m_main[g].uses_panel()) text << ", columns moved together";
    }
    return text.str();
  }

 private:
  /// What a fused group needs besides its contraction.
  struct Members {
    FusedTuples<Exec> tuples;
    FacMatrix<Scalar, Exec> products;  ///< tuples x R: products of the group's factor rows
    FacMatrix<Scalar, Exec> sums;      ///< tuples x R: the fused mode's MTTKRP
    FactorVersions product_versions{};
    FactorVersions sum_versions{};
    bool summed = false;  ///< whether `sums` were ever computed
    std::vector<detail::Contraction<Scalar, Exec>> contractions;  ///< sums -> MTTKRP of each mode
  };

  /// Whether the keys of the fused tensor have room, were all possible tuples to occur. Wide fields
  /// may pack worse than the narrow ones they are made of.
  [[nodiscard]] bool fits_when_fused(const std::vector<std::size_t>& dimensions) const {
    std::vector<std::size_t> lengths;
    for (const ModeGroup& group : m_groups) {
      std::size_t length = 1;
      for (const int mode : group.modes) length *= dimensions[static_cast<std::size_t>(mode)];
      lengths.push_back(length);
    }
    return RecordLayout::for_dimensions(lengths, std::nullopt).has_value();
  }

  [[nodiscard]] std::size_t group_of(int mode) const {
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
      for (const int member : m_groups[g].modes) {
        if (member == mode) return g;
      }
    }
    throw Error("kernel sorted: no mode " + std::to_string(mode + 1));
  }

  /// Prepares the contractions from the fused mode's sums to each of its modes: the tuples are the
  /// nonzeros of a small tensor whose first mode picks a row of the sums.
  void prepare_members(const Exec& exec, int g, const FusedTuples<Exec>& tuples,
                       const std::vector<std::size_t>& dimensions, const Tuning& tuning,
                       detail::SortWorkspace<Exec>& room) {
    const auto& modes = m_groups[static_cast<std::size_t>(g)].modes;
    Members& group = m_members[static_cast<std::size_t>(g)];
    group.tuples = tuples;
    using Matrix = FacMatrix<Scalar, Exec>;
    const std::size_t count = tuples.size();
    group.products = Matrix(exec, count, m_stride, "genten::group_products");
    group.sums = Matrix(exec, count, m_stride, "genten::group_sums");
    std::vector<std::size_t> shape{std::max<std::size_t>(count, 1)};
    for (const int mode : modes) shape.push_back(dimensions[static_cast<std::size_t>(mode)]);
    const auto list = tuple_tensor(exec, tuples, shape);
    for (std::size_t member = 0; member < modes.size(); ++member) {
      const auto order = NonzeroOrder::by_row(static_cast<int>(member) + 1);
      std::vector<int> gathered{0};
      for (int other = 1; other <= static_cast<int>(modes.size()); ++other) {
        if (other != order.row_mode) gathered.push_back(other);
      }
      group.contractions.emplace_back(
          make_sorted_copy(exec, list, order, std::max<offset_t>(tuning.nonzeros_per_chunk / 16, 1),
                           detail::SortInput::keep, room),
          gathered, m_stride);
    }
  }

 public:  // device lambdas may not stand in private members
  /// \cond not API
  static PackedTensor<Scalar, Exec> tuple_tensor(const Exec& exec, const FusedTuples<Exec>& tuples,
                                                 const std::vector<std::size_t>& shape) {
    PackedTensor<Scalar, Exec> list;
    list.dimensions = shape;
    // All values are 1: the one entry of the dictionary.
    list.layout = *RecordLayout::for_dimensions(shape, 0);
    list.dictionary =
        detail::uninitialized_view<decltype(list.dictionary)>("genten::tuple_value", 1);
    Kokkos::deep_copy(exec, list.dictionary, Scalar(1));
    const RecordLayout layout = list.layout;
    const auto count = static_cast<offset_t>(tuples.size());
    list.records = detail::uninitialized_view<decltype(list.records)>("genten::tuple_records",
                                                                      count * layout.words);
    const auto records = list.records;
    const auto subscripts = tuples.subscripts;
    Kokkos::parallel_for(
        "genten::tuple_tensor",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
        KOKKOS_LAMBDA(const offset_t t) {
          std::uint64_t words[2] = {0, 0};
          words[layout.fields[0].word] |= layout.fields[0].put(static_cast<std::uint64_t>(t));
          for (int k = 1; k < layout.order; ++k) {
            words[layout.fields[k].word] |= layout.fields[k].put(subscripts(t, k - 1));
          }
          for (int w = 0; w < layout.words; ++w) records(t * layout.words + w) = words[w];
        });
    return list;
  }

  /// Row t of `products` = elementwise product of the group's factor rows of tuple t.
  static void multiply_rows(const Exec& exec, const FactorSet<Scalar>& factors,
                            const FusedTuples<Exec>& tuples,
                            const Kokkos::Array<int, max_order>& modes, int count,
                            const FacMatrix<Scalar, Exec>& products) {
    const auto subscripts = tuples.subscripts;
    // A thread takes a row on hosts, an element on devices.
    const std::size_t width = is_host_space<Exec> ? products.stride() : 1;
    const auto parts = static_cast<offset_t>(products.stride() / width);
    Kokkos::parallel_for(
        "genten::group_products",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
            exec, 0, static_cast<offset_t>(tuples.size()) * parts),
        KOKKOS_LAMBDA(const offset_t index) {
          const offset_t t = index / parts;
          const auto begin = static_cast<std::size_t>(index % parts) * width;
          Scalar* const row = products.row(static_cast<std::size_t>(t));
          for (std::size_t j = begin; j < begin + width; ++j) row[j] = Scalar(1);
          for (int k = 0; k < count; ++k) {
            const Scalar* const from =
                factors.data[modes[k]] + subscripts(t, k) * factors.stride[modes[k]];
            for (std::size_t j = begin; j < begin + width; ++j) row[j] *= from[j];
          }
        });
  }
  /// \endcond

 private:
  /// True, and the versions noted, if a factor inside (or outside) the group has changed.
  bool outdated(const FactorSet<Scalar>& factors, FactorVersions& seen, std::size_t g,
                bool inside) {
    bool changed = false;
    for (int m = 0; m < factors.order; ++m) {
      if ((group_of(m) == g) != inside) continue;
      if (factors.version[m] == 0 || factors.version[m] != seen[m]) changed = true;
      seen[m] = factors.version[m];
    }
    return changed;
  }

  void contract(const Exec& exec, const FactorSet<Scalar>& factors, std::size_t g, Scalar* output) {
    std::vector<const Scalar*> tables;
    for (const int other : m_main[g].gathered()) {
      const auto h = static_cast<std::size_t>(other);
      const auto& modes = m_groups[h].modes;
      if (!m_groups[h].fused()) {
        tables.push_back(factors.data[modes.front()]);
        continue;
      }
      Members& group = m_members[h];
      if (outdated(factors, group.product_versions, h, true)) {
        Kokkos::Array<int, max_order> list{};
        for (std::size_t k = 0; k < modes.size(); ++k) list[k] = modes[k];
        multiply_rows(exec, factors, group.tuples, list, static_cast<int>(modes.size()),
                      group.products);
      }
      tables.push_back(group.products.data());
    }
    m_main[g].run(exec, tables, output);
  }

  std::size_t m_stride;
  std::vector<ModeGroup> m_groups;
  std::vector<detail::Contraction<Scalar, Exec>> m_main;  ///< one a group
  std::vector<Members> m_members;                         ///< one a group; empty for single modes
};

}  // namespace genten::kernels
