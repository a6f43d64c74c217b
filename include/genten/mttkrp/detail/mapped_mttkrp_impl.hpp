// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/sum_of_nonzeros.hpp>
#include <genten/base/memory.hpp>
#include <genten/mttkrp/detail/plan_impl.hpp>
#include <genten/mttkrp/mapped_mttkrp.hpp>

#include <algorithm>
#include <limits>

namespace genten::detail {

/// 1 where a value is not `only`. nvcc takes no lambda in its place.
template <class Values>
struct IsAnother {
  Values values;
  typename Values::non_const_value_type only;

  KOKKOS_INLINE_FUNCTION offset_t operator()(offset_t p) const { return values(p) == only ? 0 : 1; }
};

/// The entries in the copies of the kernel `sorted`: where the value of a record lies, models and
/// what is made of them take its place.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class SortedEntries {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  SortedEntries(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                const MttkrpProblem& problem, const MachineProperties& machine)
      : m_prepared(exec, RelabeledTensor<Scalar, Ordinal, Exec>(tensor), problem, machine, {},
                   false) {
    const offset_t nnz = tensor.nnz();
    const auto values = tensor.values();
    if (nnz != 0) m_only = values(0);
    const auto others = chunked_reduce<offset_t>("genten::distinct_values", exec, nnz,
                                                 IsAnother<decltype(values)>{values, m_only});
    for (const std::size_t group : m_prepared.distinct_copies()) {
      auto& copy = m_copies.emplace_back(Copy{group, {}, false});
      if (others == 0) continue;
      copy.values = uninitialized_array<Scalar>("genten::entry_values", nnz);
      const auto to = copy.values;
      const Words words(m_prepared.copy(group));
      Kokkos::parallel_for("genten::entry_values",
                           Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, nnz),
                           [=](const offset_t p) { to(p) = value_of_word<Scalar>(words[p]); });
    }
    exec.fence();
  }

  template <class Sums, class Term>
  [[nodiscard]] Sums sum(const Exec& exec, const FactorSet<Scalar>& factors, const Term& term) {
    forget_models();
    Copy& copy = m_copies.front();
    std::vector<Sums> partial(chunks_of_nonzeros(nnz()).count());
    for_batches("genten::entry_sums", exec, factors, copy,
                [&](std::size_t chunk, const double* x, const double* m, int count) {
                  term.add(partial[chunk], x, m, count);
                });
    copy.has_models = true;
    Sums total;
    for (const Sums& one : partial) total.add(one);
    return total;
  }
  template <class Phi>
  void map(const Exec& exec, const FactorSet<Scalar>& factors, const Phi& phi, bool known_models) {
    if (!known_models) forget_models();
    for (Copy& copy : m_copies) {
      for_batches(
          "genten::map_entries", exec, factors, copy,
          [&](std::size_t, const double* x, double* m, int count) { phi.map(x, m, count); });
    }
    forget_models();
    m_prepared.forget_sums();
  }
  void execute(const Exec& exec, const FactorSet<Scalar>& factors, int mode, const Matrix& output) {
    m_prepared.run(exec, factors, mode, output);
  }
  [[nodiscard]] std::string describe() const { return m_prepared.choice().describe(); }

 private:
  struct Copy {
    std::size_t group;
    HostArray<Scalar> values;  ///< in its order; none where all are the same
    bool has_models;
  };
  /// The last words of records.
  struct Words {
    explicit Words(const SortedCopy<Scalar, Exec>& copy)
        : last(copy.records.data() + copy.layout.words - 1), words(copy.layout.words) {}
    std::uint64_t& operator[](offset_t p) const { return last[p * words]; }
    std::uint64_t* last;
    int words;
  };

  [[nodiscard]] offset_t nnz() const { return m_prepared.copy(m_copies.front().group).nnz(); }
  void forget_models() {
    for (Copy& copy : m_copies) copy.has_models = false;
  }

  /// Calls use(chunk, x, m, count), whose m then takes the place of the values.
  template <class Use>
  void for_batches(const char* label, const Exec& exec, const FactorSet<Scalar>& factors,
                   const Copy& copy, const Use& use) {
    const SortedCopy<Scalar, Exec>& sorted = m_prepared.copy(copy.group);
    const Words words(sorted);
    const EvenChunks chunks = chunks_of_nonzeros(nnz());
    const auto input = m_prepared.all_rows(exec, factors, copy.group,
                                           padded_stride(factors.columns, sizeof(Scalar)));
    const ModelLoop<Scalar> loop =
        model_loops<Scalar>().loop(input.stride, input.count, input.layout);
    const bool fetch = sorted.order.fetched_mode.has_value(), known = copy.has_models;
    const Scalar* const values = copy.values.data();
    for_each_index(label, exec, chunks.count(), [&](const std::size_t chunk) {
      double x[most_entries], m[most_entries];
      std::fill(x, x + most_entries, static_cast<double>(m_only));
      const auto end = static_cast<offset_t>(chunks.end(chunk));
      for (auto first = static_cast<offset_t>(chunks.begin(chunk)); first < end;
           first += most_entries) {
        const auto count = static_cast<int>(std::min<offset_t>(most_entries, end - first));
        if (known) {
          for (int k = 0; k < count; ++k) {
            m[k] = static_cast<double>(value_of_word<Scalar>(words[first + k]));
          }
        } else {
          loop(input, first, count, end, fetch, m);
        }
        if (values != nullptr) {
          for (int k = 0; k < count; ++k) x[k] = static_cast<double>(values[first + k]);
        }
        use(chunk, x, m, count);
        for (int k = 0; k < count; ++k) {
          words[first + k] = word_of_value(static_cast<Scalar>(m[k]));
        }
      }
    });
  }

  typename kernels::Sorted::Prepared<Scalar, Ordinal, Exec> m_prepared;
  Scalar m_only = 0;
  std::vector<Copy> m_copies;
};

