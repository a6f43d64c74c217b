// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../../../src/io/binary/binary_form.hpp"
#include "io_support.hpp"

#include <genten/core/random.hpp>
#include <genten/io/binary.hpp>
#include <genten/io/ktensor.hpp>

#include <cstring>

namespace genten::test {
namespace {

template <class Scalar, class Ordinal>
Sptensor<Scalar, Ordinal, HostExec> sample(std::size_t count) {
  std::vector<Ordinal> subscripts;
  std::vector<Scalar> values;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint64_t n = 0; n < 3; ++n) {
      subscripts.push_back(static_cast<Ordinal>(random_bits(1, i, n) % 1000));
    }
    values.push_back(static_cast<Scalar>(random_uniform(2, i)));
  }
  return Sptensor<Scalar, Ordinal, HostExec>::from_host({1000, 1001, 1002}, subscripts, values);
}

class Binary : public FileTest {
 protected:
  template <class Scalar, class Ordinal>
  auto read_as(const std::string& name) {
    return read_binary_sptensor<Scalar, Ordinal, HostExec>(name);
  }
  std::string refusal(const std::string& content) {
    return error_of([&] { (void)read_as<double, std::uint32_t>(file(content)); });
  }
  /// A small tensor's file.
  std::string good() {
    write_binary_sptensor(path("good"), sample<double, std::uint32_t>(5));
    return content_of(path("good"));
  }
};

TEST_F(Binary, RoundTripsAndConversions) {
  // 300000 entries are several blocks of the checksum.
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{300000}}) {
    const auto narrow = sample<float, std::uint32_t>(count);
    write_binary_sptensor(path(), narrow);
    expect_same(read_as<float, std::uint32_t>(path()).tensor, narrow);
    expect_same(read_as<double, std::uint64_t>(path()).tensor, narrow);
    const auto wide = sample<double, std::uint64_t>(count);
    write_binary_sptensor(path(), wide);
    expect_same(read_as<double, std::uint64_t>(path()).tensor, wide);
    expect_same(read_as<double, std::uint32_t>(path()).tensor, wide);
    expect_same(read_as<float, std::uint32_t>(path()).tensor, narrow);
  }
}

TEST_F(Binary, ReportAndAutomaticForm) {
  write_binary_sptensor(path(), sample<double, std::uint64_t>(10));
  const auto [tensor, report] = read_tensor<double, HostExec>(path());
  EXPECT_EQ(tensor.index(), 0U);  // small dimensions: 32 bits
  EXPECT_EQ(report.format, FileFormat::binary);
  EXPECT_EQ(report.entries, 10U);
  EXPECT_EQ(report.file_bytes, std::filesystem::file_size(path()));

  const auto large = Sptensor<double, std::uint64_t, HostExec>::from_host(
      {std::size_t{1} << 33}, std::vector<std::uint64_t>{std::uint64_t{1} << 32},
      std::vector<double>{1.0});
  write_binary_sptensor(path(), large);
  EXPECT_EQ((read_tensor<double, HostExec>(path()).tensor.index()), 1U);
  EXPECT_TRUE(contains(error_of([&] { (void)read_as<double, std::uint32_t>(path()); }),
                       "dimension 8589934592 is too large for 32-bit ordinals"));
}

TEST_F(Binary, TheLongestModeOf32BitOrdinals) {
  for (const std::size_t length : {std::size_t{4294967295}, std::size_t{4294967296}}) {
    write_binary_sptensor(path(), Sptensor<double, std::uint64_t, HostExec>::from_host(
                                      {length, 2}, std::vector<std::uint64_t>{length - 1, 1},
                                      std::vector<double>{1.0}));
    const bool narrow = length == 4294967295;
    EXPECT_EQ((read_tensor<double, HostExec>(path()).tensor.index()), narrow ? 0U : 1U);
    if (narrow) {
      EXPECT_EQ((read_as<double, std::uint32_t>(path()).tensor.subscripts()(0, 0)), length - 1);
    } else {
      EXPECT_NE(error_of([&] { (void)read_as<double, std::uint32_t>(path()); }), "");
    }
  }
}

TEST_F(Binary, SectionsAreAligned) {
  EXPECT_EQ(good().size(), 192U + 64U + 64U);  // header, 60 bytes of subscripts, 40 of values
}

TEST_F(Binary, Compressed) {
  const std::string content = good();
  for (const auto compression : {Compression::gzip, Compression::zstd}) {
    const auto [tensor, report] =
        read_as<double, std::uint32_t>(file(detail::compress(content, compression)));
    expect_same(tensor, (sample<double, std::uint32_t>(5)));
    EXPECT_EQ(report.compression, compression);
  }
}

