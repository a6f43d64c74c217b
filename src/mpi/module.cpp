// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mpi/communicator.hpp>
#include <genten/mpi/module.hpp>

#include <algorithm>
#include <string>

namespace genten {
namespace {

/// What MPI says of itself.
std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  return text;
}

/// The name and the version in it.
std::string short_version(std::string text) {
  text.resize(std::min(text.size(), text.find_first_of(",\n\r")));
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

/// MPI from its start to its end.
class StartedMpi final : public MpiModule {
 public:
  StartedMpi() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    m_processes = std::make_unique<MpiCommunicator>(MPI_COMM_WORLD);
    m_library = short_version(library_version());
  }
  ~StartedMpi() override {
    m_processes.reset();
    MPI_Finalize();
  }
  StartedMpi(const StartedMpi&) = delete;
  StartedMpi& operator=(const StartedMpi&) = delete;

  [[nodiscard]] Communicator& processes() override { return *m_processes; }
  [[nodiscard]] const char* library() const override { return m_library.c_str(); }
  void end_all(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 private:
  std::unique_ptr<MpiCommunicator> m_processes;
  std::string m_library;
};

/// The processes of somebody else's communicator, by a duplicate.
class TakenProcesses final : public MpiModule {
 public:
  explicit TakenProcesses(MPI_Comm given) : m_library(short_version(library_version())) {
    MPI_Comm_dup(given, &m_own);
    // Others have errors returned, which nobody here looks at.
    MPI_Comm_set_errhandler(m_own, MPI_ERRORS_ARE_FATAL);
    m_processes = std::make_unique<MpiCommunicator>(m_own);
  }
  ~TakenProcesses() override {
    m_processes.reset();
    MPI_Comm_free(&m_own);
  }
  TakenProcesses(const TakenProcesses&) = delete;
  TakenProcesses& operator=(const TakenProcesses&) = delete;

  [[nodiscard]] Communicator& processes() override { return *m_processes; }
  [[nodiscard]] const char* library() const override { return m_library.c_str(); }
  void end_all(int exit_code) override { MPI_Abort(m_own, exit_code); }

 private:
  std::string m_library;
  MPI_Comm m_own = MPI_COMM_NULL;
  std::unique_ptr<MpiCommunicator> m_processes;
};

/// Why MPI as it runs here is of no use; empty where it is.
std::string trouble_of_mpi(const std::string& library) {
  const std::string own = library_version();
  if (own != library) {
    return "MPI is " + short_version(library) + ", and this module is for " + short_version(own);
  }
  int started = 0, ended = 0, threads = MPI_THREAD_SINGLE;
  MPI_Initialized(&started);
  if (started == 0) {
    return "MPI runs by another copy of " + short_version(own) + " than that of this module";
  }
  MPI_Finalized(&ended);
  if (ended != 0) return "MPI has ended";
  MPI_Query_thread(&threads);
  if (threads < MPI_THREAD_SERIALIZED) {
    return "MPI was started for one thread alone, and messages come from another: start it with "
           "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE";
  }
  return "";
}

/// Why a communicator is; MPI runs.
std::string trouble_of_communicator(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL) return "expected a communicator, got MPI_COMM_NULL";
  int joins = 0;
  MPI_Comm_test_inter(communicator, &joins);
  return joins == 0 ? "" : "expected the processes of one group, got an intercommunicator";
}

}  // namespace
}  // namespace genten

extern "C" genten::MpiModule* genten_start_processes() {
  return new genten::StartedMpi();
}

extern "C" genten::MpiModule* genten_take_processes(const void* communicator) {
  return new genten::TakenProcesses(*static_cast<const MPI_Comm*>(communicator));
}

extern "C" void genten_trouble_of_processes(const void* communicator, const char* library,
                                            std::string& reason) {
  reason = genten::trouble_of_mpi(library);
  if (!reason.empty()) return;
  reason = genten::trouble_of_communicator(*static_cast<const MPI_Comm*>(communicator));
}
