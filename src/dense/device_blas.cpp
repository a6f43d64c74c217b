// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/error.hpp>
#include <genten/dense/detail/device_blas.hpp>

#ifdef KOKKOS_ENABLE_CUDA

#include <cublas_v2.h>

#include <string>

// A matrix stored by rows is its own transpose stored by columns, as BLAS has it: products are
// asked for with their operands exchanged.

namespace genten::detail {
namespace {

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(std::string(call) + ": " + cublasGetStatusString(status));
}

cublasHandle_t on_queue(const std::shared_ptr<void>& handle, const Kokkos::Cuda& exec) {
  auto* const result = static_cast<cublasHandle_t>(handle.get());
  check(cublasSetStream(result, exec.cuda_stream()), "cublasSetStream");
  return result;
}

auto gemm(cublasHandle_t handle, int m, int n, int k, const float* a, int lda, const float* b,
          int ldb, float* c, int ldc) {
  const float one = 1.0F, zero = 0.0F;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, lda, b, ldb, &zero, c,
                     ldc);
}

auto gemm(cublasHandle_t handle, int m, int n, int k, const double* a, int lda, const double* b,
          int ldb, double* c, int ldc) {
  const double one = 1.0, zero = 0.0;
  return cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, a, lda, b, ldb, &zero, c,
                     ldc);
}

}  // namespace

template <>
DeviceBlas<Kokkos::Cuda>::DeviceBlas() {
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle), "cublasCreate");
  m_handle =
      std::shared_ptr<void>(handle, [](void* h) { cublasDestroy(static_cast<cublasHandle_t>(h)); });
}

template <>
template <RealScalar Scalar>
void DeviceBlas<Kokkos::Cuda>::multiply(const Kokkos::Cuda& exec, const Scalar* tall,
                                        std::size_t rows, std::size_t rank, std::size_t stride,
                                        const Scalar* square, Scalar* result) const {
  const int s = static_cast<int>(stride);
  check(gemm(on_queue(m_handle, exec), s, static_cast<int>(rows), static_cast<int>(rank), square, s,
             tall, s, result, s),
        "cublas gemm");
}

template void DeviceBlas<Kokkos::Cuda>::multiply(const Kokkos::Cuda&, const float*, std::size_t,
                                                 std::size_t, std::size_t, const float*,
                                                 float*) const;
template void DeviceBlas<Kokkos::Cuda>::multiply(const Kokkos::Cuda&, const double*, std::size_t,
                                                 std::size_t, std::size_t, const double*,
                                                 double*) const;

template <>
void DeviceBlas<Kokkos::Cuda>::grams(const Kokkos::Cuda& exec, const double* tall,
                                     std::size_t chunks, std::size_t chunk_rows, std::size_t stride,
                                     bool add, double* grams) const {
  const int s = static_cast<int>(stride);
  const double one = 1.0, before = add ? 1.0 : 0.0;
  const auto step = static_cast<long long>(chunk_rows * stride);
  check(cublasDgemmStridedBatched(on_queue(m_handle, exec), CUBLAS_OP_N, CUBLAS_OP_T, s, s,
                                  static_cast<int>(chunk_rows), &one, tall, s, step, tall, s, step,
                                  &before, grams, s, static_cast<long long>(stride * stride),
                                  static_cast<int>(chunks)),
        "cublasDgemmStridedBatched");
}

}  // namespace genten::detail

#endif
