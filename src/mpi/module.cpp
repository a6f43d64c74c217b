// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mpi/communicator.hpp>
#include <genten/mpi/module.hpp>

#include <algorithm>
#include <string>

namespace genten {
namespace {

class MpiModule final : public RankModule {
 public:
  MpiModule() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    m_ranks = std::make_unique<MpiCommunicator>(MPI_COMM_WORLD);
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    m_library = text;
    m_library.resize(m_library.find_first_of(",\n\r") == std::string::npos
                         ? m_library.size()
                         : m_library.find_first_of(",\n\r"));
    std::replace(m_library.begin(), m_library.end(), '\t', ' ');
  }
  ~MpiModule() override {
    m_ranks.reset();
    MPI_Finalize();
  }
  MpiModule(const MpiModule&) = delete;
  MpiModule& operator=(const MpiModule&) = delete;

  [[nodiscard]] Communicator& ranks() override { return *m_ranks; }
  [[nodiscard]] const char* library() const override { return m_library.c_str(); }
  void end_all(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

 private:
  std::unique_ptr<MpiCommunicator> m_ranks;
  std::string m_library;
};

}  // namespace
}  // namespace genten

extern "C" genten::RankModule* genten_start_ranks() {
  return new genten::MpiModule();
}
