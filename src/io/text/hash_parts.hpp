// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Equal rows among many, found with hash tables that stay in cache.

#include "../file/blocks.hpp"

#include <genten/base/detail/even_chunks.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace genten::detail {

/// Rows distributed into parts by the leading bits of their hashes, in file order within each.
template <class Index>
class HashParts {
 public:
  struct Item {
    Index row;
    std::uint32_t tag;  // other bits of the hash
  };

  /// Parts of about this many rows: with their hash table they stay in a core's cache.
  static constexpr std::size_t part_rows = std::size_t{1} << 15;

  template <class Rows>
  HashParts(const HostExec& host, const Rows& rows, const BlockWork& work)
      : m_bits(std::min(16, static_cast<int>(std::bit_width(rows.count / part_rows)))),
        m_begins((std::size_t{1} << m_bits) + 1),
        m_items(std::make_unique_for_overwrite<Item[]>(rows.count)) {
    const EvenChunks chunks(rows.count, part_rows);
    const std::size_t blocks = chunks.count();
    const std::size_t workers = worker_count(host, blocks, work.threads);
    work.begin("looking for duplicates", 2 * blocks);
    std::vector<std::size_t> places(blocks * parts());
    advise_huge_pages(m_items.get(), rows.count * sizeof(Item));
    const auto for_rows = [&](std::size_t block, const auto& body) {
      const std::size_t end = chunks.end(block);
      std::size_t* const place = places.data() + block * parts();
      for (std::size_t i = chunks.begin(block); i < end; ++i) {
        const std::uint64_t hash = rows.hash(i);
        body(i, hash, place[m_bits == 0 ? 0 : hash >> (64 - m_bits)]);
      }
    };
    for_each_block(
        "genten::count_hashes", host, workers, blocks,
        [&](std::size_t block, std::size_t) {
          for_rows(block, [](std::size_t, std::uint64_t, std::size_t& n) { ++n; });
        },
        work.meter);
    counts_to_places(places, blocks);
    for_each_block(
        "genten::distribute_hashes", host, workers, blocks,
        [&](std::size_t block, std::size_t) {
          for_rows(block, [&](std::size_t i, std::uint64_t hash, std::size_t& place) {
            m_items[place++] = {static_cast<Index>(i), static_cast<std::uint32_t>(hash)};
          });
        },
        work.meter);
  }

  [[nodiscard]] std::size_t parts() const { return std::size_t{1} << m_bits; }
  [[nodiscard]] const Item* begin(std::size_t part) const { return m_items.get() + m_begins[part]; }
  [[nodiscard]] const Item* end(std::size_t part) const { return begin(part + 1); }

 private:
  void counts_to_places(std::vector<std::size_t>& places, std::size_t blocks) {
    std::size_t sum = 0;
    for (std::size_t part = 0; part < parts(); ++part) {
      m_begins[part] = sum;
      for (std::size_t block = 0; block < blocks; ++block) {
        sum += std::exchange(places[block * parts() + part], sum);
      }
    }
    m_begins.back() = sum;
  }

  int m_bits;
  std::vector<std::size_t> m_begins;
  std::unique_ptr<Item[]> m_items;
};

/// Looks through parts with a hash table, one part at a time. The table grows with the distinct
/// rows of a part: a part can be much larger than others only by duplicates.
template <class Index>
class PartSearch {
 public:
  using Item = typename HashParts<Index>::Item;

  template <class Rows, class Finder>
  void search(const Item* begin, const Item* end, const Rows& rows, Finder& finder) {
    const auto items = static_cast<std::size_t>(end - begin);
    clear(std::bit_ceil(2 * std::min(items, HashParts<Index>::part_rows) + 2));
    for (const Item* item = begin; item != end; ++item) {
      std::size_t slot = item->tag & m_mask;
      while (m_slots[slot].row != empty && !same(m_slots[slot], *item, rows)) {
        slot = (slot + 1) & m_mask;
      }
      if (m_slots[slot].row == empty) {
        m_slots[slot] = *item;
        if (2 * ++m_distinct > m_mask) enlarge();
      } else {
        finder.found(m_slots[slot].row, item->row);
      }
    }
  }

 private:
  static constexpr Index empty = std::numeric_limits<Index>::max();

  template <class Rows>
  static bool same(const Item& a, const Item& b, const Rows& rows) {
    return a.tag == b.tag && rows.equal(a.row, b.row);
  }

  void clear(std::size_t size) {
    m_slots.assign(size, Item{empty, 0});
    m_mask = size - 1;
    m_distinct = 0;
  }

  void enlarge() {
    const std::vector<Item> old = std::move(m_slots);
    const std::size_t distinct = m_distinct;
    clear(2 * old.size());
    m_distinct = distinct;
    for (const Item& item : old) {
      if (item.row == empty) continue;
      std::size_t slot = item.tag & m_mask;
      while (m_slots[slot].row != empty) slot = (slot + 1) & m_mask;
      m_slots[slot] = item;
    }
  }

  std::vector<Item> m_slots;
  std::size_t m_mask = 0;
  std::size_t m_distinct = 0;
};

}  // namespace genten::detail
