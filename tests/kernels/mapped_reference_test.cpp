// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Sums over the nonzeros and MTTKRPs of what is made of a model's values there, by every kernel
// that offers it, against plain loops in double precision.
#include <genten/mttkrp/map_with.hpp>

#include "pair_recipes.hpp"
#include "reference.hpp"
#include "test_types.hpp"
#include "thread_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

using genten_test::PlainMatrix;
using genten_test::PlainTensor;
using genten_test::random_tensor;
using testing::HasSubstr;

/// y = 2 (x - m), and the sums of x m and of (x - m)^2.
struct Difference {
  KOKKOS_INLINE_FUNCTION double operator()(double x, double m) const { return 2.0 * (x - m); }
  void map(const double* x, double* m, int count) const {
    for (int k = 0; k < count; ++k) m[k] = (*this)(x[k], m[k]);
  }
};
struct Products {
  double product = 0.0, square = 0.0;
  KOKKOS_FUNCTION void add(const Products& other) {
    product += other.product;
    square += other.square;
  }
};
struct AddProducts {
  KOKKOS_INLINE_FUNCTION Products operator()(double x, double m) const {
    return {x * m, (x - m) * (x - m)};
  }
  void add(Products& sums, const double* x, const double* m, int count) const {
    for (int k = 0; k < count; ++k) sums.add((*this)(x[k], m[k]));
  }
};

template <class Combination>
class MappedReference : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Ordinal = typename Combination::Ordinal;
  using Mapped = genten::MappedMttkrp<Scalar, Ordinal, Exec>;
  using Matrix = genten::FacMatrix<Scalar, Exec>;

  /// Caches so small that small tensors leave them.
  [[nodiscard]] genten::MachineProperties machine() const {
    genten::MachineProperties result = genten::MachineProperties::of(exec);
    result.l1_cache = 1 << 13;
    result.l2_cache = 1 << 16;
    result.shared_cache = 1 << 21;
    result.cores = 2;
    return result;
  }
  static std::vector<std::string> kernels() {
    return genten::is_host_space<Exec> ? std::vector<std::string>{"atomic", "sorted"}
                                       : std::vector<std::string>{"atomic"};
  }
  [[nodiscard]] Mapped prepare(const PlainTensor& tensor, std::size_t rank,
                               const std::string& kernel, double sweeps = 0.0) const {
    return Mapped(exec, genten_test::to_sptensor<Scalar, Ordinal, Exec>(tensor), rank,
                  {.kernel = kernel, .machine = machine(), .sweeps = sweeps}, 1e9);
  }
  static std::vector<PlainMatrix> positive_factors(const PlainTensor& tensor, std::size_t rank,
                                                   unsigned seed) {
    std::vector<PlainMatrix> factors;
    for (std::size_t n = 0; n < tensor.order(); ++n) {
      factors.push_back(
          genten_test::random_matrix(tensor.dimensions[n], rank, seed + static_cast<unsigned>(n)));
      for (double& value : factors.back().elements) {
        value = static_cast<Scalar>(0.25 + std::abs(value));
      }
    }
    return factors;
  }
  static std::vector<Matrix> make(const std::vector<PlainMatrix>& plain) {
    std::vector<Matrix> factors;
    for (const PlainMatrix& from : plain) {
      factors.emplace_back(from.rows, from.columns);
      genten_test::assign(factors.back(), from);
    }
    return factors;
  }

  void expect_sums(Mapped& mapped, const PlainTensor& tensor,
                   const std::vector<PlainMatrix>& plain) {
    Products expected;
    genten_test::PlainModel model{std::vector<double>(plain[0].columns, 1.0), plain};
    for (std::size_t p = 0; p < tensor.nnz(); ++p) {
      expected.add(AddProducts()(tensor.values[p],
                                 genten_test::entry_reference(model, tensor.subscripts[p])));
    }
    const auto sums = mapped.template sum<Products>(exec, make(plain), AddProducts());
    const double tolerance = 1000.0 * std::numeric_limits<Scalar>::epsilon();
    EXPECT_NEAR(sums.product / expected.product, 1.0, tolerance);
    EXPECT_NEAR(sums.square / expected.square, 1.0, tolerance);
  }
  void expect_mttkrps(Mapped& mapped, const PlainTensor& tensor,
                      const std::vector<PlainMatrix>& plain, bool known) {
    const auto factors = make(plain);
    PlainTensor weighted = tensor, sizes = tensor;
    genten_test::PlainModel model{std::vector<double>(plain[0].columns, 1.0), plain};
    for (std::size_t p = 0; p < tensor.nnz(); ++p) {
      const double m = genten_test::entry_reference(model, tensor.subscripts[p]);
      weighted.values[p] = Difference()(tensor.values[p], m);
      sizes.values[p] = std::abs(tensor.values[p]) + m;
    }
    mapped.map(exec, factors, Difference(), known);
    for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
      const Matrix output(factors[mode].rows(), factors[mode].columns());
      mapped.execute(exec, factors, static_cast<int>(mode), output);
      exec.fence();
      const PlainMatrix found = genten_test::plain(output);
      const auto expected = genten_test::mttkrp_reference(weighted, plain, mode).value;
      const auto size = genten_test::mttkrp_reference(sizes, plain, mode).value;
      for (std::size_t e = 0; e < found.elements.size(); ++e) {
        ASSERT_LE(std::abs(found.elements[e] - expected.elements[e]),
                  4000.0 * std::numeric_limits<Scalar>::epsilon() * size.elements[e])
            << mapped.kernel() << ", mode " << mode << ", " << e;
      }
    }
  }
  /// One object through several models: sums alone, MTTKRPs alone, and those after sums.
  void compare(const PlainTensor& tensor, std::size_t rank, double sweeps = 0.0,
               const std::string& description = "") {
    for (const std::string& kernel : kernels()) {
      SCOPED_TRACE(kernel + ", rank " + std::to_string(rank));
      Mapped mapped = prepare(tensor, rank, kernel, sweeps);
      if (kernel == "sorted") {
        EXPECT_THAT(mapped.describe(), HasSubstr(description));
      }
      EXPECT_EQ(mapped.kernel(), kernel);
      const auto first = positive_factors(tensor, rank, 100);
      const auto second = positive_factors(tensor, rank, 200);
      expect_sums(mapped, tensor, first);
      expect_mttkrps(mapped, tensor, first, true);
      expect_mttkrps(mapped, tensor, second, false);
      expect_sums(mapped, tensor, first);
      expect_sums(mapped, tensor, second);
      expect_mttkrps(mapped, tensor, second, true);
    }
  }

  Exec exec;
};

