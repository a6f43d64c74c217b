// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// BlockObjective: objective and gradient of a loss whose functions take many entries at once.

#include <genten/cp/detail/gcp/gcp_problem.hpp>
#include <genten/cp/detail/gcp/loss_gradient_impl.hpp>
#include <genten/cp/detail/gcp/zero_sample.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace genten::detail {

/// Entries that a run goes through one by one at most, zeros among them: each is in memory.
inline constexpr double most_block_entries = 2097152.0;

/// Throws Error where the derivative of a loss is not that of its function at entries of x and m,
/// by central differences. Where the function has a kink, anything between its two slopes will do.
inline void check_derivative(const BlockLoss& loss, const std::vector<double>& x,
                             const std::vector<double>& m, const std::vector<double>& slopes) {
  constexpr std::size_t most = 1024;
  const std::size_t stride = std::max<std::size_t>(1, x.size() / most);
  std::vector<double> values, at, above, below, steps;
  std::vector<std::size_t> places;
  for (std::size_t p = 0; p < x.size(); p += stride) {
    double step = 1e-5 * std::max(std::abs(m[p]), 1e-3);
    if (loss.facts.lower == 0.0) step = std::min(step, 0.5 * m[p]);
    if (!(step > 0.0) || !std::isfinite(m[p])) continue;
    places.push_back(p);
    values.push_back(x[p]);
    at.push_back(m[p]);
    above.push_back(m[p] + step);
    below.push_back(m[p] - step);
    steps.push_back(step);
  }
  const auto value_at = [&](const std::vector<double>& models) {
    std::vector<double> f(models.size());
    if (!f.empty()) loss.value(values.data(), models.data(), f.data(), f.size());
    return f;
  };
  const auto here = value_at(at), over = value_at(above), under = value_at(below);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double slope = slopes[places[k]];
    const double right = (over[k] - here[k]) / steps[k], left = (here[k] - under[k]) / steps[k];
    const double central = 0.5 * (left + right);
    // Beside a relative error, what rounding leaves of a difference; a function may add up numbers
    // near 1 to one near 0.
    const double allowed =
        1e-4 * (std::abs(slope) + std::abs(central)) + 1e-14 * (1.0 + std::abs(here[k])) / steps[k];
    if (slope >= std::min(left, right) - allowed && slope <= std::max(left, right) + allowed) {
      continue;
    }
    throw Error("loss " + loss.facts.text() + ": its derivative at x = " + number_text(values[k]) +
                ", m = " + number_text(at[k]) + " is " + number_text(slope) +
                ", and central differences of its function are " + number_text(central));
  }
}

/// Over the entries that count, zeros too, all of them listed with a weight.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
class BlockObjective final : public GcpObjective<Scalar, Exec> {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;

  /// `given` and `missing` are the call's, without duplicates. Throws Error for zeros that can
  /// neither be gone through nor sampled.
  BlockObjective(const Exec& exec, Tensor given, std::optional<Tensor> missing,
                 const SplitEntries<Scalar, Ordinal, Exec>& entries, std::size_t rank,
                 const AnyLoss& loss, const LossGradientOptions& how)
      : m_given(std::move(given)),
        m_missing(std::move(missing)),
        m_held_out(entries.held_out),
        m_counted(entries.counted),
        m_away(entries.away),
        m_loss(loss),
        m_how(how),
        m_rank(rank) {
    double all = 1.0;
    for (const std::size_t length : m_counted.dimensions()) all *= static_cast<double>(length);
    const auto listed = static_cast<double>(m_counted.nnz());
    m_entries = all - (m_away ? static_cast<double>(m_away->nnz()) : 0.0);
    m_zeros =
        choose_zero_sums(loss.facts(), {all, m_entries, listed}, m_counted.order(), rank, m_how);
    if (m_zeros == ZeroSums::enumerated && all > most_block_entries) {
      m_how.most_operations = 0.0;
      m_zeros =
          choose_zero_sums(loss.facts(), {all, m_entries, listed}, m_counted.order(), rank, m_how);
    }
    if (m_zeros == ZeroSums::none) m_entries = listed;
    take(exec, m_zeros == ZeroSums::enumerated
                   ? std::optional(unlisted_entries(exec, static_cast<std::size_t>(all)))
                   : std::nullopt);
  }

  [[nodiscard]] ZeroSums zeros() const { return m_zeros; }
  [[nodiscard]] double entries() const { return m_entries; }
  [[nodiscard]] std::string kernel() const { return m_plan ? std::string(m_plan->kernel()) : ""; }

