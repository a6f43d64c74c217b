// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Kokkos starts every backend that it was built with, and ends the process where there is no device
// for one; it offers no way to ask for the host alone. But it keeps its backends in a list by name,
// and what is listed last under a name replaces what was there. So the device's entry is replaced
// by one that does nothing. This is the one place that uses what Kokkos does not call public, and
// only builds for devices do.

#include "absent_device.hpp"

#include <Kokkos_Core.hpp>

#if KOKKOS_VERSION >= 40000 && (defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP))

#define KOKKOS_IMPL_PUBLIC_INCLUDE  // without it the header refuses to be included
#include <impl/Kokkos_ExecSpaceManager.hpp>
#undef KOKKOS_IMPL_PUBLIC_INCLUDE

#include <memory>
#include <string>

namespace genten::tools {
namespace {

struct AbsentDevice final : Kokkos::Impl::ExecSpaceBase {
  void initialize(const Kokkos::InitializationSettings&) override {}
  void finalize() override {}
  void static_fence(const std::string&) override {}
  void print_configuration(std::ostream& out, bool) override {
    out << Kokkos::DefaultExecutionSpace::name() << ": no device\n";
  }
};

}  // namespace

bool leave_device_out() {
  // The number orders the start of backends; CUDA and HIP have the same.
  const std::string name = std::string("150_") + Kokkos::DefaultExecutionSpace::name();
  Kokkos::Impl::ExecSpaceManager::get_instance().register_space_factory(
      name, std::make_unique<AbsentDevice>());
  return true;
}

}  // namespace genten::tools

#else

bool genten::tools::leave_device_out() {
  return false;
}

#endif
