// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Communicator by MPI: the target Genten::mpi. Nothing else of Genten knows MPI.

#include <genten/dist/communicator.hpp>

#include <mpi.h>

namespace genten {

/// The processes of an MPI communicator, of which it makes a duplicate: its messages meet no
/// others. MPI must have been started, at least with MPI_THREAD_FUNNELED, and must outlive it; all
/// members are called by the thread that started it. Errors of MPI end the program, as MPI does
/// unless it is told otherwise.
class MpiCommunicator final : public Communicator {
 public:
  explicit MpiCommunicator(MPI_Comm processes);
  ~MpiCommunicator() override;

  [[nodiscard]] std::size_t process() const override { return m_process; }
  [[nodiscard]] std::size_t size() const override { return m_size; }
  [[nodiscard]] Node node() const override { return m_node; }
  void barrier() override;
  void broadcast(void* data, std::size_t bytes, std::size_t from) override;
  void all_gather(const void* mine, std::size_t bytes, void* all) override;
  void all_to_all(const void* mine, std::size_t bytes, void* theirs) override;
  void exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) override;

 private:
  MPI_Comm m_processes = MPI_COMM_NULL;
  std::size_t m_process = 0;
  std::size_t m_size = 1;
  Node m_node;
};

}  // namespace genten
