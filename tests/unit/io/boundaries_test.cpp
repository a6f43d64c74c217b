// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Where loops end and limits lie: full blocks, the highest order, the longest numbers, output that
// fills its memory exactly. The binary form is compared with an encoder of the tests' own.
#include "../../fuzz/plain_binary.hpp"
#include "io_support.hpp"

#include <genten/io/binary.hpp>
#include <genten/io/ktensor.hpp>

#include <zlib.h>
#include <zstd.h>

#include <numeric>

namespace genten::test {
namespace {

class Boundaries : public FileTest {
 protected:
  /// What the library writes for the tensor in the binary form, against what it should be.
  void expect_plain_form(const Tensor& tensor) {
    fuzz::PlainBinary plain;
    plain.kind = 1;
    plain.count = static_cast<std::uint64_t>(tensor.nnz());
    plain.dimensions.assign(tensor.dimensions().begin(), tensor.dimensions().end());
    plain.numbers.emplace_back();
    for (offset_t p = 0; p < tensor.nnz(); ++p) {
      for (int n = 0; n < tensor.order(); ++n) {
        plain.subscripts.push_back(tensor.subscripts()(p, n));
      }
      plain.numbers[0].push_back(tensor.values()(p));
    }
    write_binary_sptensor(path("binary"), tensor);
    ASSERT_EQ(content_of(path("binary")), fuzz::encode_plainly(plain));
    expect_same(read(path("binary")).tensor, tensor);
  }
};

/// `count` nonzeros on the diagonal.
Tensor diagonal(std::size_t order, std::size_t count) {
  std::vector<std::uint32_t> subscripts;
  for (std::size_t i = 0; i < count * order; ++i) {
    subscripts.push_back(static_cast<std::uint32_t>(i / order));
  }
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 0.5);
  return tensor_of(std::vector<std::size_t>(order, count + 1), subscripts, values);
}

TEST_F(Boundaries, TheHighestOrder) {
  const Tensor tensor = diagonal(max_order, 3);
  expect_plain_form(tensor);
  write_sptensor(path(), tensor);
  expect_same(read(path()).tensor, tensor);
  const Ktensor<double, HostExec> model(std::vector<std::size_t>(max_order, 2), 3);
  for (const auto format : {KtensorFormat::text, KtensorFormat::binary}) {
    write_ktensor(path("model"), model, format);
    EXPECT_EQ((read_ktensor<double, HostExec>(path("model")).order()), max_order);
  }
}

TEST_F(Boundaries, SectionsThatFillBlocksOfTheChecksum) {
  // Sections of 8 bytes a nonzero; a block has 2^20 bytes.
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1} << 17, (std::size_t{1} << 17) + 1}) {
    expect_plain_form(diagonal(2, count));
  }
}

TEST_F(Boundaries, PaddedSections) {
  for (const std::size_t count : {7U, 8U, 9U, 15U, 16U, 17U}) expect_plain_form(diagonal(1, count));
}

/// Parts in which a text was compressed.
std::size_t zstd_frames(const std::string& content) {
  std::size_t frames = 0;
  for (std::size_t at = 0; at < content.size(); ++frames) {
    at += ZSTD_findFrameCompressedSize(content.data() + at, content.size() - at);
  }
  return frames;
}

TEST_F(Boundaries, BlocksOfEntriesAreNeverEmpty) {
  constexpr std::size_t block = std::size_t{1} << 16;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, block, block + 1, 2 * block}) {
    write_sptensor(path(), diagonal(1, count),
                   {FileFormat::sptensor, IndexBase::one, Compression::zstd});
    EXPECT_EQ(zstd_frames(content_of(path())), 1 + (count + block - 1) / block) << count;
    EXPECT_EQ(read(path()).report.entries, count);
  }
}

