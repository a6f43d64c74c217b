// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Damaged models: both forms are accepted and refused, with the same numbers or the same wrong
// line, as by the plain readers of the fuzz targets.
#include "../../fuzz/plain_binary.hpp"
#include "../../fuzz/plain_model.hpp"
#include "io_support.hpp"
#include "random_edits.hpp"

#include <genten/core/random.hpp>
#include <genten/io/ktensor.hpp>

namespace genten::test {
namespace {

using Model = Ktensor<double, HostExec>;

Model sample_model() {
  Model model(std::vector<std::size_t>{3, 2, 4}, 3);
  for (std::uint64_t j = 0; j < 3; ++j) {
    model.weights()(j) = random_uniform(1, j) * 100;
    for (int n = 0; n < 3; ++n) {
      for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
        model.factor(n)(i, j) = random_normal(2, static_cast<std::uint64_t>(n), i, j);
      }
    }
  }
  return model;
}

void expect_numbers(const Model& model, const std::vector<std::uint64_t>& dimensions,
                    const std::vector<std::vector<double>>& numbers) {
  ASSERT_EQ(static_cast<std::size_t>(model.order()), dimensions.size());
  ASSERT_EQ(model.rank(), numbers[0].size());
  for (std::size_t j = 0; j < model.rank(); ++j) {
    ASSERT_EQ(model.weights()(j), numbers[0][j]);
    for (int n = 0; n < model.order(); ++n) {
      const auto& elements = numbers[static_cast<std::size_t>(n) + 1];
      ASSERT_EQ(model.factor(n).rows(), dimensions[static_cast<std::size_t>(n)]);
      for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
        ASSERT_EQ(model.factor(n)(i, j), elements[i * model.rank() + j]);
      }
    }
  }
}

class ModelMutation : public FileTest {
 protected:
  std::string written(KtensorFormat format) {
    write_ktensor(path("good"), sample_model(), format);
    return content_of(path("good"));
  }
};

TEST_F(ModelMutation, TextAgreesWithAPlainReader) {
  const std::string good = written(KtensorFormat::text);
  std::size_t accepted = 0;
  for (std::uint64_t round = 0; round < 2000; ++round) {
    const std::string text = edited(good, 0, "0123456789 \t\n\r.-+eE#%/xn,mk", round);
    SCOPED_TRACE(text);
    std::optional<fuzz::Refusal> refusal;
    fuzz::PlainModel<double> plain;
    try {
      plain = fuzz::PlainModelReader<double>(text).read();
    } catch (const fuzz::Refusal& caught) {
      refusal = caught;
    }
    const std::string name = file(text);
    if (refusal) {
      const std::string message = error_of([&] { (void)read_ktensor<double, HostExec>(name); });
      ASSERT_TRUE(contains(message, "file:" + std::to_string(refusal->line) + ": "));
      continue;
    }
    ++accepted;
    expect_numbers(read_ktensor<double, HostExec>(name), plain.dimensions, plain.numbers);
  }
  EXPECT_GT(accepted, 300U);
  EXPECT_LT(accepted, 1700U);
}

/// One field of the header after the other gets another value, with the checksums put right.
TEST_F(ModelMutation, BinaryAgreesWithAPlainReader) {
  const std::string good = written(KtensorFormat::binary);
  EXPECT_EQ(good, fuzz::encode_plainly(fuzz::decode_plainly(good, 2)));
  constexpr std::uint64_t values[] = {0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 255, 0xffffffffU, ~0ULL};
  std::size_t accepted = 0;
  for (std::size_t at = 8; at + 8 <= fuzz::plain_header_bytes + 64; at += 4) {
    for (const std::uint64_t value : values) {
      for (const bool wide : {false, true}) {
        std::string content = good;
        std::memcpy(content.data() + at, &value, wide ? 8 : 4);
        content = fuzz::repaired(content);
        SCOPED_TRACE("byte " + std::to_string(at) + ", value " + std::to_string(value));
        std::optional<fuzz::PlainBinary> plain;
        try {
          plain = fuzz::decode_plainly(content, 2);
        } catch (const fuzz::Refusal&) {
          EXPECT_NE(error_of([&] { (void)read_ktensor<double, HostExec>(file(content)); }), "");
          continue;
        }
        ++accepted;
        expect_numbers(read_ktensor<double, HostExec>(file(content)), plain->dimensions,
                       plain->numbers);
      }
    }
  }
  EXPECT_GT(accepted, 100U);
}

/// Its factors would take no bytes, so that nothing bounds their lengths.
TEST_F(ModelMutation, WithoutComponents) {
  fuzz::PlainBinary content;
  content.kind = 2;
  content.dimensions = {std::uint64_t{1} << 60, 2};
  content.numbers.resize(3);
  EXPECT_TRUE(contains(
      error_of([&] { (void)read_ktensor<double, HostExec>(file(fuzz::encode_plainly(content))); }),
      "expected 1 component or more, got 0"));
}

}  // namespace
}  // namespace genten::test
