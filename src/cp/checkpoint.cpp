// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/apr/apr_state.hpp>
#include <genten/cp/detail/check_checkpoint.hpp>
#include <genten/cp/detail/completion/completion_state.hpp>
#include <genten/cp/detail/cp_als_state.hpp>
#include <genten/cp/detail/gcp/gcp_state.hpp>

namespace genten::detail {

std::string TensorFingerprint::text() const {
  std::string result;
  for (const std::size_t dimension : dimensions) {
    result += (result.empty() ? "" : " x ") + std::to_string(dimension);
  }
  return result + " with " + std::to_string(nnz) + " nonzeros";
}

namespace {

/// What wrote the bytes of a checkpoint.
std::string state_name(std::string_view bytes) {
  ByteReader read(bytes);
  std::string name;
  read(name);
  return name;
}

/// SOLVER, of "SOLVER, VERSION".
std::string_view solver_of(std::string_view name) {
  return name.substr(0, name.find(','));
}

/// Whether the bytes of a checkpoint are of the solver with such a task, of whatever version.
template <class Task>
bool is_of_solver(std::string_view bytes) {
  return solver_of(state_name(bytes)) == solver_of(Task::expected_name);
}

}  // namespace

void check_state_name(std::string_view bytes, std::string_view expected) {
  const std::string name = state_name(bytes);
  if (name == expected) return;
  const std::string_view solver = solver_of(expected);
  throw Error("expected a checkpoint of " + std::string(solver) + ", got one of another " +
              (solver_of(name) == solver ? "version of Genten" : "solver"))
      .as(Error::Code::checkpoint);
}

template <class Options>
void check_same_options(const Options& saved, const Options& options) {
  std::vector<std::string> before;
  for_each_field(saved, [&](const auto&, const auto& value) { before.push_back(to_bytes(value)); });
  std::string names;
  auto next = before.begin();
  for_each_field(options, [&](const auto& field, const auto& value) {
    if (to_bytes(value) == *next++ || may_change_on_resume(field.name)) return;
    names += (names.empty() ? "" : ", ") + std::string(field.name);
  });
  if (names.empty()) return;
  throw Error("the checkpoint is of a run with other options: " + names)
      .as(Error::Code::checkpoint);
}
template void check_same_options(const CpAlsOptions&, const CpAlsOptions&);
template void check_same_options(const CpAprOptions&, const CpAprOptions&);
template void check_same_options(const CpCompletionOptions&, const CpCompletionOptions&);
template void check_same_options(const CpGcpOptions&, const CpGcpOptions&);

void check_same_tensor(const TensorFingerprint& saved, const TensorFingerprint& tensor) {
  if (saved == tensor) return;
  const bool same_shape = saved.dimensions == tensor.dimensions && saved.nnz == tensor.nnz;
  throw Error("the checkpoint is of another tensor: " + saved.text() +
              (same_shape ? ", but others" : ", this one has " + tensor.text()))
      .as(Error::Code::checkpoint);
}

CpAlsOptions saved_als_options(std::string_view state) {
  return read_task<CpAlsTask>(state).options;
}

CpCompletionOptions saved_completion_options(std::string_view state) {
  return read_task<CompletionTask>(state).options;
}

CompletionCheckpoint saved_completion(std::string_view state) {
  if (!is_of_solver<CompletionTask>(state)) return CompletionCheckpoint::none;
  return read_task<CompletionTask>(state).missing ? CompletionCheckpoint::listed
                                                  : CompletionCheckpoint::unlisted;
}

CpAprOptions saved_apr_options(std::string_view state) {
  CpAprTask task = read_task<CpAprTask>(state);
  task.options.loss = task.loss;
  return task.options;
}

bool is_apr_state(std::string_view state) {
  return is_of_solver<CpAprTask>(state);
}

CpGcpOptions saved_gcp_options(std::string_view state) {
  return read_task<GcpTask>(state).options;
}

AnyLoss saved_gcp_loss(std::string_view state) {
  const SavedLoss loss = read_task<GcpTask>(state).loss;
  if (loss.is_listed) return AnyLoss::named(loss.name, loss.parameter);
  throw Error("the checkpoint is of a run with the loss " + loss.text() +
              ", expected one of the library: a caller's own is to be given again")
      .as(Error::Code::checkpoint);
}

bool is_gcp_state_with_list(std::string_view state) {
  return read_task<GcpTask>(state).missing.has_value();
}

bool is_gcp_state(std::string_view state) {
  return is_of_solver<GcpTask>(state);
}

}  // namespace genten::detail

GENTEN_ETI_TASK(, genten::detail::CpAlsTask)
GENTEN_ETI_TASK(, genten::detail::CpAprTask)
GENTEN_ETI_TASK(, genten::detail::CompletionTask)
GENTEN_ETI_TASK(, genten::detail::GcpTask)
