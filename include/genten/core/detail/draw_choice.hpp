// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Draws made side by side, and which of them are wanted: all, or those of a part of the tensor.

#include <genten/core/detail/generate_draws.hpp>
#include <genten/core/detail/key_packing.hpp>

#include <vector>

namespace genten::detail {

/// One side of a cut that takes apart what lies below and above a place in the order (mode first,
/// then all modes from the first to the last).
struct DrawCut {
  int mode = 0;
  bool above = false;
  Kokkos::Array<std::uint64_t, max_order> place{};  ///< the first subscripts that are above
};

/// The draws that are wanted: those on the right sides of all cuts and, of these, a sample. Both
/// depend on the subscripts alone, so that draws of the same entry are wanted together.
struct DrawChoice {
  std::vector<DrawCut> cuts = {};
  /// So many of 2^64 entries are in the sample; 0: all of them.
  std::uint64_t sample = 0;

  [[nodiscard]] bool takes_all() const { return cuts.empty() && sample == 0; }
};

/// A hash of an entry's subscripts, of one mode after the other, by which samples take entries:
/// equal ones are taken together, whoever has them.
class SampleHash {
 public:
  void add(std::uint64_t subscript) { m_word = mix_bits(m_word) ^ subscript; }
  /// Whether the entry is in a sample of `sample` of 2^64.
  [[nodiscard]] bool is_in(std::uint64_t sample) const { return mix_bits(m_word) < sample; }

 private:
  std::uint64_t m_word = 0x73616d706c65;
};

/// Some draws, made mode by mode in loops that the compiler vectorizes: the first modes that a
/// choice asks for of all of them, others only of those that are left.
class DrawBatch {
 public:
  static constexpr int most = SubscriptDraws::most_at_once;

  explicit DrawBatch(const SubscriptDraws& draws) : m_draws(draws) {}

  /// The wanted ones of `count` draws from `first` on.
  void draw(offset_t first, int count, const DrawChoice& choice) {
    m_count = count;
    m_known = 0;
    for (int j = 0; j < count; ++j) m_number[j] = static_cast<std::uint64_t>(first + j);
    m_draws.clusters(m_number, count, m_cluster);
    for (const DrawCut& cut : choice.cuts) keep_side(cut);
    if (choice.sample != 0) keep_sample(choice.sample);
  }

  /// How many there are.
  [[nodiscard]] int size() const { return m_count; }
  /// The number of draw j in the sequence.
  [[nodiscard]] std::uint64_t number(int j) const { return m_number[j]; }

  /// Writes their keys, one behind another, the least significant word of each first.
  void write_keys(const KeyPacking& packing, std::uint64_t* words) {
    const int width = packing.words();
    std::fill_n(words, m_count * width, std::uint64_t{0});
    for (int n = 0; n < m_draws.order(); ++n) {
      const std::uint64_t* const subscript = subscripts(n);
      const int shift = packing.shift(n);
      std::uint64_t* const to = words + packing.word(n);
      if (width == 1) {
        for (int j = 0; j < m_count; ++j) to[j] |= subscript[j] << shift;
      } else {
        for (int j = 0; j < m_count; ++j) to[j * width] |= subscript[j] << shift;
      }
    }
  }

 private:
  static_assert(max_order <= 32);

  /// By draw, those of a mode.
  const std::uint64_t* subscripts(int n) {
    if ((m_known & 1u << n) == 0) {
      m_draws.subscripts(m_number, m_cluster, m_count, n, m_subscript[n]);
      m_known |= 1u << n;
    }
    return m_subscript[n];
  }

  void keep_side(const DrawCut& cut) {
    const std::uint64_t* const row = subscripts(cut.mode);
    const std::uint64_t place = cut.place[cut.mode];
    for (int j = 0; j < m_count; ++j) m_keep[j] = (row[j] > place) == cut.above;
    for (int j = 0; j < m_count; ++j) {
      if (row[j] == place) m_keep[j] = comes_before(j, cut) != cut.above;
    }
    drop_others();
  }
  /// Whether draw j comes before the place of a cut, by all modes.
  [[nodiscard]] bool comes_before(int j, const DrawCut& cut) const {
    for (int n = 0; n < m_draws.order(); ++n) {
      const std::uint64_t at =
          m_draws.subscript(static_cast<offset_t>(m_number[j]), m_cluster[j], n);
      if (at != cut.place[n]) return at < cut.place[n];
    }
    return false;
  }

  void keep_sample(std::uint64_t sample) {
    SampleHash hash[most];
    for (int n = 0; n < m_draws.order(); ++n) {
      const std::uint64_t* const subscript = subscripts(n);
      for (int j = 0; j < m_count; ++j) hash[j].add(subscript[j]);
    }
    for (int j = 0; j < m_count; ++j) m_keep[j] = hash[j].is_in(sample);
    drop_others();
  }

  /// Without branches on what nobody can foresee.
  void drop_others() {
    std::uint16_t kept[most + 1];
    int count = 0;
    for (int j = 0; j < m_count; ++j) {
      kept[count] = static_cast<std::uint16_t>(j);
      count += m_keep[j] ? 1 : 0;
    }
    const auto move = [&](std::uint64_t* numbers) {
      for (int j = 0; j < count; ++j) numbers[j] = numbers[kept[j]];
    };
    move(m_number);
    move(m_cluster);
    for (int n = 0; n < m_draws.order(); ++n) {
      if ((m_known & 1u << n) != 0) move(m_subscript[n]);
    }
    m_count = count;
  }

  const SubscriptDraws& m_draws;
  int m_count = 0;
  std::uint32_t m_known = 0;  ///< modes that are made, by bit
  bool m_keep[most];
  std::uint64_t m_number[most];
  std::uint64_t m_cluster[most];
  std::uint64_t m_subscript[max_order][most];
};

}  // namespace genten::detail
