// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which modes the sorted kernel fuses.

#include <genten/mttkrp/kernels/sorted/contraction_device.hpp>
#include <genten/mttkrp/kernels/sorted/sorted.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_loops.hpp>

#include <bit>
#include <cmath>
#include <numeric>

namespace genten::detail {

/// Bytes of a row that one pass over the nonzeros reads: of wide rows a part, see `column_blocks`.
[[nodiscard]] inline double bytes_of_pass(double row_bytes) {
  return row_bytes / std::ceil(row_bytes / (1.0 * line_bytes * most_lines));
}

/// The largest power of two of rows that fit.
[[nodiscard]] inline int tile_bits(double bytes, double row_bytes) {
  return std::bit_width(static_cast<std::size_t>(std::max(1.0, bytes / row_bytes))) - 1;
}

/// Rows of each group, were all tuples of its modes' subscripts to occur.
[[nodiscard]] inline std::vector<std::size_t> group_boxes(
    const std::vector<ModeGroup>& groups, const std::vector<std::size_t>& dimensions) {
  std::vector<std::size_t> lengths;
  for (const ModeGroup& group : groups) {
    std::size_t length = 1;
    for (const int mode : group.modes) length *= dimensions[static_cast<std::size_t>(mode)];
    lengths.push_back(length);
  }
  return lengths;
}

/// The tuples of some modes as the problem has them, which may be listed in any order.
[[nodiscard]] inline const TupleCount* tuples_of(const MttkrpProblem& problem,
                                                 std::vector<int> modes) {
  std::sort(modes.begin(), modes.end());
  for (const TupleCount& count : problem.tuples) {
    if (count.modes == modes) return &count;
  }
  return nullptr;
}

/// Rows of each group before its tuples are found: all possible ones, or as many as were counted.
[[nodiscard]] inline std::vector<std::size_t> group_lengths(const std::vector<ModeGroup>& groups,
                                                            const MttkrpProblem& problem) {
  std::vector<std::size_t> lengths;
  for (const ModeGroup& group : groups) {
    double box = 1.0;
    for (const int mode : group.modes) {
      box *= static_cast<double>(problem.dimensions[static_cast<std::size_t>(mode)]);
    }
    const double rows = group.sorted ? std::min(box, tuples_of(problem, group.modes)->tuples) : box;
    lengths.push_back(static_cast<std::size_t>(std::ceil(rows)));
  }
  return lengths;
}

/// Whether tuples of all modes but one, and that one, are what records hold.
[[nodiscard]] inline bool are_tuples_and_one(std::span<const ModeGroup> groups) {
  return sorts_tuples(groups) && groups.size() == 2 && !groups.back().fused();
}

/// Whether one number holds the subscripts of a tuple of each group, and two words those of all
/// that is made of tuples meanwhile.
[[nodiscard]] inline bool may_sort_tuples(const MttkrpProblem& problem,
                                          const std::vector<ModeGroup>& groups) {
  // There may be more tuples than were estimated, though not more than nonzeros.
  const auto lengths_of = [&](const std::vector<ModeGroup>& held) {
    auto lengths = group_boxes(held, problem.dimensions);
    for (std::size_t g = 0; g < held.size(); ++g) {
      if (held[g].fused()) lengths[g] = static_cast<std::size_t>(problem.nnz);
    }
    return lengths;
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!groups[g].fused()) continue;
    std::vector<std::size_t> members{static_cast<std::size_t>(problem.nnz)};
    int bits = 0;
    for (const int mode : groups[g].modes) {
      members.push_back(problem.dimensions[static_cast<std::size_t>(mode)]);
      bits += bits_for(members.back());
      if (bits_for(members.back()) > 32) return false;
    }
    if (bits > 64 || !RecordLayout::for_dimensions(members, 0) ||
        !RecordLayout::for_dimensions(lengths_of(split_groups(groups, g)), std::nullopt)) {
      return false;
    }
  }
  return true;
}

/// Predicts what the MTTKRPs of a sweep take, of which ratios are worth something: on a host the
/// time of one core, in nanoseconds a nonzero, where rows are fetched as often as if subscripts
/// were spread evenly, and on a device the bytes that its memory could bring meanwhile.
class FusionCost {
 public:
  FusionCost(const MttkrpProblem& problem, const MachineProperties& machine,
             const kernels::SortedTuning& tuning)
      : m_problem(problem), m_machine(machine), m_tuning(tuning) {
    const double pass = bytes_of_pass(problem.row_bytes());
    m_tile = std::ldexp(1.0, tile_bits(tuning.tile_share * machine.l2_cache, pass));
  }

  [[nodiscard]] bool is_of_device() const { return m_machine.device; }

