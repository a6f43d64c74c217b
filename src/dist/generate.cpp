// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "../base/usual_types.hpp"
#include "part_rows.hpp"
#include "share_partition.hpp"

#include <genten/core/generate.hpp>
#include <genten/dist/bisection.hpp>
#include <genten/dist/generate.hpp>

#include <algorithm>
#include <cmath>

namespace genten {
namespace {

/// The other processes.
class ProcessPeers final : public detail::DrawPeers {
 public:
  explicit ProcessPeers(Communicator& processes) : m_processes(processes) {}

  void sum(std::span<std::uint64_t> numbers) override {
    // Exact: no sum reaches 2^53.
    std::vector<double> sums(numbers.begin(), numbers.end());
    combine(m_processes, sums, {});
    std::transform(sums.begin(), sums.end(), numbers.begin(),
                   [](double each) { return static_cast<std::uint64_t>(each); });
  }
  void together(const std::function<void()>& body) override { genten::together(m_processes, body); }

 private:
  Communicator& m_processes;
};

/// Which draws belong to a process: on the way to it they pass the cuts on these sides.
detail::DrawChoice choice_of(const Partition& partition, std::size_t process) {
  detail::DrawChoice choice;
  const auto leads_there = [&](const auto& self, std::int32_t next) -> bool {
    if (next < 0) return static_cast<std::size_t>(~next) == process;
    const auto at = static_cast<std::size_t>(next);
    const Partition::Cut& cut = partition.cuts()[at];
    const bool above = self(self, cut.above);
    if (!above && !self(self, cut.below)) return false;
    detail::DrawCut side{cut.mode, above, {}};
    std::copy(partition.place(at).begin(), partition.place(at).end(), &side.place[0]);
    choice.cuts.push_back(side);
    return true;
  };
  if (!partition.cuts().empty()) leads_there(leads_there, 0);
  std::reverse(choice.cuts.begin(), choice.cuts.end());  // the first cut spares the most
  return choice;
}

/// A sample of a recipe's entries, and about how many draws it takes to see as many as are wanted.
template <class Ordinal>
struct EntrySample {
  detail::DrawnSubscripts<Ordinal> entries;  ///< distinct and sorted, on process 0
  offset_t draws = 0;
};

/// Takes a sample by a hash of the subscripts, so that who draws an entry and how often does not
/// matter: each process makes its share of the draws, and process 0 puts together what they find.
template <class Scalar, class Ordinal>
class Sampling {
 public:
  Sampling(Communicator& processes, const HostExec& exec, const TensorRecipe& recipe,
           std::uint64_t seed, std::size_t most_sampled)
      : m_processes(processes), m_exec(exec), m_recipe(recipe), m_seed(seed) {
    m_part = std::min(1.0, static_cast<double>(std::max<std::size_t>(most_sampled, 1)) /
                               static_cast<double>(std::max<offset_t>(recipe.nonzeros, 1)));
    if (m_part < 1.0) m_choice.sample = static_cast<std::uint64_t>(std::ldexp(m_part, 64));
  }

  [[nodiscard]] EntrySample<Ordinal> run() {
    const detail::DrawDemand demand = detail::demand_of(m_recipe);
    const double wanted = m_part * static_cast<double>(demand.entries);
    double found = 0.0;
    offset_t drawn = 0, next = demand.draws;
    while (true) {
      const double before = found;
      found = add(drawn, next);
      // A few more, so that where the sample errs by a little all need not be sorted again.
      if (found >= wanted) return {m_entries, std::min(next + next / 1000, demand.most)};
      if (next >= demand.most) return {m_entries, next};
      // Draws to come are new as often as the last ones were, of all entries and not of the sample
      // alone. Chance may have let a small sample see none: no round more than doubles the draws.
      const double fresh = (found - before) / m_part / static_cast<double>(next - drawn);
      drawn = std::exchange(next, detail::draws_for(next, (wanted - found) / m_part, fresh,
                                                    std::min(2 * next, demand.most)));
    }
  }

