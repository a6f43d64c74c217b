// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/instruction_set.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/core/random.hpp>
#include <genten/mttkrp/kernels/sorted/model_loops.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_loops.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace {

using genten::detail::column_blocks;
using genten::detail::ColumnBlock;
using genten::detail::LoopVariant;
using genten::detail::RowFetch;
using genten::detail::sorted_loops;

/// Every test goes through all instruction sets that the processor has.
template <class Scalar>
class ChunkLoopTest : public testing::Test {
 protected:
  void TearDown() override { genten::use_instruction_set(m_before); }

  template <class Body>
  static void for_each_set(const Body& body) {
    for (const auto set : genten::instruction_sets()) {
      SCOPED_TRACE(set);
      genten::use_instruction_set(set);
      body();
    }
  }

  /// How many lines a block has, a shorter last one counted.
  static int lines_of(const ColumnBlock& block) { return block.vectors + (block.tail > 0 ? 1 : 0); }

  static bool has_every_loop(const ColumnBlock& block, LoopVariant way) {
    bool all = true;
    for (int factors = 0; factors < genten::max_order; ++factors) {
      for (const int key_words : {1, 2}) {
        for (const bool coded : {true, false}) {
          genten::RecordLayout layout;
          layout.key_words = key_words;
          layout.words = key_words + (coded ? 0 : 1);
          layout.coded = coded;
          for (const std::uint8_t zeros : {0, 7}) {
            layout.zeros = zeros;
            all = all && sorted_loops<Scalar>().chunk_loop(block, factors, layout, way) != nullptr;
          }
        }
      }
    }
    return all;
  }

 private:
  std::string m_before{genten::instruction_set()};
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(ChunkLoopTest, Scalars);

/// Blocks are cut as wide as loops can be, or narrower to be copied to where they are whole rows.
TYPED_TEST(ChunkLoopTest, BlocksOfEveryPaddedRowCoverItAndHaveTheirLoops) {
  for (std::size_t columns = 1; columns <= 300; ++columns) {
    const std::size_t stride = genten::padded_stride(columns, sizeof(TypeParam));
    this->for_each_set([&] {
      const auto& loops = sorted_loops<TypeParam>();
      for (const bool runs : {true, false}) {
        const int most = runs ? loops.lines_of_runs : loops.lines;
        for (int lines = 1; lines <= most; ++lines) {
          SCOPED_TRACE(std::to_string(columns) + " columns, blocks of " + std::to_string(lines));
          std::size_t covered = 0;
          for (const ColumnBlock& block : column_blocks<TypeParam>(stride, lines)) {
            EXPECT_EQ(block.begin, covered);
            EXPECT_LE(this->lines_of(block), lines);
            EXPECT_TRUE(this->has_every_loop(block, {true, runs}));
            if (lines == most && block.columns() < stride) {
              EXPECT_TRUE(this->has_every_loop(block, {false, runs}));
            }
            covered += block.columns();
          }
          EXPECT_EQ(covered, stride);
        }
      }
    });
  }
}

/// Nonzeros of random subscripts, and the rows of all modes. Their records have bits to spare, or
/// are those of modes so long that they have none.
template <class Scalar>
class RandomNonzeros {
 public:
  RandomNonzeros(std::size_t columns, bool coded, std::size_t order = 3, bool spare = true)
      : m_stride(genten::padded_stride(columns, sizeof(Scalar))), m_lengths{50, 60, 70,
                                                                            80, 90, 100} {
    m_lengths.resize(order);
    const std::vector<std::size_t> long_modes(order, std::size_t{1} << ((coded ? 62 : 64) / order));
    m_layout = *genten::RecordLayout::for_dimensions(spare ? m_lengths : long_modes,
                                                     coded ? std::optional<int>(2) : std::nullopt);
    for (std::size_t p = 0; p < m_nonzeros; ++p) {
      std::vector<std::uint64_t> record(static_cast<std::size_t>(m_layout.words), 0);
      for (std::size_t n = 0; n < order; ++n) {
        const genten::RecordField& field = m_layout.fields[static_cast<int>(n)];
        record[static_cast<std::size_t>(field.word)] |= field.put(subscript(n, p));
      }
      if (coded) {
        record[0] |= m_layout.code.put(p % 4);
      } else {
        record.back() = genten::word_of_value(m_values[p % 4]);
      }
      m_records.insert(m_records.end(), record.begin(), record.end());
    }
    for (std::size_t n = 0; n < order; ++n) {
      std::vector<Scalar>& rows = m_factors.emplace_back(m_lengths[n] * m_stride, Scalar(0));
      for (std::size_t i = 0; i < m_lengths[n]; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
          rows[i * m_stride + j] =
              static_cast<Scalar>(genten::random_uniform(2, n, i * columns + j));
        }
      }
    }
  }

