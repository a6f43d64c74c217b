// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
//
// Chooses the table of hot loops by the instruction set in use.
#include "instruction_set.hpp"

#include <genten/base/detail/cross_block.hpp>
#include <genten/base/detail/vector_math.hpp>
#include <genten/core/poisson_terms.hpp>
#include <genten/dense/detail/dense_loops.hpp>
#include <genten/dense/detail/tall_loops.hpp>
#include <genten/mttkrp/detail/permuted_block.hpp>
#include <genten/mttkrp/detail/row_equations/row_loops.hpp>
#include <genten/mttkrp/detail/ttmc/tree_loops.hpp>
#include <genten/mttkrp/kernels/sorted/model_loops.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_loops.hpp>

#include <cmath>

#define GENTEN_DECLARE_SET(SET)                                                          \
  namespace genten::detail::SET {                                                        \
  template <class Scalar>                                                                \
  const DenseLoops<Scalar>& compiled_dense_loops();                                      \
  template <class Scalar>                                                                \
  const SortedLoops<Scalar>& compiled_sorted_loops();                                    \
  void expm1_loop(const double*, double*, int);                                          \
  void log_loop(const double*, double*, int);                                            \
  bool half_deviance_loop(const double*, const double*, double*, int);                   \
  void cross_block_loop(const CrossBlock<float>&);                                       \
  void cross_block_loop(const CrossBlock<double>&);                                      \
  const TallLoops& compiled_tall_loops();                                                \
  template <class Scalar>                                                                \
  const ModelLoops<Scalar>& compiled_model_loops();                                      \
  template <class Scalar>                                                                \
  const TreeLoops<Scalar>& compiled_tree_loops();                                        \
  template <class Scalar>                                                                \
  const RowLoops<Scalar>& compiled_row_loops();                                          \
  template <class Scalar, class Ordinal>                                                 \
  void sum_permuted_block_on_host(const PermutedSums<Scalar, Ordinal, true>&, offset_t); \
  }

// v3_shift is v3 but for how records are read, which only the sorted kernel does.
#if defined(__x86_64__)
GENTEN_DECLARE_SET(x86_64_v2)
GENTEN_DECLARE_SET(x86_64_v3)
GENTEN_DECLARE_SET(x86_64_v3_shift)
GENTEN_DECLARE_SET(x86_64_v4)
#ifdef GENTEN_ONLY_SET  // GENTEN_ENABLE_NATIVE
#define GENTEN_SETS(...) GENTEN_ONLY_SET::__VA_ARGS__
#define GENTEN_SETS_OF_RECORDS(...) GENTEN_ONLY_SET_OF_RECORDS::__VA_ARGS__
#else
#define GENTEN_SETS(...) \
  x86_64_v2::__VA_ARGS__, x86_64_v3::__VA_ARGS__, x86_64_v3::__VA_ARGS__, x86_64_v4::__VA_ARGS__
#define GENTEN_SETS_OF_RECORDS(...)                                             \
  x86_64_v2::__VA_ARGS__, x86_64_v3_shift::__VA_ARGS__, x86_64_v3::__VA_ARGS__, \
      x86_64_v4::__VA_ARGS__
#endif
#else
GENTEN_DECLARE_SET(baseline)
#define GENTEN_SETS(...) baseline::__VA_ARGS__
#define GENTEN_SETS_OF_RECORDS(...) baseline::__VA_ARGS__
#endif

