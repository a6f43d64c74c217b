// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What programs want to know of the backends before they start Kokkos, and to report afterwards.

#include <genten/base/error.hpp>
#include <genten/base/types.hpp>

#include <limits>
#include <string>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace genten::tools {

/// Threads of the host that Kokkos starts with.
struct HostThreads {
  int usual = 1;                               ///< where nothing is asked for
  int most = std::numeric_limits<int>::max();  ///< that it can hold
};

[[nodiscard]] inline HostThreads threads_at_start() {
#ifdef KOKKOS_ENABLE_OPENMP
  // Kokkos keeps what a thread has in an array of this length, whose end it does not check.
  constexpr int kokkos_pool = 512;
  return {omp_get_max_threads(), kokkos_pool};
#else
  return {};
#endif
}

/// Devices that this process sees, and what the vendor's runtime says where that is none.
struct DeviceCount {
  int devices = 0;
  std::string trouble;
};

/// What a report says of a device.
struct DeviceFacts {
  std::string name;
  int number = 0;
  double memory_bytes = 0.0;
  std::string driver;
};

/// By the functions of a vendor's runtime.
template <class Runtime>
struct DevicesOf {
  [[nodiscard]] static DeviceCount count() {
    DeviceCount result;
    const auto status = Runtime::count(&result.devices);
    if (status != Runtime::success) return {0, Runtime::text(status)};
    if (result.devices == 0) result.trouble = "there is none";
    return result;
  }

  /// Of the device that Kokkos uses, once it has started.
  [[nodiscard]] static DeviceFacts facts() {
    DeviceFacts result;
    typename Runtime::Properties properties;
    int version = 0;
    check(Runtime::device(&result.number));
    check(Runtime::properties(&properties, result.number));
    check(Runtime::driver(&version));
    result.name = properties.name;
    result.memory_bytes = static_cast<double>(properties.totalGlobalMem);
    result.driver = Runtime::version_text(version);
    return result;
  }

 private:
  static void check(typename Runtime::Status status) {
    if (status != Runtime::success) throw Error(Error::Kind::runtime, Runtime::text(status));
  }
};

/// The devices of an execution space; hosts have none.
template <ExecutionSpace Exec>
struct Devices;

#ifdef KOKKOS_ENABLE_CUDA
struct CudaDevices {
  using Status = cudaError_t;
  using Properties = cudaDeviceProp;
  static constexpr Status success = cudaSuccess;

  static const char* text(Status status) { return cudaGetErrorString(status); }
  static Status count(int* devices) { return cudaGetDeviceCount(devices); }
  static Status device(int* number) { return cudaGetDevice(number); }
  static Status properties(Properties* properties, int device) {
    return cudaGetDeviceProperties(properties, device);
  }
  static Status driver(int* version) { return cudaDriverGetVersion(version); }
  /// The newest CUDA that the driver takes: 13000 stands for 13.0.
  static std::string version_text(int version) {
    return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  }
};
template <>
struct Devices<Kokkos::Cuda> : DevicesOf<CudaDevices> {};
#endif

#ifdef KOKKOS_ENABLE_HIP
struct HipDevices {
  using Status = hipError_t;
  using Properties = hipDeviceProp_t;
  static constexpr Status success = hipSuccess;

  static const char* text(Status status) { return hipGetErrorString(status); }
  static Status count(int* devices) { return hipGetDeviceCount(devices); }
  static Status device(int* number) { return hipGetDevice(number); }
  static Status properties(Properties* properties, int device) {
    return hipGetDeviceProperties(properties, device);
  }
  static Status driver(int* version) { return hipDriverGetVersion(version); }
  /// 60032830 stands for 6.0, build 32830.
  static std::string version_text(int version) {
    return "HIP " + std::to_string(version / 10000000) + "." +
           std::to_string(version / 100000 % 100);
  }
};
template <>
struct Devices<Kokkos::HIP> : DevicesOf<HipDevices> {};
#endif

}  // namespace genten::tools
