// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/completion/select_entries.hpp>
#include <genten/cp/detail/gcp/column_sums.hpp>
#include <genten/cp/detail/gcp/weighted_zeros.hpp>
#include <genten/cp/detail/gcp/zero_enumeration.hpp>
#include <genten/cp/detail/gcp/zero_sample.hpp>
#include <genten/cp/detail/gradient_options.hpp>
#include <genten/cp/loss_gradient.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/mttkrp/map_with.hpp>

#include <cmath>

namespace genten::detail {

/// gradient += factor * square + numbers + ridge * factor, row by row. Columns are summed by eight,
/// so that sums do not wait for each other: 80 of 333 ms of a gradient of nell2's shape at R = 64.
template <RealScalar Scalar, ExecutionSpace Exec>
struct AddTerms {
  FacMatrix<Scalar, Exec> factor, gradient;
  Kokkos::View<const double**, Kokkos::LayoutRight, typename Exec::memory_space> square;
  Kokkos::View<const double*, typename Exec::memory_space> numbers;
  double ridge;

  KOKKOS_INLINE_FUNCTION void operator()(std::size_t i) const {
    constexpr int together = 8;
    const std::size_t columns = factor.columns();
    std::size_t r = 0;
    for (; r + together <= columns; r += together) add<together>(i, r);
    for (; r < columns; ++r) add<1>(i, r);
  }
  template <int Count>
  KOKKOS_INLINE_FUNCTION void add(std::size_t i, std::size_t first) const {
    double sum[Count];
    for (int j = 0; j < Count; ++j) {
      const std::size_t r = first + static_cast<std::size_t>(j);
      sum[j] = static_cast<double>(gradient(i, r)) + numbers(r) +
               ridge * static_cast<double>(factor(i, r));
    }
    for (std::size_t s = 0; s < square.extent(0); ++s) {
      const auto element = static_cast<double>(factor(i, s));
      const double* const row = &square(s, first);
      for (int j = 0; j < Count; ++j) sum[j] += element * row[j];
    }
    for (int j = 0; j < Count; ++j) {
      gradient(i, first + static_cast<std::size_t>(j)) = static_cast<Scalar>(sum[j]);
    }
  }
};

/// The same by all threads, `square` being symmetric or empty.
template <RealScalar Scalar, ExecutionSpace Exec>
void add_terms(const Exec& exec, const FacMatrix<Scalar, Exec>& factor, const HostMatrix& square,
               const std::vector<double>& numbers, double ridge,
               const FacMatrix<Scalar, Exec>& gradient) {
  using Space = typename Exec::memory_space;
  using Host = Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  const AddTerms<Scalar, Exec> add{
      factor, gradient, Kokkos::create_mirror_view_and_copy(Space(), square),
      Kokkos::create_mirror_view_and_copy(Space(), Host(numbers.data(), numbers.size())), ridge};
  Kokkos::parallel_for(
      "genten::loss_gradient",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, factor.rows()), add);
  fence(exec, "genten::loss_gradient");
}

/// Of the Gram matrices of all factors but that of `left_out` (-1: of all) the product by elements,
/// times `factor`.
[[nodiscard]] inline HostMatrix hadamard_product(const std::vector<HostMatrix>& grams, int left_out,
                                                 double factor) {
  const std::size_t rank = grams.front().extent(0);
  const HostMatrix product("genten::hadamard", rank, rank);
  Kokkos::deep_copy(product, factor);
  for (std::size_t m = 0; m < grams.size(); ++m) {
    if (static_cast<int>(m) == left_out) continue;
    for (std::size_t e = 0; e < rank * rank; ++e) product.data()[e] *= grams[m].data()[e];
  }
  return product;
}

/// `all` entries, those that count among them, and of these the listed ones.
struct EntryCounts {
  double all = 1.0, counted = 1.0, listed = 0.0;
};

/// Of a gradient whose zeros are summed one by one.
[[nodiscard]] inline double enumeration_operations(double entries, int order, std::size_t rank) {
  return 4.0 * order * static_cast<double>(rank) * entries;
}

