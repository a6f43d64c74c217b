// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A row update that leads CP-ALS to infinities.

#include "cp_als_support.hpp"

#include <genten/cp/detail/least_squares_update.hpp>

namespace genten_test::cp {

/// Least squares, but the MTTKRP of one update has an infinity.
template <class Scalar>
class Poisoned : public genten::detail::LeastSquaresUpdate<Scalar, Exec> {
 public:
  using Base = genten::detail::LeastSquaresUpdate<Scalar, Exec>;
  using Base::Base;

  static inline std::size_t update = 0;  ///< from 1, of all modes of all sweeps

  typename Base::Applied apply(const Exec& exec, const typename Base::Matrix& rows,
                               typename Base::Solved solved,
                               genten::detail::RowEvents<typename Base::Event>& events) {
    if (++m_updates == update) rows(0, 1) = std::numeric_limits<Scalar>::infinity();
    return Base::apply(exec, rows, std::move(solved), events);
  }

 private:
  std::size_t m_updates = 0;
};

}  // namespace genten_test::cp
