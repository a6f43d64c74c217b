// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Damaged texts: the parallel parser accepts and refuses the same ones, with the same entries or
// the same first wrong line, as a plain reader that takes a line apart field by field.
#include "io_support.hpp"
#include "random_edits.hpp"

#include <genten/core/random.hpp>

#include <charconv>
#include <cmath>
#include <optional>

namespace genten::test {
namespace {

struct PlainResult {
  std::vector<std::uint64_t> subscripts;
  std::vector<double> values;
  std::size_t wrong_line = 0;  // 0: none
};

std::vector<std::string> plain_fields(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  for (char& c : line) c = c == '\t' ? ' ' : c;
  line.insert(0, " ");  // a percent sign counts behind a blank
  for (const char* mark : {"#", " %", "//"}) line = line.substr(0, line.find(mark));
  std::vector<std::string> fields;
  std::string field;
  for (const char c : line + " ") {
    if (c != ' ') {
      field += c;
    } else if (!field.empty()) {
      fields.push_back(std::exchange(field, ""));
    }
  }
  return fields;
}

std::optional<double> plain_value(std::string text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.erase(0, 1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ptr != end || result.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Entries of `order` subscripts without a header.
PlainResult read_plainly(const std::string& text, std::size_t order) {
  PlainResult result;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const auto fields = plain_fields(line);
    if (fields.empty()) continue;
    bool good = fields.size() == order + 1;
    std::vector<std::uint64_t> subscripts;
    for (std::size_t n = 0; good && n < order; ++n) {
      good =
          fields[n].find_first_not_of("0123456789") == std::string::npos && fields[n].size() <= 19;
      if (good) subscripts.push_back(std::stoull(fields[n]) - 1);
      good = good && subscripts.back() < 4294967295U;
    }
    const auto value = good ? plain_value(fields.back()) : std::nullopt;
    if (!value) {
      result.wrong_line = number;
      return result;
    }
    result.subscripts.insert(result.subscripts.end(), subscripts.begin(), subscripts.end());
    result.values.push_back(*value);
  }
  return result;
}

class TnsMutation : public FileTest {};

TEST_F(TnsMutation, AgreesWithAPlainReader) {
  // The first line stays as it is, so that the order is known; subscripts are distinct.
  std::string good;
  for (int i = 1; i <= 12; ++i) {
    good += std::to_string(i * 7919 * i) + " " + std::to_string(i) + "\t" +
            std::to_string(i * i % 5 + 1) + " " + std::to_string(1.0 / i) +
            (i % 3 == 0 ? "\r\n" : "\n");
  }
  const std::size_t first = good.find('\n') + 1;
  ReadOptions options;
  options.header = Header::none;
  std::size_t accepted = 0;
  for (std::uint64_t round = 0; round < 2000; ++round) {
    const std::string text = edited(good, first, "0123456789 \t\n\r.-+eE#%/xn,", round);
    SCOPED_TRACE(text);
    const PlainResult plain = read_plainly(text, 3);
    options.block_bytes = 1 + random_bits(5, round) % 200;
    const std::string path = file(text);
    if (plain.wrong_line != 0) {
      const std::string message = error_of([&] { (void)read(path, options); });
      ASSERT_TRUE(contains(message, "file:" + std::to_string(plain.wrong_line) + ": "));
      continue;
    }
    const auto [tensor, report] = read(path, options);
    ASSERT_EQ(report.entries, plain.values.size());
    if (report.duplicates != 0) continue;  // a change made two subscripts equal
    ++accepted;
    for (std::size_t p = 0; p < plain.values.size(); ++p) {
      for (std::size_t n = 0; n < 3; ++n) {
        ASSERT_EQ(tensor.subscripts()(p, n), plain.subscripts[3 * p + n]);
      }
      ASSERT_EQ(tensor.values()(p), plain.values[p]);
    }
  }
  EXPECT_GT(accepted, 300U);
  EXPECT_LT(accepted, 1700U);
}

}  // namespace
}  // namespace genten::test
