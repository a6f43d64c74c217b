// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/base/memory.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/core/weights.hpp>
#include <genten/cp/detail/apr/poisson_sums.hpp>
#include <genten/cp/project_rows.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/cp/row_sizes.hpp>
#include <genten/cp/stream.hpp>

#include "sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace genten {

using stream::PoissonSweeps;

namespace {

std::string mode_text(std::size_t mode) {
  return "mode " + error_text::number(mode) + error_text::counted();
}

void check_options(double forget, std::size_t history, std::size_t sweeps) {
  if (!(forget >= 0.0 && forget <= 1.0)) {
    throw Error::of_option("forget", "expected 0 to 1, got " + number_text(forget));
  }
  if (history < 1) throw Error::of_option("history", "expected at least 1, got 0");
  if (sweeps < 1) throw Error::of_option("sweeps", "expected at least 1, got 0");
}

void check_model(const StreamingCp::Model& model, int mode,
                 const std::vector<RowConstraint>& constraints) {
  for (int n = 0; n < model.order(); ++n) {
    const RowConstraint& constraint = constraints[static_cast<std::size_t>(n)];
    const auto& factor = model.factor(n);
    for (std::size_t i = 0; i < factor.rows(); ++i) {
      for (std::size_t r = 0; r < factor.columns(); ++r) {
        const double x = factor(i, r) * (n == mode ? model.weights()(r) : 1.0);
        if (!std::isfinite(x)) {
          throw Error::in("update", "the model has a number that is not finite in " +
                                        mode_text(static_cast<std::size_t>(n)));
        }
        if (!constraint.contains(x)) {
          throw Error::in("update", "the model has " + number_text(x) + " in " +
                                        mode_text(static_cast<std::size_t>(n)) +
                                        ", beyond the bounds that the options set");
        }
      }
    }
  }
}

/// Multiplies columns by the model's weights: those of the streaming mode, or where all modes are
/// penalized those of each by what makes the penalties of a component least.
void share_weights(const StreamingCp::Model& model, StreamingCp::State& state) {
  std::vector<double> rest(model.rank());
  for (std::size_t r = 0; r < rest.size(); ++r) rest[r] = model.weights()(r);
  for (std::size_t n = 0; n < state.order(); ++n) {
    if (n == state.streaming()) continue;
    const auto scales = column_scales(HostExec(), model, static_cast<int>(n), state.constraints);
    stream::scale_columns(state.factors[n], scales);
    for (std::size_t r = 0; r < rest.size(); ++r) rest[r] /= scales[r];
  }
  stream::scale_columns(state.factors[state.streaming()], rest);
}

/// What a stream knows before any statistics; of a model of its own, weights are one.
std::unique_ptr<StreamingCp::State> begun(const StreamingCp::Model& model, int mode,
                                          const StreamOptions& options, bool is_own) {
  check_options(options.forget, options.history, options.sweeps);
  const auto order = static_cast<std::size_t>(model.order());
  if (order < 2) {
    throw Error::in("update", "expected a model of order 2 at least, got " + std::to_string(order));
  }
  if (mode < 0 || static_cast<std::size_t>(mode) >= order) {
    throw Error::of_option("mode", "expected " + error_text::number(0) + " to " +
                                       error_text::number(order - 1) + ", got " +
                                       error_text::number(mode));
  }
  if (model.rank() == 0) throw Error::in("update", "the model has no components");
  auto state = std::make_unique<StreamingCp::State>();
  state->mode = mode;
  state->options = options;
  state->constraints = row_constraints(options, order);
  check_model(model, mode, state->constraints);
  for (std::size_t n = 0; n < order; ++n) {
    state->factors.push_back(stream::with_rows(model.factor(static_cast<int>(n)), 0));
    const bool kept = state->counts() && n != state->streaming();
    state->extra.emplace_back(kept ? state->factors[n].rows() : 0, model.rank());
  }
  if (!is_own) share_weights(model, *state);
  state->settled_gram = SmallMatrix(model.rank());
  state->mttkrp.memory_limit = allowed_memory({}, available_memory<HostExec>());
  state->mttkrp.machine = MachineProperties::of(HostExec());
  return state;
}

/// The statistics that a converged model has.
void take_statistics(const HostExec& exec, StreamingCp::State& state) {
  const HostMatrixOf& rows = state.factors[state.streaming()];
  state.settled_gram = cross_product(exec, rows, rows);
  if (!state.counts()) return;
  const std::vector<double> counts = stream::column_sizes(exec, rows, true);
  for (std::size_t n = 0; n < state.order(); ++n) {
    if (n == state.streaming()) continue;
    state.extra[n] = stream::with_rows(state.factors[n], 0);
    stream::scale_columns(state.extra[n], counts);
  }
}

/// Counts slices without nonzeros.
void note_empty(const KeptBatch::Tensor& slices, int mode, StreamBatch& found) {
  std::vector<unsigned char> used(found.slices, 0);
  const auto subscripts = slices.subscripts();
  for (offset_t p = 0; p < slices.nnz(); ++p) used[subscripts(p, mode)] = 1;
  found.empty = static_cast<std::size_t>(std::count(used.begin(), used.end(), 0));
  const auto first = std::find(used.begin(), used.end(), 1);
  if (first != used.end()) found.first = static_cast<std::size_t>(first - used.begin());
}

/// note() is called when all is solved, before the first batches leave.
template <class Sweeps, class Note>
void run_sweeps(Sweeps sweeps, StreamingCp::State& state, const Note& note) {
  for (std::size_t k = 0; k < state.options.sweeps; ++k) {
    sweeps.solve_rows();
    sweeps.solve_factors();
  }
  sweeps.solve_last_rows();
  note();
  const std::size_t most = state.options.history - 1;
  const std::size_t leaving = state.kept.size() > most ? state.kept.size() - most : 0;
  sweeps.settle(leaving);
  state.kept.erase(state.kept.begin(), state.kept.begin() + static_cast<std::ptrdiff_t>(leaving));
}

std::vector<double> packed(const HostMatrixOf& matrix) {
  std::vector<double> numbers;
  numbers.reserve(matrix.rows() * matrix.columns());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    numbers.insert(numbers.end(), matrix.row(i), matrix.row(i) + matrix.columns());
  }
  return numbers;
}

