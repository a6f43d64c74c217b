// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What differs between backends and Kokkos does not hide; besides the vendors' libraries the only
/// place that asks which backends there are.

#include <genten/core/error.hpp>
#include <genten/core/types.hpp>
#include <genten/detail/kokkos_compat.hpp>
#include <genten/detail/memory.hpp>

#include <chrono>
#include <memory>

/// Before a loop of a device kernel: unroll it. Host compilers do not know the words.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define GENTEN_DEVICE_UNROLL _Pragma("unroll")
#else
#define GENTEN_DEVICE_UNROLL
#endif

namespace genten::detail {

/// Of a host backend.
template <ExecutionSpace Exec>
struct Backend {
  /// Host memory that kernels of `Exec` read and write.
  using pinned_space = Kokkos::HostSpace;
  /// Bytes that can still be allocated.
  static double free_bytes() { return static_cast<double>(available_host_bytes()); }

  /// A point in the work that is queued on an instance: it can be waited for while later work runs,
  /// and the time between two of them that were reached can be read. Hosts reach it at once.
  class Mark {
   public:
    void set(const Exec& exec) {
      fence(exec, "genten::mark");
      m_time = std::chrono::steady_clock::now();
    }
    void wait() const {}
    /// Lets what is queued on an instance from now on wait for the point.
    void hold(const Exec&) const {}
    [[nodiscard]] double seconds_since(const Mark& earlier) const {
      return std::chrono::duration<double>(m_time - earlier.m_time).count();
    }

   private:
    std::chrono::steady_clock::time_point m_time;
  };

  /// An instance whose work a device does beside that of others, and first where both are ready.
  class SideQueue {
   public:
    [[nodiscard]] const Exec& exec() const { return m_exec; }

   private:
    Exec m_exec;
  };
};

#ifdef KOKKOS_ENABLE_CUDA
template <>
struct Backend<Kokkos::Cuda> {
  using pinned_space = Kokkos::CudaHostPinnedSpace;
  static double free_bytes() {
    std::size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0.0;
    return static_cast<double>(free);
  }
  static double shared_cache_bytes() {
    int device = 0, bytes = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return 0.0;
    if (cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) != cudaSuccess) return 0.0;
    return static_cast<double>(bytes);
  }

  class Mark {
   public:
    Mark() {
      cudaEvent_t event = nullptr;
      check(cudaEventCreate(&event));
      m_event = {event, [](auto* made) { static_cast<void>(cudaEventDestroy(made)); }};
    }
    void set(const Kokkos::Cuda& exec) {
      check(cudaEventRecord(m_event.get(), exec.cuda_stream()));
    }
    void wait() const { check(cudaEventSynchronize(m_event.get())); }
    void hold(const Kokkos::Cuda& exec) const {
      check(cudaStreamWaitEvent(exec.cuda_stream(), m_event.get(), 0));
    }
    [[nodiscard]] double seconds_since(const Mark& earlier) const {
      float milliseconds = 0.0F;
      check(cudaEventElapsedTime(&milliseconds, earlier.m_event.get(), m_event.get()));
      return 1e-3 * static_cast<double>(milliseconds);
    }

   private:
    std::shared_ptr<std::remove_pointer_t<cudaEvent_t>> m_event;
  };

  class SideQueue {
   public:
    SideQueue() : m_stream(make()), m_exec(m_stream.get()) {}
    [[nodiscard]] const Kokkos::Cuda& exec() const { return m_exec; }

   private:
    using Stream = std::shared_ptr<std::remove_pointer_t<cudaStream_t>>;
    static Stream make() {
      int least = 0, greatest = 0;
      check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
      cudaStream_t stream = nullptr;
      check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
      return {stream, [](auto* made) { static_cast<void>(cudaStreamDestroy(made)); }};
    }
    Stream m_stream;
    Kokkos::Cuda m_exec;
  };

 private:
  static void check(cudaError_t status) {
    if (status != cudaSuccess) throw Error(Error::Kind::runtime, cudaGetErrorString(status));
  }
};
#endif

#ifdef KOKKOS_ENABLE_HIP
template <>
struct Backend<Kokkos::HIP> {
  using pinned_space = Kokkos::HIPHostPinnedSpace;
  static double free_bytes() {
    std::size_t free = 0, total = 0;
    if (hipMemGetInfo(&free, &total) != hipSuccess) return 0.0;
    return static_cast<double>(free);
  }
  static double shared_cache_bytes() {
    int device = 0, bytes = 0;
    if (hipGetDevice(&device) != hipSuccess) return 0.0;
    if (hipDeviceGetAttribute(&bytes, hipDeviceAttributeL2CacheSize, device) != hipSuccess)
      return 0.0;
    return static_cast<double>(bytes);
  }

  class Mark {
   public:
    Mark() {
      hipEvent_t event = nullptr;
      check(hipEventCreate(&event));
      m_event = {event, [](auto* made) { static_cast<void>(hipEventDestroy(made)); }};
    }
    void set(const Kokkos::HIP& exec) { check(hipEventRecord(m_event.get(), exec.hip_stream())); }
    void wait() const { check(hipEventSynchronize(m_event.get())); }
    void hold(const Kokkos::HIP& exec) const {
      check(hipStreamWaitEvent(exec.hip_stream(), m_event.get(), 0));
    }
    [[nodiscard]] double seconds_since(const Mark& earlier) const {
      float milliseconds = 0.0F;
      check(hipEventElapsedTime(&milliseconds, earlier.m_event.get(), m_event.get()));
      return 1e-3 * static_cast<double>(milliseconds);
    }

   private:
    std::shared_ptr<std::remove_pointer_t<hipEvent_t>> m_event;
  };

  class SideQueue {
   public:
    SideQueue() : m_stream(make()), m_exec(m_stream.get()) {}
    [[nodiscard]] const Kokkos::HIP& exec() const { return m_exec; }

   private:
    using Stream = std::shared_ptr<std::remove_pointer_t<hipStream_t>>;
    static Stream make() {
      int least = 0, greatest = 0;
      check(hipDeviceGetStreamPriorityRange(&least, &greatest));
      hipStream_t stream = nullptr;
      check(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest));
      return {stream, [](auto* made) { static_cast<void>(hipStreamDestroy(made)); }};
    }
    Stream m_stream;
    Kokkos::HIP m_exec;
  };

 private:
  static void check(hipError_t status) {
    if (status != hipSuccess) throw Error(Error::Kind::runtime, hipGetErrorString(status));
  }
};
#endif

}  // namespace genten::detail
