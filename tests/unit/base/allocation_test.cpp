// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Memory that there is not is an Error, whatever Kokkos and the standard library throw.

#include <genten/base/detail/allocation.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/core/sptensor_ops.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace {

using genten::Error;
using Exec = Kokkos::DefaultHostExecutionSpace;

#ifdef __SANITIZE_ADDRESS__
constexpr bool too_much_ends_the_process = true;
#else
constexpr bool too_much_ends_the_process = false;
#endif

/// What is thrown, if it is an Error.
template <class Body>
std::optional<Error> error_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

template <class Body>
void expect_memory_error(const Body& body, const std::string& message) {
  const auto error = error_of(body);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), Error::Kind::memory);
  EXPECT_NE(std::string(error->what()).find(message), std::string::npos) << error->what();
}

constexpr std::size_t too_many = std::size_t{1} << 50;  // bytes in petabytes

TEST(Allocation, OfViews) {
  if (too_much_ends_the_process) GTEST_SKIP() << "under this sanitizer";
  using View = Kokkos::View<double*, Kokkos::HostSpace>;
  const auto view = genten::detail::new_view<View>("some", 3);
  EXPECT_EQ(view.extent(0), 3u);
  expect_memory_error([] { static_cast<void>(genten::detail::new_view<View>("many", too_many)); },
                      "out of memory on Host");
  expect_memory_error(
      [] { static_cast<void>(genten::detail::uninitialized_view<View>("many", too_many)); },
      "out of memory on Host");
  expect_memory_error(
      [] { static_cast<void>(genten::detail::uninitialized_array<char>("many", 8 * too_many)); },
      "out of memory on Host");
}

TEST(Allocation, OfWhatTheLibraryReturns) {
  if (too_much_ends_the_process) GTEST_SKIP() << "under this sanitizer";
  using Tensor = genten::Sptensor<double, std::uint64_t, Exec>;
  const std::vector<std::uint64_t> subscripts{too_many - 1};
  const std::vector<double> values{1.0};
  const auto tensor = Tensor::from_host({too_many}, subscripts, values);
  expect_memory_error([&] { static_cast<void>(slice_counts(Exec(), tensor, 0)); },
                      "out of memory on Host");
  expect_memory_error([] { genten::FacMatrix<float, Exec>(too_many, 3); }, "out of memory on Host");
}

TEST(Allocation, OfMatricesWhoseSizeHasNoNumber) {
  using Matrix = genten::FacMatrix<double, Exec>;
  const std::size_t large = std::size_t{1} << 60;
  expect_memory_error([&] { Matrix(large, 16); }, "FacMatrix: 1152921504606846976 x 16 elements");
  expect_memory_error([&] { Matrix(16, large); }, "are more than memory can hold");
  expect_memory_error([&] { Matrix(2, ~std::size_t{0}); }, "are more than memory can hold");
  EXPECT_EQ(Matrix(3, 5).rows(), 3u);
  EXPECT_EQ(Matrix(0, 5).rows(), 0u);
}

TEST(Allocation, ByTheStandardLibrary) {
  using genten::detail::with_memory_errors;
  EXPECT_EQ(with_memory_errors("f", [] { return 3; }), 3);
  expect_memory_error([] { with_memory_errors("f", [] { throw std::bad_alloc(); }); },
                      "f: out of memory");
  expect_memory_error([] { with_memory_errors("f", [] { throw std::length_error("vector"); }); },
                      "f: more than memory can hold");
  EXPECT_THROW(with_memory_errors("f", [] { throw std::logic_error("mine"); }), std::logic_error);
}

}  // namespace
