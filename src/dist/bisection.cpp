// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "split_costs.hpp"

#include <genten/base/memory.hpp>
#include <genten/dist/bisection.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace genten {
namespace {

/// A nonzero in the order of the rows of a mode.
template <SubscriptOrdinal Ordinal>
struct Entry {
  Ordinal row;
  std::uint32_t position;
};

/// Nonzeros [begin, end) of the order of every mode, for processes from `first` on.
struct Block {
  std::size_t begin, end;
  std::size_t processes, first;
  std::int32_t parent = -1;  ///< the cut that it lies at, and the side of it
  bool above = false;

  [[nodiscard]] std::size_t processes_below() const { return processes / 2; }
  [[nodiscard]] std::size_t processes_above() const { return processes - processes / 2; }
};

/// By how much the nonzeros of a process may exceed their mean so that neighbours are cut alike.
constexpr double aligning_slack = 0.02;
/// A block is cut in a mode of its own where that costs less than this part of the common one.
constexpr double worth_deviating = 0.99;

/// What a level of the tree finds out of a block: where each mode would be cut, at what cost.
struct Trial {
  std::vector<std::size_t> below;  ///< by mode, how many nonzeros would be below its cut
  std::vector<SplitCount> counts;  ///< by cut mode and mode, that of the mode innermost
  std::vector<double> costs;       ///< by cut mode
  int mode = 0;                    ///< the mode that is cut
};

template <SubscriptOrdinal Ordinal>
class Bisection {
 public:
  Bisection(const HostExec& exec, const TensorSlices<Ordinal>& slices, std::size_t processes)
      : m_exec(exec),
        m_slices(slices),
        m_order(static_cast<std::size_t>(slices.order())),
        m_processes(processes),
        m_partition(slices.order()),
        m_flags(detail::uninitialized_array<std::uint8_t>("genten::bisect_flags",
                                                          slices.nnz() * m_order)) {
    for (int n = 0; n < slices.order(); ++n) m_entries.push_back(entries_of(slices.mode(n)));
    m_rows.resize(m_order);
    std::vector<Block> blocks{{0, slices.nnz(), processes, 0}};
    while (!blocks.empty()) blocks = divide(blocks);
  }

  [[nodiscard]] const Partition& partition() const { return m_partition; }

 private:
  using Entries = detail::HostArray<Entry<Ordinal>>;

  Entries entries_of(const ModeSlices<Ordinal>& mode) const {
    const auto entries =
        detail::uninitialized_array<Entry<Ordinal>>("genten::bisect_entries", m_slices.nnz());
    detail::for_each_index("genten::bisect_entries", m_exec, mode.rows.size(), [&](std::size_t i) {
      for (std::uint64_t p = mode.starts[i]; p < mode.starts[i + 1]; ++p) {
        entries(p) = {mode.rows[i], mode.positions(p)};
      }
    });
    return entries;
  }

