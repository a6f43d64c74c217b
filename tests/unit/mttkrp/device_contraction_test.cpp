// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/kernels/sorted/contraction.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

// What devices run, run by hosts: their functors are the same.
namespace {

using genten::HostExec;
using genten::offset_t;
using genten::detail::CarryPlan;

/// Nonzeros of a matrix in the order of rows, each with one gathered row.
struct Nonzeros {
  std::vector<offset_t> rows;
  std::vector<std::size_t> columns;
  std::vector<double> values;
};

/// `counts` nonzeros of each row.
Nonzeros nonzeros_of(const std::vector<offset_t>& counts, std::size_t columns) {
  std::mt19937_64 random(7);
  Nonzeros nonzeros;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (offset_t k = 0; k < counts[i]; ++k) {
      nonzeros.rows.push_back(static_cast<offset_t>(i));
      nonzeros.columns.push_back(random() % columns);
      nonzeros.values.push_back(static_cast<double>(random() % 1000) / 64.0 - 7.0);
    }
  }
  return nonzeros;
}

genten::SortedCopy<double, HostExec> copy_of(const Nonzeros& nonzeros, std::size_t rows,
                                             std::size_t columns) {
  genten::SortedCopy<double, HostExec> copy;
  copy.order = genten::NonzeroOrder::by_row(0);
  copy.dimensions = {rows, columns};
  copy.layout = *genten::RecordLayout::for_dimensions(copy.dimensions, std::nullopt);
  copy.rows = static_cast<offset_t>(rows);
  const std::size_t words = static_cast<std::size_t>(copy.layout.words);
  copy.records = decltype(copy.records)("records", nonzeros.rows.size() * words);
  for (std::size_t q = 0; q < nonzeros.rows.size(); ++q) {
    std::uint64_t* const record = copy.records.data() + q * words;
    const auto& fields = copy.layout.fields;
    record[fields[0].word] |= fields[0].put(static_cast<std::uint64_t>(nonzeros.rows[q]));
    record[fields[1].word] |= fields[1].put(nonzeros.columns[q]);
    record[words - 1] = genten::word_of_value(nonzeros.values[q]);
  }
  return copy;
}

/// Runs the contraction in pieces of so many nonzeros, early rows first, and compares.
void check(const std::vector<offset_t>& counts, offset_t piece, offset_t early,
           std::size_t stride = 4) {
  SCOPED_TRACE("pieces of " + std::to_string(piece) + ", early from " + std::to_string(early));
  constexpr std::size_t columns = 23;
  const HostExec exec;
  const Nonzeros nonzeros = nonzeros_of(counts, columns);
  const auto copy = copy_of(nonzeros, counts.size(), columns);
  std::vector<double> factor(columns * stride), expected(counts.size() * stride, 0.0);
  for (std::size_t i = 0; i < factor.size(); ++i) factor[i] = static_cast<double>(i % 17) - 8.0;
  for (std::size_t q = 0; q < nonzeros.rows.size(); ++q) {
    for (std::size_t j = 0; j < stride; ++j) {
      expected[static_cast<std::size_t>(nonzeros.rows[q]) * stride + j] +=
          nonzeros.values[q] * factor[nonzeros.columns[q] * stride + j];
    }
  }
  genten::detail::ContractionInput<double> input;
  input.records = copy.records.data();
  input.layout = copy.layout;
  input.row = copy.layout.fields[0];
  input.stride = stride;
  input.count = 1;
  input.factors[0] = {copy.layout.fields[1], factor.data()};
  genten::detail::DeviceCarries<double, HostExec> carries;
  carries.plan = genten::detail::CarryPlanner<HostExec>(exec).plan(copy, input.row, piece, early);
  const auto entries = CarryPlan<HostExec>::most_entries(carries.plan.pieces);
  carries.sums = decltype(carries.sums)("sums", static_cast<std::size_t>(entries) * stride);
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> output(expected.size(), nothing);
  int calls = 0;
  const auto check_rows = [&](offset_t begin) {
    for (std::size_t i = static_cast<std::size_t>(begin) * stride; i < output.size(); ++i) {
      ASSERT_EQ(output[i], expected[i]) << "row " << i / stride;  // all sums are exact
    }
  };
  genten::detail::contract_on_device(exec, copy, input, carries, {.block = stride}, stride,
                                     output.data(), [&] {
                                       ++calls;
                                       check_rows(early);
                                     });
  EXPECT_EQ(calls, 1);
  check_rows(0);
}

void check_all(const std::vector<offset_t>& counts) {
  const auto rows = static_cast<offset_t>(counts.size());
  for (const offset_t piece : {1, 2, 3, 16, 64, 100'000}) {
    for (const offset_t early : {offset_t{0}, offset_t{1}, rows / 2, rows - 1, rows}) {
      check(counts, piece, early);
    }
  }
}

TEST(DeviceContraction, sums_rows_of_any_lengths) {
  check_all({1});
  check_all({5, 0, 0, 3, 1, 1, 1, 40, 2});
  check_all({0, 0, 7, 0});
  check_all(std::vector<offset_t>(200, 1));
  check_all(std::vector<offset_t>(50, 37));
}

// Rows that leave more than a segment's entries to two levels and more.
TEST(DeviceContraction, sums_long_rows_level_by_level) {
  check_all({9000, 1, 20'000, 129, 64, 65});
  check_all({1, 1, 70'000});
  check({300'000}, 1, 0);
}

TEST(DeviceContraction, takes_one_column) {
  check({500, 3, 900}, 16, 1, 1);
}

}  // namespace