  LossSums sums(const Exec& exec, const Model& model) override {
    write_values(exec, model, m_where);
    call(m_loss.blocks()->value);
    LossSums result;
    WeightedZeroSums of_zeros;
    double all_square = 0.0;
    for (std::size_t p = 0; p < m_x.size(); ++p) {
      const double m = m_model[p], value = m_weights[p] * m_result[p];
      result.objective += value;
      all_square += m_weights[p] * m * m;
      if (p >= static_cast<std::size_t>(m_counted.nnz())) {
        of_zeros.add({value, value * value, m_weights[p] * m * m});
        continue;
      }
      result.inner_product += m_x[p] * m;
      result.squared_difference += (m_x[p] - m) * (m_x[p] - m);
    }
    result.zero_square = of_zeros.model_square;
    if (m_zeros == ZeroSums::enumerated) {  // what is to be added to the square of the norm
      const double norm = genten::norm(exec, model);
      result.zero_square = all_square - norm * norm;
    }
    if (m_zeros == ZeroSums::sampled) result.error = error_of_sum(of_zeros, m_how.zero_samples);
    for (int n = 0; n < model.order(); ++n) {
      const auto mode = static_cast<std::size_t>(n);
      for (const double sum : column_sums(exec, model.factor(n))) {
        result.penalty += m_how.l1[mode] * sum;
      }
      for (const double norm : column_norms(exec, model.factor(n), NormKind::two)) {
        result.penalty += 0.5 * m_how.ridge[mode] * norm * norm;
      }
    }
    result.objective += result.penalty;
    return result;
  }

  void gradient(const Exec& exec, const Model& model, const Model& gradient,
                const std::vector<bool>& wanted) override {
    write_values(exec, model, m_where);
    call(m_loss.blocks()->slope);
    if (!std::exchange(m_is_checked, true)) {
      check_derivative(*m_loss.blocks(), m_x, m_model, m_result);
    }
    for (std::size_t p = 0; p < m_x.size(); ++p) m_result[p] *= m_weights[p];
    // The values of the plan's tensor are places in this table.
    const auto slope_at = [](const void* slopes, double place, double) {
      return static_cast<const double*>(slopes)[static_cast<std::size_t>(place)];
    };
    const LossKernel table(m_result.data(), slope_at, slope_at);
    m_plan->map(exec, model.factors(), LossSlope{table, SlopeOf::entry});
    for (int n = 0; n < model.order(); ++n) {
      const auto mode = static_cast<std::size_t>(n);
      if (!wanted.empty() && !wanted[mode]) continue;
      m_plan->execute(exec, model.factors(), n, gradient.factor(n));
      if (m_how.ridge[mode] == 0.0 && m_how.l1[mode] == 0.0) continue;
      add_terms(exec, model.factor(n), HostMatrix(), std::vector<double>(m_rank, m_how.l1[mode]),
                m_how.ridge[mode], gradient.factor(n));
    }
  }

  void draw_zeros(const Exec& exec, const Model& model, std::uint64_t seed) override {
    if (m_zeros != ZeroSums::sampled) return;
    auto drawn =
        draw_entries<Ordinal>(exec, model, m_how.zero_samples, seed, m_loss.facts().lower == 0.0);
    drawn = without_entries(exec, drawn, m_counted);
    if (m_away) drawn = without_entries(exec, drawn, *m_away);
    take(exec, std::move(drawn));
  }

  GcpEntries<Scalar, Exec> entries_to_draw() const override { return {m_counted, m_away, m_loss}; }
  HoldoutSums holdout(const Exec& exec, const Model& model) override {
    const auto count = static_cast<std::size_t>(m_held_out.nnz());
    std::vector<double> x(count), m(count), f(count);
    values_at(exec, model, m_held_out, m.data());
    for (std::size_t p = 0; p < count; ++p) x[p] = static_cast<double>(m_held_out.values()(p));
    if (count != 0) m_loss.blocks()->value(x.data(), m.data(), f.data(), count);
    HoldoutSums sums;
    for (std::size_t p = 0; p < count; ++p) {
      const double difference = x[p] - m[p];
      sums.add({f[p], f[p] * f[p], difference * difference, std::abs(difference)});
    }
    return sums;
  }
  TensorFingerprint fingerprint(const Exec& exec) override {
    return TensorFingerprint::of(exec, m_given);
  }
  std::optional<TensorFingerprint> missing_mark(const Exec& exec) override {
    if (!m_missing) return std::nullopt;
    return TensorFingerprint::of(exec, *m_missing);
  }

