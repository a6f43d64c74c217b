// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A text tensor read by the letter of `read_sptensor`'s documentation, as slowly as it takes.

#include "plain_text.hpp"

#include <algorithm>
#include <map>

namespace genten::fuzz {

constexpr std::size_t plain_max_order = 16;

struct PlainOptions {
  bool header = true;      // a header may stand first
  std::uint64_t base = 1;  // what subscripts count from
  bool sum = true;         // duplicates are summed, else refused
};

template <class Scalar>
struct PlainTensor {
  std::string format = "frostt";
  std::vector<std::uint64_t> dimensions;
  std::vector<std::vector<std::uint64_t>> subscripts;
  std::vector<Scalar> values;
  std::size_t lines = 0;
  std::size_t entries = 0;
  std::size_t duplicates = 0;
  std::vector<std::size_t> first_subscripts;  // the smallest of each mode, where they count from 0
};

template <class Scalar>
class PlainTensorReader {
 public:
  PlainTensorReader(const std::string& text, const PlainOptions& options)
      : m_text(plain_lines(text)), m_options(options) {
    m_tensor.lines = m_text.lines;
  }

  PlainTensor<Scalar> read() {
    if (m_text.filled.empty()) throw Refusal{0, "no entries"};
    read_header();
    std::vector<std::size_t> line_of;
    for (; m_next < m_text.filled.size(); ++m_next) {
      read_entry(m_text.filled[m_next]);
      line_of.push_back(m_text.filled[m_next].number);
    }
    m_tensor.entries = line_of.size();
    if (m_entries && m_tensor.entries < *m_entries) throw Refusal{m_text.lines, "too few"};
    if (m_entries && m_tensor.entries > *m_entries) throw Refusal{line_of[*m_entries], "too many"};
    if (!m_has_dimensions) find_dimensions();
    if (m_first_is_whole) check_first();
    if (m_options.base == 0) find_first_subscripts();
    merge(line_of);
    return m_tensor;
  }

 private:
  const PlainLine& line(std::size_t i) const {
    if (i >= m_text.filled.size()) throw Refusal{m_text.lines, "truncated header"};
    return m_text.filled[i];
  }

  static bool all_whole(const PlainLine& line) {
    return std::all_of(line.fields.begin(), line.fields.end(),
                       [](const std::string& field) { return plain_count(field).has_value(); });
  }

  static std::uint64_t only_count(const PlainLine& line) {
    const auto count = line.fields.size() == 1 ? plain_count(line.fields[0]) : std::nullopt;
    if (!count) throw Refusal{line.number, "expected one whole number"};
    return *count;
  }

  void set_order(std::uint64_t order, const PlainLine& line) {
    if (order < 1 || order > plain_max_order) throw Refusal{line.number, "order"};
    m_order = order;
  }

  void set_dimensions(const PlainLine& line) {
    if (line.fields.size() != m_order || !all_whole(line)) throw Refusal{line.number, "dimensions"};
    for (const auto& field : line.fields) m_tensor.dimensions.push_back(*plain_count(field));
    m_has_dimensions = true;
  }

  /// Lines of order, dimensions, entries, starting with filled line i.
  void header_from_order(std::size_t i, bool entries_are_optional) {
    set_order(only_count(line(i)), line(i));
    set_dimensions(line(i + 1));
    m_next = i + 2;
    if (entries_are_optional && line(m_next).fields.size() > 1) return;
    m_entries = only_count(line(m_next++));
  }

  void read_header() {
    const PlainLine& first = line(0);
    if (m_options.header && first.fields[0] == "sptensor") {
      if (first.fields.size() != 1) throw Refusal{first.number, "sptensor is not alone"};
      m_tensor.format = "sptensor";
      header_from_order(1, false);
    } else if (m_options.header && first.fields.size() == 1) {
      m_tensor.format = "header";
      header_from_order(0, true);
    } else if (m_options.header && two_line_header()) {
      m_tensor.format = "header";
      set_order(first.fields.size(), first);
      set_dimensions(first);
      m_entries = only_count(line(1));
      m_next = 2;
    } else {
      if (first.fields.size() < 2) throw Refusal{first.number, "an entry has two fields"};
      set_order(first.fields.size() - 1, first);
      m_first_is_whole = m_options.header && all_whole(first);
    }
  }