[[noreturn]] void fail_damaged() {
  throw Error(Error::Kind::file, "the state of a stream is damaged");
}

/// The state's factors, which may have extra components.
StreamingCp::Model model_of_state(const StreamingCp::Model& model, const stream::Saved& saved) {
  const auto dimensions = model.dimensions();
  const std::size_t numbers = saved.settled_gram.size();
  std::size_t rank = model.rank();
  while (rank * rank < numbers) ++rank;
  if (rank * rank != numbers) fail_damaged();
  if (!saved.factors.empty() && saved.factors.size() != dimensions.size()) fail_damaged();
  const StreamingCp::Model all(HostExec(), dimensions, rank);
  Kokkos::deep_copy(HostExec(), all.weights(), 1.0);
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    const HostMatrixOf& factor = all.factor(static_cast<int>(n));
    const HostMatrixOf& own = model.factor(static_cast<int>(n));
    const bool is_own = rank == model.rank() && (saved.factors.empty() || saved.factors[n].empty());
    if (!is_own && saved.factors[n].size() != dimensions[n] * rank) fail_damaged();
    for (std::size_t i = 0; i < dimensions[n]; ++i) {
      std::copy_n(is_own ? own.row(i) : &saved.factors[n][i * rank], rank, factor.row(i));
    }
  }
  return all;
}

/// A copy of some rows.
HostMatrixOf rows_of(const HostMatrixOf& from, std::size_t begin, std::size_t count) {
  const HostMatrixOf to(count, from.columns());
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(from.row(begin + i), from.columns(), to.row(i));
  }
  return to;
}

}  // namespace

std::vector<RowConstraint> row_constraints(const StreamOptions& options, std::size_t order) {
  for (const int mode : options.nonnegative.modes) {
    if (mode >= 0 && static_cast<std::size_t>(mode) < order) continue;
    throw Error::of_option("nonnegative", "expected modes from " + error_text::number(0) + " to " +
                                              error_text::number(order - 1) + ", got " +
                                              error_text::number(mode));
  }
  auto constraints = row_constraints<StreamOptions>(options, order);
  if (options.loss == StreamLoss::gaussian) return constraints;
  if (is_penalized(constraints) || !options.lower.empty() || !options.upper.empty()) {
    throw Error::in(
        "update",
        "options ridge, l1, lower and upper are for least squares: models of the Poisson "
        "loss are nonnegative, and nothing else");
  }
  for (RowConstraint& each : constraints) each = {.lower = 0.0};
  return constraints;
}