/// Throws Error unless the zeros of the loss can be summed; says how.
[[nodiscard]] inline ZeroSums choose_zero_sums(const LossFacts& loss, const EntryCounts& entries,
                                               int order, std::size_t rank,
                                               const LossGradientOptions& options) {
  if (options.unlisted == UnlistedEntries::missing || entries.counted == entries.listed)
    return ZeroSums::none;
  if (!loss.takes_zeros) {
    throw Error(
        "loss " + loss.text() +
        ": it has no minimum where entries are 0: expected a tensor that lists all entries, "
        "or unlisted entries that are missing (" +
        error_text::option("missing", "unlisted") + "); got " +
        number_text(entries.counted - entries.listed) + " unlisted zeros");
  }
  if (loss.zero_terms) return ZeroSums::closed_form;
  const double operations = enumeration_operations(entries.all, order, rank);
  if (operations > options.most_operations) {
    if (options.zero_samples != 0) return ZeroSums::sampled;
    throw Error("loss " + loss.text() + ": zeros have no closed form, and to go through " +
                number_text(entries.all) + " entries takes " + number_text(operations) +
                " operations a gradient, more than the " + number_text(options.most_operations) +
                " that most-operations allows; losses with a closed form are gaussian, weighted, "
                "poisson, bernoulli-poisson and beta of b = 2, and for others zero-samples may be "
                "more than 0");
  }
  return ZeroSums::enumerated;
}

