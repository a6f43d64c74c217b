// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../io_support.hpp"

#include <genten/core/random.hpp>
#include <genten/io/any_model.hpp>
#include <genten/io/ktensor.hpp>
#include <genten/io/tns.hpp>
#include <genten/io/ttensor.hpp>

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace genten::test {
namespace {

using ::testing::HasSubstr;

template <class Scalar>
Ttensor<Scalar, HostExec> sample(const std::vector<std::size_t>& dimensions,
                                 const std::vector<std::size_t>& ranks) {
  std::size_t elements = 1;
  for (const std::size_t rank : ranks) elements *= rank;
  typename Ttensor<Scalar, HostExec>::core_view core("core", elements);
  for (std::size_t k = 0; k < elements; ++k) core(k) = static_cast<Scalar>(random_normal(1, k));
  std::vector<FacMatrix<Scalar, HostExec>> factors;
  for (std::size_t n = 0; n < ranks.size(); ++n) {
    if (dimensions[n] == 0) {
      factors.emplace_back();
      continue;
    }
    factors.emplace_back(dimensions[n], ranks[n]);
    for (std::size_t i = 0; i < dimensions[n]; ++i) {
      for (std::size_t r = 0; r < ranks[n]; ++r) {
        factors[n](i, r) = static_cast<Scalar>(random_normal(2, n, i, r));
      }
    }
  }
  return Ttensor<Scalar, HostExec>(ranks, core, factors);
}

template <class Scalar>
class TuckerFile : public FileTest {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TuckerFile, Scalars);

template <class Scalar>
void expect_same(const Ttensor<Scalar, HostExec>& read, const Ttensor<Scalar, HostExec>& model) {
  ASSERT_EQ(read.ranks(), model.ranks());
  ASSERT_EQ(read.dimensions(), model.dimensions());
  for (std::size_t k = 0; k < model.core().extent(0); ++k) {
    EXPECT_EQ(read.core()(k), model.core()(k));
  }
  for (int n = 0; n < model.order(); ++n) {
    ASSERT_EQ(read.is_compressed(n), model.is_compressed(n));
    for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
      for (std::size_t r = 0; r < model.factor(n).columns(); ++r) {
        EXPECT_EQ(read.factor(n)(i, r), model.factor(n)(i, r));
      }
    }
  }
}

TYPED_TEST(TuckerFile, KeepsEveryBit) {
  // A dimension of 0: not compressed.
  const std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> shapes{
      {{7}, {1}}, {{5, 8}, {2, 2}}, {{4, 0, 9, 3}, {2, 5, 3, 3}}};
  for (const auto& [dimensions, ranks] : shapes) {
    const auto model = sample<TypeParam>(dimensions, ranks);
    const std::string path = this->path("model.ttensor");
    for (const auto compression : {Compression::none, Compression::gzip, Compression::zstd}) {
      write_ttensor(path, model, KtensorFormat::text, compression);
      expect_same(read_ttensor<TypeParam>(path), model);
    }
    write_ttensor(path, model, KtensorFormat::binary);
    expect_same(read_ttensor<TypeParam>(path), model);
    expect_same(std::get<1>(read_any_model<TypeParam>(path)), model);
    EXPECT_THROW(write_ttensor(path, model, KtensorFormat::binary, Compression::zstd), Error);
  }
}

TEST_F(FileTest, BinaryTuckerModelsOfTheOtherPrecisionAreConverted) {
  const auto model = sample<double>({4, 0, 9}, {2, 5, 3});
  write_ttensor(path("model.gkt"), model, KtensorFormat::binary);
  const auto read = read_ttensor<float>(path("model.gkt"));
  EXPECT_EQ(read.ranks(), model.ranks());
  EXPECT_EQ(read.core()(3), static_cast<float>(model.core()(3)));
  EXPECT_EQ(read.factor(2)(8, 2), static_cast<float>(model.factor(2)(8, 2)));
}

TEST_F(FileTest, BinaryTuckerModelsThatAreDamagedAreRefused) {
  write_ttensor(path("model.gkt"), sample<double>({4, 0, 9}, {2, 5, 3}), KtensorFormat::binary);
  std::ifstream in(path("model.gkt"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const std::string place = file(damaged, "damaged.gkt");
    // Padding between sections has no checksum.
    try {
      expect_same(read_ttensor<double>(place), sample<double>({4, 0, 9}, {2, 5, 3}));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::file);
    }
    const std::string cut = file(whole.substr(0, at), "cut.gkt");
    EXPECT_THROW(static_cast<void>(read_ttensor<double>(cut)), Error);
  }
}

const std::string good =
    "ttensor\ntensor\n2\n1 2\n3\n-4.5\nmatrix\n2\n2 1\n.5\n1\nmatrix\n2\n2 2\n1 0\n0 1\n";

TEST_F(FileTest, TuckerModelsHaveTheToolboxsBlocks) {
  const auto model = read_ttensor<double>(this->file(good, "good.ttensor"));
  EXPECT_EQ(model.dimensions(), (std::vector<std::size_t>{2, 2}));
  EXPECT_FALSE(model.is_compressed(1));
  EXPECT_EQ(model.core()(1), -4.5);
  const std::vector<std::size_t> at{0, 1};
  EXPECT_EQ(value_at(model, at), -2.25);
}

TEST_F(FileTest, TuckerModelsThatAreMalformedAreRefusedByLine) {
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    const std::string path = this->file(text, "bad.ttensor");
    try {
      static_cast<void>(read_ttensor<double>(path));
    } catch (const Error& caught) {
      EXPECT_EQ(caught.kind(), Error::Kind::file);
      return std::string(caught.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("ttensor", "ktensor"), HasSubstr(":1: expected the word ttensor alone"));
  EXPECT_THAT(error("\n1 2\n", "\n1 2 1\n"), HasSubstr(":4: expected 2 ranks in this line, got 3"));
  EXPECT_THAT(error("\n1 2\n", "\n1 0\n"), HasSubstr(":4: expected ranks of 1 or more, got 0"));
  EXPECT_THAT(error("\n1 2\n", "\n1 2000\n"), HasSubstr("truncated: the file is too short"));
  EXPECT_THAT(error("-4.5", "x"), HasSubstr(":6: expected a number, got 'x'"));
  EXPECT_THAT(error("-4.5", "nan"), HasSubstr("is not finite"));
  EXPECT_THAT(error("2 1\n.5", "2 2\n.5"), HasSubstr(":9: expected 1 row or more and 1 column"));
  EXPECT_THAT(error("0 1\n", ""),
              HasSubstr("truncated: the file ends where row 2 of the factor of"));
  EXPECT_THAT(error("0 1\n", "0 1\n7\n"), HasSubstr("expected the end of the file"));
}

TEST_F(FileTest, ModelsOfEitherKindAreToldByTheirContent) {
  const std::string tucker = this->file("# a comment\n" + good, "tucker");
  EXPECT_EQ(std::get<1>(read_any_model<float>(tucker)).ranks(), (std::vector<std::size_t>{1, 2}));
  const std::vector<std::size_t> dimensions{3, 2};
  const Ktensor<double, HostExec> cp(dimensions, 4);
  for (const auto format : {KtensorFormat::text, KtensorFormat::binary}) {
    write_ktensor(path("cp"), cp, format);
    EXPECT_EQ(std::get<0>(read_any_model<double>(path("cp"))).rank(), 4U);
  }
  const auto said = [](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(said([&] { static_cast<void>(read_ktensor<double, HostExec>(tucker)); }),
              HasSubstr(":2: expected a CP model, got a Tucker model"));
  EXPECT_THAT(
      said([&] { static_cast<void>(read_sptensor<double, std::uint32_t, HostExec>(tucker)); }),
      HasSubstr(":2: expected a sparse tensor, got a Tucker model"));
  const std::string binary = path("tucker.gkt");
  write_ttensor(binary, read_ttensor<double>(tucker), KtensorFormat::binary);
  EXPECT_THAT(said([&] { static_cast<void>(read_ktensor<double, HostExec>(binary)); }),
              HasSubstr("expected a CP model, got a Tucker model"));
  write_ktensor(path("cp"), cp, KtensorFormat::binary);
  EXPECT_THAT(said([&] { static_cast<void>(read_ttensor<double>(path("cp"))); }),
              HasSubstr("expected a Tucker model, got a CP model"));
}

TEST_F(FileTest, LongIdentitiesAreNotWritten) {
  Ttensor<double, HostExec>::core_view core("core", 10001);
  const Ttensor<double, HostExec> model({10001}, core, {FacMatrix<double, HostExec>()});
  EXPECT_THROW(write_ttensor(path("long.ttensor"), model), Error);
}

}  // namespace
}  // namespace genten::test
