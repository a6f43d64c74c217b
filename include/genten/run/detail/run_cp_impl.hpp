// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/run/detail/error_bars.hpp>

namespace genten {
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpRun<Scalar, Exec> run_cp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    const CpRequest& request, const std::type_identity_t<Beginning<Scalar, Exec>>& beginning,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer,
    const InterruptCheck& interrupted) {
  const std::size_t rank = beginning.guess        ? beginning.guess->rank()
                           : beginning.checkpoint ? beginning.checkpoint->model.rank()
                                                  : request.common().rank;
  CpRequest asked = request;
  if (interrupted) asked.gcp.interrupted = interrupted;
  std::optional<CpRun<Scalar, Exec>> run;
  detail::on_threads_for(tensor, asked, rank, [&] {
    run = detail::run_with_error_bars(exec, tensor, missing, asked, observer, interrupted,
                                      [&](const KtensorObserver<Scalar, Exec>& seen_by) {
                                        return detail::solve_cp(exec, tensor, missing, asked,
                                                                beginning, seen_by);
                                      });
  });
  return std::move(*run);
}

}  // namespace genten

#define GENTEN_ETI_RUN_CP(PREFIX, SCALAR, ORDINAL, EXEC)                                       \
  PREFIX template genten::CpRun<SCALAR, EXEC> genten::run_cp<SCALAR, ORDINAL, EXEC>(           \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                             \
      const std::optional<genten::Sptensor<SCALAR, ORDINAL, EXEC>>&, const genten::CpRequest&, \
      const genten::Beginning<SCALAR, EXEC>&, const genten::KtensorObserver<SCALAR, EXEC>&,    \
      const genten::InterruptCheck&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_RUN_CP, extern)
#endif