  bool two_line_header() const {
    const auto& lines = m_text.filled;
    return all_whole(lines[0]) && lines.size() > 1 && lines[1].fields.size() == 1 &&
           all_whole(lines[1]) &&
           (lines.size() == 2 || lines[2].fields.size() == lines[0].fields.size() + 1);
  }

  void read_entry(const PlainLine& line) {
    if (line.fields.size() != m_order + 1) throw Refusal{line.number, "number of fields"};
    std::vector<std::uint64_t> subscripts;
    for (std::size_t n = 0; n < m_order; ++n) {
      const auto number = plain_count(line.fields[n]);
      if (!number || line.fields[n].size() > 19) throw Refusal{line.number, "subscript"};
      if (*number < m_options.base) throw Refusal{line.number, "subscript too small"};
      subscripts.push_back(*number - m_options.base);
      if (m_has_dimensions && subscripts[n] >= m_tensor.dimensions[n]) {
        throw Refusal{line.number, "subscript too large"};
      }
    }
    const auto value = plain_value<Scalar>(line.fields[m_order]);
    if (!value) throw Refusal{line.number, "value"};
    if (became_zero(line.fields[m_order], *value)) throw Refusal{line.number, "too small"};
    m_tensor.subscripts.push_back(subscripts);
    m_tensor.values.push_back(*value);
  }

  void find_dimensions() {
    m_tensor.dimensions.assign(m_order, 0);
    for (const auto& subscripts : m_tensor.subscripts) {
      for (std::size_t n = 0; n < m_order; ++n) {
        m_tensor.dimensions[n] = std::max(m_tensor.dimensions[n], subscripts[n] + 1);
      }
    }
  }

  void find_first_subscripts() {
    for (std::size_t n = 0; n < m_order && m_tensor.entries != 0; ++n) {
      std::uint64_t first = m_tensor.subscripts[0][n];
      for (const auto& subscripts : m_tensor.subscripts) first = std::min(first, subscripts[n]);
      m_tensor.first_subscripts.push_back(first);
    }
  }

  /// The first entry may be meant as a header in one line, whatever number of entries it says.
  void check_first() const {
    if (m_tensor.entries <= 3) return;
    for (std::size_t n = 0; n < m_order; ++n) {
      if (m_tensor.subscripts[0][n] + 1 != m_tensor.dimensions[n]) return;
    }
    throw Refusal{m_text.filled[0].number, "ambiguous"};
  }

  void merge(const std::vector<std::size_t>& line_of) {
    std::map<std::vector<std::uint64_t>, std::size_t> places;
    PlainTensor<Scalar> merged = m_tensor;
    merged.subscripts.clear();
    merged.values.clear();
    for (std::size_t i = 0; i < m_tensor.entries; ++i) {
      const auto [place, is_new] = places.emplace(m_tensor.subscripts[i], merged.values.size());
      if (is_new) {
        merged.subscripts.push_back(m_tensor.subscripts[i]);
        merged.values.push_back(m_tensor.values[i]);
        continue;
      }
      if (!m_options.sum) throw Refusal{line_of[i], "duplicate"};
      ++merged.duplicates;
      Scalar& sum = merged.values[place->second];
      sum += m_tensor.values[i];
      if (!std::isfinite(sum)) throw Refusal{line_of[i], "sum"};
    }
    m_tensor = merged;
  }

  PlainText m_text;
  PlainOptions m_options;
  PlainTensor<Scalar> m_tensor;
  std::optional<std::uint64_t> m_entries;
  std::size_t m_order = 0;
  std::size_t m_next = 0;  // the first entry among the filled lines
  bool m_has_dimensions = false;
  bool m_first_is_whole = false;
};

}  // namespace genten::fuzz
