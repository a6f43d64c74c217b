// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The solvers without an execution space instance: they compute with the default instance of the
/// space where the tensor lies. Other first arguments are refused in one line.

#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/tucker/tucker.hpp>

#include <type_traits>
#include <utility>

namespace genten {
namespace detail {

template <class T>
inline constexpr bool is_sptensor = false;
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
inline constexpr bool is_sptensor<Sptensor<Scalar, Ordinal, Exec>> = true;

template <class T>
inline constexpr bool is_prepared_tensor = false;
template <RealScalar Scalar, ExecutionSpace Exec>
inline constexpr bool is_prepared_tensor<PreparedTensor<Scalar, Exec>> = true;

/// Neither an instance nor a tensor, as a path.
template <class T>
concept NoFirstArgument =
    !ExecutionSpace<std::remove_cvref_t<T>> && !is_sptensor<std::remove_cvref_t<T>> &&
    !is_prepared_tensor<std::remove_cvref_t<T>>;

}  // namespace detail

/// \cond
#define GENTEN_ON_DEFAULT_INSTANCE(SOLVER, RESULT)                                                \
  /** The solver with the default instance of the tensor's execution space. */                    \
  template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class... Arguments> \
  [[nodiscard]] auto SOLVER(const Sptensor<Scalar, Ordinal, Exec>& tensor,                        \
                            Arguments&&... arguments)                                             \
      ->decltype(SOLVER(Exec(), tensor, std::forward<Arguments>(arguments)...)) {                 \
    return SOLVER(Exec(), tensor, std::forward<Arguments>(arguments)...);                         \
  }                                                                                               \
  /** Refuses what is neither an instance nor a tensor. */                                        \
  template <detail::NoFirstArgument First, class... Arguments>                                    \
  RESULT<double, HostExec> SOLVER(const First&, const Arguments&...) {                            \
    static_assert(detail::is_sptensor<First>,                                                     \
                  "genten::" #SOLVER                                                              \
                  ": expected a tensor, or an execution space instance and a tensor; "            \
                  "genten::read_sptensor<double>(path).tensor is that of a file");                \
    return {};                                                                                    \
  }

GENTEN_ON_DEFAULT_INSTANCE(cp_als, CpAlsResult)
GENTEN_ON_DEFAULT_INSTANCE(cp_apr, CpAprResult)
GENTEN_ON_DEFAULT_INSTANCE(cp_completion, CpCompletionResult)
GENTEN_ON_DEFAULT_INSTANCE(cp_gcp, CpGcpResult)
GENTEN_ON_DEFAULT_INSTANCE(tucker, TuckerResult)
#undef GENTEN_ON_DEFAULT_INSTANCE

/// CP-ALS of a tensor that several runs share, with the default instance of its space.
template <RealScalar Scalar, ExecutionSpace Exec, class... Arguments>
[[nodiscard]] auto cp_als(PreparedTensor<Scalar, Exec>& tensor, Arguments&&... arguments)
    -> decltype(cp_als(Exec(), tensor, std::forward<Arguments>(arguments)...)) {
  return cp_als(Exec(), tensor, std::forward<Arguments>(arguments)...);
}
/// \endcond

}  // namespace genten
