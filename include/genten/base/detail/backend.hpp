// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What differs between backends and Kokkos does not hide; besides the vendors'
/// libraries the only place that asks which backends there are.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/memory.hpp>
#include <genten/base/error.hpp>
#include <genten/base/types.hpp>

#include <chrono>
#include <cstring>
#include <memory>

/// Before a loop of a device kernel: unroll it. Host compilers do not know the words.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define GENTEN_DEVICE_UNROLL _Pragma("unroll")
#else
#define GENTEN_DEVICE_UNROLL
#endif
/// Before a template for hosts and devices that calls its argument, which may be for hosts alone:
/// nvcc warns of that otherwise.
#if defined(__CUDACC__)
#define GENTEN_CALLS_ARGUMENT _Pragma("nv_exec_check_disable")
#else
#define GENTEN_CALLS_ARGUMENT
#endif

namespace genten::detail {

/// Lanes that `value_of_lane` looks at: the vector length of a team that calls it.
inline constexpr int device_lanes_of_a_row = 32;

/// What the lane of that number among `device_lanes_of_a_row` neighbouring ones has; all of them
/// must call it. Kokkos has reductions over lanes only, which take five times as many steps. Of no
/// use on hosts, whose teams have one lane.
template <class T>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T value_of_lane(const T& value,
                                                          [[maybe_unused]] int lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(0xffffffffU, value, lane);
#elif defined(__HIP_DEVICE_COMPILE__)
  return __shfl(value, lane, device_lanes_of_a_row);
#else
  return value;
#endif
}

/// Whether functions that hosts and devices share may work on vectors of the compiler's: nvcc
/// refuses them, also where only hosts call the function with vectors.
#ifdef __CUDACC__
inline constexpr bool shared_code_takes_vectors = false;
#else
inline constexpr bool shared_code_takes_vectors = true;
#endif

/// Of a host backend.
template <ExecutionSpace Exec>
struct Backend {
  /// Host memory that kernels of `Exec` read and write.
  using pinned_space = Kokkos::HostSpace;
  /// Bytes that can still be allocated.
  static double free_bytes() { return available_host_bytes(); }
  /// Makes the calling thread, whichever it is, one that may queue work on an instance.
  static void attach_thread(const Exec&) {}
  /// Queues a copy between memory of `Exec` and pinned memory. Hosts make it at once.
  static void queue_copy(const Exec&, void* to, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
  }
  /// An instance's queue as the vendor's libraries take it; hosts have none.
  static void* queue(const Exec&) { return nullptr; }

