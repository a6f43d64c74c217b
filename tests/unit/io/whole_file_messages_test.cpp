// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What is said of files that are wrong as a whole, word for word: no line is named.
#include "io_support.hpp"

#include <genten/io/atomic_file.hpp>
#include <genten/io/binary.hpp>
#include <genten/io/ktensor.hpp>

#include "../../../src/io/file/file_content.hpp"

namespace genten::test {
namespace {

class WholeFileMessages : public FileTest {
 protected:
  /// What is said of the file of that name, behind its name.
  template <class Body>
  std::string said(const Body& body, const std::string& name = "file") {
    const std::string message = error_of(body);
    const std::string start = path(name) + ": ";
    EXPECT_EQ(message.substr(0, start.size()), start);
    return message.substr(std::min(start.size(), message.size()));
  }
  std::string said_of(const std::string& content, const ReadOptions& options = {}) {
    file(content);
    return said([&] { (void)read(path(), options); });
  }
  std::string said_of_binary(const std::string& content) {
    file(content);
    return said([&] { (void)read_binary_sptensor<double, std::uint32_t, HostExec>(path()); });
  }
  std::string binary_file() {
    write_binary_sptensor(path(), tensor_of({2, 3}, {0, 0, 1, 2}, {1, 2}));
    return content_of(path());
  }
};

TEST_F(WholeFileMessages, OfWhatCannotBeOpened) {
  EXPECT_EQ(said([&] { (void)read(path("absent")); }, "absent"),
            "cannot be opened: No such file or directory");
  std::filesystem::create_directory(path("folder"));
  EXPECT_EQ(said([&] { (void)read(path("folder")); }, "folder"),
            "expected a file, got a directory");
  EXPECT_EQ(said([&] { write_file(path("folder"), "x"); }, "folder"),
            "cannot be written: it is a directory");
  EXPECT_EQ(said([&] { write_file(path("absent/file"), "x"); }, "absent/file"),
            "cannot be written: No such file or directory");
}

TEST_F(WholeFileMessages, OfCompressedFiles) {
  for (const auto form : {Compression::gzip, Compression::zstd}) {
    const std::string good = detail::compress("1 1 1\n", form);
    EXPECT_EQ(said_of(detail::compress("", form)), "the compressed file holds nothing");
    EXPECT_EQ(said_of(good.substr(0, good.size() - 1)),
              "truncated: the compressed data end too early");
  }
  const std::string gzip = detail::compress("1 1 1\n", Compression::gzip);
  EXPECT_EQ(said_of(gzip + "x"), "damaged compressed data: something else follows the gzip data");
  EXPECT_EQ(said_of(gzip + "\x1f"), "truncated: the compressed data end too early");
}

TEST_F(WholeFileMessages, OfTexts) {
  EXPECT_EQ(said_of(""), "the file is empty");
  EXPECT_EQ(said_of("# x\n\n"),
            "the file holds no entries: it is empty, or all comments and blanks");
  EXPECT_EQ(said_of("1 1 1 1\n", {.dimensions = {3, 3}}),
            "the options give 2 dimensions, the file is of order 3");
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  EXPECT_EQ(said_of(symmetric + "2 2 1\n1 1 1\n", {.dimensions = {3, 4}}),
            "the options give different dimensions for a symmetric matrix");
  EXPECT_EQ(said_of(symmetric + "2 2 1\n1 2 1\n"),
            "expected entries below the diagonal or on it, since the file says that the matrix is "
            "symmetric, got (1, 2)");
}

TEST_F(WholeFileMessages, OfTheBinaryForm) {
  const std::string good = binary_file();
  EXPECT_EQ(said_of_binary("1 1 1\n"),
            "expected a file of Genten's binary form, got other first bytes");
  EXPECT_EQ(said_of_binary(good.substr(0, 191)),
            "truncated: the header of the binary form takes 192 bytes, the file has 191");
  EXPECT_EQ(said_of_binary(good.substr(0, 192)), "truncated: expected 320 bytes, got 192");
  EXPECT_EQ(said_of_binary(good + "x"), "expected 320 bytes, got 321");
  std::string damaged = good;
  damaged[192] = 'x';
  EXPECT_EQ(said_of_binary(damaged), "damaged: the checksum of the data is wrong");
  file(good);
  EXPECT_EQ(said([&] { (void)read_sptensor<double, std::uint32_t, HostExec>(path()); }),
            "expected a text tensor, got one of Genten's binary form");
  EXPECT_EQ(said([&] { (void)read(path(), {.dimensions = {3}}); }),
            "the options give 1 dimension, the file is of order 2");
  EXPECT_EQ(said([&] { (void)read_ktensor<double, HostExec>(path()); }),
            "expected a model, got a sparse tensor");
  write_binary_sptensor(
      path(), Sptensor<double, std::uint64_t, HostExec>::from_host(
                  {std::size_t{1} << 33}, std::vector<std::uint64_t>{1}, std::vector<double>{1.0}));
  EXPECT_EQ(said([&] { (void)read_binary_sptensor<double, std::uint32_t, HostExec>(path()); }),
            "dimension 8589934592 is too large for 32-bit ordinals: use 64-bit ones");
}

TEST_F(WholeFileMessages, OfModels) {
  Ktensor<double, HostExec> model(std::vector<std::size_t>{2, 3}, 2);
  model.factor(1)(2, 0) = 1e300;
  write_ktensor(path(), model, KtensorFormat::binary);
  EXPECT_EQ(said([&] { (void)read_ktensor<float, HostExec>(path()); }),
            "element (3, 1) of the factor of mode 2 is not finite");
  EXPECT_EQ(said([&] { (void)read(path()); }), "expected a sparse tensor, got a model");
  model.weights()(1) = -1e300;
  write_ktensor(path(), model, KtensorFormat::binary);
  EXPECT_EQ(said([&] { (void)read_ktensor<float, HostExec>(path()); }),
            "element (1, 2) of the weights is not finite");
  EXPECT_EQ(error_of(
                [&] {
                  write_ktensor(path(), Ktensor<double, HostExec>(std::vector<std::size_t>{2}, 0),
                                KtensorFormat::text);
                },
                Error::Kind::argument),
            path() +
                ": expected a model of order 1 to 16 with 1 component or more, got order 1 and 0 "
                "components");
}

}  // namespace
}  // namespace genten::test