namespace genten::detail {

void expm1_of_all(const double* x, double* y, int count) {
  static constexpr void (*loops[])(const double*, double*, int) = {GENTEN_SETS(expm1_loop)};
  loops[instruction_set_number()](x, y, count);
}
void log_of_all(const double* x, double* y, int count) {
  static constexpr void (*loops[])(const double*, double*, int) = {GENTEN_SETS(log_loop)};
  loops[instruction_set_number()](x, y, count);
}
void half_deviances(const double* x, const double* m, double* d, int count) {
  static constexpr bool (*loops[])(const double*, const double*, double*,
                                   int) = {GENTEN_SETS(half_deviance_loop)};
  if (loops[instruction_set_number()](x, m, d, count)) return;
  for (int k = 0; k < count; ++k) {
    if (std::isnan(d[k]) && x[k] != 0.0) d[k] = half_deviance(x[k], m[k]);
  }
}

void add_cross_block(const CrossBlock<float>& block) {
  static constexpr void (*loops[])(const CrossBlock<float>&) = {GENTEN_SETS(cross_block_loop)};
  loops[instruction_set_number()](block);
}
void add_cross_block(const CrossBlock<double>& block) {
  static constexpr void (*loops[])(const CrossBlock<double>&) = {GENTEN_SETS(cross_block_loop)};
  loops[instruction_set_number()](block);
}

const TallLoops& tall_loops() {
  static constexpr const TallLoops& (*tables[])() = {GENTEN_SETS(compiled_tall_loops)};
  return tables[instruction_set_number()]();
}

template <class Scalar>
const DenseLoops<Scalar>& chosen_dense_loops() {
  static constexpr const DenseLoops<Scalar>& (*tables[])() = {
      GENTEN_SETS(compiled_dense_loops<Scalar>)};
  return tables[instruction_set_number()]();
}
template <class Scalar>
const SortedLoops<Scalar>& chosen_sorted_loops() {
  static constexpr const SortedLoops<Scalar>& (*tables[])() = {
      GENTEN_SETS_OF_RECORDS(compiled_sorted_loops<Scalar>)};
  return tables[instruction_set_number()]();
}
template <class Scalar>
const ModelLoops<Scalar>& chosen_model_loops() {
  static constexpr const ModelLoops<Scalar>& (*tables[])() = {
      GENTEN_SETS_OF_RECORDS(compiled_model_loops<Scalar>)};
  return tables[instruction_set_number()]();
}
template <class Scalar>
const TreeLoops<Scalar>& chosen_tree_loops() {
  static constexpr const TreeLoops<Scalar>& (*tables[])() = {
      GENTEN_SETS(compiled_tree_loops<Scalar>)};
  return tables[instruction_set_number()]();
}
template <class Scalar>
const RowLoops<Scalar>& chosen_row_loops() {
  static constexpr const RowLoops<Scalar>& (*tables[])() = {
      GENTEN_SETS(compiled_row_loops<Scalar>)};
  return tables[instruction_set_number()]();
}
template <class Scalar, class Ordinal>
PermutedLoop<Scalar, Ordinal> chosen_permuted_loop() {
  static constexpr PermutedLoop<Scalar, Ordinal> loops[] = {
      GENTEN_SETS(sum_permuted_block_on_host<Scalar, Ordinal>)};
  return loops[instruction_set_number()];
}

template <>
const DenseLoops<float>& dense_loops<float>() {
  return chosen_dense_loops<float>();
}
template <>
const DenseLoops<double>& dense_loops<double>() {
  return chosen_dense_loops<double>();
}
template <>
const SortedLoops<float>& sorted_loops<float>() {
  return chosen_sorted_loops<float>();
}
template <>
const SortedLoops<double>& sorted_loops<double>() {
  return chosen_sorted_loops<double>();
}
template <>
const ModelLoops<float>& model_loops<float>() {
  return chosen_model_loops<float>();
}
template <>
const ModelLoops<double>& model_loops<double>() {
  return chosen_model_loops<double>();
}
template <>
const TreeLoops<float>& tree_loops<float>() {
  return chosen_tree_loops<float>();
}
template <>
const TreeLoops<double>& tree_loops<double>() {
  return chosen_tree_loops<double>();
}
template <>
const RowLoops<float>& row_loops<float>() {
  return chosen_row_loops<float>();
}
template <>
const RowLoops<double>& row_loops<double>() {
  return chosen_row_loops<double>();
}
template <>
PermutedLoop<float, std::uint32_t> permuted_loop<float, std::uint32_t>() {
  return chosen_permuted_loop<float, std::uint32_t>();
}
template <>
PermutedLoop<float, std::uint64_t> permuted_loop<float, std::uint64_t>() {
  return chosen_permuted_loop<float, std::uint64_t>();
}
template <>
PermutedLoop<double, std::uint32_t> permuted_loop<double, std::uint32_t>() {
  return chosen_permuted_loop<double, std::uint32_t>();
}
template <>
PermutedLoop<double, std::uint64_t> permuted_loop<double, std::uint64_t>() {
  return chosen_permuted_loop<double, std::uint64_t>();
}

}  // namespace genten::detail
