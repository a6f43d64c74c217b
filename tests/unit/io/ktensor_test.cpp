// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../../../src/io/file/file_content.hpp"
#include "io_support.hpp"

#include <genten/core/random.hpp>
#include <genten/io/binary.hpp>
#include <genten/io/ktensor.hpp>

#include <cmath>
#include <limits>

namespace genten::test {
namespace {

template <class Scalar>
Ktensor<Scalar, HostExec> sample_model(const std::vector<std::size_t>& dimensions,
                                       std::size_t rank) {
  Ktensor<Scalar, HostExec> model(dimensions, rank);
  for (std::size_t j = 0; j < rank; ++j) {
    model.weights()(j) = static_cast<Scalar>(std::exp(40 * random_uniform(1, j) - 20));
  }
  for (int n = 0; n < model.order(); ++n) {
    for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
      for (std::size_t j = 0; j < rank; ++j) {
        model.factor(n)(i, j) =
            static_cast<Scalar>(random_normal(2, static_cast<std::uint64_t>(n), i, j));
      }
    }
  }
  model.factor(0)(0, 0) = std::numeric_limits<Scalar>::denorm_min();
  model.weights()(0) = -std::numeric_limits<Scalar>::max();
  return model;
}

template <class A, class B>
void expect_same_model(const A& a, const B& b) {
  ASSERT_EQ(a.dimensions(), b.dimensions());
  ASSERT_EQ(a.rank(), b.rank());
  for (std::size_t j = 0; j < a.rank(); ++j) EXPECT_EQ(a.weights()(j), b.weights()(j));
  for (int n = 0; n < a.order(); ++n) {
    for (std::size_t i = 0; i < a.factor(n).rows(); ++i) {
      for (std::size_t j = 0; j < a.rank(); ++j) {
        ASSERT_EQ(a.factor(n)(i, j), b.factor(n)(i, j)) << n << ' ' << i << ' ' << j;
      }
    }
  }
}

template <class Scalar>
class ModelRoundTrip : public FileTest {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ModelRoundTrip, Scalars);

TYPED_TEST(ModelRoundTrip, KeepsEveryBit) {
  for (const auto format : {KtensorFormat::text, KtensorFormat::binary}) {
    for (const auto& dimensions :
         std::vector<std::vector<std::size_t>>{{7}, {5, 1}, {40, 3, 17}, {2, 3, 4, 5, 6}}) {
      for (const std::size_t rank : {1U, 3U, 20U}) {
        const auto model = sample_model<TypeParam>(dimensions, rank);
        write_ktensor(this->path(), model, format);
        expect_same_model(read_ktensor<TypeParam, HostExec>(this->path()), model);
      }
    }
  }
}

class ModelFile : public FileTest {
 protected:
  std::string refusal(const std::string& content) {
    return error_of([&] { (void)read_ktensor<double, HostExec>(file(content)); });
  }
};

const std::string small =
    "ktensor\n2\n2 3\n2\n1.5 2\nmatrix\n2\n2 2\n1 2\n3 4\nmatrix\n2\n3 2\n5 6\n7 8\n9 10\n";

Ktensor<double, HostExec> small_model() {
  Ktensor<double, HostExec> model(std::vector<std::size_t>{2, 3}, 2);
  model.weights()(0) = 1.5;
  model.weights()(1) = 2;
  double next = 1;
  for (int n = 0; n < 2; ++n) {
    for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
      for (std::size_t j = 0; j < 2; ++j) model.factor(n)(i, j) = next++;
    }
  }
  return model;
}

TEST_F(ModelFile, TheToolboxForm) {
  write_ktensor(path(), small_model());
  EXPECT_EQ(content_of(path()), small);
}

/// Two bytes a number and no line end: as many numbers as a file of its length can hold.
TEST_F(ModelFile, AsShortAsCanBe) {
  for (const std::size_t rows : {0U, 1U, 2U, 500U}) {
    for (const std::size_t rank : {1U, 3U, 200U}) {
      std::string row;
      for (std::size_t j = 0; j < rank; ++j)
        row += std::to_string(j % 7) + (j + 1 < rank ? " " : "\n");
      std::string text = "ktensor\n1\n" + std::to_string(rows) + "\n" + std::to_string(rank) +
                         "\n" + row + "matrix\n2\n" + std::to_string(rows) + " " +
                         std::to_string(rank) + "\n";
      for (std::size_t i = 0; i < rows; ++i) text += row;
      text.pop_back();
      const auto model = read_ktensor<double, HostExec>(file(text));
      ASSERT_EQ(model.factor(0).rows(), rows);
      for (std::size_t i = 0; i < rows; ++i) {
        EXPECT_EQ(model.factor(0)(i, rank - 1), static_cast<double>((rank - 1) % 7));
      }
    }
  }
}

