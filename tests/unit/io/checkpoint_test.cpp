// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Checkpoints in files: models with the state of a solver.
#include "../../../src/io/binary/binary_form.hpp"
#include "io_support.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/io/binary.hpp>
#include <genten/io/checkpoint.hpp>
#include <genten/io/ktensor.hpp>

#include <algorithm>

namespace genten::test {
namespace {

template <class Scalar>
using HostModel = Ktensor<Scalar, HostExec>;

template <class Scalar>
class CheckpointFiles : public FileTest {
 protected:
  static constexpr std::size_t rank = 3;

  [[nodiscard]] static Checkpoint<HostModel<Scalar>> sample(const std::string& state) {
    const std::vector<std::size_t> dimensions{4, 1, 5};
    return {random_ktensor<Scalar>(HostExec(), dimensions, rank, 7), state};
  }
  [[nodiscard]] static bool same(const HostModel<Scalar>& a, const HostModel<Scalar>& b) {
    bool equal = a.dimensions() == b.dimensions() && a.rank() == b.rank() &&
                 std::equal(a.weights().data(), a.weights().data() + rank, b.weights().data());
    for (int n = 0; equal && n < a.order(); ++n) {
      for (std::size_t i = 0; i < a.factor(n).rows(); ++i) {
        equal =
            equal && std::equal(a.factor(n).row(i), a.factor(n).row(i) + rank, b.factor(n).row(i));
      }
    }
    return equal;
  }
};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(CheckpointFiles, Scalars);

TYPED_TEST(CheckpointFiles, KeepModelAndState) {
  for (const std::size_t length : {0u, 1u, 63u, 64u, 65u, 3000000u}) {
    std::string state(length, 'x');
    for (std::size_t i = 0; i < length; i += 7) state[i] = static_cast<char>(i);
    const auto written = this->sample(state);
    write_checkpoint(this->path(), written);
    const auto read = read_checkpoint<TypeParam, HostExec>(this->path());
    EXPECT_TRUE(this->same(read.model, written.model));
    // Zeros fill the last section.
    ASSERT_EQ(read.state.size(), detail::padded_section(length));
    EXPECT_EQ(read.state.substr(0, length), state);
    EXPECT_EQ(read.state.find_first_not_of('\0', length), std::string::npos);
    EXPECT_TRUE(this->same(read_ktensor<TypeParam, HostExec>(this->path()), written.model));
    EXPECT_EQ(checkpoint_scalar_bytes(this->path()), sizeof(TypeParam));
    EXPECT_EQ(this->names(), std::vector<std::string>{"file"});
  }
}

TYPED_TEST(CheckpointFiles, AreTakenByNameOfTheirContentAlone) {
  const auto read = [&] { (void)read_checkpoint<TypeParam, HostExec>(this->path()); };
  write_checkpoint(this->path(), this->sample("state"));
  using Other = std::conditional_t<sizeof(TypeParam) == 4, double, float>;
  EXPECT_TRUE(contains(error_of([&] { (void)read_checkpoint<Other, HostExec>(this->path()); }),
                       "expected a checkpoint with numbers of " + std::to_string(sizeof(Other)) +
                           " bytes, got one"));
  EXPECT_TRUE(contains(error_of([&] {
                         (void)read_binary_sptensor<TypeParam, std::uint32_t, HostExec>(
                             this->path());
                       }),
                       "expected a sparse tensor, got a checkpoint"));
  for (const auto format : {KtensorFormat::binary, KtensorFormat::text}) {
    write_ktensor(this->path(), this->sample("").model, format);
    const bool binary = format == KtensorFormat::binary;
    EXPECT_TRUE(contains(error_of(read), binary ? "expected a checkpoint, got a model"
                                                : "expected a file of Genten's binary form"));
    EXPECT_TRUE(contains(error_of([&] { (void)checkpoint_scalar_bytes(this->path()); }),
                         binary ? "expected a checkpoint, got a model" : "binary form"));
  }
}

TYPED_TEST(CheckpointFiles, DamageIsFound) {
  write_checkpoint(this->path(), this->sample("the state of a solver"));
  const std::string whole = content_of(this->path());
  const auto expected = read_checkpoint<TypeParam, HostExec>(this->path());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    (void)this->file(whole.substr(0, length));
    EXPECT_NE(error_of([&] { (void)read_checkpoint<TypeParam, HostExec>(this->path()); }), "");
  }
  (void)this->file(whole + std::string(64, '\0'));
  EXPECT_TRUE(contains(error_of([&] { (void)read_checkpoint<TypeParam, HostExec>(this->path()); }),
                       "bytes, got"));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    (void)this->file(damaged);
    try {
      const auto read = read_checkpoint<TypeParam, HostExec>(this->path());
      // Only padding between sections has no checksum.
      EXPECT_TRUE(this->same(read.model, expected.model));
      EXPECT_EQ(read.state, expected.state);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::file);
      ++refused;
    }
  }
  const std::size_t content = 192 + (3 + 10 * 3) * sizeof(TypeParam) + 64;
  EXPECT_EQ(refused, content);
}

}  // namespace
}  // namespace genten::test
