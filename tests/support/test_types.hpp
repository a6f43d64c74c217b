// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The execution spaces, scalars and ordinals over which typed tests run.

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace genten_test {

/// One combination of types.
template <class ExecType, class ScalarType, class OrdinalType = std::uint32_t>
struct Types {
  using Exec = ExecType;
  using Scalar = ScalarType;
  using Ordinal = OrdinalType;
};

#if defined(KOKKOS_ENABLE_SERIAL)
#define GENTEN_TEST_SERIAL(...) __VA_ARGS__
#else
#define GENTEN_TEST_SERIAL(...)
#endif
#if defined(KOKKOS_ENABLE_SERIAL) && defined(KOKKOS_ENABLE_OPENMP)
#define GENTEN_TEST_OPENMP(...) , __VA_ARGS__
#elif defined(KOKKOS_ENABLE_OPENMP)
#define GENTEN_TEST_OPENMP(...) __VA_ARGS__
#else
#define GENTEN_TEST_OPENMP(...)
#endif

/// Every host execution space of this build with every scalar and ordinal.
using AllTypes =
    ::testing::Types<GENTEN_TEST_SERIAL(
        Types<Kokkos::Serial, float, std::uint32_t>, Types<Kokkos::Serial, double, std::uint32_t>,
        Types<Kokkos::Serial, float, std::uint64_t>, Types<Kokkos::Serial, double, std::uint64_t>)
                         GENTEN_TEST_OPENMP(Types<Kokkos::OpenMP, float, std::uint32_t>,
                                            Types<Kokkos::OpenMP, double, std::uint32_t>,
                                            Types<Kokkos::OpenMP, float, std::uint64_t>,
                                            Types<Kokkos::OpenMP, double, std::uint64_t>)>;

/// Every host execution space of this build with every scalar, for what has no ordinals.
using ModelTypes =
    ::testing::Types<GENTEN_TEST_SERIAL(Types<Kokkos::Serial, float>, Types<Kokkos::Serial, double>)
                         GENTEN_TEST_OPENMP(Types<Kokkos::OpenMP, float>,
                                            Types<Kokkos::OpenMP, double>)>;

/// Every host execution space of this build with every ordinal, for what has no scalars.
using OrdinalTypes =
    ::testing::Types<GENTEN_TEST_SERIAL(Types<Kokkos::Serial, double, std::uint32_t>,
                                        Types<Kokkos::Serial, double, std::uint64_t>)
                         GENTEN_TEST_OPENMP(Types<Kokkos::OpenMP, double, std::uint32_t>,
                                            Types<Kokkos::OpenMP, double, std::uint64_t>)>;

#undef GENTEN_TEST_SERIAL
#undef GENTEN_TEST_OPENMP

/// Names typed tests "Serial_float_32" and the like.
struct TypeNames {
  template <class Combination>
  static std::string GetName(int /*index*/) {
    return std::string(Combination::Exec::name()) + "_" +
           (std::is_same_v<typename Combination::Scalar, float> ? "float" : "double") + "_" +
           std::to_string(8 * sizeof(typename Combination::Ordinal));
  }
};

}  // namespace genten_test