TYPED_TEST_SUITE(MappedReference, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(MappedReference, OrdersOneToEightAgree) {
  const std::vector<std::size_t> lengths = {40, 30, 20, 6, 5, 4, 3, 2};
  for (std::size_t order = 1; order <= lengths.size(); ++order) {
    const std::vector<std::size_t> dimensions(lengths.begin(),
                                              lengths.begin() + static_cast<std::ptrdiff_t>(order));
    this->compare(random_tensor({.dimensions = dimensions, .nnz = 500, .seed = 3}), 5);
  }
}

TYPED_TEST(MappedReference, RanksOfEveryKindOfRowAgree) {
  auto tensor = random_tensor({.dimensions = {50, 40, 30}, .nnz = 800, .seed = 4});
  for (const std::size_t rank : {1U, 2U, 3U, 8U, 10U, 12U, 20U, 33U, 64U, 65U, 130U}) {
    this->compare(tensor, rank);
  }
  std::fill(tensor.values.begin(), tensor.values.end(), 1.0);  // which needs no memory
  this->compare(tensor, 6);
}

TYPED_TEST(MappedReference, SeveralCopiesAndFusedModesAgree) {
  this->compare(random_tensor({.dimensions = {3000, 2000, 500}, .nnz = 4000, .seed = 5}), 16);
  this->compare(random_tensor({.dimensions = {3000, 20, 500, 9}, .nnz = 4000, .seed = 6}), 16);
  this->compare(random_tensor({.dimensions = {300, 20, 30}, .nnz = 40'000, .heavy_slice = true}),
                5);
  this->compare(random_tensor({.dimensions = {400, 6, 5, 300}, .nnz = 6000, .seed = 8}), 4);
}

TYPED_TEST(MappedReference, TuplesThatOccurAgree) {
  const auto& recipes = genten_test::pair_recipes();
  this->compare(make_tensor(recipes[0]), 16, 10.0, "modes 1 2 fused");
  this->compare(make_tensor(recipes[0]), 5, 10.0, "modes 3 4 fused");
  this->compare(make_tensor(recipes[1]), 5, 10.0, "modes 1 4 fused");
  this->compare(make_tensor(recipes[4]), 5, 10.0, "modes 3 4 5 fused");
  // One sweep does not pay for finding them.
  this->compare(make_tensor(recipes[0]), 5, 1.0, "mode 1: ");
}

// Matrices without padded rows, and with numbers in the padding.
TYPED_TEST(MappedReference, FactorsOfAnyStrideAgree) {
  using Real = typename TestFixture::Scalar;
  using Factor = typename TestFixture::Matrix;
  const auto tensor = random_tensor({.dimensions = {30, 20, 10}, .nnz = 200, .seed = 9});
  const auto factors = this->make(this->positive_factors(tensor, 3, 100));
  for (const std::size_t stride : {3U, 5U, 8U}) {
    std::vector<Factor> foul;
    for (const Factor& factor : factors) {
      const typename Factor::view_type view("foul", factor.rows(), stride);
      Kokkos::deep_copy(view, std::numeric_limits<Real>::quiet_NaN());
      foul.emplace_back(view, factor.columns());
      genten_test::assign(foul.back(), genten_test::plain(factor));
    }
    for (const std::string& kernel : this->kernels()) {
      auto mapped = this->prepare(tensor, 3, kernel);
      mapped.map(this->exec, factors, Difference());
      for (int mode = 0; mode < 3; ++mode) {
        const auto n = static_cast<std::size_t>(mode);
        const Factor right(factors[n].rows(), 3);
        mapped.map(this->exec, factors, Difference());
        mapped.execute(this->exec, factors, mode, right);
        const Factor found(typename Factor::view_type("found", factors[n].rows(), stride),
                           std::size_t{3});
        mapped.map(this->exec, foul, Difference());
        mapped.execute(this->exec, foul, mode, found);
        this->exec.fence();
        const auto expected = genten_test::plain(right), got = genten_test::plain(found);
        for (std::size_t e = 0; e < expected.elements.size(); ++e) {
          ASSERT_NEAR(got.elements[e], expected.elements[e],
                      1e-4 * (1.0 + std::abs(expected.elements[e])));
        }
      }
    }
  }
}

TYPED_TEST(MappedReference, OtherKernelsAreRefused) {
  const auto tensor = random_tensor({.dimensions = {6, 5, 4}, .nnz = 20, .seed = 1});
  const auto message_of = [&](const char* kernel) -> std::string {
    try {
      static_cast<void>(this->prepare(tensor, 3, kernel));
    } catch (const genten::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message_of("team"), HasSubstr("sorted (on hosts) or atomic, got team"));
  EXPECT_THAT(message_of("nonsense"), HasSubstr("got nonsense"));
  EXPECT_EQ(message_of("auto"), "");
}

TEST(MappedDeterminism, SortedGivesTheSameBitsForOneTwoAndThreeThreads) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const Exec exec{};
    genten_test::BitHash hash;
    for (const std::size_t rank : {7U, 70U}) {
      const auto plain = random_tensor({.dimensions = {40, 900, 700}, .nnz = 30000, .seed = 2});
      const auto tensor = genten_test::to_sptensor<double, std::uint32_t, Exec>(plain);
      const auto model =
          genten_test::to_ktensor<double, Exec>(genten_test::random_model({40, 900, 700}, rank, 5));
      genten::MappedMttkrp<double, std::uint32_t, Exec> mapped(exec, tensor, rank,
                                                               {.kernel = "sorted"}, 1e9);
      const auto sums = mapped.sum<Products>(exec, model.factors(), AddProducts());
      hash.add(sums.product);
      hash.add(sums.square);
      mapped.map(exec, model.factors(), Difference(), true);
      for (int mode = 0; mode < 3; ++mode) {
        const genten::FacMatrix<double, Exec> output(tensor.dimension(mode), rank);
        mapped.execute(exec, model.factors(), mode, output);
        exec.fence();
        for (std::size_t i = 0; i < output.rows(); ++i) {
          for (std::size_t j = 0; j < rank; ++j) hash.add(output(i, j));
        }
      }
    }
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
