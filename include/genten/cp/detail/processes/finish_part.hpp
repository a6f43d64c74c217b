// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From a model as several processes store it to the one that they return: each finishes its own
/// rows.

#include <genten/cp/detail/finish_model.hpp>
#include <genten/cp/model_part.hpp>
#include <genten/format/relabeling.hpp>

#include <limits>

namespace genten::detail {

/// The element of largest magnitude of each column, by the rows' numbers in the whole matrix.
template <RealScalar Scalar, ExecutionSpace Exec>
struct NumberedExtremes {
  using Value = Extreme;

  FacMatrix<const Scalar, Exec> factor;
  Kokkos::View<const std::size_t*, typename Exec::memory_space> numbers;

  KOKKOS_FUNCTION Extreme fetch(offset_t i, offset_t j) const {
    const auto value = static_cast<double>(factor(i, j));
    return {value < 0.0 ? -value : value, static_cast<offset_t>(numbers(i)), value};
  }
  KOKKOS_FUNCTION void add(Extreme& extreme, const Extreme& other) const { join(extreme, other); }
  KOKKOS_FUNCTION static void join(Extreme& extreme, const Extreme& other) {
    if (extreme < other) extreme = other;
  }
};

/// Whether the element of largest magnitude in each column of all processes' rows, the first of
/// several by its row in the whole model, is negative; by mode and column.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::vector<bool>> largest_of_all_are_negative(
    const Exec& exec, const ModelPart<Scalar, Exec>& part, Exchange<Scalar, Exec>& processes) {
  constexpr double nobody = -std::numeric_limits<double>::infinity();
  std::vector<std::vector<bool>> negative;
  for (std::size_t n = 0; n < part.order(); ++n) {
    std::vector<Extreme> own;
    processes.together([&] {
      using Terms = NumberedExtremes<Scalar, Exec>;
      ColumnReductions<Terms, Exec> reductions(exec, static_cast<offset_t>(part.rank()));
      reductions.queue(
          static_cast<offset_t>(part.rows[n].size()),
          {part.own_rows(n), to_space<typename Exec::memory_space>(exec, part.rows[n])});
      own = reductions.take().front();
    });
    std::vector<double> largest, first;
    for (const Extreme& each : own) largest.push_back(each.magnitude);
    processes.combine({}, largest);
    // The lower the row, the larger its negative.
    for (std::size_t r = 0; r < own.size(); ++r) {
      const bool has = own[r].row >= 0 && own[r].magnitude == largest[r];
      const auto row = static_cast<double>(own[r].row);
      first.push_back(has && own[r].value >= 0.0 ? -row : nobody);
      first.push_back(has && own[r].value < 0.0 ? -row : nobody);
    }
    processes.combine({}, first);
    auto& of_mode = negative.emplace_back();
    for (std::size_t r = 0; r < own.size(); ++r) {
      of_mode.push_back(first[2 * r + 1] > first[2 * r]);
    }
  }
  return negative;
}

/// `fix_signs` of the model that the processes have together.
template <RealScalar Scalar, ExecutionSpace Exec>
void fix_signs(const Exec& exec, const ModelPart<Scalar, Exec>& part,
               Exchange<Scalar, Exec>& processes) {
  const auto sign = paired_signs(largest_of_all_are_negative(exec, part, processes), part.rank());
  processes.together([&] {
    for (std::size_t n = 0; n < sign.size(); ++n) {
      const bool changed =
          std::any_of(sign[n].begin(), sign[n].end(), [](double s) { return s < 0; });
      if (changed) scale_columns(exec, part.own_rows(n), sign[n]);
    }
  });
}

/// Replaces what each process has found for itself by what process 0 has: equal numbers, but where
/// processors differ.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void take_first_numbers(StoredModel<Scalar, Ordinal, Exec>& model,
                        Exchange<Scalar, Exec>& processes) {
  processes.take_first(model.weights);
  for (auto& factor : model.factors) processes.take_first(factor.correction);
}

/// The numbers of this process's rows of a stored factor.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<std::size_t> numbers_on_host(
    const Exec& exec, const StoredFactor<Scalar, Ordinal, Exec>& factor) {
  std::vector<std::size_t> numbers(factor.own.value_or(factor.matrix.rows()));
  if (!factor.rows) {
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
  }
  const auto own = Kokkos::subview(*factor.rows, std::pair(std::size_t{0}, numbers.size()));
  const auto host = Kokkos::create_mirror_view(own);
  copy_view(exec, host, own);
  fence(exec, "genten::numbers_on_host");
  std::copy_n(host.data(), numbers.size(), numbers.begin());
  return numbers;
}

/// Finishes rows where they are stored.
template <RealScalar Scalar, ExecutionSpace Exec>
void finish_in_place(const Exec& exec, const FacMatrix<Scalar, Exec>& rows,
                     const FinishedColumns& columns, std::size_t mode) {
  std::vector<ColumnChange> at_their_place(columns.order.size());
  for (const ColumnChange& change : columns.changes[mode]) at_their_place[change.source] = change;
  copy_columns(exec, rows, rows, at_their_place);
  if (!std::is_sorted(columns.order.begin(), columns.order.end())) {
    permute_columns(exec, rows, columns.order);
  }
}

