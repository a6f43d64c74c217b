// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/dense/detail/tall_gemm.hpp>

#include <KokkosBlas3_gemm.hpp>

namespace genten::detail {
namespace {

template <class Element, class Exec>
using Rows =
    Kokkos::View<Element**, Kokkos::LayoutRight, Kokkos::Device<Exec, typename Exec::memory_space>,
                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// c = beta c + op(a) b. Before version 4 KokkosBlas knows no instances: it queues on the default
/// one, which has to wait for `exec` and be waited for.
template <class Exec, class A, class B, class C>
void gemm(const Exec& exec, const char* op_a, const A& a, const B& b,
          typename C::const_value_type beta, const C& c) {
  const typename A::non_const_value_type one(1);
  if constexpr (requires { KokkosBlas::gemm(exec, op_a, "N", one, a, b, beta, c); }) {
    KokkosBlas::gemm(exec, op_a, "N", one, a, b, beta, c);
  } else {
    fence(exec, "genten::before_gemm");
    KokkosBlas::gemm(op_a, "N", one, a, b, beta, c);
    fence(Exec(), "genten::after_gemm");
  }
}

}  // namespace

template <ExecutionSpace Exec>
bool has_vendor_gemm() {
#ifdef KOKKOSKERNELS_ENABLE_TPL_CUBLAS
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return true;
#endif
#ifdef KOKKOSKERNELS_ENABLE_TPL_ROCBLAS
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) return true;
#endif
#ifdef KOKKOSKERNELS_ENABLE_TPL_BLAS
  if constexpr (is_host_space<Exec>) return true;
#endif
  return false;
}

template <RealScalar Scalar, ExecutionSpace Exec>
void multiply_tall(const Exec& exec, const Scalar* tall, std::size_t rows, std::size_t rank,
                   std::size_t stride, const Scalar* square, Scalar* result) {
  const Rows<const Scalar, Exec> padded(tall, rows, stride);
  // Its stride is the leading dimension that a vendor's library is given.
  const Rows<const Scalar, Exec> columns =
      Kokkos::subview(padded, Kokkos::ALL(), Kokkos::make_pair(std::size_t{0}, rank));
  gemm(exec, "N", columns, Rows<const Scalar, Exec>(square, rank, stride), Scalar(0),
       Rows<Scalar, Exec>(result, rows, stride));
}

template <ExecutionSpace Exec>
void gram_of_tall(const Exec& exec, const double* tall, std::size_t rows, std::size_t stride,
                  bool add, double* gram) {
  const Rows<const double, Exec> matrix(tall, rows, stride);
  gemm(exec, "T", matrix, matrix, add ? 1.0 : 0.0, Rows<double, Exec>(gram, stride, stride));
}

#define GENTEN_INSTANTIATE_MULTIPLY(SCALAR, EXEC)                                                \
  template void multiply_tall(const EXEC&, const SCALAR*, std::size_t, std::size_t, std::size_t, \
                              const SCALAR*, SCALAR*);
#define GENTEN_INSTANTIATE_GRAM(UNUSED, EXEC) \
  template bool has_vendor_gemm<EXEC>();      \
  template void gram_of_tall(const EXEC&, const double*, std::size_t, std::size_t, bool, double*);

GENTEN_ETI_EXECS(GENTEN_INSTANTIATE_MULTIPLY, float)
GENTEN_ETI_EXECS(GENTEN_INSTANTIATE_MULTIPLY, double)
GENTEN_ETI_EXECS(GENTEN_INSTANTIATE_GRAM, )

}  // namespace genten::detail
