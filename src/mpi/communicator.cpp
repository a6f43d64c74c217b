// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mpi/communicator.hpp>

#include <algorithm>

namespace genten {
namespace {

/// MPI counts in int: longer messages go in pieces. A quarter of the range of int is enough that
/// their number does not matter.
constexpr std::size_t longest_piece = std::size_t{1} << 29;

/// Visits a message piece by piece: visit(offset, bytes, tag).
template <class Visit>
void each_piece(std::size_t bytes, const Visit& visit) {
  for (std::size_t offset = 0, tag = 0; offset < bytes; offset += longest_piece, ++tag) {
    visit(offset, static_cast<int>(std::min(longest_piece, bytes - offset)), static_cast<int>(tag));
  }
}

/// A data type of so many bytes, for collectives of long items.
class BytesType {
 public:
  explicit BytesType(std::size_t bytes) : m_units(bytes <= longest_piece) {
    if (m_units) {
      m_count = static_cast<int>(bytes);
      return;
    }
    // Whole pieces of 64 bytes and the rest, in a structure of both.
    const auto lines = static_cast<int>(bytes / 64), rest = static_cast<int>(bytes % 64);
    MPI_Datatype line = MPI_BYTE;
    MPI_Type_contiguous(64, MPI_BYTE, &line);
    const int lengths[2] = {lines, rest};
    const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(bytes / 64 * 64)};
    const MPI_Datatype types[2] = {line, MPI_BYTE};
    MPI_Type_create_struct(2, lengths, places, types, &m_type);
    MPI_Type_commit(&m_type);
    MPI_Type_free(&line);
    m_count = 1;
  }
  ~BytesType() {
    if (!m_units) MPI_Type_free(&m_type);
  }
  BytesType(const BytesType&) = delete;
  BytesType& operator=(const BytesType&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return m_type; }
  [[nodiscard]] int count() const { return m_count; }

 private:
  bool m_units;
  MPI_Datatype m_type = MPI_BYTE;
  int m_count = 0;
};

/// The processes that share this one's memory. All processes call it.
Communicator::Node find_node(MPI_Comm processes, int process) {
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm_split_type(processes, MPI_COMM_TYPE_SHARED, process, MPI_INFO_NULL, &local);
  int local_process = 0, local_size = 1, first = process;
  MPI_Comm_rank(local, &local_process);
  MPI_Comm_size(local, &local_size);
  MPI_Bcast(&first, 1, MPI_INT, 0, local);
  MPI_Comm_free(&local);
  return {static_cast<std::size_t>(local_process), static_cast<std::size_t>(local_size),
          static_cast<std::size_t>(first)};
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm processes) {
  MPI_Comm_dup(processes, &m_processes);
  int process = 0, size = 1;
  MPI_Comm_rank(m_processes, &process);
  MPI_Comm_size(m_processes, &size);
  m_process = static_cast<std::size_t>(process);
  m_size = static_cast<std::size_t>(size);
  m_node = find_node(m_processes, process);
}

MpiCommunicator::~MpiCommunicator() {
  MPI_Comm_free(&m_processes);
}

void MpiCommunicator::barrier() {
  MPI_Barrier(m_processes);
}

void MpiCommunicator::broadcast(void* data, std::size_t bytes, std::size_t from) {
  each_piece(bytes, [&](std::size_t offset, int count, int /*tag*/) {
    MPI_Bcast(static_cast<char*>(data) + offset, count, MPI_BYTE, static_cast<int>(from),
              m_processes);
  });
}

void MpiCommunicator::all_gather(const void* mine, std::size_t bytes, void* all) {
  const BytesType item(bytes);
  MPI_Allgather(mine, item.count(), item.type(), all, item.count(), item.type(), m_processes);
}

void MpiCommunicator::all_to_all(const void* mine, std::size_t bytes, void* theirs) {
  const BytesType item(bytes);
  MPI_Alltoall(mine, item.count(), item.type(), theirs, item.count(), item.type(), m_processes);
}

void MpiCommunicator::exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) {
  std::vector<MPI_Request> requests;
  for (const Incoming& each : received) {
    each_piece(each.bytes, [&](std::size_t offset, int count, int tag) {
      MPI_Irecv(static_cast<char*>(each.data) + offset, count, MPI_BYTE,
                static_cast<int>(each.process), tag, m_processes, &requests.emplace_back());
    });
  }
  for (const Outgoing& each : sent) {
    each_piece(each.bytes, [&](std::size_t offset, int count, int tag) {
      MPI_Isend(static_cast<const char*>(each.data) + offset, count, MPI_BYTE,
                static_cast<int>(each.process), tag, m_processes, &requests.emplace_back());
    });
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace genten
