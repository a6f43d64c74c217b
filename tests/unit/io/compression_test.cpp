// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../../../src/io/file/file_content.hpp"
#include "io_support.hpp"

#include <genten/io/ktensor.hpp>

#include <sys/stat.h>
#include <cmath>
#include <thread>

namespace genten::test {
namespace {

class Compressed : public FileTest, public ::testing::WithParamInterface<Compression> {
 protected:
  static std::string packed(std::string_view bytes) { return detail::compress(bytes, GetParam()); }
};

Tensor expected() {
  return tensor_of({2, 3}, {0, 0, 1, 2, 1, 1}, {1, 2, 3});
}

TEST_P(Compressed, IsToldByContent) {
  for (const char* name : {"tensor.tns", "tensor.tns.gz", "tensor.tns.zst", "tensor"}) {
    const auto [tensor, report] = read(file(packed("1 1 1\n2 3 2\n2 2 3\n"), name));
    expect_same(tensor, expected());
    EXPECT_EQ(report.compression, GetParam());
    EXPECT_EQ(report.content_bytes, 18U);
    EXPECT_EQ(report.file_bytes, std::filesystem::file_size(path(name)));
  }
}

TEST_P(Compressed, InSeveralParts) {
  // Members and frames that end inside lines, and empty ones.
  expect_same(
      read(file(packed("1 1 1\n2 3") + packed("") + packed(" 2\n2 ") + packed("2 3"))).tensor,
      expected());
}

TEST_P(Compressed, TruncatedAnywhere) {
  std::string text;
  for (int i = 1; i < 3000; ++i)
    text += std::to_string(i) + " " + std::to_string(i * i % 1000 + 1) + " 1.5\n";
  const std::string whole = packed(text) + packed("1 1 1.5\n");
  const std::size_t first = packed(text).size();
  for (std::size_t bytes = 4; bytes < whole.size(); bytes += bytes < first - 40 ? 97 : 1) {
    if (bytes == first) continue;  // a whole file
    const std::string message = error_of([&] { (void)read(file(whole.substr(0, bytes))); });
    EXPECT_TRUE(contains(message, "truncated: the compressed data end too early")) << bytes;
  }
}

TEST_P(Compressed, FollowedBySomethingElse) {
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(packed("1 1 1\n") + "2 2 2\n")); }),
                       "damaged compressed data"));
}

TEST_P(Compressed, ErrorsNameLinesOfTheText) {
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(packed("1 1 1\n2 x 2\n"))); }), "file:2: "));
}

TEST_P(Compressed, HoldingNothing) {
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(packed(""))); }),
                       "the compressed file holds nothing"));
}

TEST_P(Compressed, LargerThanFirstGuesses) {
  std::string text;
  for (int i = 1; i <= 400000; ++i) text += std::to_string(i) + " 7 1\n";  // shrinks well
  const auto [tensor, report] = read(file(packed(text)));
  EXPECT_EQ(tensor.nnz(), 400000);
  EXPECT_EQ(report.content_bytes, text.size());
}

TEST_P(Compressed, MemoryIsLimited) {
  const std::string text(std::size_t{8} << 20, ' ');
  ReadOptions options;
  options.memory_limit = std::size_t{4} << 20;
  EXPECT_TRUE(contains(
      error_of([&] { (void)read(file(packed(text + "1 1 1\n")), options); }, Error::Kind::memory),
      "its content needs"));
}

/// Whatever byte is damaged: an error or the same numbers.
TEST_P(Compressed, NoDamageGivesOtherNumbers) {
  WriteOptions options;
  options.compression = GetParam();
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
  for (std::uint32_t i = 0; i < 40; ++i) {
    subscripts.insert(subscripts.end(), {i, i * i % 31, i % 3});
    values.push_back(1.0 / (1 + i));
  }
  const Tensor tensor = tensor_of({40, 31, 3}, subscripts, values);
  write_sptensor(path("tensor"), tensor, options);
  const std::string whole = content_of(path("tensor"));
  ASSERT_GT(whole.size(), 300U);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x20U, 0xffU}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
      SCOPED_TRACE(std::to_string(at) + " " + std::to_string(flip));
      try {
        expect_same(read(file(damaged)).tensor, tensor);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::file) << error.what();
      }
    }
  }
}

TEST_P(Compressed, NoDamageGivesAnotherModel) {
  Ktensor<double, HostExec> model(std::vector<std::size_t>{9, 8}, 2);
  for (std::size_t i = 0; i < 9; ++i) model.factor(0).row(i)[i % 2] = 1.0 / (3.0 + i);
  for (std::size_t i = 0; i < 8; ++i) model.factor(1).row(i)[i % 2] = std::sqrt(2.0 + i);
  model.weights()(0) = 5.0;
  model.weights()(1) = 1.0 / 7.0;
  write_ktensor(path("model"), model, KtensorFormat::text, GetParam());
  const std::string whole = content_of(path("model"));
  expect_equal_models(read_ktensor<double, HostExec>(path("model")), model);
  EXPECT_EQ(detail::compression_of(whole), GetParam());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x08U, 0xffU}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
      try {
        expect_equal_models(read_ktensor<double, HostExec>(file(damaged)), model);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::file) << error.what();
      }
    }
  }
  EXPECT_TRUE(
      contains(error_of([&] { write_ktensor(path("b"), model, KtensorFormat::binary, GetParam()); },
                        Error::Kind::argument),
               "the binary form is not compressed"));
}

INSTANTIATE_TEST_SUITE_P(Forms, Compressed, ::testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto& form) { return std::string(to_string(form.param)); });

class FileContent : public FileTest {};

TEST_F(FileContent, GzipMayBePaddedWithZeros) {
  const std::string content =
      detail::compress("1 1 1\n", Compression::gzip) + std::string(512, '\0');
  EXPECT_EQ(read(file(content)).tensor.nnz(), 1);
}

TEST_F(FileContent, DamageInsideIsFound) {
  std::string text;
  for (int i = 1; i < 500; ++i)
    text += std::to_string(i) + " " + std::to_string(i * i % 1000 + 1) + " 1.5\n";
  std::string content = detail::compress(text, Compression::gzip);
  content[content.size() - 6] = static_cast<char>(content[content.size() - 6] ^ 1);  // of the CRC
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(content)); }), "damaged compressed data"));
}

TEST_F(FileContent, PipesAreReadToTheirEnd) {
  std::string text;
  for (int i = 1; i <= 50000; ++i) text += std::to_string(i) + " 7 1\n";
  for (const auto compression : {Compression::none, Compression::gzip, Compression::zstd}) {
    const std::string pipe = path("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(pipe) << detail::compress(text, compression); });
    const auto [tensor, report] = read(pipe);
    writer.join();
    EXPECT_EQ(tensor.nnz(), 50000);
    EXPECT_EQ(report.compression, compression);
    std::filesystem::remove(pipe);
  }
}

}  // namespace
}  // namespace genten::test
