// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Communicator: how processes send each other bytes. Nothing here knows what carries them; MPI
/// does in genten/mpi.

#include <genten/base/error.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace genten {

/// Some processes, seen from one of them. Every member that is not const is called by all processes
/// in the same order and waits until this process's part in it is done. Counts of bytes may exceed
/// 2^31.
class Communicator {
 public:
  /// Bytes for another process.
  struct Outgoing {
    std::size_t process;
    const void* data;
    std::size_t bytes;
  };
  /// Bytes from another process.
  struct Incoming {
    std::size_t process;
    void* data;
    std::size_t bytes;
  };

  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual std::size_t process() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;

  /// The processes on the machine of this one, whose memory and cores they share.
  struct Node {
    std::size_t number = 0;  ///< this one's among them
    std::size_t size = 1;    ///< how many they are
    std::size_t first = 0;   ///< the first of them, which tells machines apart
  };
  /// Unless it is known better, each process has a machine of its own.
  [[nodiscard]] virtual Node node() const { return {.first = process()}; }

  /// Waits until all processes are here.
  virtual void barrier() = 0;
  /// The bytes of process `from`, on all.
  virtual void broadcast(void* data, std::size_t bytes, std::size_t from) = 0;
  /// As many bytes of every process, in the order of processes, on all.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;
  /// Of `bytes` bytes for each process, in their order, each gets its own: so many of every
  /// process.
  virtual void all_to_all(const void* mine, std::size_t bytes, void* theirs) = 0;
  /// Sends and receives at once. At most one message goes from one process to another, and both
  /// know its length; none of length zero goes anywhere.
  virtual void exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) = 0;
};

/// A process of its own, which talks to nobody.
class SingleProcess final : public Communicator {
 public:
  [[nodiscard]] std::size_t process() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  void barrier() override {}
  void broadcast(void*, std::size_t, std::size_t) override {}
  void all_gather(const void* mine, std::size_t bytes, void* all) override;
  void all_to_all(const void* mine, std::size_t bytes, void* theirs) override;
  void exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) override;
};

/// One T of every process.
template <class T>
[[nodiscard]] std::vector<T> all_gather(Communicator& processes, const T& mine) {
  std::vector<T> all(processes.size());
  processes.all_gather(&mine, sizeof(T), all.data());
  return all;
}

/// A list of every process, of any lengths, best of nearly the same.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> all_gather_lists(Communicator& processes,
                                                           std::vector<T> mine) {
  const std::vector<std::size_t> lengths = all_gather(processes, mine.size());
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  std::vector<std::vector<T>> lists;
  if (longest == 0) return {processes.size(), std::vector<T>()};
  mine.resize(longest);
  std::vector<T> all(longest * processes.size());
  processes.all_gather(mine.data(), longest * sizeof(T), all.data());
  auto next = all.begin();
  for (const std::size_t length : lengths) {
    lists.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
    next += static_cast<std::ptrdiff_t>(longest);
  }
  return lists;
}

/// A list for each process, in their order; returns the lists that this one gets from each.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> exchange_lists(Communicator& processes,
                                                         const std::vector<std::vector<T>>& lists) {
  std::vector<std::size_t> lengths, others(processes.size());
  for (const auto& list : lists) lengths.push_back(list.size());
  processes.all_to_all(lengths.data(), sizeof(std::size_t), others.data());
  std::vector<std::vector<T>> received(processes.size());
  std::vector<Communicator::Outgoing> out;
  std::vector<Communicator::Incoming> in;
  for (std::size_t r = 0; r < processes.size(); ++r) {
    received[r].resize(others[r]);
    if (r == processes.process()) {
      received[r] = lists[r];
      continue;
    }
    if (lengths[r] != 0) out.push_back({r, lists[r].data(), lengths[r] * sizeof(T)});
    if (others[r] != 0) in.push_back({r, received[r].data(), others[r] * sizeof(T)});
  }
  processes.exchange(out, in);
  return received;
}

/// Replaces each of `sums` by the sum of all processes' numbers, in the order of processes, and
/// each of `largest` by the largest, which is NaN where one is: the same bits on all processes,
/// whatever carries them.
void combine(Communicator& processes, std::span<double> sums, std::span<double> largest);

/// An Error that all processes throw at once, so that each may leave as if it were alone.
class AgreedError : public Error {
 public:
  using Error::Error;
  explicit AgreedError(const Error& error) : Error(error) {}
};

/// Throws what has become of an Error: an AgreedError where it was one.
[[noreturn]] void throw_changed(const Error& was, Error::Fields now);

/// Runs `body`. Where it throws on any process, all throw what the first of them has thrown: an
/// AgreedError of the same fields, which names the process unless all have the same to say.
void together(Communicator& processes, const std::function<void()>& body);
/// Runs `body` on process 0 alone. Where it throws, all throw the same, and the message names no
/// process.
void first_alone(Communicator& processes, const std::function<void()>& body);

}  // namespace genten
