// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/memory_peak.hpp>
#include <genten/mttkrp/kernels/sorted/sorted.hpp>

namespace genten::detail {

/// Replays the preparation of the kernel `sorted`, array by array. What it takes for granted of
/// sorting is what record_sort.hpp, counting_pass.hpp and chunk_cutter.hpp do.
class SortedMemory {
 public:
  SortedMemory(const MttkrpProblem& problem, const MachineProperties& machine,
               const kernels::SortedTuning& tuning)
      : m_problem(problem),
        m_machine(machine),
        m_tuning(tuning),
        m_nnz(static_cast<double>(problem.nnz)) {
    auto groups = kernels::Sorted::choose_groups(problem, machine, tuning);
    m_lengths = group_lengths(groups, problem);
    std::optional<int> code_bits;
    if (problem.distinct_values && !kernels::Sorted::keeps_order(problem, machine, tuning)) {
      code_bits = bits_for(*problem.distinct_values);
    }
    m_layout = layout_of(m_lengths, code_bits);
    // Evenly spread subscripts use no row twice where it is asked.
    m_choice = kernels::Sorted::choose(problem, std::move(groups), m_lengths, m_layout.words,
                                       machine, tuning, [](const NonzeroOrder&) { return 1.0; });
  }

  [[nodiscard]] KernelMemory replay() {
    pack();
    const double rows = std::accumulate(m_lengths.begin(), m_lengths.end(), 0.0);
    m_peak.take(array(rows * 64.0 * m_choice.panel_packs));
    for (std::size_t g = 0; g < m_lengths.size(); ++g) {
      copy(g);
      if (m_choice.groups[g].fused()) fuse(g);
    }
    // What was packed goes when all copies are made, but for tuples that were listed.
    m_peak.give(m_workspace + m_tuples + (m_records_used_up ? 0.0 : records()));
    return {m_peak.peak(), m_peak.live()};
  }

 private:
  /// Slots of a ValueDictionary while it is made: words and codes.
  static constexpr double hash_bytes = 8.0 * 2048 * (8 + 4);

  [[nodiscard]] static RecordLayout layout_of(const std::vector<std::size_t>& lengths,
                                              std::optional<int> code_bits) {
    const auto layout = RecordLayout::for_dimensions(lengths, code_bits);
    if (layout) return *layout;
    throw Error("kernel sorted: expected " + std::string(kernels::Sorted::accepted));
  }
  [[nodiscard]] double array(double bytes) const { return array_bytes(bytes, m_machine.device); }
  [[nodiscard]] double records() const { return array(m_nnz * 8.0 * m_layout.words); }

  [[nodiscard]] double tuple_list(std::size_t g) const {
    return array(4.0 * static_cast<double>(m_lengths[g] * m_choice.groups[g].modes.size()));
  }

  /// As pack_sorted_tuples does it: records of single modes, as much to sort them with, and, one
  /// group after another, the tuples, which stay; records of other words are written beside.
  /// Devices sort to memory of its own, and always write beside.
  void pack_tuples() {
    std::optional<int> code_bits;
    if (m_problem.distinct_values) code_bits = bits_for(*m_problem.distinct_values);
    const auto& groups = m_choice.groups;
    const auto records_of = [&](std::size_t first) {
      const auto lengths = group_lengths(split_groups(groups, first), m_problem);
      return array(m_nnz * 8.0 * layout_of(lengths, code_bits).words);
    };
    double held = records_of(groups.size());
    m_peak.take(held);
    m_peak.pass(hash_bytes);
    for (std::size_t g = groups.size(); g-- > 0;) {
      if (!groups[g].sorted) continue;
      if (m_machine.device) {
        int bits = 0;
        for (const int mode : groups[g].modes) {
          bits += bits_for(m_problem.dimensions[static_cast<std::size_t>(mode)]);
        }
        sort_on_device(held, m_nnz, bits);
        m_peak.give(held);
        m_peak.take(records_of(g));
        m_peak.take(tuple_list(g));
        m_peak.give(held);
        held = records_of(g);
        continue;
      }
      if (m_workspace != held) {
        m_peak.give(m_workspace);
        m_workspace = held;
        m_peak.take(m_workspace);
      }
      const double numbered = records_of(g);
      if (numbered != held) m_peak.take(numbered);
      m_peak.take(tuple_list(g));
      if (numbered != held) m_peak.give(held);
      held = numbered;
    }
  }