TEST_F(Binary, GivenDimensions) {
  write_binary_sptensor(path(), sample<double, std::uint32_t>(5));
  ReadOptions options;
  options.dimensions = {2000, 2000, 2000};
  EXPECT_EQ(read(path(), options).tensor.dimensions(), options.dimensions);
  options.dimensions = {2000, 2000};
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), options); }), "of order 3"));
  options.dimensions = {2000, 2000, 1};
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), options); }),
                       "file: Sptensor: nonzero 0: expected a subscript below 1 in mode 3"));
}

TEST_F(Binary, EveryByteOfTheHeaderCounts) {
  const std::string content = good();
  for (std::size_t at = 0; at < sizeof(detail::BinaryHeader); ++at) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      std::string damaged = content;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
      const std::string message = refusal(damaged);
      const char* part = at < 8 ? "expected a file of Genten's binary form, got other first bytes"
                         : at < 12 ? "damaged: the endianness mark is wrong"
                                   : "damaged: the checksum of the header is wrong";
      EXPECT_TRUE(contains(message, part)) << "byte " << at;
    }
  }
}

TEST_F(Binary, EveryByteOfTheDataCounts) {
  const std::string content = good();
  for (std::size_t at = 192; at < content.size(); ++at) {
    const bool padding = (at >= 192 + 60 && at < 256) || at >= 256 + 40;
    if (padding) continue;
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_TRUE(contains(refusal(damaged), "damaged: the checksum of the data is wrong")) << at;
  }
}

/// Models lie in the same form; the padding between their sections may be anything.
TEST_F(Binary, NoDamageGivesAnotherModel) {
  Ktensor<double, HostExec> model(std::vector<std::size_t>{3, 2}, 2);
  for (std::size_t i = 0; i < 3; ++i) model.factor(0).row(i)[i % 2] = 1.0 / (3.0 + i);
  model.factor(1).row(1)[1] = 2.0;
  model.weights()(0) = 5.0;
  write_ktensor(path("model"), model, KtensorFormat::binary);
  const std::string whole = content_of(path("model"));
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x10U, 0xffU}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
      try {
        expect_equal_models(read_ktensor<double, HostExec>(file(damaged)), model);
        ++accepted;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::file) << error.what();
      }
    }
  }
  const std::size_t padding = (64 - 16) + (64 - 48) + (64 - 32);
  EXPECT_EQ(accepted, 3 * padding);
}

TEST_F(Binary, TruncatedAnywhere) {
  const std::string content = good();
  EXPECT_TRUE(contains(refusal(""), "the file is empty"));
  for (std::size_t bytes = 1; bytes < content.size(); ++bytes) {
    const std::string message = refusal(content.substr(0, bytes));
    EXPECT_TRUE(contains(message, bytes < 8 ? "got other first bytes" : "truncated")) << bytes;
  }
  EXPECT_TRUE(contains(refusal(content + "x"), "expected 320 bytes, got 321"));
}

TEST_F(Binary, DamageInManyBlocks) {
  write_binary_sptensor(path(), sample<double, std::uint32_t>(300000));
  const std::string content = content_of(path());
  for (std::size_t at = 192; at < content.size() - 64; at += content.size() / 23) {
    std::string damaged = content;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_TRUE(contains(refusal(damaged), "damaged: the checksum of the data is wrong")) << at;
  }
}

TEST_F(Binary, OtherByteOrder) {
  std::string content = good();
  std::swap(content[8], content[11]);
  std::swap(content[9], content[10]);
  EXPECT_TRUE(contains(refusal(content), "written on a machine of the other byte order"));
}