  /// Cuts all blocks of a level that are for several processes; returns those of the next.
  std::vector<Block> divide(const std::vector<Block>& level) {
    std::vector<Block> blocks;
    for (const Block& block : level) {
      if (block.processes == 1) {
        hang(block, ~static_cast<std::int32_t>(block.first));
      } else {
        blocks.push_back(block);
      }
    }
    std::vector<Trial> trials(blocks.size());
    for (Trial& trial : trials) {
      trial.below.resize(m_order);
      trial.counts.resize(m_order * m_order);
      trial.costs.resize(m_order);
    }
    detail::for_each_index("genten::bisect_place", m_exec, m_order, [&](std::size_t n) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        trials[b].below[n] = place_of_cut(blocks[b], n);
      }
    });
    each_mode(blocks, "genten::bisect_mark",
              [&](std::size_t b, std::size_t n) { mark(blocks[b], n, trials[b].below[n]); });
    each_mode(blocks, "genten::bisect_count",
              [&](std::size_t b, std::size_t k) { count_mode(blocks[b], k, trials[b]); });
    for (const Block& block : blocks)
      m_costs.prepare(block.processes_below(), block.processes_above());
    detail::for_each_index("genten::bisect_cost", m_exec, blocks.size(),
                           [&](std::size_t b) { cost_modes(blocks[b], trials[b]); });
    choose_modes(trials);
    each_mode(blocks, "genten::bisect_divide",
              [&](std::size_t b, std::size_t k) { divide_mode(blocks[b], k, trials[b].mode); });
    std::vector<Block> next;
    for (std::size_t b = 0; b < blocks.size(); ++b) add_cut(blocks[b], trials[b], next);
    return next;
  }

  /// work(block, mode) for all of them.
  template <class Work>
  void each_mode(const std::vector<Block>& blocks, const char* label, const Work& work) const {
    detail::for_each_index(label, m_exec, blocks.size() * m_order,
                           [&](std::size_t i) { work(i / m_order, i % m_order); });
  }

  /// Marks the nonzeros that would be below a cut in mode n.
  void mark(const Block& block, std::size_t n, std::size_t below) const {
    const Entry<Ordinal>* const entries = m_entries[n].data() + block.begin;
    for (std::size_t i = 0; i < block.end - block.begin; ++i) {
      m_flags(entries[i].position * m_order + n) = i < below ? 1 : 0;
    }
  }

  /// How many nonzeros belong below a cut in mode n: those of whole rows, where that leaves the
  /// parts even enough, else the share of their processes.
  ///
  /// Best is a row at which other blocks were or may be cut: parts of blocks that lie side by side
  /// then share rows with one part of the other rather than with two.
  [[nodiscard]] std::size_t place_of_cut(const Block& block, std::size_t n) {
    const Entry<Ordinal>* const entries = m_entries[n].data() + block.begin;
    const std::size_t size = block.end - block.begin;
    const double part =
        static_cast<double>(block.processes_below()) / static_cast<double>(block.processes);
    auto share = static_cast<std::size_t>(static_cast<double>(size) * part + 0.5);
    if (share == 0 || share == size) return share;
    std::set<Ordinal>& rows = m_rows[n];
    const auto place_of = [&](Ordinal row) {
      const auto before = [](const auto& entry, Ordinal other) { return entry.row < other; };
      return static_cast<std::size_t>(std::lower_bound(entries, entries + size, row, before) -
                                      entries);
    };
    const auto known = rows.lower_bound(entries[share].row);
    for (const auto at : {known, known == rows.begin() ? rows.end() : std::prev(known)}) {
      if (at == rows.end()) continue;
      if (const auto place = place_of(*at); even_enough(block, place, aligning_slack)) return place;
    }
    const Ordinal row = entries[share].row;
    const std::size_t begin = place_of(row);
    std::size_t end = share;
    while (end < size && entries[end].row == row) ++end;
    const bool begin_is_closer = share - begin <= end - share;
    for (const std::size_t place : {begin_is_closer ? begin : end, begin_is_closer ? end : begin}) {
      if (place == size || !even_enough(block, place, bisection_slack)) continue;
      rows.insert(entries[place].row);
      return place;
    }
    // No cut separates duplicates.
    while (share < size && same(entries[share - 1], entries[share])) ++share;
    return share;
  }

  /// Whether so many nonzeros below a cut leave neither part with too many.
  [[nodiscard]] bool even_enough(const Block& block, std::size_t below, double slack) const {
    return static_cast<double>(below) <= allowed(block.processes_below(), slack) &&
           static_cast<double>(block.end - block.begin - below) <=
               allowed(block.processes_above(), slack);
  }

  /// How many nonzeros so many processes may have, their share and a part of `slack` of it. The
  /// fewer processes, the greater part is let pass, so that no cut takes what those to come may
  /// need.
  [[nodiscard]] double allowed(std::size_t processes, double slack) const {
    const double depth = 1.0 - std::log2(static_cast<double>(processes)) /
                                   std::log2(static_cast<double>(m_processes));
    const double share = static_cast<double>(m_slices.nnz()) * static_cast<double>(processes) /
                         static_cast<double>(m_processes);
    return share * (1.0 + slack * depth);
  }

  [[nodiscard]] bool same(const Entry<Ordinal>& a, const Entry<Ordinal>& b) const {
    const auto& subscripts = m_slices.subscripts();
    for (std::size_t n = 0; n < m_order; ++n) {
      if (subscripts(a.position, n) != subscripts(b.position, n)) return false;
    }
    return true;
  }

  /// What a cut in every mode would do to the rows of mode k.
  void count_mode(const Block& block, std::size_t k, Trial& trial) const {
    const Entries& entries = m_entries[k];
    const bool more = block.processes > 2;  // Otherwise nothing is left to be cut.
    std::array<std::uint32_t, max_order> below{};
    for (std::size_t i = block.begin; i < block.end;) {
      const std::size_t begin = i;
      const Ordinal row = entries(i).row;
      below.fill(0);
      for (; i < block.end && entries(i).row == row; ++i) {
        const std::uint8_t* const flags = m_flags.data() + entries(i).position * m_order;
        for (std::size_t n = 0; n < m_order; ++n) below[n] += flags[n];
      }
      for (std::size_t n = 0; n < m_order; ++n) {
        trial.counts[n * m_order + k].add(below[n], i - begin - below[n], more);
      }
    }
  }

  void cost_modes(const Block& block, Trial& trial) const {
    for (std::size_t n = 0; n < m_order; ++n) {
      const std::span<const SplitCount> counts(trial.counts.data() + n * m_order, m_order);
      trial.costs[n] = m_costs.of(counts, block.processes_below(), block.processes_above());
    }
    trial.counts = std::vector<SplitCount>();
  }

  /// Each block is cut in the mode that is best for all of its level together, but where another is
  /// better for it by more than chance: parts that are cut alike have fewer neighbours.
  void choose_modes(std::vector<Trial>& trials) const {
    std::vector<double> sums(m_order, 0.0);
    for (const Trial& trial : trials) {
      for (std::size_t n = 0; n < m_order; ++n) sums[n] += trial.costs[n];
    }
    const auto least = [](const std::vector<double>& costs) {
      return std::min_element(costs.begin(), costs.end()) - costs.begin();
    };
    const auto common = least(sums);
    for (Trial& trial : trials) {
      const auto own = least(trial.costs);
      const auto cost = [&](auto n) { return trial.costs[static_cast<std::size_t>(n)]; };
      trial.mode = static_cast<int>(cost(own) < worth_deviating * cost(common) ? own : common);
    }
  }

  /// Moves the nonzeros below the cut in front of the others, in the order of mode k.
  void divide_mode(const Block& block, std::size_t k, int cut) const {
    const auto n = static_cast<std::size_t>(cut);
    if (k == n) return;
    Entry<Ordinal>* const entries = m_entries[k].data();
    std::stable_partition(entries + block.begin, entries + block.end, [&](const auto& entry) {
      return m_flags(entry.position * m_order + n) != 0;
    });
  }

  /// Puts a cut into the tree, and what lies at either side of it among the blocks of a level.
  void add_cut(const Block& block, const Trial& trial, std::vector<Block>& next) {
    const auto n = static_cast<std::size_t>(trial.mode);
    const std::size_t middle = block.begin + trial.below[n];
    std::vector<std::uint64_t> place(m_order, 0);
    const Entries& entries = m_entries[n];
    if (middle == block.end) {
      place[n] = m_slices.dimensions()[n];  // All are below.
    } else if (middle == block.begin || entries(middle - 1).row != entries(middle).row) {
      place[n] = entries(middle).row;
    } else {
      const std::uint32_t position = entries(middle).position;
      for (std::size_t k = 0; k < m_order; ++k) place[k] = m_slices.subscripts()(position, k);
    }
    const auto cut = static_cast<std::int32_t>(m_partition.add(trial.mode, place));
    hang(block, cut);
    next.push_back({block.begin, middle, block.processes_below(), block.first, cut, false});
    next.push_back({middle, block.end, block.processes_above(),
                    block.first + block.processes_below(), cut, true});
  }

  void hang(const Block& block, std::int32_t what) {
    if (block.parent >= 0) {
      m_partition.set(static_cast<std::size_t>(block.parent), block.above, what);
    }
  }

  HostExec m_exec;
  const TensorSlices<Ordinal>& m_slices;
  std::size_t m_order;
  std::size_t m_processes;
  Partition m_partition;
  SplitCosts m_costs;
  std::vector<Entries> m_entries;
  std::vector<std::set<Ordinal>> m_rows;  ///< by mode, the rows at which blocks may have been cut
  /// By nonzero and mode, whether it is below the cut that is tried in that mode.
  detail::HostArray<std::uint8_t> m_flags;
};

}  // namespace

template <SubscriptOrdinal Ordinal>
Partition bisect(const HostExec& exec, const TensorSlices<Ordinal>& slices, std::size_t processes) {
  constexpr std::size_t most = std::size_t{1} << 30;
  if (processes == 0 || processes > most) {
    throw Error::in("bisect", "expected 1 to " + std::to_string(most) + " processes, got " +
                                  std::to_string(processes));
  }
  const double entries = static_cast<double>(slices.nnz()) * slices.order();
  require_memory(
      {.what = "dividing " + std::to_string(slices.nnz()) + " nonzeros among processes",
       .parts = {{"order by mode", 1.5 * sizeof(Entry<Ordinal>) * entries}, {"marks", entries}},
       .available = available_memory<HostExec>()});
  return Bisection<Ordinal>(exec, slices, processes).partition();
}

template Partition bisect(const HostExec&, const TensorSlices<std::uint32_t>&, std::size_t);
template Partition bisect(const HostExec&, const TensorSlices<std::uint64_t>&, std::size_t);

}  // namespace genten
