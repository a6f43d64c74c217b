// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The execution spaces, scalars and ordinals over which typed tests run.

#include <genten/base/detail/eti.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

namespace genten_test {

/// One combination of types.
template <class ExecType, class ScalarType, class OrdinalType = std::uint32_t>
struct Types {
  using Exec = ExecType;
  using Scalar = ScalarType;
  using Ordinal = OrdinalType;
};

/// The execution spaces of this build that the library is instantiated for: all, those of the host.
#define GENTEN_TEST_SPACE(NOTHING, EXEC) std::tuple<EXEC>(),
using AllSpaces = decltype(std::tuple_cat(GENTEN_ETI_EXECS(GENTEN_TEST_SPACE, ) std::tuple<>()));
using HostSpaces = decltype(std::tuple_cat(
    GENTEN_ETI_SERIAL(GENTEN_TEST_SPACE, ) GENTEN_ETI_OPENMP(GENTEN_TEST_SPACE, ) std::tuple<>()));
#undef GENTEN_TEST_SPACE

/// What a space is combined with: every scalar and ordinal; every scalar, for what has no ordinals;
/// every ordinal, for what has no scalars.
template <class Exec>
using WithEverything =
    std::tuple<Types<Exec, float, std::uint32_t>,  //
               Types<Exec, double, std::uint32_t>, Types<Exec, float, std::uint64_t>,
               Types<Exec, double, std::uint64_t>>;
template <class Exec>
using WithScalars = std::tuple<Types<Exec, float>, Types<Exec, double>>;
template <class Exec>
using WithOrdinals =
    std::tuple<Types<Exec, double, std::uint32_t>, Types<Exec, double, std::uint64_t>>;

/// The combinations of several spaces in one list, as GoogleTest takes it. Never defined.
template <class... Combinations>
::testing::Types<Combinations...> as_list(std::tuple<Combinations...>);
template <template <class Exec> class With, class... Execs>
auto combinations(std::tuple<Execs...>) -> decltype(as_list(std::tuple_cat(With<Execs>()...)));

/// On every execution space, devices too.
using AllTypes = decltype(combinations<WithEverything>(AllSpaces()));
using ModelTypes = decltype(combinations<WithScalars>(AllSpaces()));

/// On every execution space of the host, for what devices do not have or promise.
using HostTypes = decltype(combinations<WithEverything>(HostSpaces()));
using HostModelTypes = decltype(combinations<WithScalars>(HostSpaces()));
using HostOrdinalTypes = decltype(combinations<WithOrdinals>(HostSpaces()));

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
