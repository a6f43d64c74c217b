// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Parts of binary files, files that readers cannot share, and what the readers tell each other.
#include "../../../../src/io/binary/binary_form.hpp"
#include "part_support.hpp"

#include <genten/core/random.hpp>
#include <genten/io/binary.hpp>

#include <algorithm>
#include <limits>

namespace genten::test {
namespace {

constexpr std::size_t most_parts = 7;

class BinaryParts : public FileTest {
 protected:
  template <class Scalar, class Ordinal>
  static auto sample(std::size_t count) {
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
  /// What readers of float and 32 bits agree to complain of, which is what a single one says.
  std::string said_of(const ReadOptions& options = {}) {
    const auto said = complaint(
        [&] { (void)read_tensor_as<float, std::uint32_t, HostExec>(HostExec(), path(), options); });
    EXPECT_TRUE(said.has_value());
    for (std::size_t parts = 1; parts <= most_parts; ++parts) {
      const auto agreed =
          complaint([&] { (void)join_parts<float, std::uint32_t>(path(), parts, options); });
      EXPECT_EQ(agreed, said) << parts;
    }
    return said.value_or("");
  }
};

TEST_F(BinaryParts, AreTheWhole) {
  // 300000 entries are several blocks of the checksum; 3 are fewer than parts.
  for (const std::size_t count : {std::size_t{0}, std::size_t{3}, std::size_t{300000}}) {
    write_binary_sptensor(path(), sample<double, std::uint32_t>(count));
    const auto single = read(path());
    for (const std::size_t parts : {1, 2, 3, 7, 64}) {
      const auto joined = join_parts(path(), parts);
      expect_joined(joined, single.tensor);
      expect_report(joined.agreed.report, single.report);
      EXPECT_LE(joined.most_entries, count / parts + 1);
    }
    write_binary_sptensor(path(), sample<float, std::uint64_t>(count));
    expect_joined(join_parts<float, std::uint32_t>(path(), 3),
                  read_tensor_as<float, std::uint32_t, HostExec>(HostExec(), path()).tensor);
  }
}

TEST_F(BinaryParts, OfCompressedFiles) {
  write_binary_sptensor(path("plain"), sample<double, std::uint32_t>(20000));
  for (const Compression form : {Compression::gzip, Compression::zstd}) {
    file(detail::compress(content_of(path("plain")), form));
    const auto single = read(path());
    const auto joined = join_parts(path(), 3);
    expect_joined(joined, single.tensor);
    expect_report(joined.agreed.report, single.report);
  }
}

TEST_F(BinaryParts, FindAnyDamage) {
  write_binary_sptensor(path(), sample<double, std::uint32_t>(192));
  const std::string good = content_of(path());
  // Some bytes of the header, and of the data, which have no padding.
  for (std::size_t at = 0; at < 192 + 192 * 20; at += at < 192 ? 8 : 97) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    file(damaged);
    (void)said_of();
  }
  file(good.substr(0, good.size() - 64));
  EXPECT_TRUE(contains(said_of(), "truncated: expected"));
  // In a file of several blocks, damage is in one part alone.
  write_binary_sptensor(path(), sample<double, std::uint32_t>(200000));
  std::string damaged = content_of(path());
  damaged[192 + 1200000] = static_cast<char>(damaged[192 + 1200000] ^ 1);
  file(damaged);
  EXPECT_TRUE(contains(said_of(), "damaged: the checksum of the data is wrong"));
}

TEST_F(BinaryParts, NameNonzerosAsTheFileCountsThem) {
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values(10, 1.0);
  for (std::uint32_t i = 0; i < 10; ++i) subscripts.insert(subscripts.end(), {i, i % 3});
  values[7] = 1e300;
  values[8] = 1e-300;
  write_binary_sptensor(path(), tensor_of({10, 3}, subscripts, values));
  EXPECT_TRUE(contains(said_of(), "the value of nonzero 8 is too large for single precision"));
  values[6] = 1e-300;
  write_binary_sptensor(path(), tensor_of({10, 3}, subscripts, values));
  EXPECT_TRUE(contains(said_of(), "the value of nonzero 7 is too small for single precision"));
  values.assign(10, 1.0);
  write_binary_sptensor(path(), tensor_of({10, 3}, subscripts, values));
  EXPECT_TRUE(contains(said_of({.dimensions = {9, 3}}),
                       "nonzero 9: expected a subscript below 9 in mode 1, got 9"));
  EXPECT_TRUE(contains(said_of({.dimensions = {10, 2}}),
                       "nonzero 2: expected a subscript below 2 in mode 2, got 2"));
  EXPECT_TRUE(contains(said_of({.dimensions = {10}}), "the options give 1 dimension,"));
  // A value that is not finite can only come from another program's file.
  auto bad = values;
  bad[4] = std::numeric_limits<double>::infinity();
  detail::BinaryHeader header;
  header.kind = static_cast<std::uint32_t>(detail::BinaryKind::sptensor);
  header.order = 2;
  header.scalar_bytes = 8;
  header.ordinal_bytes = 4;
  header.count = 10;
  header.dimensions = {10, 3};
  const std::array parts = {detail::bytes_of(subscripts.data(), 20),
                            detail::bytes_of(bad.data(), 10)};
  detail::write_binary_form(HostExec(), path(), header, parts);
  EXPECT_TRUE(contains(said_of(), "nonzero 4: expected a finite value, got inf"));
}

TEST_F(BinaryParts, NeedWideOrdinals) {
  write_binary_sptensor(
      path(), Sptensor<double, std::uint64_t, HostExec>::from_host(
                  {std::size_t{1} << 33}, std::vector<std::uint64_t>{1}, std::vector<double>{1.0}));
  EXPECT_TRUE(contains(said_of(), "is too large for 32-bit ordinals: use 64-bit ones"));
  EXPECT_TRUE(need_wide_ordinals(facts_of(read_parts(path(), 3))));
  const auto wide = read_parts<double, std::uint64_t>(path(), 3);
  EXPECT_FALSE(need_wide_ordinals(facts_of(wide)));
  const auto joined = join_parts<double, std::uint64_t>(path(), 3);
  EXPECT_EQ(joined.values.size(), 1U);
}

class SharedFile : public FileTest {
 protected:
  static std::string lines(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += std::to_string(i) + " 7 1.5\n";
    return text;
  }
};

TEST_F(SharedFile, MustBeOneThatSeveralCanRead) {
  const auto said = [&](const std::string& name, std::size_t parts = 2) {
    return error_of([&] { (void)join_parts(name, parts); });
  };
  EXPECT_EQ(said(path("absent")), path("absent") + ": cannot be opened: No such file or directory");
  EXPECT_EQ(said(directory().string()),
            directory().string() + ": expected a file, got a directory");
  EXPECT_EQ(said("-"),
            "standard input: expected a file that several can read, each a part of it, got a "
            "stream");
  EXPECT_TRUE(contains(said("/dev/null"), "got what is no regular file"));
  EXPECT_EQ(error_of([&] { (void)read_tensor_part<double>(HostExec(), path(), 2, 2); },
                     Error::Kind::argument),
            "read_tensor_part: expected a part below 2, got 2");
}

/// Damage behind the part of a reader is found by the last one.
TEST_F(SharedFile, IsReadToItsEndWhereItIsCompressed) {
  for (const Compression form : {Compression::gzip, Compression::zstd}) {
    const std::string good = detail::compress(lines(100000), form);
    for (const std::size_t cut : {std::size_t{1}, good.size() / 2}) {
      const std::string name = file(good.substr(0, good.size() - cut));
      EXPECT_EQ(error_of([&] { (void)join_parts(name, 3, {.block_bytes = 4096}); }),
                name + ": truncated: the compressed data end too early");
    }
    const std::string name = file(good.substr(0, good.size() - 1));
    const auto facts = facts_of(read_parts(name, 3, {.block_bytes = 4096}));
    EXPECT_FALSE(facts.front().error.has_value());
    EXPECT_TRUE(facts.back().error.has_value());
  }
}

TEST_F(SharedFile, MustBeTheSameForAll) {
  const std::string one = file(lines(1000), "one");
  const auto agree = [&](std::size_t part, const std::string& content,
                         const ReadOptions& options = {}) {
    auto facts = facts_of(read_parts(one, 3));
    facts[part] =
        read_tensor_part<double>(HostExec(), file(content, "two"), part, 3, options).facts;
    return error_of([&] { (void)agree_on_tensor_parts(one, facts); });
  };
  EXPECT_EQ(agree(2, lines(1001)),
            one +
                ": the readers of parts 1 and 3 have found different files, of 9893 and of "
                "9904 bytes");
  std::string other = lines(1000);
  other[0] = '#';
  EXPECT_TRUE(contains(agree(1, other), "what comes before the first entry differs"));
  EXPECT_TRUE(contains(agree(1, lines(1000), {.index_base = IndexBase::zero}),
                       "the readers of parts 1 and 2 have found different files or have other "
                       "options"));
  other = lines(1000);
  std::rotate(other.begin() + 4000, other.begin() + 4003, other.end());  // lines end elsewhere
  EXPECT_TRUE(contains(agree(1, other), "they have found different files"));
  auto facts = facts_of(read_parts(one, 3));
  std::swap(facts[0], facts[1]);
  EXPECT_EQ(error_of([&] { (void)agree_on_tensor_parts(one, facts); }, Error::Kind::argument),
            "agree_on_tensor_parts: expected the facts of all parts of one file, in their order, "
            "got others");
}

TEST_F(SharedFile, FactsAreSentAsBytes) {
  const auto facts = read_tensor_part<double>(HostExec(), file("1 1 1\n2 x 2\n"), 0, 1).facts;
  const std::string bytes = part_facts_to_bytes(facts);
  const TensorPartFacts back = part_facts_from_bytes(bytes);
  EXPECT_EQ(back.head, facts.head);
  ASSERT_TRUE(back.error.has_value());
  EXPECT_EQ(back.error->line, 2U);
  EXPECT_EQ(back.error->why.complaint, facts.error->why.complaint);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    (void)error_of([&] { (void)part_facts_from_bytes(bytes.substr(0, size)); },
                   Error::Kind::argument);
  }
  EXPECT_TRUE(
      contains(error_of([&] { (void)part_facts_from_bytes(bytes + "x"); }, Error::Kind::argument),
               "too many of them"));
}

}  // namespace
}  // namespace genten::test