 private:
  /// Adds the entries of draws [begin, end) to the sample; returns how many it then has.
  double add(offset_t begin, offset_t end) {
    const auto size = static_cast<offset_t>(m_processes.size());
    const auto share = [&](std::size_t process) {
      const offset_t each = (end - begin) / size, rest = (end - begin) % size;
      const auto r = static_cast<offset_t>(process);
      return begin + each * r + std::min(r, rest);
    };
    std::vector<std::vector<Ordinal>> lists(m_processes.size());
    together(m_processes, [&] {
      auto store =
          detail::draws_of(m_exec, m_recipe, m_seed, m_choice, share(m_processes.process()));
      store.draw_to(share(m_processes.process() + 1));
      const auto entries = distinct(store.template take<std::uint64_t>());
      lists[0].assign(entries.data(), entries.data() + entries.size());
    });
    lists = exchange_lists(m_processes, lists);
    double found = 0.0;
    together(m_processes, [&] {
      if (m_processes.process() != 0) return;
      lists.emplace_back(m_entries.data(), m_entries.data() + m_entries.size());
      m_entries = distinct(keys_of(lists));
      found = static_cast<double>(m_entries.extent(0));
    });
    m_processes.broadcast(&found, sizeof found, 0);
    return found;
  }

  [[nodiscard]] detail::DrawnSubscripts<Ordinal> distinct(
      detail::DrawnKeys<std::uint64_t> keys) const {
    const detail::KeyPacking packing(m_recipe.dimensions);
    return detail::distinct_subscripts<Scalar, Ordinal>(m_exec, packing, std::move(keys));
  }
  [[nodiscard]] detail::DrawnKeys<std::uint64_t> keys_of(
      const std::vector<std::vector<Ordinal>>& lists) const {
    const detail::KeyPacking packing(m_recipe.dimensions);
    const std::size_t order = m_recipe.dimensions.size();
    std::size_t count = 0;
    for (const auto& list : lists) count += list.size() / order;
    const detail::DrawnKeys<std::uint64_t> keys(packing.words(), count);
    std::size_t at = 0;
    for (const auto& list : lists) {
      for (std::size_t i = 0; i < list.size(); i += order, ++at) {
        const auto row = [&](int n) { return list[i + static_cast<std::size_t>(n)]; };
        detail::write_key(packing, row, keys.key(at));
        keys.numbers(at) = at;
      }
    }
    return keys;
  }