StreamingCp::StreamingCp(const HostExec& exec, const Model& model, int mode,
                         const StreamOptions& options)
    : m_state(begun(model, mode, options, false)) {
  for (std::size_t n = 0; n < m_state->order(); ++n) {
    if (n == m_state->streaming()) continue;
    const HostMatrixOf& factor = m_state->factors[n];
    SmallMatrix gram = cross_product(exec, factor, factor);
    const std::vector<double> norms = stream::normalize_mode(exec, *m_state, n, gram);
    stream::scale_columns(m_state->factors[m_state->streaming()], norms);
  }
  if (stream::has_extra(*m_state)) stream::add_extra(exec, *m_state);
  take_statistics(exec, *m_state);
}

StreamingCp::StreamingCp(const HostExec& exec, const Checkpoint<Model>& checkpoint) {
  if (!is_stream(checkpoint)) {
    throw Error(Error::Kind::file, "expected the state of a stream, got that of another solver");
  }
  stream::Saved saved;
  detail::ByteReader read(checkpoint.state);
  read(saved);
  if (saved.tag == stream::first_tag) saved.options.extra = 0;
  m_state = begun(model_of_state(checkpoint.model, saved), saved.mode, saved.options, true);
  State& state = *m_state;
  const std::size_t rank = state.rank();
  if (rank > checkpoint.model.rank()) {
    state.shown = checkpoint.model.factors();
    state.shown_weights = host_weights(exec, checkpoint.model);
  }
  state.batches = saved.batches;
  if (saved.extra.size() != state.order() || saved.settled_gram.size() != rank * rank) {
    fail_damaged();
  }
  state.settled_gram.values = saved.settled_gram;
  for (std::size_t n = 0; n < state.order(); ++n) {
    if (!state.counts()) continue;  // earlier versions have written zeros
    if (saved.extra[n].size() != state.extra[n].rows() * rank) fail_damaged();
    for (std::size_t i = 0; i < state.extra[n].rows(); ++i) {
      std::copy_n(&saved.extra[n][i * rank], rank, state.extra[n].row(i));
    }
  }
  HostMatrixOf& all = state.factors[state.streaming()];
  std::size_t end = all.rows();
  for (std::size_t b = saved.kept.size(); b-- != 0;) {
    stream::Saved::Batch& batch = saved.kept[b];
    std::vector<std::size_t> dimensions(batch.dimensions.begin(), batch.dimensions.end());
    if (dimensions.size() != state.order() || dimensions[state.streaming()] > end) fail_damaged();
    const std::size_t count = dimensions[state.streaming()];
    end -= count;
    auto tensor = KeptBatch::Tensor::from_host(exec, std::move(dimensions),
                                               std::span<const std::uint32_t>(batch.subscripts),
                                               std::span<const double>(batch.values));
    state.kept.insert(state.kept.begin(), {std::move(tensor), rows_of(all, end, count)});
  }
  for (std::size_t p = saved.settled.size(); p-- != 0;) {
    const stream::Saved::Piece& piece = saved.settled[p];
    const bool turns = !piece.turn.empty();
    if (piece.rows > end || (turns && piece.turn.size() != rank * rank)) fail_damaged();
    end -= piece.rows;
    SmallMatrix turn(turns ? rank : 0);
    turn.values = piece.turn;
    state.settled.insert(state.settled.begin(), {rows_of(all, end, piece.rows), std::move(turn)});
  }
  all = rows_of(all, 0, end);
}

StreamingCp::~StreamingCp() = default;
StreamingCp::StreamingCp(StreamingCp&&) noexcept = default;
StreamingCp& StreamingCp::operator=(StreamingCp&&) noexcept = default;

bool StreamingCp::is_stream(const Checkpoint<Model>& checkpoint) {
  const std::string name = stream::name;
  const std::size_t at = sizeof(std::uint64_t);
  return checkpoint.state.size() >= at + name.size() &&
         checkpoint.state.compare(at, name.size(), name) == 0;
}

std::optional<Checkpoint<StreamingCp::Model>> StreamingCp::saved_in(const std::string& path) {
  try {
    if (checkpoint_scalar_bytes(path) != sizeof(double)) return std::nullopt;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::file) throw;
    return std::nullopt;  // no checkpoint: whatever else it is, readers of it say
  }
  auto saved = read_checkpoint<double, HostExec>(path);
  if (!is_stream(saved)) return std::nullopt;
  return saved;
}

