// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The values of a model at the nonzeros of a sorted copy, for the instruction set that a source is
/// compiled for.

#include <genten/mttkrp/kernels/sorted/chunk_loop_impl.hpp>
#include <genten/mttkrp/kernels/sorted/model_loops.hpp>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// `Width` columns of the product of the rows, from `column` on.
template <int Width, int Count, class Scalar>
[[gnu::always_inline]] inline SimdVector<double, Width> product_in_double(const Scalar* const* rows,
                                                                          int count,
                                                                          std::size_t column) {
  auto product = SimdVector<Scalar, Width>::load(rows[0] + column);
  for (int k = 1; k < (Count != 0 ? Count : count); ++k) {
    product *= SimdVector<Scalar, Width>::load(rows[k] + column);
  }
  return product.template convert<double>();
}

/// The sum over all columns of the product of rows: of `Lines` whole lines or, for 0, of any number
/// of columns, by 8 and then by halves.
template <int Lines, int Count, class Scalar>
[[gnu::always_inline]] inline double model_of_rows(const Scalar* const* rows, int count,
                                                   std::size_t columns) {
  if constexpr (Lines != 0) {
    constexpr int line = line_width<Scalar>;
    auto sum = product_in_double<line, Count>(rows, count, 0);
#pragma GCC unroll 8
    for (int l = 1; l < Lines; ++l) {
      sum += product_in_double<line, Count>(rows, count, static_cast<std::size_t>(l * line));
    }
    return sum.sum();
  } else {
    constexpr int line = 8;
    auto sum = SimdVector<double, line>::zero();
    std::size_t column = 0;
    for (; column + line <= columns; column += line) {
      sum += product_in_double<line, Count>(rows, count, column);
    }
    double total = sum.sum();
    if ((columns & 4) != 0) {
      total += product_in_double<4, Count>(rows, count, column).sum();
      column += 4;
    }
    if ((columns & 2) != 0) {
      total += product_in_double<2, Count>(rows, count, column).sum();
      column += 2;
    }
    if ((columns & 1) != 0) total += product_in_double<1, Count>(rows, count, column).sum();
    return total;
  }
}

template <int Lines, int Count, class Scalar>
void model_loop(const ContractionInput<Scalar>& input, offset_t begin, int count, offset_t end,
                bool fetch, double* m) {
  using Row = SimdRow<Scalar, line_width<Scalar>, Lines == 0 ? 1 : Lines>;
  const LoopState<Row, Count, RecordForm::any, Lines != 0, Scalar> loop(input, 0, {});
  const int gathered = Count != 0 ? Count : loop.count;
  const std::size_t columns = input.stride;
  const std::uint64_t* const first = input.records + begin * loop.words();
  const auto take = [&](int b) __attribute__((always_inline)) {
    const std::uint64_t* const record = first + b * loop.words();
    // Not set to zero first, which would take longer than the rest.
    const Scalar* rows[decltype(loop)::most_factors];
    for (int k = 0; k < gathered; ++k) rows[k] = loop.factors[k].of(record, loop.stride());
    m[b] = model_of_rows<Lines, Count>(rows, gathered, columns);
  };
  int b = 0;
  if (fetch) {
    const offset_t all = end - begin - memory_distance;
    for (; b < count && b < all; ++b) {
      const auto* const ahead = loop.factors[gathered - 1].of(
          first + (b + memory_distance) * loop.words(), loop.stride());
      for (std::size_t j = 0; j < columns; j += line_width<Scalar>) __builtin_prefetch(ahead + j);
      take(b);
    }
  }
  for (; b < count; ++b) take(b);
}

template <int Lines, class Scalar>
[[nodiscard]] ModelLoop<Scalar> choose_model_loop(int factors) {
  switch (factors) {
    case 1:
      return model_loop<Lines, 1, Scalar>;
    case 2:
      return model_loop<Lines, 2, Scalar>;
    case 3:
      return model_loop<Lines, 3, Scalar>;
    case 4:
      return model_loop<Lines, 4, Scalar>;
    default:
      return model_loop<0, 0, Scalar>;
  }
}

template <class Scalar>
const ModelLoops<Scalar>& compiled_model_loops() {
  static constexpr ModelLoops<Scalar> loops{
      [](std::size_t stride, int factors, const RecordLayout& layout) -> ModelLoop<Scalar> {
        if (layout.key_words != 1) {
          return model_loop<0, 0, Scalar>;
        }
        constexpr std::size_t line = line_width<Scalar>;
        if (stride == line) return choose_model_loop<1, Scalar>(factors);
        if (stride == 2 * line) return choose_model_loop<2, Scalar>(factors);
        if (stride == 4 * line) return choose_model_loop<4, Scalar>(factors);
        if (stride == 8 * line) return choose_model_loop<8, Scalar>(factors);
        return choose_model_loop<0, Scalar>(factors);
      }};
  return loops;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