TEST_F(ModelFile, AsTheToolboxesWriteIt) {
  const std::string toolbox =
      "ktensor\r\n2 \r\n2 3 \r\n2 \r\n1.5000000000000000e+00 2.0000000000000000e+00 \r\n"
      "matrix\r\n2 \r\n2 2 \r\n 1 2 \r\n 3 4 \r\n\r\nmatrix\r\n2 \r\n3 2 \r\n5 6\r\n7 8\r\n9 10";
  expect_same_model(read_ktensor<double, HostExec>(file(toolbox)), small_model());
  expect_same_model(read_ktensor<double, HostExec>(file("# a model\n" + small + "\n\n% end")),
                    small_model());
}

TEST_F(ModelFile, Compressed) {
  for (const auto compression : {Compression::gzip, Compression::zstd}) {
    expect_same_model(read_ktensor<double, HostExec>(file(detail::compress(small, compression))),
                      small_model());
  }
}

TEST_F(ModelFile, OtherScalarThanWritten) {
  write_ktensor(path(), small_model(), KtensorFormat::binary);
  expect_same_model(read_ktensor<float, HostExec>(path()), small_model());
  auto large = small_model();
  large.factor(1)(2, 1) = 1e300;
  write_ktensor(path(), large, KtensorFormat::binary);
  EXPECT_TRUE(contains(error_of([&] { (void)read_ktensor<float, HostExec>(path()); }),
                       "element (3, 2) of the factor of mode 2 is not finite"));
}

TEST_F(ModelFile, ColumnsThatWouldVanishInSinglePrecision) {
  for (const auto format : {KtensorFormat::text, KtensorFormat::binary}) {
    const auto in_float = [&](const auto& model) {
      write_ktensor(path(), model, format);
      expect_same_model(read_ktensor<double, HostExec>(path()), model);
      return read_ktensor<float, HostExec>(path());
    };
    auto light = small_model();
    light.weights()(1) = -1e-200;
    EXPECT_TRUE(contains(error_of([&] { (void)in_float(light); }),
                         "file: column 2 of the weights holds only numbers that are too small for "
                         "single precision"));
    auto thin = small_model();
    for (std::size_t i = 0; i < thin.factor(1).rows(); ++i) thin.factor(1)(i, 0) = 1e-60;
    EXPECT_TRUE(contains(error_of([&] { (void)in_float(thin); }),
                         "file: column 1 of the factor of mode 2 holds only"));
    thin.factor(1)(0, 0) = 1e-20;  // the others are nothing beside this one
    EXPECT_EQ(in_float(thin).factor(1)(1, 0), 0.0F);
    for (std::size_t i = 0; i < thin.factor(1).rows(); ++i) thin.factor(1)(i, 0) = 0.0;
    EXPECT_EQ(in_float(thin).factor(1)(1, 0), 0.0F);
  }
}

TEST_F(ModelFile, BinaryDamage) {
  write_ktensor(path("good"), small_model(), KtensorFormat::binary);
  const std::string content = content_of(path("good"));
  ASSERT_EQ(content.size(), 192U + 64U * 3U);
  for (std::size_t bytes = 8; bytes < content.size(); ++bytes) {
    EXPECT_TRUE(contains(refusal(content.substr(0, bytes)), "truncated")) << bytes;
  }
  for (const std::size_t at : {12U, 20U, 100U, 191U}) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 2);
    EXPECT_TRUE(contains(refusal(damaged), "damaged: the checksum of the header")) << at;
  }
  for (const std::size_t at : {192U, 260U, 320U, 367U}) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 2);
    EXPECT_TRUE(contains(refusal(damaged), "damaged: the checksum of the data")) << at;
  }
}

