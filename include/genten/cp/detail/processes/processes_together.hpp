// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How the processes of a run decide what no numbers of the model decide: by process 0.

#include <genten/base/error.hpp>
#include <genten/cp/exchange.hpp>
#include <genten/cp/observer.hpp>

#include <exception>
#include <string>

namespace genten::detail {

/// What process 0 tells the others while its observer looks at an iteration.
enum class ObserverSays { proceed, stop, make_model, make_checkpoint, failed };

/// The message of what was thrown, which need not be a std::exception.
[[nodiscard]] inline std::string message_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

/// The observer of process 0 as all processes call it: what it wants holds for all, and those that
/// have none help to make the model and the checkpoint that it asks for. Where that fails, by an
/// error that all processes have agreed on, it is the observer's to go on without or not. What the
/// observer itself throws it throws on process 0, and on the others its message is that of an
/// Error.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] KtensorObserver<Scalar, Exec> observed_by_first(
    Exchange<Scalar, Exec>& processes, const KtensorObserver<Scalar, Exec>& observer) {
  const auto say = [&processes](ObserverSays what) {
    auto word = static_cast<double>(what);
    processes.take_first({&word, 1});
    return static_cast<ObserverSays>(static_cast<int>(word));
  };
  if (processes.process() != 0) {
    return [say, &processes](const KtensorIteration<Scalar, Exec>& seen) {
      ObserverSays heard = say(ObserverSays::proceed);
      const auto helps = [&heard] {
        return heard == ObserverSays::make_model || heard == ObserverSays::make_checkpoint;
      };
      for (; helps(); heard = say(ObserverSays::proceed)) {
        try {
          if (heard == ObserverSays::make_model) static_cast<void>(seen.model());
          if (heard == ObserverSays::make_checkpoint) static_cast<void>(seen.checkpoint());
        } catch (const std::exception&) {  // process 0 has it, too
        }
      }
      if (heard == ObserverSays::failed) processes.together([] {});
      return heard == ObserverSays::stop ? ObserverAction::stop : ObserverAction::proceed;
    };
  }
  return [say, &processes, &observer](const KtensorIteration<Scalar, Exec>& seen) {
    KtensorIteration<Scalar, Exec> iteration = seen;
    iteration.model = [say, &seen] {
      say(ObserverSays::make_model);
      return seen.model();
    };
    iteration.checkpoint = [say, &seen] {
      say(ObserverSays::make_checkpoint);
      return seen.checkpoint();
    };
    ObserverAction action = ObserverAction::proceed;
    try {
      if (observer) action = observer(iteration);
    } catch (...) {
      const auto thrown = std::current_exception();
      say(ObserverSays::failed);
      try {
        processes.together([&] {
          throw Error::in("cp_als", Error::Kind::runtime,
                          "the observer has failed: " + message_of(thrown));
        });
      } catch (const Error&) {  // that of the others
      }
      std::rethrow_exception(thrown);
    }
    say(action == ObserverAction::stop ? ObserverSays::stop : ObserverSays::proceed);
    return action;
  };
}

}  // namespace genten::detail
