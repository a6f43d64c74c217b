// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/fac_matrix.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

namespace {

using genten::FacMatrix;
using genten::padded_stride;
using genten_test::change_on_host;
using genten_test::error_of;
using genten_test::on_host;

static_assert(padded_stride(1, 8) == 1);
static_assert(padded_stride(3, 8) == 4);
static_assert(padded_stride(8, 8) == 8);
static_assert(padded_stride(9, 8) == 10);
static_assert(padded_stride(11, 8) == 12);
static_assert(padded_stride(13, 8) == 16);
static_assert(padded_stride(25, 8) == 26);
static_assert(padded_stride(28, 8) == 28);
static_assert(padded_stride(33, 8) == 40);
static_assert(padded_stride(17, 4) == 20);
static_assert(padded_stride(21, 4) == 24);
static_assert(padded_stride(65, 4) == 80);
static_assert(padded_stride(0, 4) == 0 || padded_stride(0, 4) == 1);

template <class Combination>
class FacMatrixTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Matrix = FacMatrix<Scalar, Exec>;

  static void fill(const Matrix& matrix) {
    change_on_host(matrix, [](const auto& host) {
      for (std::size_t i = 0; i < host.rows(); ++i) {
        for (std::size_t j = 0; j < host.columns(); ++j) {
          host(i, j) = static_cast<Scalar>(100 * i + j + 1);
        }
      }
    });
  }
  Exec exec;
};

TYPED_TEST_SUITE(FacMatrixTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(FacMatrixTest, AllocatesZerosWithPaddedRows) {
  const typename TestFixture::Matrix matrix(5, 17);
  EXPECT_EQ(matrix.rows(), 5u);
  EXPECT_EQ(matrix.columns(), 17u);
  EXPECT_EQ(matrix.stride(), padded_stride(17, sizeof(typename TypeParam::Scalar)));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.data()) % 64, 0u);
  EXPECT_EQ(matrix.row(3), matrix.data() + 3 * matrix.stride());
  const auto host = on_host(matrix);
  EXPECT_EQ(host.row(3), &host(3, 0));
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < matrix.stride(); ++j) EXPECT_EQ(host.padded_view()(i, j), 0);
  }
}

TYPED_TEST(FacMatrixTest, WrapsViewsWithoutACopy) {
  using Factor = typename TestFixture::Matrix;
  const typename Factor::view_type view("view", 4, 8);
  const Factor whole(view), part(view, 5);
  EXPECT_EQ(whole.columns(), 8u);
  EXPECT_EQ(part.columns(), 5u);
  change_on_host(part, [](const auto& host) { host(2, 4) = 3; });
  EXPECT_EQ(on_host(Factor(view))(2, 4), 3);
  EXPECT_EQ(error_of([&] { Factor(view, 9); }),
            "FacMatrix: expected at most 8 columns (the View's), got 9");
  const FacMatrix<const typename TypeParam::Scalar, typename TypeParam::Exec> reader = part;
  EXPECT_EQ(reader.data(), part.data());
  EXPECT_EQ(reader.columns(), 5u);
}

TYPED_TEST(FacMatrixTest, CopiesBetweenDifferentStrides) {
  using Factor = typename TestFixture::Matrix;
  const Factor padded(6, 11);
  const Factor packed(typename Factor::view_type("packed", 6, 11));
  TestFixture::fill(packed);
  deep_copy(this->exec, padded, packed);
  this->exec.fence();
  EXPECT_EQ(genten_test::plain(padded).elements, genten_test::plain(packed).elements);
  const auto host = on_host(padded);
  for (std::size_t j = 11; j < host.stride(); ++j) EXPECT_EQ(host.padded_view()(2, j), 0);
  const Factor back(typename Factor::view_type("packed", 6, 11));
  deep_copy(back, padded);
  EXPECT_EQ(genten_test::plain(back).elements, genten_test::plain(packed).elements);
  EXPECT_EQ(error_of([&] { deep_copy(Factor(6, 10), padded); }),
            "deep_copy(FacMatrix): expected 6 x 10, got 6 x 11");
}

TYPED_TEST(FacMatrixTest, MirrorOfAHostMatrixIsItself) {
  const typename TestFixture::Matrix matrix(3, 2);
  EXPECT_EQ(create_mirror_view(matrix).data() == matrix.data(),
            genten::is_host_space<typename TypeParam::Exec>);
}

TYPED_TEST(FacMatrixTest, CopiesToHostMatricesOfAnotherStride) {
  using Factor = typename TestFixture::Matrix;
  using HostFactor = FacMatrix<typename TypeParam::Scalar, genten::HostExec>;
  const Factor padded(6, 11), back(6, 11);
  TestFixture::fill(padded);
  const HostFactor packed(typename HostFactor::view_type("packed", 6, 11));
  deep_copy(packed, padded);
  EXPECT_EQ(genten_test::plain(packed).elements, genten_test::plain(padded).elements);
  deep_copy(back, packed);
  EXPECT_EQ(genten_test::plain(back).elements, genten_test::plain(padded).elements);
}

}  // namespace
