// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_texts.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace genten::detail {

namespace {

/// "False" or "True" for a spelling of them, "" for another text.
std::string_view truth_of(std::string_view text) {
  if (text == "True" || text == "TRUE" || text == "true") return "True";
  return text == "False" || text == "FALSE" || text == "false" ? "False" : "";
}

struct FoundText {
  std::string_view text;
  std::size_t worker;
  std::size_t number;
};

}  // namespace

std::uint64_t DistinctTexts::find(std::string_view text) {
  const std::uint64_t hash = std::hash<std::string_view>()(text);
  const std::size_t mask = m_slots.size() - 1;
  std::size_t at = hash & mask;
  for (; m_slots[at].number != none; at = (at + 1) & mask) {
    const Slot& slot = m_slots[at];
    if (slot.hash == hash && m_texts[slot.number] == text) return slot.number;
  }
  m_slots[at] = {hash, m_texts.size()};
  auto* const copy = static_cast<char*>(m_memory.allocate(text.size(), 1));
  std::copy(text.begin(), text.end(), copy);
  m_texts.emplace_back(copy, text.size());
  if (2 * m_texts.size() > m_slots.size()) enlarge();
  return m_texts.size() - 1;
}

void DistinctTexts::enlarge() {
  const std::vector<Slot> old = std::exchange(m_slots, std::vector<Slot>(2 * m_slots.size()));
  const std::size_t mask = m_slots.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == none) continue;
    std::size_t at = slot.hash & mask;
    while (m_slots[at].number != none) at = (at + 1) & mask;
    m_slots[at] = slot;
  }
}

SortedTexts sort_texts(const std::vector<const DistinctTexts*>& found,
                       const std::function<std::string(std::string_view)>& in_utf8) {
  SortedTexts sorted;
  std::vector<FoundText> all;
  std::deque<std::string> recoded;
  for (std::size_t worker = 0; worker < found.size(); ++worker) {
    const auto& texts = found[worker]->texts();
    sorted.places.emplace_back(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::string text = in_utf8(texts[i]);
      const bool as_they_are = text == texts[i];
      all.push_back({as_they_are ? texts[i] : recoded.emplace_back(std::move(text)), worker, i});
    }
  }
  if (std::all_of(all.begin(), all.end(),
                  [](const FoundText& each) { return !truth_of(each.text).empty(); })) {
    for (FoundText& each : all) each.text = truth_of(each.text);
  }
  std::sort(all.begin(), all.end(),
            [](const FoundText& a, const FoundText& b) { return a.text < b.text; });
  for (const FoundText& each : all) {
    if (sorted.texts.empty() || sorted.texts.back() != each.text)
      sorted.texts.emplace_back(each.text);
    sorted.places[each.worker][each.number] = sorted.texts.size() - 1;
  }
  return sorted;
}

}  // namespace genten::detail