  [[nodiscard]] int zeros() const { return m_layout.zeros; }

  /// All output rows of mode 1.
  [[nodiscard]] std::vector<Scalar> rows(bool runs, RowFetch fetch = RowFetch::none) const {
    auto input = this->input(1);
    input.fetch = fetch;
    std::vector<Scalar> result(m_lengths[0] * m_stride, Scalar(0));
    const auto& loops = sorted_loops<Scalar>();
    for (const ColumnBlock& block :
         column_blocks<Scalar>(m_stride, runs ? loops.lines_of_runs : loops.lines)) {
      const LoopVariant way{block.columns() == m_stride, runs};
      const auto loop = loops.chunk_loop(block, input.count, m_layout, way);
      loop(input, 0, static_cast<genten::offset_t>(m_nonzeros), block.begin, {result.data(), 0});
    }
    return result;
  }
  /// The same by a plain sum.
  [[nodiscard]] std::vector<double> plain_rows() const {
    std::vector<double> result(m_lengths[0] * m_stride, 0.0);
    for (std::size_t p = 0; p < m_nonzeros; ++p) {
      for (std::size_t j = 0; j < m_stride; ++j) {
        result[subscript(0, p) * m_stride + j] +=
            static_cast<double>(m_values[p % 4]) * product(p, j, 1);
      }
    }
    return result;
  }

  /// The values of the model at all nonzeros.
  [[nodiscard]] std::vector<double> models(bool fetch) const {
    const auto input = this->input(0);
    const auto loop = genten::detail::model_loops<Scalar>().loop(m_stride, input.count, m_layout);
    std::vector<double> result(m_nonzeros);
    loop(input, 0, static_cast<int>(m_nonzeros), static_cast<genten::offset_t>(m_nonzeros), fetch,
         result.data());
    return result;
  }
  /// The same by a plain sum.
  [[nodiscard]] std::vector<double> plain_models() const {
    std::vector<double> result(m_nonzeros, 0.0);
    for (std::size_t p = 0; p < m_nonzeros; ++p) {
      for (std::size_t j = 0; j < m_stride; ++j) result[p] += product(p, j, 0);
    }
    return result;
  }

 private:
  [[nodiscard]] std::uint64_t subscript(std::size_t mode, std::size_t p) const {
    return genten::random_bits(1, mode, p) % m_lengths[mode];
  }
  /// Of column j of the rows of nonzero p, of all modes from one on.
  [[nodiscard]] double product(std::size_t p, std::size_t j, std::size_t from) const {
    double product = 1.0;
    for (std::size_t n = from; n < m_lengths.size(); ++n) {
      product *= static_cast<double>(m_factors[n][subscript(n, p) * m_stride + j]);
    }
    return product;
  }
  [[nodiscard]] genten::detail::ContractionInput<Scalar> input(std::size_t first_gathered) const {
    genten::detail::ContractionInput<Scalar> input;
    input.records = m_records.data();
    input.dictionary = m_values.data();
    input.layout = m_layout;
    input.row = m_layout.fields[0];
    input.stride = m_stride;
    for (std::size_t n = first_gathered; n < m_lengths.size(); ++n) {
      input.factors[static_cast<std::size_t>(input.count++)] = {
          m_layout.fields[static_cast<int>(n)], m_factors[n].data()};
    }
    return input;
  }

  static constexpr std::size_t m_nonzeros = 1000;
  std::size_t m_stride;
  std::vector<std::size_t> m_lengths;
  genten::RecordLayout m_layout;
  std::array<Scalar, 4> m_values{1, 2, 3, 4};
  std::vector<std::uint64_t> m_records;
  std::vector<std::vector<Scalar>> m_factors;
};