  [[nodiscard]] double of(const std::vector<ModeGroup>& groups) const {
    return m_machine.device ? on_device(groups) : on_host(groups);
  }

  /// What it takes to sort the nonzeros by the tuples of all groups, once: a device sorts by rows
  /// as often less.
  [[nodiscard]] double sorting(const std::vector<ModeGroup>& groups) const {
    if (m_machine.device) return 0.0;
    return m_tuning.tuple_sort_ns *
           static_cast<double>(std::count_if(groups.begin(), groups.end(),
                                             [](const ModeGroup& group) { return group.sorted; }));
  }

 private:
  [[nodiscard]] double on_host(const std::vector<ModeGroup>& groups) const {
    const auto rows = group_lengths(groups, m_problem);
    const std::vector<double> lengths(rows.begin(), rows.end());
    const auto passes = static_cast<double>(groups.size());
    const double total = std::accumulate(lengths.begin(), lengths.end(), 0.0);
    double of_rows = passes * (passes - 1.0) * m_tuning.gather_ns + fetches(lengths) * fetch(total);
    // Each pass reads or adds to a row of each group.
    for (const double length : lengths) of_rows += passes * beyond_l1(length);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!groups[g].fused()) continue;
      double members = 0.0;
      for (const int mode : groups[g].modes) {
        members += static_cast<double>(m_problem.dimensions[static_cast<std::size_t>(mode)]);
      }
      // One pass for products of rows, and one for each member's MTTKRP.
      const double tuple_passes = 1.0 + static_cast<double>(groups[g].modes.size());
      of_rows += lengths[g] / nonzeros() * tuple_passes * (m_tuning.tuple_ns + fetch(members));
    }
    return passes * m_tuning.pass_ns + of_rows * m_problem.row_bytes() / m_tuning.measured_row;
  }

  /// Passes for the groups' rows, and for each fused group one for products of rows and one for
  /// each member's rows.
  [[nodiscard]] double on_device(const std::vector<ModeGroup>& groups) const {
    const auto lengths = group_lengths(groups, m_problem);
    double bytes = 0.0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      bytes += device_pass(nonzeros(), static_cast<double>(lengths[g]), all_but(lengths, g));
      if (!groups[g].fused()) continue;
      const auto tuples = static_cast<double>(lengths[g]);
      std::vector<std::size_t> members;
      for (const int mode : groups[g].modes) {
        members.push_back(m_problem.dimensions[static_cast<std::size_t>(mode)]);
      }
      bytes += device_pass(tuples, tuples, members);
      for (std::size_t k = 0; k < members.size(); ++k) {
        auto gathered = all_but(members, k);
        gathered.push_back(lengths[g]);  // the sums
        bytes += device_pass(tuples, static_cast<double>(members[k]), gathered);
      }
    }
    return bytes;
  }
  [[nodiscard]] static std::vector<std::size_t> all_but(std::vector<std::size_t> lengths,
                                                        std::size_t g) {
    lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(g));
    return lengths;
  }
  /// One over so many records, each of which gathers a row of each of these tables, that writes so
  /// many rows. A part of the columns at a time is gathered from tables that are too long for the
  /// shared cache.
  [[nodiscard]] double device_pass(double records, double rows,
                                   const std::vector<std::size_t>& tables) const {
    const std::size_t stride = m_problem.row_stride();
    const std::size_t cached =
        device_cached_bytes(m_machine.shared_cache, m_tuning.device_cache_share);
    const std::size_t block =
        device_column_block(std::accumulate(tables.begin(), tables.end(), std::size_t{0}), stride,
                            m_problem.scalar_bytes, cached);
    const double parts = std::ceil(static_cast<double>(stride) / static_cast<double>(block));
    double gathered = 0.0;
    for (const std::size_t table : tables) {
      const auto bytes = static_cast<double>(table * block * m_problem.scalar_bytes);
      const double far = std::max(0.0, 1.0 - static_cast<double>(cached) / bytes);
      gathered += m_tuning.device_near + (1.0 - m_tuning.device_near) * far;
    }
    return records * (m_tuning.device_record_bytes * parts + gathered * m_problem.row_bytes()) +
           rows * m_problem.row_bytes() + m_tuning.device_pass_bytes;
  }

  [[nodiscard]] double nonzeros() const { return static_cast<double>(m_problem.nnz); }

  /// What one of so many rows costs beside what it costs in L1.
  [[nodiscard]] double beyond_l1(double rows) const {
    const double caches = rows * m_problem.row_bytes() / m_machine.l1_cache;
    return std::max(0.0, m_tuning.beyond_l1_ns * std::log2(caches));
  }

  /// What a row costs that is not in L2, by how far away so many rows are.
  [[nodiscard]] double fetch(double rows) const {
    const double caches = rows * m_problem.row_bytes() / m_machine.l2_cache;
    return std::max(0.0, m_tuning.fetch_ns * std::log2(caches) - m_tuning.near_ns);
  }

  /// Rows that the passes over the nonzeros fetch into L2, for each nonzero: tiles of the groups,
  /// the last of which changes most often, or none where blocks of tiles would be too many to serve
  /// all.
  [[nodiscard]] double fetches(std::vector<double> lengths) const {
    std::sort(lengths.begin(), lengths.end());
    double blocks = 1.0;
    for (const double length : lengths) blocks *= std::ceil(length / m_tile);
    double sum = 0.0;
    for (std::size_t row = 0; row < lengths.size(); ++row) {
      std::vector<double> sequence = lengths;
      if (blocks * m_tuning.nonzeros_per_block > nonzeros()) {
        const auto own = sequence.begin() + static_cast<std::ptrdiff_t>(row);
        std::rotate(sequence.begin(), own, own + 1);
      }
      double visits = 1.0;
      for (const double length : sequence) {
        visits *= std::ceil(length / m_tile);
        const double tile = std::min(length, m_tile), users = nonzeros() / visits;
        sum += -std::expm1(-users / tile) * tile / users;
      }
    }
    return sum;
  }

  const MttkrpProblem& m_problem;
  const MachineProperties& m_machine;
  const kernels::SortedTuning& m_tuning;
  double m_tile;
};

