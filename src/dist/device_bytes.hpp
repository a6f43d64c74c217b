// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// DeviceBytes: memory of the current CUDA device as other libraries and processes want it, which
/// is an allocation of its own.

#include <genten/base/error.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string>

namespace genten::detail {

inline void check_cuda(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw Error(Error::Kind::runtime,
              std::string("CUDA, ") + what + ": " + cudaGetErrorString(status));
}

/// Shared by its copies, of which the last frees it.
class DeviceBytes {
 public:
  DeviceBytes() = default;
  /// Throws Error of kind memory where there is not enough.
  explicit DeviceBytes(std::size_t bytes) {
    void* data = nullptr;
    if (cudaMalloc(&data, bytes) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // it is said here
      throw Error(Error::Kind::memory, "no " + std::to_string(bytes) +
                                           " bytes of the device's memory are left for rows on "
                                           "their way to other processes");
    }
    m_data = {static_cast<std::byte*>(data),
              [](std::byte* each) { static_cast<void>(cudaFree(each)); }};
  }
  [[nodiscard]] std::byte* data() const { return m_data.get(); }
  /// Whether there is no other copy.
  [[nodiscard]] bool is_last() const { return m_data.use_count() == 1; }

 private:
  std::shared_ptr<std::byte> m_data;
};

}  // namespace genten::detail
