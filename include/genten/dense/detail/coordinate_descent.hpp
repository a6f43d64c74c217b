// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Coordinate descent of some rows side by side: one row a lane of a vector on hosts, one row a
/// thread on devices, by the same code.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>

#include <Kokkos_Core.hpp>

#include <cstring>
#include <type_traits>

namespace genten::detail {

/// Sweeps at most, and the part of the first sweep's change below which no other follows, squared:
/// what changes are measured by goes by the square of a step.
inline constexpr int most_descent_sweeps = 10;
inline constexpr double least_change_squared = 0.01;

/// Lines of results that a pass takes of the columns.
inline constexpr std::size_t descent_lines = 4;

/// Takes an element of a new row and the right-hand side that it is of, as stored, into what a pass
/// finds in their column.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void add_to_column(Scalar element, Scalar product, double& largest,
                                               double& dot, double& absolute_sum) {
  const auto value = static_cast<double>(element);
  const double magnitude = value < 0.0 ? -value : value;
  largest = larger(largest, magnitude);
  dot += static_cast<double>(product) * value;
  absolute_sum += magnitude;
}

/// What all rows share, as RowEquation has it, in memory that is fast to read.
template <class Scalar>
struct DescentSystem {
  const Scalar* gram;
  std::size_t stride, rank;
  const Scalar *inverse, *root;
  Scalar l1, lower, upper;
};

