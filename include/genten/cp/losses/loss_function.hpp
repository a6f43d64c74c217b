// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// LossFunction: what a struct must offer to be minimized as a loss.
///
/// A loss is the sum, over the entries that count, of f(x, m): x is an entry's value and m that of
/// the model there. The struct is small and trivially copyable; each requirement is a concept of
/// its own, so that a near miss is a compile error that names what is missing.

#include <Kokkos_Core.hpp>

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace genten {

/// Which values x a loss takes. All must be finite.
enum class LossData {
  real,         ///< any
  nonnegative,  ///< counts among them, which need not be whole
  binary,       ///< 0 and 1
  positive
};

/// f(0, m) where that is a polynomial: constant + linear m + square m^2. Its sum over all entries
/// then follows from column sums and Gram matrices of the factors.
struct ZeroTerms {
  double constant = 0.0;
  double linear = 0.0;
  double square = 0.0;
  friend bool operator==(const ZeroTerms&, const ZeroTerms&) = default;
};

/// The number that a loss of the library has beside x and m.
struct LossParameter {
  std::string_view name;      ///< as in formulas; empty: the loss has none
  std::string_view expected;  ///< in words, which numbers it may be
  double otherwise = 0.0;     ///< where none is given
};

namespace losses {

/// What is added to m wherever a logarithm or a division has it, so that models may be 0 there.
inline constexpr double epsilon = 1e-10;
/// The lower bound of losses that take any m.
inline constexpr double no_bound = -std::numeric_limits<double>::infinity();

}  // namespace losses

namespace loss_requirements {

/// `static constexpr std::string_view name`: for users, unique in the list.
template <class L>
concept HasName = requires {
  { L::name } -> std::convertible_to<std::string_view>;
};

/// `static constexpr LossData data`: the values that it takes.
template <class L>
concept SaysData = requires {
  { L::data } -> std::convertible_to<LossData>;
};

/// `static constexpr double lower`: 0 where m must not be negative, else `losses::no_bound`. With 0
/// all factors are kept nonnegative.
template <class L>
concept SaysLower = requires {
  { L::lower } -> std::convertible_to<double>;
  requires L::lower == 0.0 || L::lower == losses::no_bound;
};

/// `double value(double x, double m) const`: f. KOKKOS_FUNCTION where devices are to call it.
template <class L>
concept HasValue = requires(const L& loss, double number) {
  { loss.value(number, number) } -> std::same_as<double>;
};

/// `double slope(double x, double m) const`: the derivative f' by m.
template <class L>
concept HasSlope = requires(const L& loss, double number) {
  { loss.slope(number, number) } -> std::same_as<double>;
};

/// `void values(const double* x, const double* m, double* f, int count) const`: f[k] = value(x[k],
/// m[k]) for at most 64 entries, on hosts, where that is faster than one by one. A loss may do
/// without.
template <class L>
concept HasValues = requires(const L& loss, const double* from, double* to) {
  loss.values(from, from, to, 1);
};
/// `void slopes(const double* x, const double* m, double* f, int count) const`: f' likewise.
template <class L>
concept HasSlopes = requires(const L& loss, const double* from, double* to) {
  loss.slopes(from, from, to, 1);
};

/// `double curvature(double x, double m) const`: f''. A loss may do without.
template <class L>
concept HasCurvature = requires(const L& loss, double number) {
  { loss.curvature(number, number) } -> std::same_as<double>;
};

/// `double mean(double m) const`: the expected value of x. A loss may do without: then it is m.
template <class L>
concept HasMean = requires(const L& loss, double number) {
  { loss.mean(number) } -> std::same_as<double>;
};

/// `double least(double x) const`: the least that f(x, m) is for any m. A loss may do without: then
/// it has no deviance.
template <class L>
concept HasLeast = requires(const L& loss, double number) {
  { loss.least(number) } -> std::same_as<double>;
};

/// `double variance(double mean) const`: that of x of such a mean, but for a factor that all
/// entries share. A loss may do without: then it stands for no distribution.
template <class L>
concept HasVariance = requires(const L& loss, double number) {
  { loss.variance(number) } -> std::same_as<double>;
};

/// `double power() const`: value(c x, c m) is, but for a number that m has no part in, c to this
/// power times value(x, m), for any c > 0. A loss may do without: then it is not so.
template <class L>
concept HasPower = requires(const L& loss) {
  { loss.power() } -> std::same_as<double>;
};

/// `static constexpr double added`: what is added to m wherever the loss divides by it. A loss for
/// values of any unit says it, since those that are not far larger are not fitted as they are; the
/// values of others, as counts, are far larger. A loss may do without: then 0.
template <class L>
concept SaysAdded = requires {
  { L::added } -> std::convertible_to<double>;
};

/// `std::optional<ZeroTerms> zero_terms() const`: f(0, m), where it is a polynomial. A loss may do
/// without: then its zeros are enumerated.
template <class L>
concept HasZeroTerms = requires(const L& loss) {
  { loss.zero_terms() } -> std::convertible_to<std::optional<ZeroTerms>>;
};

/// `bool takes_zeros() const`: whether it has a minimum where entries are 0. A loss may do without:
/// then it does, unless its data are positive.
template <class L>
concept SaysZeros = requires(const L& loss) {
  { loss.takes_zeros() } -> std::same_as<bool>;
};

/// `static constexpr double default_ridge`: the penalty of each factor unless another is asked for.
/// A loss may do without: then 0.
template <class L>
concept SaysRidge = requires {
  { L::default_ridge } -> std::convertible_to<double>;
};

/// `static constexpr bool by_rows`: whether Newton's method by rows comes to its minimum in less
/// time than L-BFGS, as measured (perf/README.md). A loss may do without: then not.
template <class L>
concept SaysRows = requires {
  { L::by_rows } -> std::convertible_to<bool>;
};

/// `static constexpr bool grows_on_zeros, grows_on_ones`: whether there is no minimum where all
/// entries of a slice are 0, or are 1, since elements then grow without end. A loss may do without.
template <class L>
concept SaysGrowth = requires {
  { L::grows_on_zeros } -> std::convertible_to<bool>;
  { L::grows_on_ones } -> std::convertible_to<bool>;
};

/// `L scaled(double c) const`: the loss of which value(c x, c m) is c^2 times this one's value(x,
/// m). Solvers then take the tensor's scale out. A loss may do without.
template <class L>
concept Scales = requires(const L& loss, double number) {
  { loss.scaled(number) } -> std::same_as<L>;
};

/// `static constexpr LossParameter parameter`, `bool is_valid() const`, and one member, the number.
template <class L>
concept HasParameter = requires(const L& loss) {
  { L::parameter } -> std::convertible_to<LossParameter>;
  { loss.is_valid() } -> std::same_as<bool>;
  L{1.0};
};

}  // namespace loss_requirements

/// A loss.
template <class L>
concept LossFunction = std::is_trivially_copyable_v<L> && loss_requirements::HasName<L> &&
    loss_requirements::SaysData<L> && loss_requirements::SaysLower<L> &&
    loss_requirements::HasValue<L> && loss_requirements::HasSlope<L>;

/// Refuses to compile for what is no loss, and says what it lacks.
template <class L>
struct CheckedLoss {
  static_assert(std::is_trivially_copyable_v<L>, "a loss must be trivially copyable");
  static_assert(loss_requirements::HasName<L>,
                "a loss needs: static constexpr std::string_view name");
  static_assert(loss_requirements::SaysData<L>, "a loss needs: static constexpr LossData data");
  static_assert(loss_requirements::SaysLower<L>,
                "a loss needs: static constexpr double lower, 0 or losses::no_bound");
  static_assert(loss_requirements::HasValue<L>,
                "a loss needs: double value(double x, double m) const");
  static_assert(loss_requirements::HasSlope<L>,
                "a loss needs: double slope(double x, double m) const");
  static_assert(LossFunction<L>);
};

/// What is known of a loss beside its functions.
struct LossFacts {
  std::string name;
  std::string parameter_name = {};  ///< empty: it has none
  double parameter = 0.0;
  LossData data = LossData::real;
  double lower = losses::no_bound;
  bool takes_zeros = true;
  std::optional<ZeroTerms> zero_terms = std::nullopt;
  double default_ridge = 0.0;
  bool by_rows = false;
  bool grows_on_zeros = false;
  bool grows_on_ones = false;
  bool is_link = false;  ///< the expected value of x is another number than m
  bool has_deviance = false;
  bool has_variance = false;
  std::optional<double> power = std::nullopt;  ///< value(c x, c m) is c to it times value(x, m)
  double added = 0.0;                          ///< to m, of a loss for values of any unit
  std::string given_as = {};  ///< of a scaled loss, the text of that which it is made of

  /// "huber(0.5)".
  [[nodiscard]] std::string text() const;
};

/// What a loss says of itself.
template <LossFunction L>
[[nodiscard]] LossFacts loss_facts(const L& loss) {
  namespace says = loss_requirements;
  LossFacts facts{.name = std::string(L::name), .data = L::data, .lower = L::lower};
  facts.takes_zeros = L::data != LossData::positive;
  if constexpr (says::SaysZeros<L>) facts.takes_zeros = loss.takes_zeros();
  if constexpr (says::HasZeroTerms<L>) facts.zero_terms = loss.zero_terms();
  if constexpr (says::SaysRidge<L>) facts.default_ridge = L::default_ridge;
  if constexpr (says::SaysRows<L>) facts.by_rows = L::by_rows;
  if constexpr (says::SaysGrowth<L>) {
    facts.grows_on_zeros = L::grows_on_zeros;
    facts.grows_on_ones = L::grows_on_ones;
  }
  if constexpr (says::HasParameter<L>) {
    const auto& [number] = loss;
    facts.parameter_name = std::string(L::parameter.name);
    facts.parameter = number;
  }
  facts.is_link = says::HasMean<L>;
  facts.has_deviance = says::HasLeast<L>;
  facts.has_variance = says::HasVariance<L>;
  if constexpr (says::HasPower<L>) facts.power = loss.power();
  if constexpr (says::SaysAdded<L>) facts.added = L::added;
  return facts;
}

}  // namespace genten