  /// Takes the records, and for a while the hash table of values and the boxes of tuples.
  void pack() {
    if (sorts_tuples(m_choice.groups)) return pack_tuples();
    double boxes = 0.0;
    for (std::size_t g = 0; g < m_lengths.size(); ++g) {
      if (!m_choice.groups[g].fused()) continue;
      const auto box = static_cast<double>(m_lengths[g]);
      boxes += 4.0 * box;
      m_tuples += 4.0 * box * static_cast<double>(m_choice.groups[g].modes.size());
    }
    m_peak.take(m_tuples);
    m_peak.take(records());
    m_peak.pass(hash_bytes + boxes);
  }

  /// Takes what a sorted copy and its contraction do. Copies of the same tiles share their records.
  void copy(std::size_t g) {
    const NonzeroOrder& order = m_choice.orders[g];
    // Records that were sorted by tuples are where they lie, as are those that are not sorted.
    bool shared = m_choice.lies_as_packed(order);
    if (shared) m_records_used_up = true;
    for (std::size_t h = 0; h < g; ++h) shared = shared || m_choice.orders[h].tiles == order.tiles;
    int bits = 0;
    for (const auto& tile : order.tiles) {
      bits += std::max(0, m_layout.fields[tile.mode].bits() - tile.bits);
    }
    if (m_machine.device) {
      if (!shared) sort_on_device(records(), m_nnz, bits);
      carry(g, m_nnz);
    } else {
      if (!shared) sort_on_host(records(), m_nnz, bits, m_choice.may_use_up_records(g));
      cut(g);
      m_peak.take(array(partial_sums(m_choice.orders[g], m_lengths, m_nnz,
                                     m_choice.chunk_lengths[g], bytes_of_sums())));
    }
  }

  /// As sort_records does it on hosts: from the records to the copy and to the workspace in turn,
  /// which is kept for the next sort unless the records may be used up.
  void sort_on_host(double bytes, double count, int bits, bool consume) {
    constexpr int widest = 11;
    const int passes = std::max(1, (bits + widest - 1) / widest);
    const double pieces = std::clamp(std::floor(count / 65536.0), 1.0, 4.0 * m_machine.workers);
    if (consume) {
      // The workspace becomes one of the two places that the passes alternate between.
      m_peak.give(m_workspace);
      m_workspace = 0.0;
    }
    m_peak.take(bytes);
    if (!consume && passes > 1 && m_workspace < bytes) {
      m_peak.take(bytes - m_workspace);
      m_workspace = bytes;
    }
    m_peak.pass(std::ldexp(8.0 * pieces, (bits + passes - 1) / passes));
    // After an even number of passes the result lies where the records lay.
    if (!consume || passes % 2 != 0) return;
    m_peak.give(bytes);
    m_records_used_up = true;
  }

  /// As sort_records does it on devices: numbers and positions, each with as much to sort into, and
  /// what the vendor's library takes to count.
  void sort_on_device(double bytes, double count, int bits) {
    const double number = bits <= 32 ? 4.0 : 8.0, position = count < 4294967296.0 ? 4.0 : 8.0;
    m_peak.take(bytes);
    m_peak.pass(2.0 * count * (number + position) + device_sort_workspace(count));
  }

  /// What finds the ranges of row blocks, and the ranges.
  void cut(std::size_t g) {
    const NonzeroOrder& order = m_choice.orders[g];
    if (order.tiles.empty()) return;  // one block
    double runs = 1.0;
    for (const auto& tile : order.tiles) {
      const bool row = tile.mode == order.row_mode;
      runs *= blocks(tile.mode, row ? order.row_block_bits : tile.bits);
      if (row) break;
    }
    const bool leads = order.tiles.front().mode == order.row_mode;
    if (leads || blocks(order.row_mode, order.row_block_bits) <= 1.0) return;
    runs = std::min(runs, m_nnz);
    m_peak.pass(80.0 * runs);
    m_peak.take(16.0 * runs);
  }

  [[nodiscard]] double blocks(int mode, int bits) const {
    return blocks(m_lengths[static_cast<std::size_t>(mode)], bits);
  }
  [[nodiscard]] static double blocks(std::size_t rows, int bits) {
    return std::ceil(std::ldexp(static_cast<double>(rows), -bits));
  }
  [[nodiscard]] double bytes_of_sums() const {
    return m_choice.panel_packs > 0 ? 64.0 * m_choice.panel_packs : m_problem.row_bytes();
  }