/// Of a scalar or of neighbouring ones, as many as `Element`, a vector of the compiler's, has.
template <class Element, class Scalar>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Element load_lanes(const Scalar* from) {
  if constexpr (std::is_arithmetic_v<Element>) {
    return *from;
  } else {
    Element lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
}
template <class Element, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void store_lanes(Scalar* to, const Element& lanes) {
  if constexpr (std::is_arithmetic_v<Element>) {
    *to = lanes;
  } else {
    std::memcpy(to, &lanes, sizeof lanes);
  }
}

/// One lane.
template <class Element>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto lane(const Element& lanes, std::size_t i) {
  if constexpr (std::is_arithmetic_v<Element>) {
    return lanes;
  } else {
    return lanes[i];
  }
}

/// Whether a < b in any lane.
template <class Element>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool any_below(const Element& a, const Element& b) {
  if constexpr (std::is_arithmetic_v<Element>) {
    return a < b;
  } else {
    bool found = false;
    for (std::size_t i = 0; i < sizeof(a) / sizeof(a[0]); ++i) found = found || a[i] < b[i];
    return found;
  }
}

/// What the element of column r should be, all others of its row as they are: `rest` is the
/// right-hand side less the product of the others with the system's column.
template <class Element, class Scalar>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Element best_element(const DescentSystem<Scalar>& system,
                                                               std::size_t r, Element rest,
                                                               const Element& old) {
  const Scalar inverse = system.inverse[r];
  const Scalar l1 = system.l1;
  const Element zero{};
  if (l1 > Scalar(0)) {
    rest = rest > zero + l1 ? rest - l1 : (rest < zero - l1 ? rest + l1 : rest * Scalar(0));
  }
  // Where the sum does not depend on the element it stays, or is as small as it can be.
  Element value = inverse > Scalar(0) ? rest * inverse : (l1 > Scalar(0) ? zero : old);
  const Element lower = zero + system.lower, upper = zero + system.upper;
  value = value < lower ? lower : value;
  return value > upper ? upper : value;
}

/// What a step of the element of column r counts: see RowDescent::violation.
template <class Scalar>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Scalar step_size(const DescentSystem<Scalar>& system,
                                                           std::size_t r, Scalar by) {
  return system.root[r] * (by < Scalar(0) ? -by : by);
}

/// Some rows: `Groups` elements side by side, `pitch` scalars from one column to the next.
template <class Element, int Groups, class Scalar>
class Descent {
 public:
  static constexpr std::size_t lanes = sizeof(Element) / sizeof(Scalar);

  /// `x` are the rows; `work` is as large.
  KOKKOS_FORCEINLINE_FUNCTION Descent(const DescentSystem<Scalar>& system, Scalar* x, Scalar* work,
                                      std::size_t pitch)
      : m_system(system), m_x(x), m_work(work), m_pitch(pitch) {}

  /// Improves the rows; right_hand_side(r, group) is that of column r. Returns by element how far
  /// the rows were from where they should be: see RowDescent::violation.
  GENTEN_CALLS_ARGUMENT
  template <class RightHandSide>
  KOKKOS_FORCEINLINE_FUNCTION void run(const RightHandSide& right_hand_side,
                                       Element (&violation)[Groups]) const {
    multiply();
    Element change[Groups], limit[Groups];
    for (int c = 0; c < Groups; ++c) violation[c] = change[c] = Element{};
    first_sweep(right_hand_side, violation, change);
    for (int c = 0; c < Groups; ++c) limit[c] = Scalar(least_change_squared) * change[c];
    for (int sweep = 1; sweep < most_descent_sweeps; ++sweep) {
      bool go_on = false;
      for (int c = 0; c < Groups; ++c) go_on = go_on || any_below(limit[c], change[c]);
      if (!go_on) break;
      next_sweep(right_hand_side, limit, change);
    }
  }

 private:
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Scalar* at(Scalar* from, std::size_t r, int c) const {
    return from + r * m_pitch + static_cast<std::size_t>(c) * lanes;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Element x(std::size_t r, int c) const {
    return load_lanes<Element>(at(m_x, r, c));
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Element best(std::size_t r, const Element& rest,
                                                         const Element& old) const {
    return best_element(m_system, r, rest, old);
  }

  /// Calls body.template operator()<Columns>(first) for blocks of columns that follow each other.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_blocks(const Body& body) const {
    std::size_t r = 0;
    for (; r + 2 <= m_system.rank; r += 2) body.template operator()<2>(r);
    for (; r < m_system.rank; ++r) body.template operator()<1>(r);
  }
  /// sum[j] += the rows `from` * column r + j of the system, from the columns before `end`. Some
  /// columns together, since what they are multiplied by is then read once.
  template <int Columns>
  KOKKOS_FORCEINLINE_FUNCTION void add_products(const Scalar* from, std::size_t end, std::size_t r,
                                                Element (&sum)[Columns][Groups]) const {
    for (std::size_t s = 0; s < end; ++s) {
      const Scalar* const g = m_system.gram + s * m_system.stride + r;
      for (int c = 0; c < Groups; ++c) {
        const Element xs =
            load_lanes<Element>(from + s * m_pitch + static_cast<std::size_t>(c) * lanes);
        for (int j = 0; j < Columns; ++j) sum[j][c] += g[j] * xs;
      }
    }
  }

  /// work = x * gram
  KOKKOS_FORCEINLINE_FUNCTION void multiply() const {
    for_blocks([&]<int Columns>(std::size_t r) {
      Element sum[Columns][Groups] = {};
      add_products<Columns>(m_x, m_system.rank, r, sum);
      for (int j = 0; j < Columns; ++j) {
        for (int c = 0; c < Groups; ++c) {
          store_lanes(at(m_work, r + static_cast<std::size_t>(j), c), sum[j][c]);
        }
      }
    });
  }

  /// With `work` = x * gram of the old rows; leaves there what each element has changed by.
  GENTEN_CALLS_ARGUMENT
  template <class RightHandSide>
  KOKKOS_FORCEINLINE_FUNCTION void first_sweep(const RightHandSide& right_hand_side,
                                               Element (&violation)[Groups],
                                               Element (&change)[Groups]) const {
    for_blocks([&]<int Columns>(std::size_t first) {
      Element sum[Columns][Groups] = {};
      add_products<Columns>(m_work, first, first, sum);
      for (int j = 0; j < Columns; ++j) {
        const std::size_t r = first + static_cast<std::size_t>(j);
        const Scalar* const g = m_system.gram + r * m_system.stride;
        const Scalar root = m_system.root[r];
        for (int c = 0; c < Groups; ++c) {
          const Element before = load_lanes<Element>(at(m_work, r, c));
          const Element old = x(r, c), rest = right_hand_side(r, c) + g[r] * old - before;
          const Element alone = root * (best(r, rest, old) - old);
          const Element size = alone < Element{} ? -alone : alone;
          violation[c] = violation[c] < size ? size : violation[c];
          const Element now = best(r, rest - sum[j][c], old), step = now - old;
          store_lanes(at(m_x, r, c), now);
          store_lanes(at(m_work, r, c), step);
          change[c] += (root * step) * (root * step);
          for (int k = j + 1; k < Columns; ++k)
            sum[k][c] += g[first + static_cast<std::size_t>(k)] * step;
        }
      }
    });
  }
  /// In the lanes where change > limit.
  GENTEN_CALLS_ARGUMENT
  template <class RightHandSide>
  KOKKOS_FORCEINLINE_FUNCTION void next_sweep(const RightHandSide& right_hand_side,
                                              const Element (&limit)[Groups],
                                              Element (&change)[Groups]) const {
    Element next[Groups] = {};
    for_blocks([&]<int Columns>(std::size_t first) {
      Element sum[Columns][Groups] = {};
      add_products<Columns>(m_x, m_system.rank, first, sum);
      for (int j = 0; j < Columns; ++j) {
        const std::size_t r = first + static_cast<std::size_t>(j);
        const Scalar* const g = m_system.gram + r * m_system.stride;
        const Scalar root = m_system.root[r];
        for (int c = 0; c < Groups; ++c) {
          const Element old = x(r, c);
          const Element goal = best(r, right_hand_side(r, c) + g[r] * old - sum[j][c], old);
          const Element now = limit[c] < change[c] ? goal : old, step = now - old;
          store_lanes(at(m_x, r, c), now);
          next[c] += (root * step) * (root * step);
          for (int k = j + 1; k < Columns; ++k)
            sum[k][c] += g[first + static_cast<std::size_t>(k)] * step;
        }
      }
    });
    for (int c = 0; c < Groups; ++c) change[c] = next[c];
  }

  const DescentSystem<Scalar>& m_system;
  Scalar* m_x;
  Scalar* m_work;
  std::size_t m_pitch;
};

}  // namespace genten::detail
