// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "base/python_text.hpp"
#include "tools/kokkos/session.hpp"
#include "tools/text.hpp"
#include "worker.hpp"

#include <genten/base/error.hpp>
#include <genten/base/instruction_set.hpp>
#include <genten/base/types.hpp>
#include <genten/version.hpp>

#include <genten_build_info.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace genten::python {
namespace {

/// Never destroyed: static destructors of a process may run while threads still compute.
struct Runtime {
  std::recursive_timed_mutex turn;  ///< held by the thread for which the worker works
  std::unique_ptr<Worker> worker;
  std::unique_ptr<tools::KokkosSession> session;
  std::atomic<bool> ending = false;
  std::atomic<int> inside = 0;  ///< calls that have let go of the interpreter's lock
  pid_t process = 0;            ///< in which Kokkos was started
  std::optional<int> threads;

  std::mutex owned_guard;
  std::set<KokkosOwned*> owned;
};

Runtime& runtime() {
  static Runtime* const only = new Runtime;
  return *only;
}

bool forked() {
  return runtime().process != 0 && runtime().process != getpid();
}

void require_no_fork() {
  if (!forked()) return;
  throw Error(Error::Kind::runtime,
              "this process was forked from one that had already used genten, whose threads did "
              "not come along; start workers with multiprocessing.get_context('spawn') or "
              "'forkserver', or call genten only after the fork");
}

/// In the worker.
void start_kokkos() {
  Runtime& all = runtime();
  if (all.session != nullptr) return;
  std::vector<std::string> arguments;
  if (all.threads) {
    arguments.push_back("--kokkos-num-threads=" + std::to_string(*all.threads));
  }
  all.session = std::make_unique<tools::KokkosSession>(arguments, tools::Needs::host);
}

/// Before the interpreter ends, while its other threads still run: ends what they compute after the
/// current iteration and waits until they have the interpreter's lock again. A thread that asked
/// for it later would take the process with it. Does not wait for ever.
void prepare_to_end() {
  Runtime& all = runtime();
  all.ending = true;
  if (forked()) return;
  const nb::gil_scoped_release release;
  constexpr auto pause = std::chrono::milliseconds(1);
  for (int waited = 0; all.inside > 0 && waited < 30'000; ++waited) {
    std::this_thread::sleep_for(pause);
  }
}

/// Counts a call from before it lets go of the interpreter's lock until it has it again.
class Inside {
 public:
  Inside() { ++runtime().inside; }
  ~Inside() { --runtime().inside; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

/// At the end of the interpreter. Where a thread still computes, or in a child that has only
/// inherited it, Kokkos is left alone: the system takes back what the process had.
void end_kokkos() {
  Runtime& all = runtime();
  if (all.worker == nullptr || forked() || !all.turn.try_lock()) return;
  all.worker->run([&] {
    const std::lock_guard guard(all.owned_guard);
    for (KokkosOwned* const each : all.owned) each->let_go();
    all.session.reset();
  });
  all.worker.reset();
  all.turn.unlock();
}

/// Options as keywords; what lies in memory counts from 0, what lies in files from 1.
class PythonWords : public ErrorWords {
 public:
  explicit PythonWords(bool of_file) : m_first(of_file ? 1 : 0) {}

  /// Nobody has called these.
  [[nodiscard]] std::string function(std::string_view name) const override {
    constexpr std::string_view hidden[] = {
        "Sptensor",   "Ktensor", "FacMatrix",        "cp_als", "cp_apr", "cp_completion", "cp_gcp",
        "distribute", "tucker",  "core_consistency", "ttmc",   "Ttmc",   "nvecs"};
    const bool is_hidden =
        std::find(std::begin(hidden), std::end(hidden), name) != std::end(hidden);
    return is_hidden ? "" : std::string(name);
  }
  [[nodiscard]] std::string subject(std::string_view name) const override {
    return keyword_of(name);
  }
  [[nodiscard]] std::string missing_entries() const override { return "missing"; }
  [[nodiscard]] std::string option(std::string_view name, std::string_view value) const override {
    if (name.empty()) return in_python(value);
    if (name == "missing" && value == "listed") return "a list of missing entries";
    if (value.empty()) return keyword_of(name);
    // Who was given a path, as `cp`, may have no such keyword.
    if (name == "values") return "genten.read(..., values=" + in_python(value) + ")";
    if (name == "modes") return "modes=" + in_python(tools::split_list(value));
    if (name == "duplicates") return "genten.tensor(..., duplicates=" + in_python(value) + ")";
    return keyword_of(name) + "=" + (is_number(value) ? std::string(value) : in_python(value));
  }
  [[nodiscard]] std::string expected(std::string_view words) const override {
    if (words.find('|') == std::string_view::npos) return std::string(words);
    std::string text;
    while (true) {
      const std::size_t end = words.find('|');
      text += in_python(words.substr(0, end));
      if (end == std::string_view::npos) return text;
      words.remove_prefix(end + 1);
      text += words.find('|') == std::string_view::npos ? " or " : ", ";
    }
  }
  [[nodiscard]] long long first_number() const override { return m_first; }
  [[nodiscard]] std::string remedy(std::string_view function) const override {
    if (function == "drop_empty_slices" || function == "compact_model") {
      return "compact() of a Tensor";
    }
    if (function == "choose_rank") return "genten.choose_rank";
    if (function == "run_cp") return "genten.cp";
    return function == "write_binary_sptensor" ? "genten.write" : std::string(function);
  }

 private:
  static bool is_number(std::string_view word) {
    double number = 0.0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    return read.ec == std::errc() && read.ptr == word.data() + word.size() && std::isfinite(number);
  }

  long long m_first;
};

/// Which function reads a file that is none of those that were expected.
std::string reader_hint(const Error::Fields& fields) {
  if (fields.code != Error::Code::other_content) return "";
  const auto found = [&](std::string_view what) { return fields.found.starts_with(what); };
  if (fields.expected == "a model" && found("a sparse tensor")) {
    return "; genten.read reads tensors";
  }
  const bool model = found("a model") || found("a Tucker model") || found("a file of type 'kt");
  const bool whole = fields.complaint == "expected a sparse tensor, got " + fields.found;
  return model && whole ? "; genten.load reads models" : "";
}

/// The error that `open` raises, with its number and the name of the file.
void set_system_error(const Error::Fields& fields) {
  const nb::object path = nb::steal(PyUnicode_DecodeFSDefaultAndSize(
      fields.path.data(), static_cast<Py_ssize_t>(fields.path.size())));
  const nb::object error = nb::steal(PyObject_CallFunction(PyExc_OSError, "isO", fields.number,
                                                           fields.complaint.c_str(), path.ptr()));
  if (error.is_valid())
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

/// The Python exception for what the library throws, in the words of Python.
void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const Error::Fields& fields = error.fields();
    if (fields.code == Error::Code::system && fields.processes == 0)
      return set_system_error(fields);
    PyObject* type = PyExc_RuntimeError;
    if (error.kind() == Error::Kind::argument) type = PyExc_ValueError;
    if (error.kind() == Error::Kind::file) type = PyExc_OSError;
    if (error.kind() == Error::Kind::memory) type = PyExc_MemoryError;
    // What an option may not be is a matter of its value, that there is none here one of the call.
    if (error.code() == Error::Code::option_conflict) type = PyExc_TypeError;
    const std::string text = sentence(error) + reader_hint(fields);
    if (error.code() != Error::Code::data) return PyErr_SetString(type, text.c_str());
    const nb::object made = nb::handle(type)(text);
    made.attr("of_data") = true;  // what makes data fit, callers know
    PyErr_SetObject(type, made.ptr());
  }
}

void set_threads(int threads) {
  Runtime& all = runtime();
  require_no_fork();
  if (threads < 1) {
    throw Error("threads: expected a whole number of at least 1, got " + std::to_string(threads));
  }
  if (all.session != nullptr) {
    const int running = in_turn([] { return HostExec().concurrency(); });
    if (running == threads) return;
    throw Error(Error::Kind::runtime, "threads: genten already computes with " +
                                          std::to_string(running) +
                                          " threads; set them before its first call");
  }
  all.threads = threads;
}

nb::dict describe() {
  nb::dict facts;
  const bool runs = runtime().session != nullptr && !forked();
  facts["version"] = GENTEN_VERSION;
  facts["kokkos"] = GENTEN_KOKKOS_VERSION;
  facts["compiler"] = GENTEN_BUILD_COMPILER;
  facts["flags"] = GENTEN_BUILD_FLAGS;
  facts["instruction_set"] = std::string(instruction_set());
  facts["backend"] = Kokkos::DefaultExecutionSpace::name();
  facts["host_backend"] = HostExec::name();
  facts["started"] = runs;
  facts["threads"] = nb::none();
  if (runs) facts["threads"] = in_turn([] { return HostExec().concurrency(); });
  if (!runs && runtime().threads) facts["threads"] = *runtime().threads;
  return facts;
}

}  // namespace

KokkosOwned::KokkosOwned() {
  const std::lock_guard guard(runtime().owned_guard);
  runtime().owned.insert(this);
}

KokkosOwned::~KokkosOwned() {
  const std::lock_guard guard(runtime().owned_guard);
  runtime().owned.erase(this);
}

std::string sentence(const std::exception& error) {
  const auto* const known = dynamic_cast<const Error*>(&error);
  if (known == nullptr) return error.what();
  return PythonWords(!known->fields().path.empty()).sentence(known->fields());
}

std::string in_words(std::string_view note) {
  return PythonWords(false).text(note);
}

nb::object exception_of(const std::exception_ptr& thrown) {
  try {
    translate(thrown, nullptr);
  } catch (nb::python_error& error) {
    return nb::borrow(error.value());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "out of memory");
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, sentence(error).c_str());
  }
  const nb::python_error set;  // takes it over
  return nb::borrow(set.value());
}

