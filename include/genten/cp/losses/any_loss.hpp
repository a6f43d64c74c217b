// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// AnyLoss: a loss that is known when the program runs.

#include <genten/cp/losses/loss_list.hpp>

#include <functional>
#include <memory>

namespace genten {

/// The functions of a loss as kernels see them: one type for all losses, so that traversals of the
/// nonzeros are compiled once. A loss of the list is found by its number, on hosts and devices;
/// another one is called through a pointer, on hosts.
class LossKernel {
 public:
  using Function = double (*)(const void* loss, double x, double m);
  using Mean = double (*)(const void* loss, double m);

  /// The loss at that place of LossList.
  LossKernel(int index, double parameter) : m_index(index), m_parameter(parameter) {}
  /// A loss that lies at `loss`, as long as it does; without `mean_of` the expected value is m.
  LossKernel(const void* loss, Function value_of, Function slope_of, Mean mean_of = nullptr)
      : m_loss(loss), m_value(value_of), m_slope(slope_of), m_mean(mean_of) {}

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    if (m_index < 0) return m_value(m_loss, x, m);
    return LossList::call(m_index, m_parameter, ValueAt{x, m});
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    if (m_index < 0) return m_slope(m_loss, x, m);
    return LossList::call(m_index, m_parameter, SlopeAt{x, m});
  }
  /// The expected value of x.
  KOKKOS_INLINE_FUNCTION double mean(double m) const {
    if (m_index < 0) return m_mean == nullptr ? m : m_mean(m_loss, m);
    return LossList::call(m_index, m_parameter, MeanAt{m});
  }
  /// The loss of the functions is there.
  void lies_at(const void* loss) { m_loss = loss; }
  /// f[k] = value(x[k], m[k]) for k < count: the loss is found once for all. On hosts.
  void values(const double* x, const double* m, double* f, int count) const {
    if (m_index >= 0) {
      LossList::call(m_index, m_parameter, ValuesAt{x, m, f, count});
      return;
    }
    for (int k = 0; k < count; ++k) f[k] = m_value(m_loss, x[k], m[k]);
  }
  /// f[k] = slope(x[k], m[k]) likewise.
  void slopes(const double* x, const double* m, double* f, int count) const {
    if (m_index >= 0) {
      LossList::call(m_index, m_parameter, SlopesAt{x, m, f, count});
      return;
    }
    for (int k = 0; k < count; ++k) f[k] = m_slope(m_loss, x[k], m[k]);
  }
  /// Whether devices can call it.
  [[nodiscard]] bool is_listed() const { return m_index >= 0; }

 private:
  struct ValueAt {
    double x, m;
    template <class L>
    KOKKOS_INLINE_FUNCTION double operator()(const L& loss) const {
      return loss.value(x, m);
    }
  };
  struct SlopeAt {
    double x, m;
    template <class L>
    KOKKOS_INLINE_FUNCTION double operator()(const L& loss) const {
      return loss.slope(x, m);
    }
  };

  struct MeanAt {
    double m;
    template <class L>
    KOKKOS_INLINE_FUNCTION double operator()(const L& loss) const {
      if constexpr (loss_requirements::HasMean<L>) {
        return loss.mean(m);
      } else {
        return m;
      }
    }
  };
  struct ValuesAt {
    const double *x, *m;
    double* f;
    int count;
    template <class L>
    double operator()(const L& loss) const {
      if constexpr (loss_requirements::HasValues<L>) {
        loss.values(x, m, f, count);
      } else {
        for (int k = 0; k < count; ++k) f[k] = loss.value(x[k], m[k]);
      }
      return 0.0;
    }
  };
  struct SlopesAt {
    const double *x, *m;
    double* f;
    int count;
    template <class L>
    double operator()(const L& loss) const {
      if constexpr (loss_requirements::HasSlopes<L>) {
        loss.slopes(x, m, f, count);
      } else {
        for (int k = 0; k < count; ++k) f[k] = loss.slope(x[k], m[k]);
      }
      return 0.0;
    }
  };

  int m_index = -1;
  double m_parameter = 0.0;
  const void* m_loss = nullptr;
  Function m_value = nullptr;
  Function m_slope = nullptr;
  Mean m_mean = nullptr;
};

/// A loss as functions of many entries at once, such as those of another language's arrays: they
/// are called by the thread that calls the library, one at a time, on hosts. What they throw comes
/// through.
struct BlockLoss {
  /// Writes f(x[p], m[p]), or its derivative by m, to to[p], for p below `count`.
  using Function =
      std::function<void(const double* x, const double* m, double* to, std::size_t count)>;

