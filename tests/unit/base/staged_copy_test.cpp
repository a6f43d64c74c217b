// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/staged_copy.hpp>

#include "test_types.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

/// Bytes that differ from their neighbours near and far.
std::vector<char> pattern(std::size_t count) {
  std::vector<char> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

template <class Combination>
class StagedCopyTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Device = Kokkos::View<char*, typename Exec::memory_space>;

  /// There and back, with a byte before and behind that nobody may touch.
  void check(std::size_t count, std::size_t offset, std::size_t piece_bytes,
             std::size_t most_lanes = 16) {
    SCOPED_TRACE(std::to_string(count) + " bytes at " + std::to_string(offset) + ", " +
                 std::to_string(piece_bytes) + " at a time");
    const auto bytes = pattern(count + offset + 1);
    const Device device("device", count + offset + 1);
    std::vector<char> back(count + offset + 1, 'x');
    {
      genten::detail::StagedCopy<Exec> staged(exec, {piece_bytes, most_lanes});
      staged.to_device(device.data() + offset, bytes.data() + offset, count);
      staged.to_host(back.data() + offset, device.data() + offset, count);
    }
    for (std::size_t i = 0; i < back.size(); ++i) {
      const bool copied = i >= offset && i < offset + count;
      ASSERT_EQ(back[i], copied ? bytes[i] : 'x') << i;
    }
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), device);
    for (std::size_t i = 0; i < back.size(); ++i) {
      const bool copied = i >= offset && i < offset + count;
      ASSERT_EQ(mirror(i), copied ? bytes[i] : 0) << i;
    }
  }

  Exec exec;
};

using Spaces = genten_test::ModelTypes;
TYPED_TEST_SUITE(StagedCopyTest, Spaces, genten_test::TypeNames);

TYPED_TEST(StagedCopyTest, CopiesAnyLengthFromAnywhere) {
  for (const std::size_t count : {0, 1, 7, 63, 64, 65, 127, 128, 129, 1000}) {
    for (const std::size_t offset : {0, 1, 5, 8}) {
      if (this->HasFatalFailure()) return;
      this->check(count, offset, 64);
    }
  }
}

TYPED_TEST(StagedCopyTest, CopiesByAllThreadsInLargePieces) {
  for (const std::size_t lanes : {1, 2, 16}) {
    this->check(700'001, 3, 50'000, lanes);
    this->check(700'001, 3, 200'000, lanes);
    this->check(700'001, 3, 1'000'000, lanes);
  }
}

TYPED_TEST(StagedCopyTest, CopiesAgainThroughTheSameBuffers) {
  using Fixture = StagedCopyTest<TypeParam>;
  const auto bytes = pattern(1000);
  const typename Fixture::Device device("device", 1000);
  genten::detail::StagedCopy<typename TypeParam::Exec> staged(this->exec, {.piece_bytes = 30});
  for (std::size_t begin = 0; begin < 1000; begin += 100) {
    staged.to_device(device.data() + begin, bytes.data() + begin, 100);
  }
  std::vector<char> back(1000);
  for (std::size_t begin = 0; begin < 1000; begin += 100) {
    staged.to_host(back.data() + begin, device.data() + begin, 100);
  }
  EXPECT_EQ(back, bytes);
}

/// Large enough to be staged where there is a device; a plain copy on hosts.
TYPED_TEST(StagedCopyTest, CopyViewCopiesLargeMatricesThereAndBack) {
  using Scalar = typename TypeParam::Scalar;
  using Host = Kokkos::View<Scalar**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  const std::size_t columns = 24;
  const std::size_t rows =
      genten::detail::StagedCopyTuning().least_bytes / (columns * sizeof(Scalar)) + 1;
  const Host from("from", rows, columns), back("back", rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) from(i, j) = static_cast<Scalar>(i % 1000 + j);
  }
  const auto there = genten::detail::view_on(this->exec, from);
  using Space = typename TypeParam::Exec::memory_space;
  static_assert(std::is_same_v<typename decltype(there)::memory_space, Space>);
  genten::detail::copy_view(this->exec, back, there);
  this->exec.fence();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) ASSERT_EQ(back(i, j), from(i, j)) << i << ", " << j;
  }
  Kokkos::deep_copy(back, Scalar(0));
  genten::detail::copy_view(genten::HostExec(), back, there);
  genten::HostExec().fence();
  EXPECT_EQ(back(rows - 1, columns - 1), from(rows - 1, columns - 1));
}

}  // namespace
