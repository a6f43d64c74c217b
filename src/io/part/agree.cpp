// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../binary/binary_form.hpp"
#include "../text/tns_parse.hpp"
#include "../text/tns_whole.hpp"
#include "text_part.hpp"

#include <genten/base/error.hpp>
#include <genten/io/part.hpp>

#include <algorithm>

namespace genten {

namespace {

using Facts = std::span<const TensorPartFacts>;
using Stage = TensorPartError::Stage;

/// What a single reader would complain of first, in a stage from `from` to `to`; null without.
const TensorPartFacts* first_wrong(Facts facts, Stage from, Stage to) {
  const TensorPartFacts* first = nullptr;
  for (const TensorPartFacts& part : facts) {
    if (!part.error || part.error->stage < from || part.error->stage > to) continue;
    if (first == nullptr || part.error->stage < first->error->stage) first = &part;
  }
  return first;
}

void throw_first(Facts facts, Stage from, Stage to) {
  const TensorPartFacts* const wrong = first_wrong(facts, from, to);
  if (wrong != nullptr) throw Error(wrong->error->why);
}

/// Sums of what lies before each part.
template <class Count>
std::vector<std::uint64_t> sums_before(Facts facts, const Count& count) {
  std::vector<std::uint64_t> sums{0};
  for (const TensorPartFacts& part : facts) sums.push_back(sums.back() + count(part));
  return sums;
}

std::vector<std::uint64_t> lines_before(Facts facts) {
  auto lines = sums_before(facts, [](const auto& part) { return part.lines; });
  for (std::uint64_t& before : lines) before += facts.front().head.lines;
  return lines;
}

std::vector<std::uint64_t> entries_before(Facts facts) {
  return sums_before(facts, [](const auto& part) { return part.entries; });
}

/// The smallest subscripts of each mode, as the file has them; nothing without entries.
std::vector<std::size_t> first_subscripts(Facts facts) {
  std::vector<std::size_t> first;
  for (const TensorPartFacts& part : facts) {
    if (part.entries == 0 && !part.error) continue;
    if (first.empty()) {
      first.assign(part.smallest.begin(), part.smallest.begin() + part.head.order);
    }
    for (std::size_t n = 0; n < first.size(); ++n) {
      first[n] = std::min<std::size_t>(first[n], part.smallest[n]);
    }
  }
  return first;
}

/// Says what several parts must show together. All facts are of parts whose heads were read.
class Agreement {
 public:
  Agreement(const std::string& path, Facts facts, const ReadOptions& options)
      : m_path(path), m_facts(facts), m_head(facts.front().head), m_options(options) {}

  AgreedTensorParts reach() {
    check_same_file();
    check_checksum();
    check_lines();
    m_agreed.first_entry = entries_before(m_facts);
    m_agreed.first_mirrored = sums_before(m_facts, [](const auto& part) { return part.mirrored; });
    check_count();
    set_dimensions();
    throw_first(m_facts, Stage::bounds, Stage::bounds);
    set_report();
    return std::move(m_agreed);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw Error::in_file(m_path, line, message);
  }

  void check_same_file() const {
    for (std::size_t i = 1; i < m_facts.size(); ++i) {
      const std::string readers =
          "the readers of parts 1 and " + std::to_string(i + 1) + " have found different files";
      if (m_facts[i].head.file_bytes != m_head.file_bytes) {
        fail(0, readers + ", of " + std::to_string(m_head.file_bytes) + " and of " +
                    std::to_string(m_facts[i].head.file_bytes) + " bytes");
      }
      if (m_facts[i].head != m_head) {
        fail(0, readers + " or have other options: what comes before the first entry differs");
      }
      if (m_facts[i].begin != m_facts[i - 1].end) {
        fail(0, "the reader of part " + std::to_string(i) + " has stopped at " +
                    std::to_string(m_facts[i - 1].end) + ", that of part " + std::to_string(i + 1) +
                    " begun at " + std::to_string(m_facts[i].begin) +
                    ": they have found different files or have other options");
      }
    }
  }

  void check_checksum() const {
    if (m_head.format != FileFormat::binary) return;
    std::vector<std::uint64_t> all;
    for (const TensorPartFacts& part : m_facts) {
      const auto& found = part.block_checksums;
      all.insert(all.end(), found.begin(), found.begin() + part.subscript_blocks);
    }
    for (const TensorPartFacts& part : m_facts) {
      const auto& found = part.block_checksums;
      all.insert(all.end(), found.begin() + part.subscript_blocks, found.end());
    }
    if (detail::checksum_of_blocks(all) == m_head.data_checksum) return;
    fail(0, detail::wrong_data_checksum);
  }

  void check_lines() const {
    const TensorPartFacts* const wrong = first_wrong(m_facts, Stage::entries, Stage::entries);
    if (wrong == nullptr) return;
    const TensorPartError& error = *wrong->error;
    if (error.line == 0) throw Error(error.why);
    const bool could_be_0 = std::all_of(m_facts.begin(), m_facts.end(),
                                        [](const auto& part) { return part.could_count_from_0; });
    const std::string mixed =
        could_be_0 ? describe_mixed_bases(first_subscripts(m_facts)) : std::string();
    fail(lines_before(m_facts)[wrong->part] + error.line,
         error.why.complaint + (mixed.empty() ? "" : "; " + mixed));
  }