/// The groups of modes where those of `fused` are found by sorting, longest first.
[[nodiscard]] inline std::vector<ModeGroup> sorted_groups(
    const MttkrpProblem& problem, const std::vector<std::vector<int>>& fused) {
  std::vector<ModeGroup> groups;
  std::vector<bool> single(problem.dimensions.size(), true);
  for (const auto& set : fused) {
    ModeGroup& group = groups.emplace_back(ModeGroup{{}, true});
    for (const int mode : problem.update_order) {
      if (std::find(set.begin(), set.end(), mode) == set.end()) continue;
      group.modes.push_back(mode);
      single[static_cast<std::size_t>(mode)] = false;
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [&](const ModeGroup& a, const ModeGroup& b) {
    return tuples_of(problem, a.modes)->tuples > tuples_of(problem, b.modes)->tuples;
  });
  for (int mode = 0; mode < problem.order(); ++mode) {
    if (single[static_cast<std::size_t>(mode)]) groups.push_back({{mode}});
  }
  return groups;
}

/// Of several partitions into modes and sets of modes, the one that takes least time.
class CheapestPartition {
 public:
  CheapestPartition(const MttkrpProblem& problem, const FusionCost& cost)
      : m_problem(problem), m_cost(cost) {}

  /// The groups, empty where none may be; `fused` are the sets of the next partition. Those of
  /// tuples that are not known are left out, as is a set of all modes and, on hosts, where their
  /// tuples are judged otherwise, of all modes but one.
  void consider(const std::vector<std::vector<int>>& fused) {
    for (const auto& set : fused) {
      const std::size_t left = m_problem.dimensions.size() - set.size();
      if (left < (m_cost.is_of_device() ? 1 : 2)) return;
      if (tuples_of(m_problem, set) == nullptr) return;
    }
    if (fused.empty()) return;
    auto groups = sorted_groups(m_problem, fused);
    const double time = m_cost.of(groups);
    if (time >= m_least || !may_sort_tuples(m_problem, groups)) return;
    m_least = time;
    m_groups = std::move(groups);
  }
  [[nodiscard]] std::vector<ModeGroup>& groups() { return m_groups; }

 private:
  const MttkrpProblem& m_problem;
  const FusionCost& m_cost;
  std::vector<ModeGroup> m_groups;
  double m_least = std::numeric_limits<double>::infinity();
};

/// The partition into modes and sets of modes that follow each other in the order of updates, at
/// whose end it begins again, that takes least time; empty without one.
[[nodiscard]] inline std::vector<ModeGroup> cheapest_partition(const MttkrpProblem& problem,
                                                               const FusionCost& cost) {
  const auto order = static_cast<std::size_t>(problem.order());
  if (order > kernels::Sorted::most_partitioned) return {};
  CheapestPartition best(problem, cost);
  // Bit k: whether a set begins at place k of the order of updates.
  for (std::uint32_t begins = 1; begins < std::uint32_t{1} << order; ++begins) {
    std::vector<std::vector<int>> fused;
    const auto first = static_cast<std::size_t>(std::countr_zero(begins));
    std::vector<int> set;
    for (std::size_t k = 0; k < order; ++k) {
      set.push_back(problem.update_order[(first + k) % order]);
      const std::size_t next = (first + k + 1) % order;
      if ((begins >> next & 1U) == 0) continue;
      if (set.size() > 1) fused.push_back(set);
      set.clear();
    }
    best.consider(fused);
  }
  return std::move(best.groups());
}

}  // namespace genten::detail

