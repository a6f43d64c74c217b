// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/listed_entries.hpp>
#include <genten/core/sptensor_ops.hpp>

#include "reference.hpp"
#include "tensor_test.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using genten_test::PlainTensor;

template <class Combination>
class ListedEntries : public genten_test::TensorTest<Combination> {
 protected:
  /// Beside a set of the list's entries.
  void compare(const PlainTensor& tensor, const PlainTensor& list, bool sorted) const {
    const std::set<std::vector<std::size_t>> entries(list.subscripts.begin(),
                                                     list.subscripts.end());
    auto listed = this->make(list);
    if (sorted) listed = genten::sum_duplicates(this->exec, listed).tensor;
    const auto flags = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), genten::listed_entries(this->exec, this->make(tensor), listed));
    ASSERT_EQ(flags.extent(0), tensor.nnz());
    for (std::size_t p = 0; p < tensor.nnz(); ++p) {
      EXPECT_EQ(flags(p) != 0, entries.contains(tensor.subscripts[p])) << "nonzero " << p;
    }
  }
};
TYPED_TEST_SUITE(ListedEntries, genten_test::AllTypes, genten_test::TypeNames);

TYPED_TEST(ListedEntries, AreThoseThatBothHave) {
  const auto tensor = genten_test::random_tensor({.dimensions = {9, 8, 7}, .nnz = 300, .seed = 1});
  auto list = genten_test::random_tensor({.dimensions = {9, 8, 7}, .nnz = 200, .seed = 2});
  list.subscripts.push_back(list.subscripts.front());  // twice
  list.values.push_back(1.0);
  for (const bool sorted : {false, true}) {
    this->compare(tensor, list, sorted);
    this->compare(tensor, PlainTensor{{9, 8, 7}, {}, {}}, sorted);
    this->compare(PlainTensor{{9, 8, 7}, {}, {}}, list, sorted);
    this->compare(tensor, tensor, sorted);
  }
}

// Keys of several words.
TYPED_TEST(ListedEntries, OfLongModes) {
  const std::vector<std::size_t> dimensions(6, 4'000'000'000);
  PlainTensor tensor{dimensions, {}, {}}, list = tensor;
  for (std::size_t p = 0; p < 40; ++p) {
    std::vector<std::size_t> at;
    for (std::size_t n = 0; n < 6; ++n) at.push_back((p * 7919 + n) * 90'000'001 % 4'000'000'000);
    tensor.subscripts.push_back(at);
    tensor.values.push_back(1.0);
    if (p % 3 != 0) at[5] ^= 1;
    list.subscripts.push_back(at);
    list.values.push_back(1.0);
  }
  this->compare(tensor, list, false);
}

}  // namespace