  Communicator& m_processes;
  const HostExec& m_exec;
  const TensorRecipe& m_recipe;
  std::uint64_t m_seed;
  double m_part = 1.0;
  detail::DrawChoice m_choice;
  detail::DrawnSubscripts<Ordinal> m_entries;
};

/// Throws on all processes where a recipe cannot be met or a process has not enough memory for its
/// part.
template <class Scalar, class Ordinal>
void require_part(Communicator& processes, const TensorRecipe& recipe, std::size_t rank) {
  together(processes, [&] {
    detail::check_recipe<Ordinal>(recipe);
    const double part = (1.0 + (processes.size() > 1 ? bisection_slack : 0.0)) *
                        static_cast<double>(recipe.nonzeros) /
                        static_cast<double>(processes.size());
    // Values of a model are found from the process's own subscripts beside those of the whole
    // tensor.
    const int copies = rank == 0 ? 1 : 2;
    detail::require_generated<Scalar, Ordinal>(
        recipe.dimensions,
        {.nonzeros = part,
         .nonzeros_of_all = static_cast<double>(recipe.nonzeros),
         .model_rows = detail::rows_of_model(recipe.dimensions, part),
         .sharing = processes.node().size,
         .copies = copies},
        rank);
  });
}

/// The distinct subscripts of this process, and the partition that makes them its own.
template <class Scalar, class Ordinal, class ValueOf>
detail::DistinctSubscripts<Scalar, Ordinal> draw_part(
    Communicator& processes, const HostExec& exec, const TensorRecipe& recipe, std::uint64_t seed,
    const DistributeOptions& options, const ValueOf& value_of, Partition& partition) {
  const std::size_t order = recipe.dimensions.size();
  together(processes, [&] { require_grid(options.grid, order, processes.size()); });
  partition = Partition(static_cast<int>(order));
  detail::DrawDemand demand = detail::demand_of(recipe);
  if (processes.size() > 1) {
    const auto sample =
        Sampling<Scalar, Ordinal>(processes, exec, recipe, seed, options.most_sampled).run();
    partition = divide_sample<Ordinal>(processes, exec, recipe.dimensions, sample.entries,
                                       {true, true}, options.grid);
    demand.draws = sample.draws;
  }
  auto store = detail::draws_of(exec, recipe, seed, choice_of(partition, processes.process()));
  ProcessPeers peers(processes);
  return detail::draw_distinct<Scalar, Ordinal>(exec, store, demand, value_of, peers);
}

}  // namespace

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DistributedTensor<Scalar, Ordinal> generate_distributed(Communicator& processes,
                                                        const HostExec& exec,
                                                        const TensorRecipe& recipe,
                                                        std::uint64_t seed,
                                                        const DistributeOptions& options) {
  require_part<Scalar, Ordinal>(processes, recipe, 0);
  DistributedTensor<Scalar, Ordinal> result;
  const auto entries = draw_part<Scalar, Ordinal>(processes, exec, recipe, seed, options,
                                                  detail::RecipeValues<Scalar>(recipe.values, seed),
                                                  result.partition);
  detail::TensorFingerprint fingerprint;
  together(processes, [&] {
    fingerprint = detail::TensorFingerprint::of(
        exec,
        detail::generated_tensor(exec, recipe.dimensions, entries.subscripts, entries.values));
  });
  // The subscripts become own numbers where they lie.
  const std::vector<std::size_t> lengths = number_rows<Ordinal>(
      processes, exec, recipe.dimensions, entries.subscripts, entries.subscripts, result);
  result.part.tensor = Sptensor<Scalar, Ordinal, HostExec>::trusted(
      exec, lengths, entries.subscripts, entries.values, {.distinct = true});
  share_facts_of_parts(processes, recipe.dimensions, fingerprint, 0, result);
  return result;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DistributedTensor<Scalar, Ordinal> generate_low_rank_distributed(
    Communicator& processes, const HostExec& exec, const TensorRecipe& recipe, std::size_t rank,
    std::uint64_t seed, FactorKind kind, const DistributeOptions& options) {
  require_part<Scalar, Ordinal>(processes, recipe, rank);
  DistributedTensor<Scalar, Ordinal> result;
  const auto entries = draw_part<Scalar, Ordinal>(processes, exec, recipe, seed, options,
                                                  detail::NoValues(), result.partition);
  detail::DrawnSubscripts<Ordinal> numbered;
  together(processes, [&] {
    numbered = detail::uninitialized_view<detail::DrawnSubscripts<Ordinal>>(
        "genten::subscripts", entries.subscripts.extent(0), recipe.dimensions.size());
  });
  const std::vector<std::size_t> lengths = number_rows<Ordinal>(
      processes, exec, recipe.dimensions, entries.subscripts, numbered, result);
  detail::TensorFingerprint fingerprint;
  together(processes, [&] {
    const Ktensor<Scalar, HostExec> model(exec, lengths, rank);
    for (int n = 0; n < model.order(); ++n) {
      fill_random(exec, model.factor(n), random_bits(seed, detail::model_stream), n, kind,
                  result.part.rows[static_cast<std::size_t>(n)]);
    }
    const auto values = model_values<Scalar>(exec, model, numbered);
    fingerprint = detail::TensorFingerprint::of(
        exec, detail::generated_tensor(exec, recipe.dimensions, entries.subscripts, values));
    result.part.tensor = Sptensor<Scalar, Ordinal, HostExec>::trusted(exec, lengths, numbered,
                                                                      values, {.distinct = true});
  });
  share_facts_of_parts(processes, recipe.dimensions, fingerprint, 0, result);
  return result;
}

#define GENTEN_GENERATE_DISTRIBUTED(SCALAR, ORDINAL)                                               \
  template DistributedTensor<SCALAR, ORDINAL> generate_distributed(                                \
      Communicator&, const HostExec&, const TensorRecipe&, std::uint64_t,                          \
      const DistributeOptions&);                                                                   \
  template DistributedTensor<SCALAR, ORDINAL> generate_low_rank_distributed(                       \
      Communicator&, const HostExec&, const TensorRecipe&, std::size_t, std::uint64_t, FactorKind, \
      const DistributeOptions&);
GENTEN_FOR_TENSORS(GENTEN_GENERATE_DISTRIBUTED)
#undef GENTEN_GENERATE_DISTRIBUTED

}  // namespace genten
