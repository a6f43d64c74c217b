// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FacMatrix: one factor matrix of a CP model.

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/base/error.hpp>
#include <genten/base/padded_stride.hpp>
#include <genten/base/types.hpp>

#include <limits>
#include <string>

namespace genten {

/// A rows x columns matrix stored by rows, each row contiguous. Copies are shallow, like those of a
/// Kokkos View. `FacMatrix<const Scalar, Exec>` is a read-only handle.
///
/// A matrix that Genten allocates is zero-initialized and has a padded row stride
/// (`padded_stride`); its padding stays zero as long as only elements of the matrix are written. A
/// matrix that wraps a caller's View has whatever stride that View has.
template <MatrixScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class FacMatrix {
 public:
  using scalar_type = Scalar;
  using value_type = std::remove_const_t<Scalar>;
  using execution_space = Exec;
  using memory_space = typename Exec::memory_space;
  using view_type = Kokkos::View<Scalar**, Kokkos::LayoutRight, memory_space>;

  FacMatrix() = default;

  /// Allocates a zero matrix with padded rows.
  FacMatrix(std::size_t rows, std::size_t columns,
            const std::string& label = "genten::factor") requires(!std::is_const_v<Scalar>)
      : FacMatrix(Exec(), rows, columns, label) {}

  /// The same, allocated and zeroed on the instance `exec`.
  FacMatrix(const Exec& exec, std::size_t rows, std::size_t columns,
            const std::string& label = "genten::factor") requires(!std::is_const_v<Scalar>)
      : m_memory(allocate(exec, rows, columns, label)),
        m_view(m_memory.data(), rows, padded_stride(columns, sizeof(Scalar))),
        m_columns(columns) {}

  /// Wraps a View without a copy; every column of it is an element of the matrix.
  explicit FacMatrix(view_type view) : m_view(view), m_columns(view.extent(1)) {}

  /// Wraps a View of padded rows, of which the first `columns` columns are the matrix.
  FacMatrix(view_type view, std::size_t columns) : m_view(view), m_columns(columns) {
    if (columns > view.extent(1)) {
      throw Error::in("FacMatrix", "expected at most " + std::to_string(view.extent(1)) +
                                       " columns (the View's), got " + std::to_string(columns));
    }
  }

  /// A read-only handle to the same elements.
  template <class Other>
  requires(std::is_const_v<Scalar>&& std::same_as<Other, value_type>)
      FacMatrix(const FacMatrix<Other, Exec>& other)  // NOLINT: implicit, as for Views
      : m_memory(other.m_memory), m_view(other.m_view), m_columns(other.m_columns) {}

  KOKKOS_FUNCTION std::size_t rows() const { return m_view.extent(0); }
  KOKKOS_FUNCTION std::size_t columns() const { return m_columns; }
  /// Distance between rows, in elements.
  KOKKOS_FUNCTION std::size_t stride() const { return m_view.extent(1); }
  KOKKOS_FUNCTION Scalar* data() const { return m_view.data(); }
  KOKKOS_FUNCTION Scalar* row(std::size_t i) const { return m_view.data() + i * stride(); }
  KOKKOS_FUNCTION Scalar& operator()(std::size_t i, std::size_t j) const { return m_view(i, j); }

  /// A handle to the first rows, at most all, which are the matrix itself. Fewer rows of a matrix
  /// that wraps a View are valid as long as that View.
  [[nodiscard]] FacMatrix first_rows(std::size_t rows) const {
    FacMatrix first = *this;
    if (rows != this->rows()) first.m_view = view_type(data(), rows, stride());
    return first;
  }

  /// The View that holds the matrix, its padding columns included. Of a matrix that Genten has
  /// allocated it is valid as long as the matrix or a copy of it lives.
  [[nodiscard]] const view_type& padded_view() const { return m_view; }

 private:
  using memory_type = Kokkos::View<Scalar*, memory_space>;

  /// Zeros for a matrix and its padding; throws Error of kind `memory` where no memory could hold
  /// them, and where their number would be taken for a small one.
  static memory_type allocate(const Exec& exec, std::size_t rows, std::size_t columns,
                              const std::string& label);

  template <MatrixScalar, ExecutionSpace>
  friend class FacMatrix;

  memory_type m_memory;  ///< what Genten has allocated, to lie as gathers like it
  view_type m_view;
  std::size_t m_columns = 0;
};

template <MatrixScalar Scalar, ExecutionSpace Exec>
typename FacMatrix<Scalar, Exec>::memory_type FacMatrix<Scalar, Exec>::allocate(
    const Exec& exec, std::size_t rows, std::size_t columns, const std::string& label) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Scalar);
  if (columns <= most / 2) {
    const std::size_t stride = padded_stride(columns, sizeof(Scalar));
    if (stride == 0 || rows <= most / stride) {
      return detail::zeroed_view<memory_type>(exec, label, rows * stride);
    }
  }
  throw Error::in("FacMatrix", Error::Kind::memory,
                  std::to_string(rows) + " x " + std::to_string(columns) +
                      " elements are more than memory can hold");
}

