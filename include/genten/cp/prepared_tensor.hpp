// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// PreparedTensor: a tensor for several runs of CP-ALS, which prepare it once.

#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor.hpp>

#include <memory>

namespace genten {

namespace detail {
template <RealScalar Scalar, ExecutionSpace Exec>
struct KeptPreparation;
template <RealScalar Scalar, ExecutionSpace Exec>
using KeptPreparationHandle = std::shared_ptr<KeptPreparation<Scalar, Exec>>;
}  // namespace detail

/// A tensor with what runs of cp_als have prepared of it, for the next one: sums of duplicates, the
/// norm, row numbers, distinct values and, for ranks whose rows take as many bytes (in double 3 and
/// 4, 5 to 8, 9 and 10, 11 and 12, 13 to 16 and so on) and the same options, the plan with its
/// sorted nonzeros. What a run returns has the same bits as without, whatever ran before; its times
/// of preparation are shorter. Not for two runs at once. Copies share what was prepared, by
/// whatever copy, and `release` of one gives it back for all.
///
/// Beside the tensor it keeps row numbers and what a plan keeps (KernelMemory), if these fit beside
/// all that a run takes, and, without `memory_available`, in a quarter of what was free. Of a
/// tensor with duplicates it also keeps the copy that has their sums. Nothing is kept of a tensor
/// whose values are so large or small that runs rescale them.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class PreparedTensor {
 public:
  using Tensor = Sptensor<Scalar, RowNumber, Exec>;

  explicit PreparedTensor(Tensor tensor) : m_tensor(std::move(tensor)) {}

  [[nodiscard]] const Tensor& tensor() const { return m_tensor; }
  /// Gives back the memory of all that was prepared.
  void release() { m_kept->reset(); }
  /// \cond not API
  [[nodiscard]] detail::KeptPreparationHandle<Scalar, Exec>& kept() { return *m_kept; }
  /// \endcond

 private:
  Tensor m_tensor;
  using Kept = detail::KeptPreparationHandle<Scalar, Exec>;
  std::shared_ptr<Kept> m_kept = std::make_shared<Kept>();  ///< one for all copies
};

}  // namespace genten