  /// Bytes of the sums of blocks that are split, were all to have as many nonzeros.
  [[nodiscard]] static double partial_sums(const NonzeroOrder& order,
                                           const std::vector<std::size_t>& lengths, double nonzeros,
                                           offset_t chunk_length, double row_bytes) {
    const std::size_t rows = lengths[static_cast<std::size_t>(order.row_mode)];
    const double chunks = std::floor(nonzeros / static_cast<double>(chunk_length));
    const double row_blocks = std::max(1.0, blocks(rows, order.row_block_bits));
    if (chunks < 2.0 || nonzeros / row_blocks < 2.0 * nonzeros / chunks) return 0.0;
    const double height =
        std::min(static_cast<double>(rows), std::ldexp(1.0, order.row_block_bits));
    return (chunks + row_blocks - 1.0) * height * row_bytes;
  }

  /// Takes the carries of a contraction of `count` nonzeros on a device.
  void carry(std::size_t g, double count) {
    std::size_t gathered_rows = 0;
    for (std::size_t h = 0; h < m_lengths.size(); ++h) {
      if (h != g) gathered_rows += m_lengths[h];
    }
    const std::size_t cached =
        device_cached_bytes(m_machine.shared_cache, m_tuning.device_cache_share);
    const std::size_t block =
        device_column_block(gathered_rows, m_problem.row_stride(), m_problem.scalar_bytes, cached);
    const auto nonzeros = static_cast<offset_t>(count);
    using Plan = CarryPlan<HostExec>;
    const offset_t pieces = Plan::pieces_of(
        nonzeros, device_piece(nonzeros, device_lanes(block, m_problem.scalar_bytes)));
    m_peak.take(Plan::most_memory(pieces));
    m_peak.pass(Plan::most_workspace(pieces));
    m_peak.take(static_cast<double>(Plan::most_entries(pieces)) * m_problem.row_bytes());
  }

  /// Takes what FusedGroup does: products and sums, and a copy of the tuples for each mode.
  void fuse(std::size_t g) {
    const auto tuples = static_cast<double>(m_lengths[g]);
    m_peak.take(2.0 * tuples * m_problem.row_bytes());
    std::vector<std::size_t> shape{std::max<std::size_t>(m_lengths[g], 1)};
    for (const int mode : m_choice.groups[g].modes) {
      shape.push_back(m_problem.dimensions[static_cast<std::size_t>(mode)]);
    }
    const auto layout = layout_of(shape, 0);
    const double list = array(tuples * 8.0 * layout.words);
    m_peak.take(list);
    if (m_choice.groups[g].sorted && !m_machine.device) {
      return contract_sorted_tuples(shape, layout.words, list);
    }
    for (std::size_t k = 1; k < shape.size(); ++k) {
      const int bits = bits_for(shape[k]);
      if (m_machine.device) {
        sort_on_device(list, tuples, bits);
        carry(g, tuples);
      } else {
        sort_on_host(list, tuples, bits, false);
      }
    }
    m_peak.give(list);
  }

  /// Takes the copies and sums for the modes of tuples that were sorted; the list stays where one
  /// of them is in its order.
  void contract_sorted_tuples(const std::vector<std::size_t>& shape, int words, double list) {
    const auto tuples = static_cast<double>(shape.front());
    bool in_order = false;
    for (int member = 1; member < static_cast<int>(shape.size()); ++member) {
      const std::size_t rows = shape[static_cast<std::size_t>(member)];
      const auto order =
          kernels::Sorted::tuple_order(member, rows, m_problem.row_bytes(), m_machine, m_tuning);
      if (order.tiles.empty()) {
        in_order = true;
      } else {
        sort_on_host(list, tuples, bits_for(rows) - order.row_block_bits, false);
      }
      const offset_t chunk = kernels::Sorted::chunk_length(
          order, rows, m_problem.row_bytes(), tuples, 8.0 * words, m_machine, m_tuning);
      m_peak.take(array(partial_sums(order, shape, tuples, chunk, m_problem.row_bytes())));
    }
    if (!in_order) m_peak.give(list);
  }

  const MttkrpProblem& m_problem;
  const MachineProperties& m_machine;
  const kernels::SortedTuning& m_tuning;
  double m_nnz;
  std::vector<std::size_t> m_lengths;  ///< rows of each group, all tuples of fused ones
  RecordLayout m_layout;
  kernels::SortedChoice m_choice;
  double m_workspace = 0.0;        ///< bytes that sorts keep for the next
  double m_tuples = 0.0;           ///< bytes of the tuples of fused groups
  bool m_records_used_up = false;  ///< whether a sorted copy lies where the records lay
  MemoryPeak m_peak;
};

}  // namespace genten::detail

namespace genten::kernels {

inline KernelMemory Sorted::memory(const MttkrpProblem& problem, const MachineProperties& machine,
                                   const Tuning& tuning) {
  return detail::SortedMemory(problem, machine, tuning).replay();
}

}  // namespace genten::kernels
