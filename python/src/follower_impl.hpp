// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The part of Follower that depends on the model's type.

#include "arrays.hpp"
#include "follower.hpp"

#include <atomic>
#include <memory>

namespace genten::python {

/// True as long as it lives; others may ask later, too.
class Validity {
 public:
  Validity() = default;
  ~Validity() { *m_valid = false; }
  Validity(const Validity&) = delete;
  Validity& operator=(const Validity&) = delete;

  [[nodiscard]] std::shared_ptr<const std::atomic<bool>> shared() const { return m_valid; }

 private:
  std::shared_ptr<std::atomic<bool>> m_valid = std::make_shared<std::atomic<bool>>(true);
};

/// The model where the host can read it.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, HostExec> on_host(const Ktensor<Scalar, Exec>& model) {
  return create_mirror_view_and_copy(model);
}
template <RealScalar Scalar>
[[nodiscard]] Ttensor<Scalar, HostExec> on_host(const Ttensor<Scalar, HostExec>& model) {
  return model;
}

/// Whether solvers of such models have checkpoints.
template <class Model>
inline constexpr bool has_checkpoints = false;
template <RealScalar Scalar, ExecutionSpace Exec>
inline constexpr bool has_checkpoints<Ktensor<Scalar, Exec>> = true;

/// A function for Python that makes the model as it stands. It works during the callback alone.
template <class Model>
nb::object model_maker(const Iteration<Model>& iteration, const Validity& validity) {
  return nb::cpp_function([&iteration, valid = validity.shared()]() -> nb::tuple {
    return show(in_turn([&] {
      // Another thread gets its turn when the run is over, and the iteration with it.
      if (!*valid) {
        throw Error(Error::Kind::runtime, "an iteration's model can be had in its callback alone");
      }
      return on_host(iteration.model());
    }));
  });
}

/// Where Python asks for the starts' models, the one that a start has ended with.
template <class Model>
void Follower::keep_model(const Iteration<Model>& iteration) {
  if (m_models.size() <= iteration.start) m_models.resize(iteration.start + 1);
  const auto model = on_host(iteration.model());
  m_models[iteration.start] = [model] { return show(model); };
}

template <class Model>
ObserverAction Follower::operator()(const Iteration<Model>& iteration) {
  keep(iteration.start, iteration.record);
  if ((m_has_callback && !is_ending()) || is_due_to_look()) {
    ask_python([&] {
      look_for_signals();
      if (!m_has_callback || ends()) return;
      const Validity validity;
      call(iteration.start, iteration.record, model_maker(iteration, validity));
    });
  }
  const bool due = iteration.record.iteration % m_watch.checkpoint_every == 0;
  if constexpr (has_checkpoints<Model>) {
    if (!m_watch.checkpoint.empty() && (due || ends() || iteration.ends)) {
      try {
        write_checkpoint(m_watch.checkpoint, iteration.checkpoint());
        m_trouble.clear();
      } catch (const std::exception& error) {
        m_trouble = sentence(error);
      }
    }
  }
  if (m_watch.keep_starts && (ends() || iteration.ends)) keep_model(iteration);
  return ends() ? ObserverAction::stop : ObserverAction::proceed;
}

}  // namespace genten::python