/// What `finish_model` does, on several processes: each gets its own rows of the model. Factors
/// without `own` are those of the caller, all of whose rows process 0 has and the others none.
/// `in_place`: stored rows are used up, and become those that are returned; otherwise takes memory
/// for the process's own rows. All processes call it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] ModelPart<Scalar, Exec> finish_part(const Exec& exec,
                                                  StoredModel<Scalar, Ordinal, Exec> model,
                                                  const Finish& finish,
                                                  Exchange<Scalar, Exec>& processes,
                                                  bool in_place) {
  take_first_numbers(model, processes);
  const ColumnNumbers numbers = measure_columns(exec, model, processes, finish.norm);
  ModelPart<Scalar, Exec> part;
  bool signs_open = false;
  processes.together([&] {
    const FinishedColumns columns = finished_columns(model, numbers, finish);
    signs_open = columns.signs_open;
    for (const double weight : columns.weights) {
      part.weights.push_back(static_cast<Scalar>(weight));
    }
    for (std::size_t n = 0; n < model.factors.size(); ++n) {
      auto& factor = model.factors[n];
      part.dimensions.push_back(factor.dimension);
      part.rows.push_back(numbers_on_host(exec, factor));
      if (in_place && factor.own) {
        finish_in_place(exec, factor.own_rows(), columns, n);
        part.factors.push_back(factor.matrix);
      } else {
        const auto rows = factor.own_rows();
        part.factors.emplace_back(exec, rows.rows(), part.rank());
        copy_columns(exec, rows, part.factors.back(), columns.changes[n]);
      }
      factor = {};
    }
  });
  if (signs_open) fix_signs(exec, part, processes);
  return part;
}

/// The part of a process where process 0 has the whole model, and the others have its shape.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ModelPart<Scalar, Exec> part_of_first(const Exec& exec,
                                                    const std::vector<std::size_t>& dimensions,
                                                    std::size_t rank,
                                                    const Ktensor<Scalar, Exec>& whole,
                                                    Exchange<Scalar, Exec>& processes) {
  ModelPart<Scalar, Exec> part;
  std::vector<double> weights(rank);
  processes.together([&] {
    part.dimensions = dimensions;
    if (processes.process() == 0) {
      weights = host_weights(exec, whole);
      part.factors = whole.factors();
    }
    for (std::size_t n = 0; n < dimensions.size(); ++n) {
      if (processes.process() != 0) part.factors.emplace_back(exec, 0, rank);
      auto& rows = part.rows.emplace_back(part.factors[n].rows());
      std::iota(rows.begin(), rows.end(), std::size_t{0});
    }
  });
  processes.take_first(weights);
  part.weights.assign(weights.begin(), weights.end());
  return part;
}

/// The whole model on process 0, by `finish_model` or from `finish_part`, and on the others one
/// without factors and components. `gathered`: on process 0 the rows of factors with `own`, as
/// Exchange gathers them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> finish_whole(const Exec& exec,
                                                 StoredModel<Scalar, Ordinal, Exec> stored,
                                                 const Finish& finish,
                                                 const Relabeling<Ordinal, Exec>& gathered,
                                                 Exchange<Scalar, Exec>& processes) {
  if (!processes.is_distributed()) return finish_model(exec, std::move(stored), finish);
  std::vector<bool> owned;
  for (const auto& factor : stored.factors) owned.push_back(factor.own.has_value());
  ModelPart<Scalar, Exec> part = finish_part(exec, std::move(stored), finish, processes, false);
  std::vector<FacMatrix<Scalar, Exec>> factors;
  Ktensor<Scalar, Exec> model;
  for (std::size_t n = 0; n < part.order(); ++n) {
    if (!owned[n]) {
      factors.push_back(part.factors[n]);
      continue;
    }
    const auto rows = processes.gather(exec, static_cast<int>(n), part.factors[n]);
    part.factors[n] = {};
    processes.together([&] {
      if (processes.process() != 0) return;
      std::vector<ColumnChange> same;
      for (std::size_t r = 0; r < part.rank(); ++r) same.push_back({.source = r});
      const auto& all = factors.emplace_back(exec, part.dimensions[n], part.rank());
      copy_columns(exec, rows, all, to_space<typename Exec::memory_space>(exec, same),
                   gathered.original_rows(static_cast<int>(n)));
    });
  }
  processes.together([&] {
    if (processes.process() != 0) return;
    using Model = Ktensor<Scalar, Exec>;
    model = Model(typename Model::weights_view("genten::weights", part.rank()), factors);
    set_weights(exec, model, std::vector<double>(part.weights.begin(), part.weights.end()));
  });
  return model;
}

}  // namespace genten::detail
