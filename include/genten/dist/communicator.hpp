// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Communicator: how ranks send each other bytes. Nothing here knows what carries them; MPI does in
/// genten/mpi.

#include <genten/base/error.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace genten {

/// Some ranks, seen from one of them. Every member that is not const is called by all ranks in the
/// same order and waits until this rank's part in it is done. Counts of bytes may exceed 2^31.
class Communicator {
 public:
  /// Bytes for another rank.
  struct Outgoing {
    std::size_t rank;
    const void* data;
    std::size_t bytes;
  };
  /// Bytes from another rank.
  struct Incoming {
    std::size_t rank;
    void* data;
    std::size_t bytes;
  };

  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;

  /// The ranks on the machine of this one, whose memory and cores they share.
  struct Node {
    std::size_t rank = 0;   ///< this one's number among them
    std::size_t size = 1;   ///< how many they are
    std::size_t first = 0;  ///< the first of them, which tells machines apart
  };
  /// Unless it is known better, each rank has a machine of its own.
  [[nodiscard]] virtual Node node() const { return {.first = rank()}; }

  /// Waits until all ranks are here.
  virtual void barrier() = 0;
  /// The bytes of rank `from`, on all.
  virtual void broadcast(void* data, std::size_t bytes, std::size_t from) = 0;
  /// As many bytes of every rank, in the order of ranks, on all.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) = 0;
  /// Of `bytes` bytes for each rank, in their order, each gets its own: so many of every rank.
  virtual void all_to_all(const void* mine, std::size_t bytes, void* theirs) = 0;
  /// Sends and receives at once. At most one message goes from one rank to another, and both know
  /// its length; none of length zero goes anywhere.
  virtual void exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) = 0;
};

/// A rank of its own, which talks to nobody.
class SingleRank final : public Communicator {
 public:
  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  void barrier() override {}
  void broadcast(void*, std::size_t, std::size_t) override {}
  void all_gather(const void* mine, std::size_t bytes, void* all) override;
  void all_to_all(const void* mine, std::size_t bytes, void* theirs) override;
  void exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) override;
};

/// One T of every rank.
template <class T>
[[nodiscard]] std::vector<T> all_gather(Communicator& ranks, const T& mine) {
  std::vector<T> all(ranks.size());
  ranks.all_gather(&mine, sizeof(T), all.data());
  return all;
}

/// A list of every rank, of any lengths, best of nearly the same.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> all_gather_lists(Communicator& ranks,
                                                           std::vector<T> mine) {
  const std::vector<std::size_t> lengths = all_gather(ranks, mine.size());
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  std::vector<std::vector<T>> lists;
  if (longest == 0) return {ranks.size(), std::vector<T>()};
  mine.resize(longest);
  std::vector<T> all(longest * ranks.size());
  ranks.all_gather(mine.data(), longest * sizeof(T), all.data());
  auto next = all.begin();
  for (const std::size_t length : lengths) {
    lists.emplace_back(next, next + static_cast<std::ptrdiff_t>(length));
    next += static_cast<std::ptrdiff_t>(longest);
  }
  return lists;
}

/// A list for each rank, in their order; returns the lists that this one gets from each.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> exchange_lists(Communicator& ranks,
                                                         const std::vector<std::vector<T>>& lists) {
  std::vector<std::size_t> lengths, others(ranks.size());
  for (const auto& list : lists) lengths.push_back(list.size());
  ranks.all_to_all(lengths.data(), sizeof(std::size_t), others.data());
  std::vector<std::vector<T>> received(ranks.size());
  std::vector<Communicator::Outgoing> out;
  std::vector<Communicator::Incoming> in;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    received[r].resize(others[r]);
    if (r == ranks.rank()) {
      received[r] = lists[r];
      continue;
    }
    if (lengths[r] != 0) out.push_back({r, lists[r].data(), lengths[r] * sizeof(T)});
    if (others[r] != 0) in.push_back({r, received[r].data(), others[r] * sizeof(T)});
  }
  ranks.exchange(out, in);
  return received;
}

/// Replaces each of `sums` by the sum of all ranks' numbers, in the order of ranks, and each of
/// `largest` by the largest, which is NaN where one is: the same bits on all ranks, whatever
/// carries them.
void combine(Communicator& ranks, std::span<double> sums, std::span<double> largest);

/// An Error that all ranks throw at once, so that each may leave as if it were alone.
class AgreedError : public Error {
 public:
  using Error::Error;
  explicit AgreedError(const Error& error) : Error(error) {}
};

/// Throws what has become of an Error: an AgreedError where it was one.
[[noreturn]] void throw_changed(const Error& was, Error::Fields now);

/// Runs `body`. Where it throws on any rank, all throw what the first of them has thrown: an
/// AgreedError of the same fields, which names the rank unless all have the same to say.
void together(Communicator& ranks, const std::function<void()>& body);
/// Runs `body` on rank 0 alone. Where it throws, all throw the same, and the message names no rank.
void first_alone(Communicator& ranks, const std::function<void()>& body);

}  // namespace genten
