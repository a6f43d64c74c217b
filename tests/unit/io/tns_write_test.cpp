// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "io_support.hpp"

#include <genten/core/random.hpp>

#include <cmath>
#include <limits>

namespace genten::test {
namespace {

template <class T>
class TnsRoundTrip : public FileTest {};

template <class S, class O>
struct Types {
  using Scalar = S;
  using Ordinal = O;
};
using AllTypes = ::testing::Types<Types<float, std::uint32_t>, Types<float, std::uint64_t>,
                                  Types<double, std::uint32_t>, Types<double, std::uint64_t>>;
TYPED_TEST_SUITE(TnsRoundTrip, AllTypes);

/// Distinct subscripts and values of every size, many blocks of the writer where `count` is large.
template <class Scalar, class Ordinal>
Sptensor<Scalar, Ordinal, HostExec> sample(std::size_t count) {
  constexpr std::uint64_t stretch = sizeof(Ordinal) == 8 ? 5000000000 : 1;
  std::vector<Ordinal> subscripts;
  std::vector<Scalar> values;
  for (std::size_t i = 0; i < count; ++i) {
    subscripts.push_back(static_cast<Ordinal>(random_bits(1, i) % 100));
    subscripts.push_back(static_cast<Ordinal>(i * stretch));
    subscripts.push_back(static_cast<Ordinal>(random_bits(2, i) % 3));
    const int exponent = static_cast<int>(random_bits(3, i) % 70) - 35;
    values.push_back(static_cast<Scalar>(std::ldexp(random_uniform(4, i) - 0.5, exponent)));
  }
  values[0] = std::numeric_limits<Scalar>::denorm_min();
  values[1] = -std::numeric_limits<Scalar>::max();
  values[2] = 0;
  const std::size_t longest = (count + 2) * stretch;  // the last slices are empty
  return Sptensor<Scalar, Ordinal, HostExec>::from_host({100, longest, 3}, subscripts, values);
}

TYPED_TEST(TnsRoundTrip, KeepsEveryBit) {
  using Scalar = typename TypeParam::Scalar;
  using Ordinal = typename TypeParam::Ordinal;
  const auto tensor = sample<Scalar, Ordinal>(700);
  for (const auto format : {FileFormat::frostt, FileFormat::header, FileFormat::sptensor}) {
    for (const auto base : {IndexBase::automatic, IndexBase::zero, IndexBase::one}) {
      for (const auto compression : {Compression::none, Compression::gzip, Compression::zstd}) {
        const std::string path = this->path();
        write_sptensor(path, tensor, {format, base, compression});
        ReadOptions options;
        options.index_base = base;
        if (format == FileFormat::frostt) options.dimensions = tensor.dimensions();
        const auto again = read_sptensor<Scalar, Ordinal, HostExec>(path, options);
        expect_same(again.tensor, tensor);
        EXPECT_EQ(again.report.format, format);
        EXPECT_EQ(again.report.compression, compression);
        EXPECT_EQ(again.report.file_bytes, std::filesystem::file_size(path));
      }
    }
  }
}

class TnsWrite : public FileTest {};

TEST_F(TnsWrite, ManyBlocks) {
  const auto tensor = sample<double, std::uint32_t>(600000);
  for (const auto compression : {Compression::none, Compression::zstd}) {
    write_sptensor(path(), tensor, {FileFormat::sptensor, IndexBase::one, compression});
    expect_same(read(path()).tensor, tensor);
  }
}

TEST_F(TnsWrite, Forms) {
  const Tensor tensor = tensor_of({4, 3}, {0, 1, 3, 2}, {0.1, -2});
  write_sptensor(path(), tensor);
  EXPECT_EQ(content_of(path()), "sptensor\n2\n4 3\n2\n1 2 0.1\n4 3 -2\n");
  write_sptensor(path(), tensor, {FileFormat::header, IndexBase::zero, Compression::none});
  EXPECT_EQ(content_of(path()), "2\n4 3\n2\n0 1 0.1\n3 2 -2\n");
  write_sptensor(path(), tensor, {FileFormat::frostt, IndexBase::one, Compression::none});
  EXPECT_EQ(content_of(path()), "# 4 x 3, 2 nonzeros, subscripts from 1\n1 2 0.1\n4 3 -2\n");
}

TEST_F(TnsWrite, WithoutNonzeros) {
  const Tensor tensor = tensor_of({4, 3}, {}, {});
  write_sptensor(path(), tensor);
  expect_same(read(path()).tensor, tensor);
  EXPECT_TRUE(contains(error_of(
                           [&] {
                             write_sptensor(
                                 path("frostt"), tensor,
                                 {FileFormat::frostt, IndexBase::one, Compression::none});
                           },
                           Error::Kind::argument),
                       "cannot be written without a header"));
  EXPECT_FALSE(std::filesystem::exists(path("frostt")));
}

TEST_F(TnsWrite, RefusesWhatIsNoText) {
  EXPECT_TRUE(contains(error_of(
                           [&] {
                             write_sptensor(
                                 path(), tensor_of({1}, {0}, {1}),
                                 {FileFormat::binary, IndexBase::one, Compression::none});
                           },
                           Error::Kind::argument),
                       "expected a text format"));
}

TEST_F(TnsWrite, Names) {
  EXPECT_EQ(to_string(FileFormat::frostt), "frostt");
  EXPECT_EQ(to_string(FileFormat::header), "header");
  EXPECT_EQ(to_string(FileFormat::sptensor), "sptensor");
  EXPECT_EQ(to_string(FileFormat::binary), "binary");
  EXPECT_EQ(to_string(Compression::none), "none");
  EXPECT_EQ(to_string(Compression::gzip), "gzip");
  EXPECT_EQ(to_string(Compression::zstd), "zstd");
}

}  // namespace
}  // namespace genten::test