TEST_F(Boundaries, NumbersOfNineteenDigits) {
  const auto read_any = [&](const std::string& text) {
    return read_tensor<double, HostExec>(file(text));
  };
  EXPECT_EQ(read_any("4294967295 1\n").tensor.index(), 0U);
  EXPECT_EQ(read_any("4294967296 1\n").tensor.index(), 1U);
  const auto wide = std::get<1>(read_any("9999999999999999999 1 1\n").tensor);
  EXPECT_EQ(wide.subscripts()(0, 0), 9999999999999999998U);
  const std::string too_long = file("10000000000000000000 1 1\n", "long");
  using Exec = HostExec;
  EXPECT_TRUE(contains(
      error_of([&] { (void)read_tensor_as<double, std::uint64_t, Exec>(Exec(), too_long); }),
      "subscript 10000000000000000000 in mode 1 is too large for 64-bit ordinals"));
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("9999999999999999999 1 1\n")); }),
                       "is too large for 32-bit ordinals: use 64-bit ones"));
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("10000000000000000000 1 1\n")); }),
                       "is too large for 32-bit ordinals"));
  EXPECT_FALSE(contains(error_of([&] { (void)read(file("10000000000000000000 1 1\n")); }),
                        "use 64-bit ones"));
  // The subscript is good, though long: the value is what is wrong.
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("0000000000000000001 1 x\n")); }),
                       "expected a number as the value, got 'x'"));
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("00000000000000000001 1 x\n")); }),
                       "subscript 00000000000000000001 in mode 1"));
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// Decompression goes by steps of 1 MiB: content that fills one exactly, or by a byte more, which
/// the decompressor holds back when all input is taken.
TEST_F(Boundaries, ContentThatFillsItsMemory) {
  const std::string entry = "1 1 1\n";
  for (const std::size_t mib : {1U, 2U}) {
    for (const std::ptrdiff_t more : {-1, 0, 1, 1 << 17}) {
      const std::size_t bytes = (mib << 20) + static_cast<std::size_t>(more);
      const std::string text = entry + std::string(bytes - entry.size(), '\n');
      for (const std::string& content : {zstd(text), gzip(text)}) {
        const auto [tensor, report] = read(file(content));
        EXPECT_EQ(report.content_bytes, bytes);
        EXPECT_EQ(report.lines, 1 + bytes - entry.size());
        EXPECT_TRUE(
            contains(error_of([&] { (void)read(file(content.substr(0, content.size() - 1))); }),
                     "truncated"));
      }
    }
  }
}

TEST_F(Boundaries, SkippableFrames) {
  const std::string text = "1 1 1\n";
  for (int kind = 0; kind < 16; ++kind) {
    const std::string skippable =
        static_cast<char>(0x50 + kind) + std::string("\x2a\x4d\x18\x03\x00\x00\x00xyz", 10);
    const auto [tensor, report] = read(file(skippable + zstd(text)));
    EXPECT_EQ(report.compression, Compression::zstd);
    EXPECT_EQ(tensor.nnz(), 1);
  }
  for (const std::string start : {"\x28\xb5\x2f\xfd", "\x50\x2a\x4d\x18"}) {
    EXPECT_TRUE(contains(error_of([&] { (void)read(file(start)); }), "file: truncated")) << start;
  }
  // What only begins like a frame is text.
  for (const std::string start : {"\x40\x2a\x4d\x18", "\x60\x2a\x4d\x18", "\x50\x2a\x4d\x19",
                                  "\x50\x2b\x4d\x18", "\x28\xb5\x2f\xfc", "\x28\xb5\x2f"}) {
    EXPECT_TRUE(contains(error_of([&] { (void)read(file(start)); }), "file:1: ")) << start;
  }
}

template <class Scalar>
class ModelPadding : public FileTest {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ModelPadding, Scalars);

/// Columns beyond the rank stay zero, whatever rows were read.
TYPED_TEST(ModelPadding, StaysZero) {
  for (const std::size_t rank : {1U, 3U, 9U}) {
    Ktensor<double, HostExec> model(std::vector<std::size_t>{3, 4}, rank);
    for (const auto& factor : model.factors()) {
      for (std::size_t i = 0; i < factor.rows(); ++i) {
        for (std::size_t j = 0; j < rank; ++j) factor(i, j) = 1.0 + static_cast<double>(i);
      }
    }
    for (const auto format : {KtensorFormat::text, KtensorFormat::binary}) {
      write_ktensor(this->path(), model, format);
      const auto again = read_ktensor<TypeParam, HostExec>(this->path());
      for (int n = 0; n < 2; ++n) {
        const auto padded = again.factor(n).padded_view();
        for (std::size_t i = 0; i < padded.extent(0); ++i) {
          for (std::size_t j = 0; j < padded.extent(1); ++j) {
            ASSERT_EQ(padded(i, j), j < rank ? static_cast<TypeParam>(i + 1) : TypeParam(0))
                << n << ' ' << i << ' ' << j;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace genten::test