namespace genten::kernels {

inline std::vector<ModeGroup> Sorted::choose_groups(const MttkrpProblem& problem,
                                                    const MachineProperties& machine,
                                                    const Tuning& tuning) {
  if (problem.groups) return *problem.groups;
  std::vector<ModeGroup> groups = all_but_one(problem, machine, tuning);
  if (groups.empty()) groups = short_groups(problem, machine, tuning);
  if (problem.tuples.empty() || problem.sweeps < tuning.tuple_sweeps) return groups;
  const detail::FusionCost cost(problem, machine, tuning);
  auto others = detail::cheapest_partition(problem, cost);
  if (others.empty()) return groups;
  const double before = cost.of(groups), after = cost.of(others);
  // A run that is ended after `sweeps_to_gain` sweeps must have regained what sorting took.
  const double sorting = (cost.sorting(others) - cost.sorting(groups)) / tuning.sweeps_to_gain;
  return after <= tuning.fused_time * before && after + sorting <= before ? others : groups;
}

inline std::vector<ModeGroup> Sorted::short_groups(const MttkrpProblem& problem,
                                                   const MachineProperties& machine,
                                                   const Tuning& tuning) {
  auto partitions = partition_modes(problem.dimensions, problem.update_order,
                                    static_cast<double>(problem.nnz) / tuning.fuse_density);
  std::vector<ModeGroup> best = std::move(partitions.back());  // single modes
  partitions.pop_back();
  // Were all possible tuples to occur, wide fields may pack worse than the narrow ones they are
  // made of.
  std::erase_if(partitions, [&](const auto& groups) {
    const auto lengths = detail::group_boxes(groups, problem.dimensions);
    return !RecordLayout::for_dimensions(lengths, std::nullopt);
  });
  if (machine.device) return partitions.empty() ? best : std::move(partitions.front());
  const detail::FusionCost cost(problem, machine, tuning);
  double least = cost.of(best);
  for (auto groups = partitions.rbegin(); groups != partitions.rend(); ++groups) {
    const double time = cost.of(*groups);
    if (time > tuning.fused_time * least) continue;
    least = time;
    best = std::move(*groups);
  }
  return best;
}

inline std::vector<ModeGroup> Sorted::all_but_one(const MttkrpProblem& problem,
                                                  const MachineProperties& machine,
                                                  const Tuning& tuning) {
  if (problem.tuples.empty() || problem.sweeps < tuning.tuple_sweeps) return {};
  double most = most_tuples(problem, machine, tuning);
  std::vector<ModeGroup> best;
  for (int left_out = 0; left_out < problem.order(); ++left_out) {
    std::vector<int> modes = problem.update_order;
    std::erase(modes, left_out);
    const TupleCount* const count = detail::tuples_of(problem, modes);
    if (count == nullptr || count->tuples > most || (!best.empty() && count->tuples == most)) {
      continue;
    }
    auto groups = detail::sorted_groups(problem, {modes});
    if (!detail::may_sort_tuples(problem, groups)) continue;
    most = count->tuples;
    best = std::move(groups);
  }
  return best;
}

inline double Sorted::most_tuples(const MttkrpProblem& problem, const MachineProperties& machine,
                                  const Tuning& tuning) {
  const double rows = std::accumulate(problem.dimensions.begin(), problem.dimensions.end(), 0.0);
  const double row = problem.row_bytes(), cache = machine.l2_cache;
  if (machine.device || rows * row < tuning.tuple_factor_caches * cache) return 0.0;
  return std::min(static_cast<double>(problem.nnz) / tuning.nonzeros_per_tuple,
                  tuning.tuple_l2_caches * cache / row);
}

inline std::vector<std::vector<int>> Sorted::sets_to_count(const MttkrpProblem& problem,
                                                           const MachineProperties& machine,
                                                           const Tuning& tuning) {
  const auto order = static_cast<std::size_t>(problem.order());
  if (order < 3 || problem.sweeps < tuning.tuple_sweeps) return {};
  const double rows = std::accumulate(problem.dimensions.begin(), problem.dimensions.end(), 0.0);
  const bool far =
      machine.device || rows * problem.row_bytes() >= tuning.set_factor_caches * machine.l2_cache;
  const bool partitioned = order <= most_partitioned && order > (machine.device ? 2 : 3) && far;
  if (!partitioned && most_tuples(problem, machine, tuning) < 1.0) return {};
  auto sets = cyclic_neighbours(problem.update_order);
  if (!partitioned) std::erase_if(sets, [&](const auto& set) { return set.size() + 1 < order; });
  return sets;
}

}  // namespace genten::kernels