  LossFacts facts;  ///< without closed forms of zeros
  Function value;
  Function slope;
};

/// Any loss: one of the library, from its struct or by its name, or a caller's own, of which it
/// keeps a copy.
class AnyLoss {
 public:
  /// Throws Error for a parameter that the loss does not take.
  template <LossFunction L>
  AnyLoss(const L& loss)  // NOLINT: implicit, so that functions take any loss
      : m_facts(loss_facts(loss)), m_kernel(kernel_of(loss)) {
    if constexpr (loss_requirements::HasParameter<L>) {
      if (!loss.is_valid()) refuse_parameter(m_facts, L::parameter.expected);
    }
    if constexpr (loss_requirements::Scales<L>) {
      m_scaled = [loss](double c) { return AnyLoss(loss.scaled(c)); };
    }
    if constexpr (loss_requirements::HasLeast<L>) {
      m_least = [loss](double x) { return loss.least(x); };
    }
    if constexpr (loss_requirements::HasVariance<L>) {
      m_variance = [loss](double mean) { return loss.variance(mean); };
    }
  }
  /// A loss of blocks, of which solvers alone make use, and not LossGradient.
  AnyLoss(const BlockLoss& loss);  // NOLINT: as above
  /// The loss of the list with that name, its parameter as given, or its default. Throws Error for
  /// an unknown name, for a parameter that the loss does not take, and for one where it has none.
  [[nodiscard]] static AnyLoss named(std::string_view name,
                                     std::optional<double> parameter = std::nullopt);

  [[nodiscard]] const LossFacts& facts() const { return m_facts; }
  /// Valid as long as this object or a copy of it lives.
  [[nodiscard]] const LossKernel& kernel() const { return m_kernel; }
  [[nodiscard]] double value(double x, double m) const { return m_kernel.value(x, m); }
  [[nodiscard]] double slope(double x, double m) const { return m_kernel.slope(x, m); }
  /// The expected value of x.
  [[nodiscard]] double mean(double m) const { return m_kernel.mean(m); }
  /// What f(x, m) is above the least that it is for any m: twice that, or of losses that scale,
  /// such as squares, once. 0 at the best m. NaN of a loss without `least`.
  [[nodiscard]] double deviance(double x, double m) const;
  /// The variance of x of such a mean, but for a factor that all entries share. NaN of a loss
  /// without one.
  [[nodiscard]] double variance(double mean) const;
  /// The functions of a loss of blocks; null for others.
  [[nodiscard]] const BlockLoss* blocks() const { return m_blocks.get(); }
  /// Whether the scale of the data can be taken out.
  [[nodiscard]] bool scales() const { return static_cast<bool>(m_scaled); }
  /// The loss of which value(c x, c m) is c^2 times this one's value(x, m).
  /// Messages name it as this one.
  [[nodiscard]] AnyLoss scaled(double c) const;

 private:
  [[noreturn]] static void refuse_parameter(const LossFacts& facts, std::string_view expected);

  template <LossFunction L>
  [[nodiscard]] LossKernel kernel_of(const L& loss) {
    constexpr int index = LossList::index_of<L>();
    if constexpr (index >= 0) {
      return {index, m_facts.parameter};
    } else {
      const auto copy = std::make_shared<const L>(loss);
      m_own = copy;
      return {
          copy.get(),
          [](const void* at, double x, double m) { return static_cast<const L*>(at)->value(x, m); },
          [](const void* at, double x, double m) { return static_cast<const L*>(at)->slope(x, m); },
          mean_of<L>()};
    }
  }

  template <class L>
  [[nodiscard]] static LossKernel::Mean mean_of() {
    if constexpr (loss_requirements::HasMean<L>) {
      return [](const void* at, double m) { return static_cast<const L*>(at)->mean(m); };
    } else {
      return nullptr;
    }
  }

  LossFacts m_facts;
  std::shared_ptr<const void> m_own;  ///< a caller's loss
  LossKernel m_kernel;
  std::function<AnyLoss(double)> m_scaled;
  std::function<double(double)> m_least;
  std::function<double(double)> m_variance;
  std::shared_ptr<const BlockLoss> m_blocks;
};

/// Names of all losses, in the order of the list.
[[nodiscard]] std::vector<std::string> loss_names();

}  // namespace genten