/// The model's value at a nonzero.
template <RealScalar Scalar, class Subscripts>
struct ModelAtNonzero {
  FactorSet<Scalar> factors;
  Subscripts subscripts;

  KOKKOS_FUNCTION double operator()(const offset_t p) const {
    double sum = 0.0;
    for (std::size_t r = 0; r < factors.columns; ++r) {
      double product = 1.0;
      for (int n = 0; n < factors.order; ++n) {
        product *= static_cast<double>(
            factors.data[n][static_cast<std::size_t>(subscripts(p, n)) * factors.stride[n] + r]);
      }
      sum += product;
    }
    return sum;
  }
};

/// The entries as a tensor lists them, traversed by the kernel `atomic`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class ListedEntries {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;

  ListedEntries(const Exec& exec, const Tensor& tensor, std::size_t rank,
                const MttkrpOptions& options)
      : m_tensor(tensor),
        m_mapped(new_view<decltype(m_mapped)>("genten::mapped_values",
                                              static_cast<std::size_t>(tensor.nnz()))),
        m_models(new_view<decltype(m_models)>("genten::model_values",
                                              static_cast<std::size_t>(tensor.nnz()))),
        m_plan(exec,
               Tensor::trusted(exec, tensor.dimensions(), tensor.subscripts(), m_mapped,
                               tensor.facts()),
               rank, options) {}

  template <class Sums, class Term>
  [[nodiscard]] Sums sum(const Exec& exec, const FactorSet<Scalar>& factors, const Term& term) {
    find_models(exec, factors);
    const auto values = m_tensor.values();
    const auto models = m_models;
    return sum_of_nonzeros<Sums>(
        "genten::entry_sums", exec, m_tensor.nnz(), KOKKOS_LAMBDA(const offset_t p) {
          return term(static_cast<double>(values(p)), models(p));
        });
  }
  template <class Phi>
  void map(const Exec& exec, const FactorSet<Scalar>& factors, const Phi& phi, bool known_models) {
    if (!known_models) find_models(exec, factors);
    const auto values = m_tensor.values();
    const auto models = m_models;
    const auto mapped = m_mapped;
    Kokkos::parallel_for(
        "genten::map_entries",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, m_tensor.nnz()),
        KOKKOS_LAMBDA(const offset_t p) {
          mapped(p) = static_cast<Scalar>(phi(static_cast<double>(values(p)), models(p)));
        });
    fence(exec, "genten::map_entries");
  }
  void execute(const Exec& exec, std::span<const Matrix> factors, int mode, const Matrix& output) {
    m_plan.execute(exec, factors, mode, output);
  }

  /// \cond device lambdas may not stand in private members
  void find_models(const Exec& exec, const FactorSet<Scalar>& factors) {
    const ModelAtNonzero<Scalar, typename Tensor::subscripts_view> model{factors,
                                                                         m_tensor.subscripts()};
    const auto models = m_models;
    Kokkos::parallel_for(
        "genten::model_values",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, m_tensor.nnz()),
        KOKKOS_LAMBDA(const offset_t p) { models(p) = model(p); });
    fence(exec, "genten::model_values");
  }
  /// \endcond

 private:
  Tensor m_tensor;
  Kokkos::View<Scalar*, typename Exec::memory_space> m_mapped;
  Kokkos::View<double*, typename Exec::memory_space> m_models;
  MttkrpPlan<Scalar, Ordinal, Exec> m_plan;
};

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
MappedMttkrp<Scalar, Ordinal, Exec>::MappedMttkrp(const Exec& exec, const Tensor& tensor,
                                                  std::size_t rank, const MttkrpOptions& options,
                                                  double available)
    : m_rank(rank), m_copies(tensor.dimensions().size() + 1) {
  check_ranges(options);
  MttkrpOptions own = options;
  // Nothing is no limit to a plan, though one byte is as little.
  available = std::clamp(available, 1.0, std::numeric_limits<double>::max());
  own.memory_limit =
      options.memory_limit > 0.0 ? std::min(options.memory_limit, available) : available;
  RelabeledTensor<Scalar, Ordinal, Exec> rows(tensor);
  MttkrpProblem problem = detail::mttkrp_problem(exec, rows, rank);
  problem.distinct_values.reset();
  problem.sweeps = options.sweeps;
  const MachineProperties machine = machine_of(exec, options);
  const bool automatic = options.kernel == "auto";
  if (is_host_space<Exec> && (automatic || options.kernel == kernels::Sorted::name)) {
    const double values = static_cast<double>(tensor.nnz()) * sizeof(Scalar);
    const double allowed = std::max(1.0, own.memory_limit - values);
    detail::add_tuples(exec, rows, problem, machine, allowed);
    try {
      static_cast<void>(choose_kernel<Exec>(problem, machine, allowed, kernels::Sorted::name));
      if constexpr (is_host_space<Exec>) {
        m_sorted = std::make_unique<detail::SortedEntries<Scalar, Ordinal, Exec>>(exec, tensor,
                                                                                  problem, machine);
      }
      return;
    } catch (const Error&) {  // subscripts of more bits than it packs, or too little memory
      if (!automatic) throw;
    }
  }
  own.kernel = automatic ? std::string(kernels::Atomic::name) : options.kernel;
  if (choose_kernel<Exec>(problem, machine, own.memory_limit, own.kernel).name !=
      kernels::Atomic::name) {
    throw Error::in("MappedMttkrp",
                    "expected the kernel sorted (on hosts) or atomic, got " + own.kernel);
  }
  m_listed =
      std::make_unique<detail::ListedEntries<Scalar, Ordinal, Exec>>(exec, tensor, rank, own);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
MappedMttkrp<Scalar, Ordinal, Exec>::~MappedMttkrp() = default;
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
MappedMttkrp<Scalar, Ordinal, Exec>::MappedMttkrp(MappedMttkrp&&) noexcept = default;
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
MappedMttkrp<Scalar, Ordinal, Exec>& MappedMttkrp<Scalar, Ordinal, Exec>::operator=(
    MappedMttkrp&&) noexcept = default;

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::string_view MappedMttkrp<Scalar, Ordinal, Exec>::kernel() const {
  return m_sorted ? kernels::Sorted::name : kernels::Atomic::name;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::string MappedMttkrp<Scalar, Ordinal, Exec>::describe() const {
  return m_sorted ? m_sorted->describe() : std::string();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
FactorSet<Scalar> MappedMttkrp<Scalar, Ordinal, Exec>::padded(const Exec& exec, Factors factors,
                                                              int left_out, bool zero_padding) {
  FactorVersions versions{};
  for (std::size_t n = 0; n < factors.size(); ++n) versions[n] = m_version;
  return detail::padded_factors(exec, factors, left_out, m_rank, zero_padding, versions, m_copies);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <class Sums, EntryTerm<Sums> Term>
Sums MappedMttkrp<Scalar, Ordinal, Exec>::sum(const Exec& exec, Factors factors, const Term& term) {
  ++m_version;
  if constexpr (is_host_space<Exec>) {
    if (m_sorted) return m_sorted->template sum<Sums>(exec, padded(exec, factors, -1, true), term);
  }
  return m_listed->template sum<Sums>(exec, detail::factor_set_of(factors, m_rank, {}), term);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
template <EntryMap Phi>
void MappedMttkrp<Scalar, Ordinal, Exec>::map(const Exec& exec, Factors factors, const Phi& phi,
                                              bool known_models) {
  if (!known_models) ++m_version;
  if constexpr (is_host_space<Exec>) {
    if (m_sorted) return m_sorted->map(exec, padded(exec, factors, -1, true), phi, known_models);
  }
  m_listed->map(exec, detail::factor_set_of(factors, m_rank, {}), phi, known_models);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void MappedMttkrp<Scalar, Ordinal, Exec>::execute(const Exec& exec, Factors factors, int mode,
                                                  const Matrix& output) {
  if constexpr (is_host_space<Exec>) {
    if (m_sorted) {
      const auto set = padded(exec, factors, mode, false);
      return detail::with_padded_output(exec, output, m_copies, [&](const Matrix& to) {
        m_sorted->execute(exec, set, mode, to);
      });
    }
  }
  m_listed->execute(exec, factors, mode, output);
}

}  // namespace genten