/// A matrix of the same shape that the host can read: the argument itself where it already can.
template <MatrixScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] auto create_mirror_view(const FacMatrix<Scalar, Exec>& matrix) {
  if constexpr (is_host_space<Exec>) {
    return matrix;
  } else {
    using Mirror = FacMatrix<std::remove_const_t<Scalar>, HostExec>;
    using View = typename Mirror::view_type;
    return Mirror(detail::new_view<View>(
                      Kokkos::view_alloc("genten::factor_mirror", Kokkos::WithoutInitializing),
                      matrix.rows(), matrix.stride()),
                  matrix.columns());
  }
}

/// Copies elements on the instance `exec`; shapes must agree, row strides need not. Padding is not
/// written where strides differ. Returns without waiting: fence `exec` before the result is used
/// elsewhere.
template <ExecutionSpace Exec, RealScalar Scalar, ExecutionSpace To, MatrixScalar From,
          ExecutionSpace FromExec>
requires std::same_as<Scalar, std::remove_const_t<From>>
void deep_copy(const Exec& exec, const FacMatrix<Scalar, To>& to,
               const FacMatrix<From, FromExec>& from) {
  if (to.rows() != from.rows() || to.columns() != from.columns()) {
    throw Error::in("deep_copy(FacMatrix)", "expected " + std::to_string(to.rows()) + " x " +
                                                std::to_string(to.columns()) + ", got " +
                                                std::to_string(from.rows()) + " x " +
                                                std::to_string(from.columns()));
  }
  if (to.data() == from.data() || to.rows() == 0) return;
  if (to.stride() == from.stride()) {
    detail::copy_view(exec, to.padded_view(), from.padded_view());
    return;
  }
  // Strides differ: a strided sub-block copies within one memory space; across spaces it goes
  // through a packed copy on the source's side.
  const auto columns = Kokkos::make_pair(std::size_t{0}, to.columns());
  if constexpr (std::is_same_v<typename To::memory_space, typename FromExec::memory_space>) {
    Kokkos::deep_copy(exec, Kokkos::subview(to.padded_view(), Kokkos::ALL(), columns),
                      Kokkos::subview(from.padded_view(), Kokkos::ALL(), columns));
  } else {
    using Staging = Kokkos::View<Scalar**, Kokkos::LayoutRight, typename FromExec::memory_space>;
    const FromExec from_exec;
    const auto staging = detail::new_view<Staging>(
        Kokkos::view_alloc(from_exec, "genten::deep_copy_staging"), to.rows(), to.stride());
    Kokkos::deep_copy(from_exec, Kokkos::subview(staging, Kokkos::ALL(), columns),
                      Kokkos::subview(from.padded_view(), Kokkos::ALL(), columns));
    from_exec.fence();
    detail::copy_view(exec, to.padded_view(), staging);
    exec.fence();  // before the staging goes
  }
}

/// The same on the destination's default instance. Returns after the copy is complete.
template <RealScalar Scalar, ExecutionSpace To, MatrixScalar From, ExecutionSpace FromExec>
requires std::same_as<Scalar, std::remove_const_t<From>>
void deep_copy(const FacMatrix<Scalar, To>& to, const FacMatrix<From, FromExec>& from) {
  const To exec;
  deep_copy(exec, to, from);
  exec.fence();
}

}  // namespace genten

#define GENTEN_ETI_FAC_MATRIX(PREFIX, SCALAR, EXEC)                                           \
  PREFIX template genten::FacMatrix<SCALAR, EXEC>::memory_type                                \
  genten::FacMatrix<SCALAR, EXEC>::allocate(const EXEC&, std::size_t, std::size_t,            \
                                            const std::string&);                              \
  PREFIX template void genten::deep_copy(const EXEC&, const genten::FacMatrix<SCALAR, EXEC>&, \
                                         const genten::FacMatrix<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_FAC_MATRIX, extern)
#endif
