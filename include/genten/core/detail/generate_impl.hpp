// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What stands behind core/generate.hpp.

#include <genten/base/memory.hpp>
#include <genten/core/detail/draw_distinct.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/recipes.hpp>
#include <genten/core/sptensor.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace genten::detail {

/// Throws Error unless the recipe can be met with subscripts of type `Ordinal`.
template <SubscriptOrdinal Ordinal>
void check_recipe(const TensorRecipe& recipe) {
  const std::string where = recipe.name.empty() ? "" : "recipe '" + recipe.name + "': ";
  const std::size_t order = recipe.dimensions.size();
  if (order == 0 || order > static_cast<std::size_t>(max_order)) {
    throw Error::in("generate", where + "expected an order from 1 to " + std::to_string(max_order) +
                                    ", got " + std::to_string(order));
  }
  if (!recipe.exponents.empty() && recipe.exponents.size() != order) {
    throw Error::in("generate", where + "expected no exponents or one for each of " +
                                    std::to_string(order) + " modes, got " +
                                    std::to_string(recipe.exponents.size()));
  }
  for (const double exponent : recipe.exponents) {
    if (!(exponent >= 0.0) || !std::isfinite(exponent)) {
      throw Error::in("generate",
                      where + "expected exponents of at least 0, got " + number_text(exponent));
    }
  }
  if (!recipe.runs.empty() && recipe.runs.size() != order) {
    throw Error::in("generate", where + "expected no runs or one for each of " +
                                    std::to_string(order) + " modes, got " +
                                    std::to_string(recipe.runs.size()));
  }
  for (const std::size_t run : recipe.runs) {
    if (run == 0) throw Error::in("generate", where + "expected runs of at least 1, got 0");
  }
  if (!recipe.runs.empty() &&
      std::find(recipe.runs.begin(), recipe.runs.end(), std::size_t{1}) == recipe.runs.end()) {
    throw Error::in(
        "generate",
        where + "expected a mode with runs of 1: draws would repeat each other otherwise");
  }
  if (recipe.clusters < 1) {
    throw Error::in("generate",
                    where + "expected at least 1 cluster, got " + std::to_string(recipe.clusters));
  }
  double elements = 1.0;
  for (std::size_t n = 0; n < order; ++n) {
    if (recipe.dimensions[n] > std::numeric_limits<Ordinal>::max()) {
      throw Error::in("generate", where + "mode " + error_text::number(static_cast<long long>(n)) +
                                      " of length " + std::to_string(recipe.dimensions[n]) +
                                      " needs 64-bit ordinals, got 32-bit ones");
    }
    elements *= static_cast<double>(recipe.dimensions[n]);
  }
  if (recipe.nonzeros < 0 || static_cast<double>(recipe.nonzeros) > elements) {
    throw Error::in("generate", where + "expected from 0 to " + number_text(elements) +
                                    " nonzeros (the number of elements), got " +
                                    std::to_string(recipe.nonzeros));
  }
}

/// What one process makes of a tensor and of the model that its values are of.
struct GeneratedPart {
  double nonzeros = 0.0;
  double nonzeros_of_all = 0.0;  ///< the whole tensor's
  double model_rows = 0.0;       ///< of all modes together
  std::size_t sharing = 1;       ///< processes that share the memory that is free
  int copies = 1;                ///< of the subscripts, in the end
};

/// Rows of a model, all modes together, of which each has at most `most`.
[[nodiscard]] inline double rows_of_model(std::span<const std::size_t> dimensions, double most) {
  double rows = 0.0;
  for (const std::size_t dimension : dimensions) {
    rows += std::min(static_cast<double>(dimension), most);
  }
  return rows;
}

/// Bytes that drawing the nonzeros of a part takes at most, their tensor included: keys and numbers
/// of draws, of which there may be a hundredth more, sorted with as much memory again; then keys
/// beside what is made of them; in the end perhaps more than one copy of the subscripts. Numbers
/// are those of the whole tensor's draws: a small part of over 2^32 has wide ones, too.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] double bytes_to_draw(std::span<const std::size_t> dimensions,
                                   const GeneratedPart& part) {
  const int words = KeyPacking(dimensions).words();
  const double nonzeros = part.nonzeros;
  const double draws = 1.01 * nonzeros;
  const double number = 1.01 * part.nonzeros_of_all > 0x1.0p32 ? 8.0 : 4.0;
  const double key = 8.0 * words;
  const double sorting =
      words == 1 ? 2.0 * (key + number) : key + 3.0 * number + std::max(16.0, key);
  const double subscripts = static_cast<double>(dimensions.size()) * sizeof(Ordinal);
  return std::max({draws * sorting, draws * key + nonzeros * (sizeof(Scalar) + subscripts),
                   nonzeros * (sizeof(Scalar) + part.copies * subscripts)});
}