/// By mode. Throws Error for another number of them, and for negative ones.
[[nodiscard]] inline std::vector<double> penalties(const char* name,
                                                   const std::vector<double>& given,
                                                   std::size_t order) {
  std::vector<double> result;
  for (std::size_t n = 0; n < order; ++n) {
    result.push_back(number_of_mode(name, given, n, order, 0.0));
    if (result.back() >= 0.0 && std::isfinite(result.back())) continue;
    throw Error::of_option(name,
                           "expected numbers of at least 0, got " + number_text(result.back()));
  }
  return result;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
LossGradient<Scalar, Ordinal, Exec>::LossGradient(const Exec& exec,
                                                  const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                                  const Sptensor<Scalar, Ordinal, Exec>* missing,
                                                  std::size_t rank, const AnyLoss& loss,
                                                  const LossGradientOptions& options)
    : m_loss(loss),
      m_rank(rank),
      m_tensor(sum_duplicates(exec, tensor).tensor),
      m_options(options),
      m_mapped([&] {
        if (tensor.order() == 0) {
          throw Error::in("LossGradient", "expected a tensor of order 1 or more, got order 0");
        }
        if (!is_host_space<Exec> && !loss.kernel().is_listed()) {
          throw Error("loss " + loss.facts().text() +
                      ": on devices expected a loss of the library, got another one");
        }
        if (missing != nullptr && missing->dimensions() != tensor.dimensions()) {
          throw Error::in("LossGradient", "expected missing entries with the tensor's dimensions");
        }
        std::optional<Sptensor<Scalar, Ordinal, Exec>> away;
        if (missing != nullptr) {
          away = detail::with_value(exec, sum_duplicates(exec, *missing).tensor, Scalar(-1));
          m_tensor = detail::without_entries(exec, m_tensor, *away);
        }
        detail::require_loss_data(exec, m_tensor, loss.facts());
        for (const std::size_t length : tensor.dimensions()) m_all *= static_cast<double>(length);
        const auto listed = static_cast<double>(m_tensor.nnz());
        m_entries = m_all - (away ? static_cast<double>(away->nnz()) : 0.0);
        m_zeros = detail::choose_zero_sums(loss.facts(), {m_all, m_entries, listed}, tensor.order(),
                                           rank, options);
        if (m_zeros == ZeroSums::none) m_entries = listed;
        const double free = available_memory<Exec>(), limit = options.memory_available;
        const double available = limit > 0.0 ? std::min(limit, free) : free;
        if (m_zeros == ZeroSums::sampled) {
          m_away = away;
        } else if (away && away->nnz() != 0 && m_zeros != ZeroSums::none) {
          m_weighted = std::make_unique<detail::WeightedZeros<Scalar, Ordinal, Exec>>(
              exec, *away, rank, options.mttkrp, available);
        }
        return MappedMttkrp<Scalar, Ordinal, Exec>(
            exec, m_tensor, rank, detail::for_gradients(options.mttkrp), available);
      }()) {
  const auto order = static_cast<std::size_t>(tensor.order());
  m_ridge = detail::penalties("ridge", options.ridge, order);
  m_l1 = detail::penalties("l1", options.l1, order);
  if (m_zeros == ZeroSums::enumerated) {
    m_enumeration =
        std::make_unique<detail::ZeroEnumeration<Scalar, Exec>>(tensor.dimensions(), rank);
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
LossGradient<Scalar, Ordinal, Exec>::~LossGradient() = default;
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
LossGradient<Scalar, Ordinal, Exec>::LossGradient(LossGradient&&) noexcept = default;
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
LossGradient<Scalar, Ordinal, Exec>& LossGradient<Scalar, Ordinal, Exec>::operator=(
    LossGradient&&) noexcept = default;

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void LossGradient<Scalar, Ordinal, Exec>::draw_zeros(const Exec& exec, const Model& model,
                                                     std::uint64_t seed) {
  check(model, "model");
  if (m_zeros != ZeroSums::sampled) return;
  auto drawn = detail::draw_entries<Ordinal>(exec, model, m_options.zero_samples, seed,
                                             m_loss.facts().lower == 0.0);
  drawn = detail::without_entries(exec, drawn, m_tensor);
  if (m_away) drawn = detail::without_entries(exec, drawn, *m_away);
  m_weighted.reset();  // before the next takes its memory
  const double free = available_memory<Exec>(), limit = m_options.memory_available;
  m_weighted = std::make_unique<detail::WeightedZeros<Scalar, Ordinal, Exec>>(
      exec, std::move(drawn), m_rank, m_options.mttkrp, limit > 0.0 ? std::min(limit, free) : free);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void LossGradient<Scalar, Ordinal, Exec>::check(const Model& model, const char* name) const {
  if (model.dimensions() == m_tensor.dimensions() && model.rank() == m_rank) return;
  throw Error::in("LossGradient", "expected a " + std::string(name) +
                                      " with the tensor's dimensions and " +
                                      std::to_string(m_rank) + " components");
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
double LossGradient<Scalar, Ordinal, Exec>::operator()(const Exec& exec, const Model& model,
                                                       const Model& to) {
  const double objective = sums(exec, model).objective;
  gradient_of_summed(exec, model, to);
  return objective;
}

/// The sum of f(0, m) over all entries.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
double LossGradient<Scalar, Ordinal, Exec>::zero_sum(const Exec& exec, const Model& model) {
  if (m_zeros == ZeroSums::none || m_zeros == ZeroSums::sampled) return 0.0;
  if (m_zeros == ZeroSums::enumerated) return m_enumeration->sum(exec, model, m_loss.kernel());
  const ZeroTerms terms = *m_loss.facts().zero_terms;
  double sum = terms.constant * m_all;
  if (terms.linear != 0.0) {
    std::vector<std::vector<double>> sums;
    for (const auto& factor : model.factors()) sums.push_back(detail::column_sums(exec, factor));
    for (const double each : detail::product_of_others(sums, -1)) sum += terms.linear * each;
  }
  if (terms.square != 0.0) {
    std::vector<HostMatrix> grams;
    for (const auto& factor : model.factors()) grams.push_back(cross_gram(exec, factor, factor));
    const HostMatrix all = detail::hadamard_product(grams, -1, terms.square);
    for (std::size_t e = 0; e < m_rank * m_rank; ++e) sum += all.data()[e];
  }
  return sum;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
LossSums LossGradient<Scalar, Ordinal, Exec>::sums(const Exec& exec, const Model& model) {
  check(model, "model");
  if (m_zeros == ZeroSums::sampled && !m_weighted) {
    throw Error::in("LossGradient",
                    "expected draw_zeros before the first objective, as zeros are sampled");
  }
  const auto listed = m_mapped.template sum<detail::EntrySums>(
      exec, model.factors(), detail::EntryLoss{m_loss.kernel(), sums_all()});
  LossSums result{.inner_product = listed.inner_product,
                  .squared_difference = listed.squared_difference};
  for (int n = 0; n < model.order(); ++n) {
    const double ridge = m_ridge[static_cast<std::size_t>(n)];
    const double l1 = m_l1[static_cast<std::size_t>(n)];
    if (l1 != 0.0) {
      for (const double each : detail::column_sums(exec, model.factor(n))) {
        result.penalty += l1 * each;
      }
    }
    if (ridge == 0.0) continue;
    for (const double each : column_norms(exec, model.factor(n), NormKind::two)) {
      result.penalty += 0.5 * ridge * each * each;
    }
  }
  result.objective = listed.value + zero_sum(exec, model) + result.penalty;
  if (m_weighted) {
    const auto weighted = m_weighted->sums(exec, model, m_loss.kernel());
    result.objective += weighted.value;
    result.zero_square = weighted.model_square;
    if (m_zeros == ZeroSums::sampled) {
      result.error = detail::error_of_sum(weighted, m_options.zero_samples);
    }
  }
  return result;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void LossGradient<Scalar, Ordinal, Exec>::gradient(const Exec& exec, const Model& model,
                                                   const Model& to,
                                                   const std::vector<bool>& wanted) {
  find_gradient(exec, model, to, wanted, false);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void LossGradient<Scalar, Ordinal, Exec>::gradient_of_summed(const Exec& exec, const Model& model,
                                                             const Model& to,
                                                             const std::vector<bool>& wanted) {
  find_gradient(exec, model, to, wanted, true);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void LossGradient<Scalar, Ordinal, Exec>::find_gradient(const Exec& exec, const Model& model,
                                                        const Model& to,
                                                        const std::vector<bool>& wanted,
                                                        bool is_summed) {
  check(model, "model");
  check(to, "gradient");
  const bool closed = m_zeros == ZeroSums::closed_form;
  const ZeroTerms terms = closed ? *m_loss.facts().zero_terms : ZeroTerms{};
  std::vector<std::vector<double>> sums;
  std::vector<HostMatrix> grams;
  for (const auto& factor : model.factors()) {
    if (terms.linear != 0.0) sums.push_back(detail::column_sums(exec, factor));
    if (terms.square != 0.0) grams.push_back(cross_gram(exec, factor, factor));
  }
  const detail::LossSlope slope{
      m_loss.kernel(), sums_all() ? detail::SlopeOf::entry_beyond_zero : detail::SlopeOf::entry};
  m_mapped.map(exec, model.factors(), slope, is_summed);
  if (m_weighted) m_weighted->find_slopes(exec, model, m_loss.kernel(), is_summed);
  for (int mode = 0; mode < model.order(); ++mode) {
    const auto n = static_cast<std::size_t>(mode);
    if (!wanted.empty() && !wanted[n]) continue;
    m_mapped.execute(exec, model.factors(), mode, to.factor(mode));
    if (m_enumeration) {
      m_enumeration->add_gradient(exec, model, m_loss.kernel(), mode, to.factor(mode));
    }
    if (m_weighted) {
      m_weighted->add_gradient(exec, model, mode, to.factor(mode));
    }
    if (!closed && m_ridge[n] == 0.0 && m_l1[n] == 0.0) continue;
    std::vector<double> numbers(m_rank, 0.0);
    if (terms.linear != 0.0) numbers = detail::product_of_others(sums, mode);
    for (double& each : numbers) each = terms.linear * each + m_l1[n];
    const HostMatrix square = terms.square == 0.0
                                  ? HostMatrix()
                                  : detail::hadamard_product(grams, mode, 2.0 * terms.square);
    detail::add_terms(exec, model.factor(mode), square, numbers, m_ridge[n], to.factor(mode));
  }
}

}  // namespace genten

#define GENTEN_ETI_LOSS_GRADIENT(PREFIX, SCALAR, EXEC) \
  PREFIX template class genten::LossGradient<SCALAR, genten::RowNumber, EXEC>;