/// Whole lines, parts of lines, cut rows; records of one word, and of as many as a layout says.
TYPED_TEST(ChunkLoopTest, LoopsOfAnyNumberOfFactorsAddWhatAPlainSumDoes) {
  constexpr std::size_t line = 64 / sizeof(TypeParam);
  constexpr double epsilon = std::numeric_limits<TypeParam>::epsilon();
  for (const std::size_t columns : {std::size_t{3}, line, 5 * line / 2, 25 * line / 2}) {
    for (const std::size_t order : {2, 3, 4, 5, 6}) {
      for (const bool coded : {true, false}) {
        const RandomNonzeros<TypeParam> nonzeros(columns, coded, order);
        const auto rows = nonzeros.plain_rows();
        const auto models = nonzeros.plain_models();
        this->for_each_set([&] {
          SCOPED_TRACE(std::to_string(columns) + " columns, order " + std::to_string(order) +
                       (coded ? ", coded" : ""));
          for (const bool runs : {true, false}) {
            const auto found = nonzeros.rows(runs, RowFetch::last);
            for (std::size_t k = 0; k < rows.size(); ++k) {
              ASSERT_NEAR(found[k], rows[k], 50 * epsilon * rows[k]);
            }
          }
          for (const bool fetch : {true, false}) {
            const auto found = nonzeros.models(fetch);
            for (std::size_t k = 0; k < models.size(); ++k) {
              ASSERT_NEAR(found[k], models[k], 50 * epsilon * models[k]);
            }
          }
        });
      }
    }
  }
}

/// Whether rows have whole lines, are cut, or end in a part of a line.
TYPED_TEST(ChunkLoopTest, RowsThatAreFetchedAheadAreTheSame) {
  constexpr std::size_t line = 64 / sizeof(TypeParam);
  for (const std::size_t columns :
       {std::size_t{3}, line, 2 * line, 5 * line / 4, 5 * line / 2, 5 * line, 25 * line / 2}) {
    for (const std::size_t order : {3, 5, 6}) {
      for (const bool coded : {true, false}) {
        SCOPED_TRACE(std::to_string(columns) + " columns, order " + std::to_string(order) +
                     (coded ? ", coded" : ""));
        const RandomNonzeros<TypeParam> nonzeros(columns, coded, order);
        this->for_each_set([&] {
          for (const bool runs : {true, false}) {
            const auto expected = nonzeros.rows(runs);
            EXPECT_GT(expected.front(), TypeParam(0));
            EXPECT_EQ(nonzeros.rows(runs, RowFetch::last), expected);
            EXPECT_EQ(nonzeros.rows(runs, RowFetch::non_temporal), expected);
          }
        });
      }
    }
  }
}

/// Zeros below subscripts spare the loops of rows of 2^k elements a multiplication.
TYPED_TEST(ChunkLoopTest, RowsAreTheSameWithAndWithoutZerosBelowSubscripts) {
  constexpr std::size_t line = 64 / sizeof(TypeParam);
  for (const std::size_t columns : {line / 2, line, 2 * line, 3 * line, 4 * line, 8 * line}) {
    for (const std::size_t order : {2, 3, 4, 5}) {
      for (const bool coded : {true, false}) {
        SCOPED_TRACE(std::to_string(columns) + " columns, order " + std::to_string(order) +
                     (coded ? ", coded" : ""));
        const RandomNonzeros<TypeParam> with(columns, coded, order);
        const RandomNonzeros<TypeParam> without(columns, coded, order, false);
        ASSERT_GE(with.zeros(), 4);
        ASSERT_EQ(without.zeros(), 0);
        this->for_each_set([&] {
          for (const bool runs : {true, false}) {
            for (const auto fetch : {RowFetch::none, RowFetch::last, RowFetch::non_temporal}) {
              EXPECT_EQ(with.rows(runs, fetch), without.rows(runs, fetch));
            }
          }
        });
      }
    }
  }
}

/// Sets with fused multiply-add round alike, whatever the width of their registers.
TYPED_TEST(ChunkLoopTest, SetsDifferByRoundingAlone) {
  for (const std::size_t columns : {3, 16, 20, 40, 100}) {
    const RandomNonzeros<TypeParam> nonzeros(columns, true);
    for (const bool runs : {true, false}) {
      std::vector<TypeParam> first, fused;
      this->for_each_set([&] {
        const auto rows = nonzeros.rows(runs);
        if (first.empty()) first = rows;
        ASSERT_EQ(rows.size(), first.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
          EXPECT_NEAR(rows[i], first[i],
                      100 * std::numeric_limits<TypeParam>::epsilon() * std::abs(first[i]));
        }
        if (!genten::instruction_set().starts_with("v3")) return;
        if (fused.empty()) fused = rows;
        EXPECT_EQ(rows, fused);
      });
    }
  }
}

}  // namespace
