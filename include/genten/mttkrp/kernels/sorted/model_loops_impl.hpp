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

/// Loops over all columns of a nonzero's rows: lines of 8, then what is left by halves.
template <int Count, RecordForm Form, class Scalar>
void model_loop(const ContractionInput<Scalar>& input, offset_t begin, int count, offset_t end,
                bool fetch, double* m) {
  const LoopState<SimdRow<Scalar, line_width<Scalar>, 1>, Count, Form, false, Scalar> loop(input, 0,
                                                                                           {});
  constexpr int most = decltype(loop)::most_factors, line = 8;
  const int gathered = Count != 0 ? Count : loop.count;
  const std::size_t columns = input.stride;
  const std::uint64_t* record = input.records + begin * loop.words();
  const std::uint64_t* const stop = input.records + end * loop.words();
  for (int b = 0; b < count; ++b, record += loop.words()) {
    if (fetch && stop - record > memory_distance * loop.words()) {
      const auto* const ahead =
          loop.factors[gathered - 1].of(record + memory_distance * loop.words(), loop.stride());
      for (std::size_t j = 0; j < columns; j += line_width<Scalar>) __builtin_prefetch(ahead + j);
    }
    const Scalar* rows[most] = {};
    for (int k = 0; k < gathered; ++k) rows[k] = loop.factors[k].of(record, loop.stride());
    auto sum = SimdVector<double, line>::zero();
    std::size_t column = 0;
    for (; column + line <= columns; column += line) {
      sum += product_in_double<line, Count>(rows, gathered, column);
    }
    double total = sum.sum();
    if ((columns & 4) != 0) {
      total += product_in_double<4, Count>(rows, gathered, column).sum();
      column += 4;
    }
    if ((columns & 2) != 0) {
      total += product_in_double<2, Count>(rows, gathered, column).sum();
      column += 2;
    }
    if ((columns & 1) != 0) total += product_in_double<1, Count>(rows, gathered, column).sum();
    m[b] = total;
  }
}

template <class Scalar>
const ModelLoops<Scalar>& compiled_model_loops() {
  static constexpr ModelLoops<Scalar> loops{
      [](int factors, const RecordLayout& layout) -> ModelLoop<Scalar> {
        if (layout.key_words != 1 || layout.coded) return model_loop<0, RecordForm::any, Scalar>;
        switch (factors) {
          case 2:
            return model_loop<2, RecordForm::plain, Scalar>;
          case 3:
            return model_loop<3, RecordForm::plain, Scalar>;
          case 4:
            return model_loop<4, RecordForm::plain, Scalar>;
          default:
            return model_loop<0, RecordForm::plain, Scalar>;
        }
      }};
  return loops;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