void run_in_turn(const std::function<void()>& body) {
  Runtime& all = runtime();
  require_no_fork();  // before the lock, which a thread that did not come along may hold
  const auto require_time = [&] {
    if (all.ending) throw Error(Error::Kind::runtime, "the interpreter is ending");
  };
  require_time();
  const Inside inside;
  const nb::gil_scoped_release release;
  constexpr auto between_looks = std::chrono::milliseconds(50);
  while (!all.turn.try_lock_for(between_looks)) {
    const nb::gil_scoped_acquire lock;
    require_time();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();  // Ctrl-C
  }
  const std::lock_guard turn(all.turn, std::adopt_lock);
  require_time();
  if (all.worker == nullptr) {
    all.process = getpid();
    all.worker = std::make_unique<Worker>();
  }
  all.worker->run([&] {
    start_kokkos();
    body();
  });
}

bool is_ending() {
  return runtime().ending;
}

void ask_python(const std::function<void()>& favour) {
  runtime().worker->ask_back([&] {
    const nb::gil_scoped_acquire lock;
    favour();
  });
}

void bind_runtime(nb::module_& module) {
  nb::register_exception_translator(translate);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(prepare_to_end));
  Py_AtExit(end_kokkos);
  module.attr("__version__") = GENTEN_VERSION;
  module.def("set_threads", &set_threads, nb::arg("threads"),
             "Set the number of threads before the first computation.");
  module.def(
      "use_instruction_set", [](const std::string& name) { use_instruction_set(name); },
      nb::arg("name"), "Choose the instructions of the hot loops.");
  module.def(
      "start", [] { in_turn([] {}); }, "Start Kokkos if it does not run yet.");
  module.def("describe", &describe, "What this build is, and whether Kokkos runs.");
}

}  // namespace genten::python