TEST_F(ModelFile, TensorsAreNoModels) {
  write_binary_sptensor(path("tensor"), tensor_of({1}, {0}, {1}));
  EXPECT_TRUE(
      contains(refusal(content_of(path("tensor"))), "expected a model, got a sparse tensor"));
  const std::string tensor = "expected a model, got a sparse tensor: ";
  EXPECT_TRUE(contains(refusal("sptensor\n1\n1\n1\n1 1\n"), "file:1: " + tensor + "'sptensor' "));
  EXPECT_TRUE(contains(refusal("# 2 x 2\n1 1 0.5\n"), "file:2: " + tensor + "'1' stands where"));
  EXPECT_TRUE(contains(refusal("%%MatrixMarket matrix\n2 2 1\n"), "file:2: " + tensor));
  EXPECT_TRUE(contains(refusal("1 1 -2e3\n"), "file:1: " + tensor));
  for (const char* other : {"0.5 0.25\n", "3\n", "1 1 a\n", "1 0.5 2\n", "-1 1 2\n", "0 0 1\n"}) {
    EXPECT_TRUE(contains(refusal(other), "file:1: expected the word ktensor alone in this line"))
        << other;
  }
  EXPECT_TRUE(contains(refusal("kruskal\n"),
                       "file:1: expected the word ktensor alone in this line, got 'kruskal'"));
}

TEST_F(ModelFile, MalformedText) {
  struct Row {
    std::string content;
    const char* message;
  };
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = small;
    return text.replace(text.find(from), from.size(), to);
  };
  const Row rows[] = {
      {"ktensor\n", ":1: truncated: the file ends where the order should follow"},
      {"ktensor\n0\n", ":2: expected an order from 1 to 16, got 0"},
      {"ktensor\n2 2\n", ":2: expected 1 field in this line, got 2 fields"},
      {"ktensor\ntwo\n", ":2: expected the order as a whole number, got 'two'"},
      {"ktensor\n2\n2 3 4\n", ":3: expected 2 dimensions in this line, got 3 fields"},
      {"ktensor\n2\n2 -3\n", ":3: expected a dimension as a whole number, got '-3'"},
      {"ktensor\n2\n2 3\n0\n", ":4: expected 1 component or more, got 0"},
      {"ktensor\n2\n2 3\n1000000\n", ":4: truncated: the file is too short"},
      {"ktensor\n2\n18446744073709551615 18446744073709551615\n4\n",
       ":4: truncated: the file is too short"},
      {with("1.5 2\n", "1.5\n"), ":5: expected 2 weights in this line, got 1 field"},
      {with("1.5 2\n", "1.5 x\n"), ":5: expected a number, got 'x'"},
      {with("matrix\n2\n2 2", "tensor\n2\n2 2"),
       ":6: expected the word matrix alone in this line, got 'tensor'"},
      {with("matrix\n2\n2 2", "matrix\n3\n2 2"), ":7: expected 2, the order of a matrix, got 3"},
      {with("2 2\n1 2", "3 2\n1 2"),
       ":8: expected 2 x 2 as the size of the factor of mode 1, got 3 x 2"},
      {with("2 2\n1 2", "2 3\n1 2"),
       ":8: expected 2 x 2 as the size of the factor of mode 1, got 2 x 3"},
      {with("3 4\n", "3\n"), ":10: expected 2 numbers in this line, got 1 field"},
      {with("3 4\n", "3 4 5\n"), ":10: expected 2 numbers in this line, got 3 fields"},
      {with("3 4\n", ""), ":10: expected 2 numbers in this line, got 1 field"},
      {with("7 8", "7 nan"), ":15: the number 'nan' is not finite in double precision"},
      {with("7 8", "7 1e400"), ":15: the number '1e400' is not finite in double precision"},
      {with("9 10\n", ""), ":15: truncated: the file ends where row 3 of the factor of mode 2"},
      {with("9 10\n", "9"), ":16: expected 2 numbers in this line, got 1 field"},
      {small + "11 12\n", ":17: expected the end of the file after the last factor, got '11'"},
  };
  for (const auto& [content, message] : rows) {
    SCOPED_TRACE(content);
    EXPECT_TRUE(contains(refusal(content), message));
  }
}

TEST_F(ModelFile, TruncatedText) {
  for (std::size_t bytes = 0; bytes + 2 < small.size(); ++bytes) {
    EXPECT_NE(refusal(small.substr(0, bytes)), "") << bytes;
  }
}

TEST_F(ModelFile, ModelsWithoutComponentsAreNotWritten) {
  EXPECT_TRUE(contains(
      error_of(
          [&] {
            write_ktensor(path(), Ktensor<double, HostExec>(std::vector<std::size_t>{2, 3}, 0));
          },
          Error::Kind::argument),
      "with 1 component or more"));
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace genten::test
