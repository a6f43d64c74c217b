// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Tuples as devices find and count them, beside those that hosts find.

#include <genten/core/generate.hpp>
#include <genten/format/sorted_tuples.hpp>
#include <genten/format/tuple_count.hpp>

#include "test_types.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using genten::HostExec;
using genten::offset_t;
using genten::detail::RecordNumber;

template <class Combination>
class TupleScan : public testing::Test {
 protected:
  using Scalar = typename Combination::Scalar;
  using Packed = genten::PackedTensor<Scalar, HostExec>;

  struct Found {
    Packed packed;
    genten::FusedTuples<HostExec> tuples;
  };

  /// The records of a tensor by the tuples of the first and last mode, found by `Tuples`.
  template <class Tuples>
  static Found find(const std::vector<std::size_t>& dimensions, bool coded, bool may_code) {
    const HostExec exec;
    auto sparse = genten::generate_sparse<Scalar>(
        exec, {.name = "x", .dimensions = dimensions, .nonzeros = 30'000}, 3);
    using Tensor = genten::Sptensor<Scalar, std::uint32_t, HostExec>;
    typename Tensor::values_view::non_const_type values("values", sparse.values().extent(0));
    for (offset_t p = 0; p < sparse.nnz(); ++p) {
      values(p) = static_cast<Scalar>(coded ? p % 7 : p + 1);
    }
    const genten::RelabeledTensor<Scalar, std::uint32_t, HostExec> tensor(
        Tensor(dimensions, sparse.subscripts(), values));
    std::vector<genten::ModeGroup> single;
    for (int mode = 0; mode < static_cast<int>(dimensions.size()); ++mode)
      single.push_back({{mode}});
    Found found{*genten::pack_records(exec, tensor, single, may_code), {}};
    Packed& packed = found.packed;
    const int last = static_cast<int>(dimensions.size()) - 1;
    RecordNumber number;
    number.append(packed.layout.fields[last], 0);
    number.append(packed.layout.fields[0], 0);
    genten::detail::SortWorkspace<HostExec> workspace;
    Tuples tuples(exec, packed, number, {0, last}, workspace);
    std::optional<genten::ValueDictionary<Scalar, HostExec>> dictionary;
    if (coded) dictionary = tensor.dictionary(exec);
    Packed numbered;
    numbered.dimensions = {tuples.tuples()};
    for (int mode = 1; mode < last; ++mode) numbered.dimensions.push_back(packed.dimensions[mode]);
    numbered.layout = *genten::RecordLayout::for_dimensions(
        numbered.dimensions, dictionary ? std::optional(dictionary->code_bits()) : std::nullopt);
    if (numbered.layout.coded) numbered.dictionary = dictionary->values();
    found.tuples =
        tuples.write(numbered, dictionary.value_or(genten::ValueDictionary<Scalar, HostExec>()));
    packed = std::move(numbered);
    return found;
  }

  static void compare(const std::vector<std::size_t>& dimensions, bool coded, bool may_code) {
    using ByBucket = genten::detail::TuplesByBucket<Scalar, HostExec>;
    using ByScan = genten::detail::TuplesByScan<Scalar, HostExec>;
    const Found expected = find<ByBucket>(dimensions, coded, may_code);
    const Found found = find<ByScan>(dimensions, coded, may_code);
    EXPECT_EQ(found.packed.layout.words, expected.packed.layout.words);
    ASSERT_EQ(found.tuples.size(), expected.tuples.size());
    for (std::size_t t = 0; t < found.tuples.size(); ++t) {
      ASSERT_EQ(found.tuples.subscripts(t, 0), expected.tuples.subscripts(t, 0)) << t;
      ASSERT_EQ(found.tuples.subscripts(t, 1), expected.tuples.subscripts(t, 1)) << t;
    }
    ASSERT_EQ(found.packed.records.extent(0), expected.packed.records.extent(0));
    for (std::size_t w = 0; w < found.packed.records.extent(0); ++w) {
      ASSERT_EQ(found.packed.records(w), expected.packed.records(w)) << w;
    }
  }
};
TYPED_TEST_SUITE(TupleScan, genten_test::HostModelTypes, genten_test::TypeNames);

TYPED_TEST(TupleScan, FindsWhatBucketsDo) {
  constexpr std::size_t k20 = std::size_t{1} << 20;
  for (const std::vector<std::size_t>& dimensions :
       {std::vector<std::size_t>{30, 5000, 40}, std::vector<std::size_t>{300, 50, 6, 400},
        std::vector<std::size_t>{k20, k20, 3000, k20}}) {
    for (const bool coded : {false, true}) {
      this->compare(dimensions, coded, true);
      this->compare(dimensions, coded, false);
    }
  }
}

TEST(SketchedTuples, AreThoseThatOccurWithinThreePerCent) {
  const HostExec exec;
  for (const std::size_t length : {60, 150, 300, 900, 4000}) {
    const auto tensor = genten::generate_sparse<double>(
        exec, {.name = "x", .dimensions = {length, 77, length}, .nonzeros = 200'000}, 5);
    for (const std::vector<int>& modes : {std::vector<int>{0}, std::vector<int>{0, 2}}) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> tuples;
      for (offset_t p = 0; p < tensor.nnz(); ++p) {
        tuples.emplace(tensor.subscripts()(p, 0), tensor.subscripts()(p, modes.back()));
      }
      const auto exact = static_cast<double>(tuples.size());
      EXPECT_NEAR(genten::detail::sketched_tuples(exec, tensor.subscripts(), tensor.nnz(), modes),
                  exact, .03 * exact)
          << length;
    }
  }
}

}  // namespace