/// Throws Error of kind memory where a part of a model and of a tensor, with what finds its
/// nonzeros, does not fit into this one's share of what is free. Counts what is taken at the least:
/// more draws may be needed.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void require_generated(std::span<const std::size_t> dimensions, const GeneratedPart& part,
                       std::size_t rank) {
  const double row_bytes =
      static_cast<double>(padded_stride(rank, sizeof(Scalar))) * sizeof(Scalar);
  require_memory({.what = "generating a tensor of " +
                          std::to_string(static_cast<std::uint64_t>(part.nonzeros)) + " nonzeros",
                  .parts = {{"draws", bytes_to_draw<Scalar, Ordinal>(dimensions, part)},
                            {"model", rank == 0 ? 0.0 : (part.model_rows + 1.0) * row_bytes}},
                  .available = available_memory<HostExec>() / static_cast<double>(part.sharing)});
}
/// The same of a whole tensor of that many nonzeros, and of a model with all its rows.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void require_generated(std::span<const std::size_t> dimensions, double nonzeros,
                       std::size_t rank = 0) {
  constexpr double all = std::numeric_limits<double>::infinity();
  require_generated<Scalar, Ordinal>(dimensions,
                                     {.nonzeros = nonzeros,
                                      .nonzeros_of_all = nonzeros,
                                      .model_rows = rows_of_model(dimensions, all)},
                                     rank);
}

/// What a recipe asks for; so many draws at most.
[[nodiscard]] inline DrawDemand demand_of(const TensorRecipe& recipe) {
  const offset_t most = recipe.nonzeros * 64;
  return {recipe.nonzeros, first_draws(recipe.nonzeros, most), most};
}

/// The draws of a recipe that are wanted.
template <ExecutionSpace Exec>
[[nodiscard]] DrawStore<Exec> draws_of(const Exec& exec, const TensorRecipe& recipe,
                                       std::uint64_t seed, DrawChoice choice = {},
                                       offset_t begin = 0) {
  return {exec,
          SubscriptDraws(recipe.dimensions, recipe.exponents, recipe.clusters, seed, recipe.runs),
          KeyPacking(recipe.dimensions), std::move(choice), begin};
}

/// The distinct subscripts of a recipe; with `NoValues` their subscripts alone.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class ValueOf>
[[nodiscard]] DistinctSubscripts<Scalar, Ordinal> draw_recipe(const Exec& exec,
                                                              const TensorRecipe& recipe,
                                                              std::uint64_t seed,
                                                              const ValueOf& value_of) {
  DrawStore<Exec> store = draws_of(exec, recipe, seed);
  DrawPeers nobody;
  return draw_distinct<Scalar, Ordinal>(exec, store, demand_of(recipe), value_of, nobody);
}

/// The entries that keys have, distinct and sorted.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Number>
[[nodiscard]] DrawnSubscripts<Ordinal> distinct_subscripts(const Exec& exec,
                                                           const KeyPacking& packing,
                                                           DrawnKeys<Number> keys) {
  DrawnEntries<Exec, Number> entries(exec, sorted_keys(exec, packing, std::move(keys)));
  constexpr auto all = std::numeric_limits<std::uint64_t>::max();
  return entries.template merge<Ordinal, Scalar>(packing, all, NoValues()).subscripts;
}

/// The values that a recipe gives its nonzeros.
template <RealScalar Scalar>
class RecipeValues {
 public:
  RecipeValues(ValueKind kind, std::uint64_t seed) : m_kind(kind), m_seed(seed) {}

  /// Of one first drawn by draw t, and drawn `count` times.
  Scalar operator()(std::uint64_t t, std::size_t count) const {
    switch (m_kind) {
      case ValueKind::ones:
        break;
      case ValueKind::counts:
        return static_cast<Scalar>(count);
      case ValueKind::uniform:
        return static_cast<Scalar>(1.0 - random_uniform(m_seed, stream(RandomStream::value), t));
      case ValueKind::normal:
        return static_cast<Scalar>(random_normal(m_seed, stream(RandomStream::value), t));
    }
    return Scalar(1);
  }

 private:
  ValueKind m_kind;
  std::uint64_t m_seed;
};

inline void check_noise(double noise) {
  if (!(noise >= 0.0) || !std::isfinite(noise)) {
    throw Error::in("generate",
                    "expected a relative noise of at least 0, got " + number_text(noise));
  }
}

/// Root mean square, summed in chunks that do not depend on the number of threads.
template <ExecutionSpace Exec, RealScalar Scalar>
[[nodiscard]] double root_mean_square(const Exec& exec, const HostArray<Scalar>& values) {
  const std::size_t count = values.extent(0);
  if (count == 0) return 0.0;
  const EvenChunks chunks(count);
  std::vector<double> sums(chunks.count());
  double* const out = sums.data();
  for_each_index("genten::generate_norm", exec, chunks.count(), [=](const std::size_t chunk) {
    double sum = 0.0;
    for (std::size_t p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
      sum += static_cast<double>(values(p)) * static_cast<double>(values(p));
    }
    out[chunk] = sum;
  });
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total / static_cast<double>(count));
}