  /// A point in the work that is queued on an instance: it can be waited for while later work runs,
  /// and the time between two of them that were reached can be read. Hosts reach it at once.
  class Event {
   public:
    void set(const Exec& exec) {
      fence(exec, "genten::event");
      m_time = std::chrono::steady_clock::now();
    }
    void wait() const {}
    /// Lets what is queued on an instance from now on wait for the point.
    void hold(const Exec&) const {}
    [[nodiscard]] double seconds_since(const Event& earlier) const {
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

/// Of a device, by the functions of its vendor's runtime.
template <class Runtime>
class DeviceBackend {
 public:
  using Exec = typename Runtime::Exec;

  static double free_bytes() {
    std::size_t free = 0, total = 0;
    return Runtime::free_memory(&free, &total) == Runtime::success ? static_cast<double>(free)
                                                                   : 0.0;
  }
  static double shared_cache_bytes() {
    int device = 0, bytes = 0;
    if (Runtime::device(&device) != Runtime::success) return 0.0;
    return Runtime::attribute(&bytes, Runtime::shared_cache, device) == Runtime::success
               ? static_cast<double>(bytes)
               : 0.0;
  }
  static double multiprocessors() {
    int device = 0, count = 0;
    if (Runtime::device(&device) != Runtime::success) return 1.0;
    return Runtime::attribute(&count, Runtime::multiprocessor_count, device) == Runtime::success
               ? static_cast<double>(count)
               : 1.0;
  }

  static void attach_thread(const Exec& exec) { check(Runtime::use_device_of(exec)); }
  static void queue_copy(const Exec& exec, void* to, const void* from, std::size_t bytes) {
    check(Runtime::copy(to, from, bytes, Runtime::stream(exec)));
  }
  static void* queue(const Exec& exec) { return Runtime::stream(exec); }

  class Event {
   public:
    Event() {
      typename Runtime::Event event = nullptr;
      check(Runtime::create(&event));
      m_event = {event, [](auto* made) { static_cast<void>(Runtime::destroy(made)); }};
    }
    void set(const Exec& exec) { check(Runtime::record(m_event.get(), Runtime::stream(exec))); }
    void wait() const { check(Runtime::wait(m_event.get())); }
    void hold(const Exec& exec) const {
      check(Runtime::hold(Runtime::stream(exec), m_event.get()));
    }
    [[nodiscard]] double seconds_since(const Event& earlier) const {
      float milliseconds = 0.0F;
      check(Runtime::elapsed(&milliseconds, earlier.m_event.get(), m_event.get()));
      return 1e-3 * static_cast<double>(milliseconds);
    }

   private:
    std::shared_ptr<std::remove_pointer_t<typename Runtime::Event>> m_event;
  };

  class SideQueue {
   public:
    SideQueue() : m_stream(make()), m_exec(m_stream.get()) {}
    [[nodiscard]] const Exec& exec() const { return m_exec; }

   private:
    using Stream = std::shared_ptr<std::remove_pointer_t<typename Runtime::Stream>>;
    static Stream make() {
      int least = 0, greatest = 0;
      check(Runtime::priorities(&least, &greatest));
      typename Runtime::Stream stream = nullptr;
      check(Runtime::create(&stream, greatest));
      return {stream, [](auto* made) { static_cast<void>(Runtime::destroy(made)); }};
    }
    Stream m_stream;
    Exec m_exec;
  };

 private:
  static void check(typename Runtime::Status status) {
    if (status != Runtime::success) throw Error(Error::Kind::runtime, Runtime::text(status));
  }
};

#ifdef KOKKOS_ENABLE_CUDA
struct CudaRuntime {
  using Exec = Kokkos::Cuda;
  using Status = cudaError_t;
  using Event = cudaEvent_t;
  using Stream = cudaStream_t;
  static constexpr Status success = cudaSuccess;
  static constexpr auto shared_cache = cudaDevAttrL2CacheSize;
  static constexpr auto multiprocessor_count = cudaDevAttrMultiProcessorCount;

  static const char* text(Status status) { return cudaGetErrorString(status); }
  static Stream stream(const Exec& exec) { return exec.cuda_stream(); }
  static Status free_memory(std::size_t* free, std::size_t* total) {
    return cudaMemGetInfo(free, total);
  }
  static Status device(int* number) { return cudaGetDevice(number); }
  static Status attribute(int* value, cudaDeviceAttr which, int device) {
    return cudaDeviceGetAttribute(value, which, device);
  }
  static Status use_device_of(const Exec& exec) { return cudaSetDevice(exec.cuda_device()); }
  static Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
  }
  static Status create(Event* event) { return cudaEventCreate(event); }
  static Status destroy(Event event) { return cudaEventDestroy(event); }
  static Status record(Event event, Stream stream) { return cudaEventRecord(event, stream); }
  static Status wait(Event event) { return cudaEventSynchronize(event); }
  static Status hold(Stream stream, Event event) { return cudaStreamWaitEvent(stream, event, 0); }
  static Status elapsed(float* milliseconds, Event from, Event to) {
    return cudaEventElapsedTime(milliseconds, from, to);
  }
  static Status priorities(int* least, int* greatest) {
    return cudaDeviceGetStreamPriorityRange(least, greatest);
  }
  static Status create(Stream* stream, int priority) {
    return cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, priority);
  }
  static Status destroy(Stream stream) { return cudaStreamDestroy(stream); }
};
template <>
struct Backend<Kokkos::Cuda> : DeviceBackend<CudaRuntime> {
  using pinned_space = Kokkos::CudaHostPinnedSpace;
};
#endif

#ifdef KOKKOS_ENABLE_HIP
struct HipRuntime {
  using Exec = Kokkos::HIP;
  using Status = hipError_t;
  using Event = hipEvent_t;
  using Stream = hipStream_t;
  static constexpr Status success = hipSuccess;
  static constexpr auto shared_cache = hipDeviceAttributeL2CacheSize;
  static constexpr auto multiprocessor_count = hipDeviceAttributeMultiprocessorCount;

  static const char* text(Status status) { return hipGetErrorString(status); }
  static Stream stream(const Exec& exec) { return exec.hip_stream(); }
  static Status free_memory(std::size_t* free, std::size_t* total) {
    return hipMemGetInfo(free, total);
  }
  static Status device(int* number) { return hipGetDevice(number); }
  static Status attribute(int* value, hipDeviceAttribute_t which, int device) {
    return hipDeviceGetAttribute(value, which, device);
  }
  static Status use_device_of(const Exec& exec) { return hipSetDevice(exec.hip_device()); }
  static Status copy(void* to, const void* from, std::size_t bytes, Stream stream) {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, stream);
  }
  static Status create(Event* event) { return hipEventCreate(event); }
  static Status destroy(Event event) { return hipEventDestroy(event); }
  static Status record(Event event, Stream stream) { return hipEventRecord(event, stream); }
  static Status wait(Event event) { return hipEventSynchronize(event); }
  static Status hold(Stream stream, Event event) { return hipStreamWaitEvent(stream, event, 0); }
  static Status elapsed(float* milliseconds, Event from, Event to) {
    return hipEventElapsedTime(milliseconds, from, to);
  }
  static Status priorities(int* least, int* greatest) {
    return hipDeviceGetStreamPriorityRange(least, greatest);
  }
  static Status create(Stream* stream, int priority) {
    return hipStreamCreateWithPriority(stream, hipStreamNonBlocking, priority);
  }
  static Status destroy(Stream stream) { return hipStreamDestroy(stream); }
};
template <>
struct Backend<Kokkos::HIP> : DeviceBackend<HipRuntime> {
  using pinned_space = Kokkos::HIPHostPinnedSpace;
};
#endif

}  // namespace genten::detail
