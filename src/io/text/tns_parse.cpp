// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tns_parse.hpp"
#include "../../base/usual_types.hpp"
#include "../file/blocks.hpp"
#include "numbers.hpp"

#include <algorithm>

namespace genten::detail {

namespace {

inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

/// What a parsed line was.
enum class LineKind { entry, empty, wrong };

/// Parses lines one by one. Whatever it does not understand is `wrong`; `diagnose` says why.
template <class Scalar, class Ordinal, bool ones>
class LineParser {
 public:
  LineParser(const EntryRules& rules, const char* end) : m_rules(rules), m_end(end) {}

  /// Parses the line at p and moves p to the next one.
  LineKind parse(const char*& p, Ordinal* subscripts, Scalar& value) {
    if (!is_digit(*p)) {
      const char* empty = p;  // where a line begins a percent sign stands alone
      if (end_line(empty)) {
        p = empty;
        return LineKind::empty;
      }
    }
    const char* at = skip_blanks(p);
    for (std::size_t n = 0; n < m_rules.order; ++n) {
      std::uint64_t subscript = 0;
      const char* after = read_digits(at, subscript);
      subscript -= m_rules.base;                         // 0 becomes the largest number
      const bool last = ones && n + 1 == m_rules.order;  // no value need follow
      if (after == at || (!last && !is_blank(*after)) || subscript >= m_rules.limits[n]) {
        return LineKind::wrong;
      }
      subscripts[n] = static_cast<Ordinal>(subscript);
      m_largest[n] = std::max(m_largest[n], subscript);
      at = last ? after : skip_blanks(after + 1);
    }
    if constexpr (ones) {
      value = 1;
    } else {
      const char* const text = at;
      if (read_value(at, m_end, value) != ValueStatus::good) return LineKind::wrong;
      m_rounded.see({text, static_cast<std::size_t>(at - text)}, value, text);
    }
    if (*at == '%' || !end_line(at)) return LineKind::wrong;
    p = at;
    return LineKind::entry;
  }

  [[nodiscard]] const Largest& largest() const { return m_largest; }
  [[nodiscard]] const RoundedValues<const char*>& rounded() const { return m_rounded; }

 private:
  /// Whether nothing but blanks and a comment lies between p and the line's end; if so, moves p
  /// behind that.
  bool end_line(const char*& p) const {
    if (*p != '\n') {
      p = skip_blanks(p);
      if (starts_comment(p)) {
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(m_end - p)));
      } else if (*p == '\r') {
        ++p;
      }
      if (*p != '\n') return false;
    }
    ++p;
    return true;
  }

  const EntryRules& m_rules;
  const char* m_end;
  Largest m_largest{};
  RoundedValues<const char*> m_rounded;
};

/// Raises each of `largest` to the other's where that is larger.
void raise_largest(Largest& largest, const Largest& other) {
  std::transform(largest.begin(), largest.end(), other.begin(), largest.begin(),
                 [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
}

/// Parses a block's lines; false when one is wrong, or there are more than were counted.
template <class Parser, class Scalar, class Ordinal>
bool parse_block(TextBlock& block, std::string_view lines, Parser& parser, Ordinal* subscripts,
                 std::size_t order, Scalar* values) {
  const char* p = lines.data();
  const char* const stop = p + lines.size();
  std::size_t row = block.row;
  LineKind kind = LineKind::empty;
  while (p < stop && row < block.row_end && kind != LineKind::wrong) {
    kind = parser.parse(p, subscripts + row * order, values[row]);
    row += kind == LineKind::entry;
  }
  block.entries = row - block.row;
  block.rounded = parser.rounded().count;
  if (block.rounded != 0) {
    block.first_rounded = static_cast<std::size_t>(parser.rounded().first - lines.data());
  }
  return kind != LineKind::wrong && p >= stop;
}

template <bool ones, class Scalar, class Ordinal>
std::size_t parse_all(const HostExec& host, TextBlocks& text, const EntryRules& rules,
                      const BlockWork& work, const TensorArrays<Scalar, Ordinal>& arrays,
                      Largest& largest) {
  const std::size_t count = text.blocks().size();
  const std::size_t workers = worker_count(host, count, work.threads);
  std::vector<Largest> largest_of(workers, Largest{});
  std::vector<std::vector<char>> buffers(workers);
  std::atomic<std::size_t> first_wrong{no_block};
  work.begin("reading", count);
  for_each_block(
      "genten::parse_entries", host, workers, count,
      [&](std::size_t i, std::size_t worker) {
        // Blocks before a wrong one are parsed all the same: theirs may come first.
        if (i > first_wrong.load(std::memory_order_relaxed)) return;
        const std::string_view lines = text.load(i, buffers[worker]);
        LineParser<Scalar, Ordinal, ones> parser(rules, lines.data() + lines.size() + 1);
        if (!parse_block(text.blocks()[i], lines, parser, arrays.subscripts.data(), rules.order,
                         arrays.values.data())) {
          atomic_lower(first_wrong, i);
        }
        raise_largest(largest_of[worker], parser.largest());
      },
      work.meter);
  largest = {};
  for (const Largest& found : largest_of) raise_largest(largest, found);
  return first_wrong;
}

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::size_t parse_blocks(const HostExec& host, TextBlocks& text, const EntryRules& rules,
                         const BlockWork& work, const TensorArrays<Scalar, Ordinal>& arrays,
                         Largest& largest) {
  return rules.ones ? parse_all<true>(host, text, rules, work, arrays, largest)
                    : parse_all<false>(host, text, rules, work, arrays, largest);
}

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                                                 \
  template std::size_t parse_blocks(const HostExec&, TextBlocks&, const EntryRules&,        \
                                    const BlockWork&, const TensorArrays<SCALAR, ORDINAL>&, \
                                    Largest&);
GENTEN_FOR_TENSORS(GENTEN_INSTANTIATE)
#undef GENTEN_INSTANTIATE

}  // namespace genten::detail