void StreamingCp::train_rows(const HostExec& exec, const Rows& tensor) {
  State& state = *m_state;
  if (state.batches != 0 || !state.kept.empty()) {
    throw Error::in("update", "the training tensor comes before all batches");
  }
  if (tensor.dimensions() != model().dimensions()) {
    throw Error::in("update", "expected a training tensor of the model's dimensions");
  }
  if (state.counts()) detail::value_sums(exec, tensor).require_counts("update");
  HostMatrixOf& rows = state.factors[state.streaming()];
  state.kept.push_back({tensor, rows});
  rows = HostMatrixOf(0, state.rank());
  state.settled_gram = SmallMatrix(state.rank());
  for (HostMatrixOf& each : state.extra) each = HostMatrixOf(each.rows(), state.rank());
  if (state.options.history > 1) return;
  if (state.counts()) {
    PoissonSweeps(exec, state).settle(1);
  } else {
    stream::LeastSquaresSweeps(exec, state).settle(1);
  }
  state.kept.clear();
}

StreamBatch StreamingCp::update_rows(const HostExec& exec, const Rows& slices,
                                     std::optional<std::size_t> first_number) {
  State& state = *m_state;
  const std::size_t order = state.order(), streaming = state.streaming();
  if (slices.dimensions().size() != order) {
    throw Error::in("update", "expected slices of order " + std::to_string(order) + ", got order " +
                                  std::to_string(slices.order()));
  }
  StreamBatch found;
  std::vector<std::size_t> known;
  found.slices = slices.dimensions()[streaming];
  found.nonzeros = static_cast<std::size_t>(slices.nnz());
  for (std::size_t n = 0; n < order; ++n) {
    const std::size_t have = state.factors[n].rows(), come = slices.dimensions()[n];
    if (n != streaming && come < have) {
      throw Error::in("update", "expected slices of " + std::to_string(have) +
                                    " rows at least in " + mode_text(n) + ", got " +
                                    std::to_string(come));
    }
    found.new_rows.push_back(n == streaming ? come : come - have);
    known.push_back(n == streaming ? 0 : have);
  }
  if (state.counts()) detail::value_sums(exec, slices).require_counts("update");
  note_empty(slices, state.mode, found);
  if (first_number) stream::require_counted_anew(found, streaming, state.slices(), *first_number);
  std::vector<double> own_sizes = stream::last_row_sizes(state), new_sizes;
  found.forgets_all = state.options.forget == 0.0 && state.options.history == 1;
  for (offset_t p = 0; state.counts() && p < slices.nnz(); ++p) {
    const double x = slices.values()(p);
    if (x != std::floor(x)) ++found.no_counts;
  }
  for (std::size_t n = 0; n < order; ++n) {
    if (n == streaming) continue;
    if (state.counts()) {
      const std::vector<double> forget(state.rank(), state.options.forget);
      state.extra[n] = stream::with_rows(state.extra[n], slices.dimensions()[n]);
      stream::scale_columns(state.extra[n], forget);
    }
  }
  stream::add_new_rows(state, slices);
  for (double& each : state.settled_gram.values) each *= state.options.forget;
  const HostMatrixOf rows(found.slices, state.rank());
  state.kept.push_back({slices, rows});
  state.kept.back().solved = false;
  ++state.batches;
  found.tensor_norm = norm(exec, slices);
  // Batches may leave with the sweeps; their tensors stay here.
  std::vector<KeptBatch> batches;
  const auto note = [&] {
    new_sizes = stream::row_sizes(state, state.kept.back().rows);
    if (state.shown.empty()) {
      batches.push_back(state.kept.back());
    } else {
      batches = state.kept;
    }
  };
  if (state.counts()) {
    run_sweeps(PoissonSweeps(exec, state), state, note);
  } else {
    const std::vector<HostMatrixOf> old = state.factors;
    using Sweeps = stream::LeastSquaresSweeps;
    const bool begun = stream::start_new_rows(state, known);
    run_sweeps(begun ? Sweeps(exec, state, old) : Sweeps(exec, state), state, note);
  }
  SmallMatrix square(state.rank(), 1.0);
  if (!state.shown.empty()) square = stream::show(exec, state, batches);
  for (std::size_t n = 0; n < order; ++n) {
    if (n == streaming || !state.shown.empty()) continue;
    stream::multiply_elements(square, cross_product(exec, state.factors[n], state.factors[n]));
  }
  KeptBatch& last = batches.back();
  stream::multiply_elements(square, cross_product(exec, last.rows, last.rows));
  double of_model = 0.0;
  for (const double each : square.values) of_model += each;
  if (state.counts()) {
    const HostMatrixOf products = stream::mttkrp(exec, state, last, streaming);
    last.inner_product = stream::inner_product(exec, products, last.rows);
  }
  const double squares = found.tensor_norm * found.tensor_norm;
  found.residual_norm = std::sqrt(std::max(0.0, squares + of_model - 2.0 * last.inner_product));
  found.fit = found.tensor_norm > 0.0 ? 1.0 - found.residual_norm / found.tensor_norm
                                      : (found.residual_norm > 0.0 ? 0.0 : 1.0);
  const auto fits = stream::fits_of_rows(state, slices, last.rows, known);
  found.fit_of_new_rows = fits.of_new;
  found.fit_of_other_rows = fits.of_others;
  found.times_as_large =
      times_as_large(std::move(own_sizes), std::move(new_sizes), slice_sizes(slices, state.mode));
  return found;
}