/// Headers with a right checksum that cannot be read all the same.
TEST_F(Binary, ForeignHeaders) {
  const std::vector<std::uint32_t> subscripts = {0, 0, 0};
  const std::vector<double> values = {1.0};
  const std::array sections = {detail::bytes_of(subscripts.data(), 3),
                               detail::bytes_of(values.data(), 1)};
  const auto refused = [&](auto change) {
    detail::BinaryHeader header;
    header.kind = 1;
    header.order = 3;
    header.scalar_bytes = 8;
    header.ordinal_bytes = 4;
    header.count = 1;
    header.dimensions = {1, 1, 1};
    change(header);
    detail::write_binary_form(HostExec(), path("foreign"), header, sections);
    return error_of([&] { (void)read_as<double, std::uint32_t>(path("foreign")); });
  };
  EXPECT_TRUE(contains(refused([](auto& h) { h.version = 2; }),
                       "expected version 1 of the binary form, got version 2"));
  EXPECT_TRUE(contains(refused([](auto& h) { h.kind = 7; }), "content of unknown kind 7"));
  EXPECT_TRUE(
      contains(refused([](auto& h) { h.kind = 2; }), "expected a sparse tensor, got a model"));
  EXPECT_TRUE(contains(refused([](auto& h) { h.order = 0; }), "expected an order from 1 to 16"));
  EXPECT_TRUE(contains(refused([](auto& h) { h.order = 17; }), "expected an order from 1 to 16"));
  EXPECT_TRUE(contains(refused([](auto& h) { h.scalar_bytes = 2; }), "expected values of 4 or 8"));
  EXPECT_TRUE(contains(refused([](auto& h) { h.ordinal_bytes = 1; }), "expected subscripts of 4"));
  EXPECT_TRUE(contains(refused([](auto& h) { h.count = 100; }), "truncated: expected"));
  EXPECT_TRUE(
      contains(refused([](auto& h) { h.count = ~std::uint64_t{0}; }), "truncated: expected"));
  EXPECT_TRUE(contains(refused([](auto& h) { h.dimensions[1] = 0; }),
                       "foreign: Sptensor: nonzero 0: expected a subscript below 0 in mode 2"));
}

TEST_F(Binary, ValuesOutOfTheRangeOfSinglePrecision) {
  std::vector<double> values(300'000, 1.0);
  const std::vector<std::uint32_t> subscripts(values.size(), 0);
  const auto in_float = [&](std::size_t first, double value) {
    values[first] = value;
    values[250'000] = value;  // another block, perhaps looked at sooner
    write_binary_sptensor(
        path(), Sptensor<double, std::uint32_t, HostExec>::from_host({1}, subscripts, values));
    EXPECT_EQ((read_as<double, std::uint32_t>(path()).tensor.values()(first)), value);
    return read_as<float, std::uint32_t>(path()).tensor;
  };
  EXPECT_EQ(error_of([&] { (void)in_float(150'000, -1e300); }),
            path() + ": the value of nonzero 150001 is too large for single precision");
  EXPECT_EQ(error_of([&] { (void)in_float(70'000, 1e-200); }),
            path() +
                ": the value of nonzero 70001 is too small for single precision, it would "
                "become 0");
  values[70'000] = 0.0;
  EXPECT_EQ(in_float(150'000, 0.0).values()(70'000), 0.0F);
  EXPECT_GT(in_float(150'000, 1e-45).values()(150'000), 0.0F);
}

TEST_F(Binary, WideSubscriptsDoNotWrapAround) {
  const std::vector<std::uint64_t> subscripts = {(std::uint64_t{1} << 32) + 1};
  const std::vector<double> values = {1.0};
  detail::BinaryHeader header;
  header.kind = 1;
  header.order = 1;
  header.scalar_bytes = 8;
  header.ordinal_bytes = 8;
  header.count = 1;
  header.dimensions = {5};
  detail::write_binary_form(
      HostExec(), path(), header,
      std::array{detail::bytes_of(subscripts.data(), 1), detail::bytes_of(values.data(), 1)});
  EXPECT_TRUE(contains(error_of([&] { (void)read_as<double, std::uint32_t>(path()); }),
                       "expected a subscript below 5 in mode 1"));
}

TEST_F(Binary, MoreMemoryThanAllowed) {
  write_binary_sptensor(path(), sample<double, std::uint32_t>(1000));
  ReadOptions options;
  options.memory_limit = 19999;
  EXPECT_TRUE(contains(error_of([&] { (void)read(path(), options); }, Error::Kind::memory),
                       "a tensor of 1000 nonzeros needs 20000 bytes of memory"));
}

TEST_F(Binary, TextIsExpectedOrBinary) {
  EXPECT_TRUE(contains(refusal("1 1 1\n"), "expected a file of Genten's binary form"));
  write_binary_sptensor(path(), sample<double, std::uint32_t>(5));
  EXPECT_TRUE(
      contains(error_of([&] { (void)read_sptensor<double, std::uint32_t, HostExec>(path()); }),
               "expected a text tensor, got one of Genten's binary form"));
  write_ktensor(path("model"), Ktensor<double, HostExec>(std::vector<std::size_t>{2, 3}, 2),
                KtensorFormat::binary);
  EXPECT_TRUE(contains(error_of([&] { (void)read(path("model")); }),
                       "expected a sparse tensor, got a model"));
}

}  // namespace
}  // namespace genten::test