 private:
  /// The entries of the box that count and are not listed, each with weight 1.
  [[nodiscard]] Tensor unlisted_entries(const Exec& exec, std::size_t count) const {
    const auto subscripts =
        new_view<Kokkos::View<Ordinal**, Kokkos::LayoutRight, typename Exec::memory_space>>(
            "genten::subscripts", count, m_counted.dimensions().size());
    const auto values =
        new_view<Kokkos::View<Scalar*, typename Exec::memory_space>>("genten::weights", count);
    for (std::size_t p = 0; p < count; ++p) {
      std::size_t rest = p;
      for (std::size_t n = 0; n < m_counted.dimensions().size(); ++n) {
        subscripts(p, n) = static_cast<Ordinal>(rest % m_counted.dimensions()[n]);
        rest /= m_counted.dimensions()[n];
      }
      values(p) = Scalar(1);
    }
    const auto all = Tensor::trusted(exec, m_counted.dimensions(), subscripts, values,
                                     {.distinct = true, .sorted = false});
    const auto zeros = without_entries(exec, all, m_counted);
    return m_away ? without_entries(exec, zeros, *m_away) : zeros;
  }

  /// Goes by the listed entries and these zeros, whose values are weights.
  void take(const Exec& exec, const std::optional<Tensor>& zeros) {
    m_plan.reset();  // before the next takes its memory
    m_where = zeros ? joined(exec, m_counted, *zeros) : m_counted;
    const auto count = static_cast<std::size_t>(m_where.nnz());
    constexpr double most_places = std::is_same_v<Scalar, float> ? 16777216.0 : 9007199254740992.0;
    if (static_cast<double>(count) > most_places) {
      throw Error("loss " + m_loss.facts().text() + ": in float expected at most " +
                  number_text(most_places) + " entries, got " + number_text(m_entries) +
                  ": double takes more");
    }
    const auto places =
        new_view<Kokkos::View<Scalar*, typename Exec::memory_space>>("genten::places", count);
    m_x.assign(count, 0.0);
    m_weights.assign(count, 1.0);
    m_model.assign(count, 0.0);
    m_result.assign(count, 0.0);
    for (std::size_t p = 0; p < count; ++p) {
      const auto value = static_cast<double>(m_where.values()(p));
      (p < static_cast<std::size_t>(m_counted.nnz()) ? m_x : m_weights)[p] = value;
      places(p) = static_cast<Scalar>(p);
    }
    m_where =
        Tensor::trusted(exec, m_where.dimensions(), m_where.subscripts(), places, m_where.facts());
    const double free = available_memory<Exec>(), limit = m_how.memory_available;
    m_plan.emplace(exec, m_where, m_rank, m_how.mttkrp, limit > 0.0 ? std::min(limit, free) : free);
  }

  static void values_at(const Exec& exec, const Model& model, const Tensor& entries, double* to) {
    const ModelValues<Scalar> value_of(model);
    const auto subscripts = entries.subscripts();
    Kokkos::parallel_for(
        "genten::block_values",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, entries.nnz()),
        [=](const offset_t p) { to[p] = value_of(&subscripts(p, 0)); });
    fence(exec, "genten::block_values");
  }
  void write_values(const Exec& exec, const Model& model, const Tensor& entries) {
    values_at(exec, model, entries, m_model.data());
  }
  /// In blocks that stay in a cache with what a caller makes of them.
  void call(const BlockLoss::Function& function) {
    constexpr std::size_t block = 65536;
    for (std::size_t p = 0; p < m_x.size(); p += block) {
      function(&m_x[p], &m_model[p], &m_result[p], std::min(block, m_x.size() - p));
    }
  }

  Tensor m_given;                   ///< without duplicates
  std::optional<Tensor> m_missing;  ///< the list, likewise
  Tensor m_held_out;
  Tensor m_counted;
  std::optional<Tensor> m_away;
  AnyLoss m_loss;
  LossGradientOptions m_how;
  std::size_t m_rank;
  double m_entries = 0.0;  ///< that count
  ZeroSums m_zeros = ZeroSums::none;
  Tensor m_where;  ///< listed entries, then zeros; values are their places
  std::vector<double> m_x, m_weights, m_model, m_result;
  std::optional<MappedMttkrp<Scalar, Ordinal, Exec>> m_plan;
  bool m_is_checked = false;
};

}  // namespace genten::detail