/// Adds independent normal noise of standard deviation `relative` times the values' root mean
/// square.
template <ExecutionSpace Exec, RealScalar Scalar>
void add_noise(const Exec& exec, const HostArray<Scalar>& values, double relative,
               std::uint64_t seed) {
  if (relative == 0.0) return;
  const double deviation = relative * root_mean_square(exec, values);
  Kokkos::parallel_for(
      "genten::generate_noise",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, values.extent(0)),
      [=](const std::size_t p) {
        values(p) +=
            static_cast<Scalar>(deviation * random_normal(seed, stream(RandomStream::noise), p));
      });
  exec.fence();
}

/// A tensor of subscripts that were drawn, which are distinct and sorted. Values are checked: a
/// model's may overflow.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> generated_tensor(
    const Exec& exec, std::vector<std::size_t> dimensions,
    const DrawnSubscripts<Ordinal>& subscripts, const HostArray<Scalar>& values) {
  const auto tensor = Sptensor<Scalar, Ordinal, Exec>::trusted(exec, std::move(dimensions),
                                                               subscripts, values, {true, true});
  tensor.check_values(exec);
  return tensor;
}

inline void check_planted(std::span<const std::size_t> dimensions, std::size_t rank,
                          std::size_t support) {
  if (dimensions.empty() || dimensions.size() > static_cast<std::size_t>(max_order)) {
    throw Error::in("generate_planted", "expected an order from 1 to " + std::to_string(max_order) +
                                            ", got " + std::to_string(dimensions.size()));
  }
  double elements = static_cast<double>(rank);
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    if (support == 0 || support > dimensions[n]) {
      throw Error::in("generate_planted", "expected a support from 1 to " +
                                              std::to_string(dimensions[n]) +
                                              " (the length of mode " + error_text::number(n) +
                                              "), got " + std::to_string(support));
    }
    elements *= static_cast<double>(support);
  }
  if (elements > 0x1.0p31) {
    throw Error::in(
        "generate_planted",
        "expected at most 2^31 elements, rank * support^order, got " + std::to_string(elements));
  }
}

/// The rows at which column j of factor n is nonzero: element (n * rank + j) of the result.
[[nodiscard]] inline std::vector<std::vector<std::size_t>> planted_rows(
    std::span<const std::size_t> dimensions, std::size_t rank, std::size_t support,
    std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> rows;
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    for (std::size_t j = 0; j < rank; ++j) {
      const Scatter scatter(
          dimensions[n], random_bits(seed, stream(RandomStream::support, static_cast<int>(n)), j));
      std::vector<std::size_t>& column = rows.emplace_back(support);
      for (std::size_t s = 0; s < support; ++s) column[s] = scatter(s);
    }
  }
  return rows;
}

template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> planted_model(std::span<const std::size_t> dimensions,
                                                  std::size_t rank,
                                                  const std::vector<std::vector<std::size_t>>& rows,
                                                  std::uint64_t seed) {
  Ktensor<Scalar, Exec> model(dimensions, rank);
  for (int n = 0; n < model.order(); ++n) {
    for (std::size_t j = 0; j < rank; ++j) {
      for (const std::size_t i : rows[static_cast<std::size_t>(n) * rank + j]) {
        const double u = random_uniform(seed, stream(RandomStream::planted, n), i, j);
        model.factor(n)(i, j) = static_cast<Scalar>(0.5 + 0.5 * u);
      }
    }
  }
  return model;
}

/// All subscripts at which a component is nonzero, distinct and sorted.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] DrawnSubscripts<Ordinal> planted_subscripts(
    const Exec& exec, std::span<const std::size_t> dimensions, std::size_t rank,
    std::size_t support, const std::vector<std::vector<std::size_t>>& rows) {
  const KeyPacking packing(dimensions);
  std::size_t block = 1;
  for (std::size_t n = 0; n < dimensions.size(); ++n) block *= support;
  const DrawnKeys<std::uint32_t> all(packing.words(), rank * block);
  const EvenChunks chunks(rank * block);
  for_each_index("genten::generate_planted", exec, chunks.count(), [&](const std::size_t chunk) {
    for (std::size_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
      std::size_t rest = i % block;
      // Called for one mode after the other.
      const auto row = [&](int n) {
        const std::size_t s = std::exchange(rest, rest / support) % support;
        return rows[static_cast<std::size_t>(n) * rank + i / block][s];
      };
      write_key(packing, row, all.key(i));
      all.numbers(i) = static_cast<std::uint32_t>(i);
    }
  });
  return distinct_subscripts<Scalar, Ordinal>(exec, packing, all);
}

}  // namespace genten::detail