  void check_count() const {
    const std::uint64_t entries = m_agreed.first_entry.back();
    if (!m_head.has_count || entries == m_head.count) return;
    const detail::HeaderCount header{m_head.count, m_head.count_line};
    if (entries < m_head.count) {
      fail(lines_before(m_facts).back(), detail::too_few_entries(header, entries));
    }
    fail(line_of_entry(m_path, m_facts, m_head.count, m_options),
         detail::too_many_entries(header, entries));
  }

  /// And checks the first entry, by the largest subscripts.
  void set_dimensions() {
    std::array<std::uint64_t, max_order> largest{};
    for (const TensorPartFacts& part : m_facts) {
      for (std::size_t n = 0; n < m_head.order; ++n) {
        largest[n] = std::max(largest[n], part.largest[n]);
      }
    }
    for (std::size_t n = 0; n < m_head.order; ++n) {
      m_agreed.dimensions.push_back(m_head.has_dimensions ? m_head.dimensions[n] : largest[n] + 1);
    }
    const std::vector<std::size_t> first(
        m_head.suspicious_first.begin(),
        m_head.suspicious_first.begin() + m_head.suspicious_fields);
    const auto ambiguous = detail::ambiguous_first_entry(first, m_head.index_base, largest,
                                                         m_agreed.first_entry.back());
    if (ambiguous) fail(m_head.lines + 1, *ambiguous);
  }

  void set_report() {
    ReadReport& report = m_agreed.report;
    const bool binary = m_head.format == FileFormat::binary;
    report.format = m_head.format;
    report.compression = m_head.compression;
    report.index_base = index_base_of(m_head.index_base);
    report.file_bytes = m_head.file_bytes;
    report.content_bytes = m_facts.back().content_bytes;
    report.lines = lines_before(m_facts).back();
    report.entries = m_agreed.first_entry.back();
    if (!binary && m_head.index_base == 0) report.first_subscripts = first_subscripts(m_facts);
  }

  const std::string& m_path;
  Facts m_facts;
  const TensorFileHead& m_head;
  const ReadOptions& m_options;
  AgreedTensorParts m_agreed;
};

void check_facts(const char* function, Facts facts) {
  bool all = !facts.empty();
  for (std::size_t i = 0; i < facts.size(); ++i) {
    all = all && facts[i].part == i && facts[i].parts == facts.size();
  }
  if (all) return;
  throw Error::in(function,
                  "expected the facts of all parts of one file, in their order, got others");
}

}  // namespace

AgreedTensorParts agree_on_tensor_parts(const std::string& path, Facts facts,
                                        const ReadOptions& options) {
  check_facts("agree_on_tensor_parts", facts);
  throw_first(facts, Stage::opening, Stage::memory);
  return Agreement(path, facts, options).reach();
}

bool need_wide_ordinals(Facts facts) {
  const TensorPartFacts* const wrong = first_wrong(facts, Stage::opening, Stage::bounds);
  return wrong != nullptr && wrong->error->too_wide;
}

std::size_t line_of_entry(const std::string& path, Facts facts, std::uint64_t entry,
                          const ReadOptions& options) {
  check_facts("line_of_entry", facts);
  if (facts.front().head.format == FileFormat::binary) return 0;
  const std::vector<std::uint64_t> before = entries_before(facts);
  const auto behind = std::upper_bound(before.begin(), before.end(), entry);
  if (behind == before.end()) {
    throw Error::in("line_of_entry", "expected an entry below " + std::to_string(before.back()) +
                                         ", got " + std::to_string(entry));
  }
  const auto part = static_cast<std::size_t>(behind - before.begin()) - 1;
  const detail::FileContent file(path, options.memory_limit, options.meter, detail::Loading::parts);
  return file.read([&] {
    detail::TextPart text(file, part, facts.size(), options);
    text.lay_out(options);
    const detail::TextBlocks blocks(HostExec(), text.text(), text.part_layout(), options);
    const auto found = detail::find_entry_line(blocks, 0, entry - before[part]);
    if (found.number == 0) throw Error::in_file(path, 0, "was changed since it was read");
    return static_cast<std::size_t>(lines_before(facts)[part] + found.number);
  });
}

Error duplicates_refused(const std::string& path, Facts facts, std::uint64_t first,
                         std::uint64_t second, std::uint64_t duplicates,
                         const ReadOptions& options) {
  const std::size_t repeated = line_of_entry(path, facts, first, options);
  return Error::in_file(path, line_of_entry(path, facts, second, options),
                        detail::repeated_entry(repeated, duplicates));
}

Error duplicates_overflow(const std::string& path, Facts facts, std::uint64_t entry,
                          const ReadOptions& options) {
  return Error::in_file(path, line_of_entry(path, facts, entry, options), detail::sum_not_finite);
}

}  // namespace genten
