// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Kokkos within a Python process: when it starts and ends, and whose turn it is.

#include <nanobind/nanobind.h>

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace genten::python {

namespace nb = nanobind;

/// What holds Views for Python. Views must not outlive Kokkos, but Python objects may outlive the
/// interpreter, so all of these are listed, and those that are left when the process ends let go of
/// their Views first.
class KokkosOwned {
 public:
  KokkosOwned();
  virtual ~KokkosOwned();
  KokkosOwned(const KokkosOwned&) = delete;
  KokkosOwned& operator=(const KokkosOwned&) = delete;

  virtual void let_go() noexcept = 0;
};

/// Any value with Views, as the owner of the arrays that show them.
template <class T>
class Kept final : public KokkosOwned {
 public:
  explicit Kept(T value) : m_value(std::move(value)) {}
  void let_go() noexcept override { m_value.reset(); }
  [[nodiscard]] const T& value() const { return *m_value; }

 private:
  std::optional<T> m_value;
};

/// A capsule for the arrays that show what `kept` holds.
template <class T>
[[nodiscard]] nb::capsule capsule_of(Kept<T>* kept) {
  return nb::capsule(kept, [](void* it) noexcept { delete static_cast<Kept<T>*>(it); });
}

/// Has the worker do `body` when it is the calling thread's turn, Kokkos being started if it has
/// not been. The interpreter's lock is not held meanwhile, and `body` must not touch Python
/// objects, nor its results when they are destroyed. Who is asked back may take another turn
/// inside.
///
/// Who waits for a turn sees signals: Ctrl-C ends the wait as Python ends other waits.
///
/// Throws Error of kind `runtime` in a child process whose parent had started Kokkos before the
/// fork and when the interpreter ends, and whatever KokkosSession and `body` throw.
void run_in_turn(const std::function<void()>& body);

/// The same with what `body` returns.
template <class Body>
auto in_turn(const Body& body) {
  using Result = decltype(body());
  if constexpr (std::is_void_v<Result>) {
    run_in_turn([&] { body(); });
  } else {
    std::optional<Result> result;
    run_in_turn([&] { result.emplace(body()); });
    return std::move(*result);
  }
}

/// Whether the interpreter is about to end: runs are to stop, and no other turn begins.
[[nodiscard]] bool is_ending();

/// From within a turn: has the thread whose turn it is do `favour`, with the interpreter's lock.
void ask_python(const std::function<void()>& favour);

/// What is wrong, in Python's words.
[[nodiscard]] std::string sentence(const std::exception& error);
/// A note of the library likewise.
[[nodiscard]] std::string in_words(std::string_view note);

/// The Python exception for what the library or Python itself has thrown. With the interpreter's
/// lock.
[[nodiscard]] nb::object exception_of(const std::exception_ptr& thrown);

void bind_runtime(nb::module_& module);

}  // namespace genten::python