StreamingCp::Model StreamingCp::model() const {
  const State& state = *m_state;
  std::vector<HostMatrixOf> factors;
  for (std::size_t n = 0; n < state.order(); ++n) {
    const bool own = state.shown.empty();
    const HostMatrixOf& factor = own ? state.factors[n] : state.shown[n];
    factors.push_back(n == state.streaming() ? HostMatrixOf() : stream::with_rows(factor, 0));
  }
  const HostExec exec;
  HostMatrixOf& rows = factors[state.streaming()];
  std::vector<double> sizes;
  if (state.shown.empty()) {
    rows = stream::all_rows(exec, state);
    sizes = stream::taken_weights(exec, state, rows);
  } else {
    std::tie(rows, sizes) = stream::shown_rows(exec, state);
  }
  const Model::weights_view weights("genten::weights", sizes.size());
  std::copy(sizes.begin(), sizes.end(), weights.data());
  return Model(weights, std::move(factors));
}

Checkpoint<StreamingCp::Model> StreamingCp::checkpoint() const {
  const State& state = *m_state;
  stream::Saved saved{.tag = stream::tag,
                      .mode = state.mode,
                      .options = state.options,
                      .batches = state.batches,
                      .extra = {},
                      .settled_gram = state.settled_gram.values,
                      .kept = {},
                      .factors = {},
                      .settled = {}};
  for (const HostMatrixOf& each : state.extra) saved.extra.push_back(packed(each));
  // The model has other elements than the state, but for those that scaling leaves as they are.
  const bool is_scaled = allow_scaling(state.constraints);
  for (std::size_t n = 0; n < state.order(); ++n) {
    const bool streams = n == state.streaming();
    saved.factors.emplace_back();
    const bool differs = streams && (is_scaled || !state.settled.empty());
    if (state.shown.empty() && !differs) continue;
    std::vector<double>& numbers = saved.factors.back();
    numbers = packed(state.factors[n]);
    const auto add = [&](const HostMatrixOf& rows) {
      const std::vector<double> more = packed(rows);
      numbers.insert(numbers.end(), more.begin(), more.end());
    };
    for (const SettledRows& piece : state.settled) {
      if (!streams) break;
      add(piece.rows);
      saved.settled.push_back({piece.rows.rows(), piece.turn.values});
    }
    for (const KeptBatch& batch : state.kept) {
      if (streams) add(batch.rows);
    }
  }
  for (const KeptBatch& batch : state.kept) {
    const auto& tensor = batch.tensor;
    const std::size_t numbers = tensor.subscripts().extent(0) * tensor.subscripts().extent(1);
    saved.kept.push_back(
        {.dimensions = {tensor.dimensions().begin(), tensor.dimensions().end()},
         .subscripts = {tensor.subscripts().data(), tensor.subscripts().data() + numbers},
         .values = {tensor.values().data(), tensor.values().data() + tensor.nnz()}});
  }
  return {model(), detail::to_bytes(saved)};
}

int StreamingCp::mode() const {
  return m_state->mode;
}
std::size_t StreamingCp::batches() const {
  return m_state->batches;
}
const StreamOptions& StreamingCp::options() const {
  return m_state->options;
}

void StreamingCp::set_options(double forget, std::size_t history, std::size_t sweeps) {
  check_options(forget, history, sweeps);
  m_state->options.forget = forget;
  m_state->options.history = history;
  m_state->options.sweeps = sweeps;
}

}  // namespace genten
