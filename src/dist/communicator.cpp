// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/below.hpp>
#include <genten/base/error.hpp>
#include <genten/dist/communicator.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>

namespace genten {
namespace {

/// Beyond so many bytes of all processes together each process combines a part of the numbers
/// instead of all of them.
constexpr std::size_t most_gathered_bytes = std::size_t{1} << 20;

/// Combines the lists of several processes, each `stride` after the one before: first sums, then
/// maxima.
void combine_lists(const std::vector<double>& lists, std::size_t stride, std::size_t processes,
                   std::span<double> sums, std::span<double> largest) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double sum = lists[i];
    for (std::size_t r = 1; r < processes; ++r) sum += lists[r * stride + i];
    sums[i] = sum;
  }
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const std::size_t at = sums.size() + i;
    double most = lists[at];
    for (std::size_t r = 1; r < processes; ++r) most = detail::larger(most, lists[r * stride + at]);
    largest[i] = most;
  }
}

/// What a process has to say of an error; a length of 0: nothing.
struct Failure {
  std::size_t length = 0;
  std::size_t hash = 0;
};

std::optional<Error> error_of(const std::function<void()>& body) {
  try {
    body();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(Error::Kind::memory, "out of memory");
  } catch (const std::exception& error) {
    return Error(Error::Kind::runtime, error.what());
  } catch (...) {
    return Error(Error::Kind::runtime, "something was thrown that is no std::exception");
  }
}

/// An error as bytes; none for none.
std::string bytes_of(const std::optional<Error>& error) {
  return error ? error->to_bytes() : "";
}

Failure failure_of(const std::string& bytes) {
  return {bytes.size(), std::hash<std::string>()(bytes)};
}

/// The error whose bytes a process has, on all.
Error error_of_process(Communicator& processes, std::string bytes, std::size_t length,
                       std::size_t process) {
  bytes.resize(length);
  processes.broadcast(bytes.data(), length, process);
  return Error::from_bytes(bytes);
}

}  // namespace

void SingleProcess::all_gather(const void* mine, std::size_t bytes, void* all) {
  std::memcpy(all, mine, bytes);
}
void SingleProcess::all_to_all(const void* mine, std::size_t bytes, void* theirs) {
  std::memcpy(theirs, mine, bytes);
}
void SingleProcess::exchange(std::span<const Outgoing> sent, std::span<const Incoming> received) {
  if (!sent.empty() || !received.empty())
    throw Error::in("SingleProcess", "there is no other process");
}

void combine(Communicator& processes, std::span<double> sums, std::span<double> largest) {
  const std::size_t count = sums.size() + largest.size(), size = processes.size();
  if (size == 1 || count == 0) return;
  std::vector<double> mine(sums.begin(), sums.end());
  mine.insert(mine.end(), largest.begin(), largest.end());
  if (count * size * sizeof(double) <= most_gathered_bytes) {
    std::vector<double> all(count * size);
    processes.all_gather(mine.data(), count * sizeof(double), all.data());
    combine_lists(all, count, size, sums, largest);
    return;
  }
  // Each process combines as many of the numbers; the last ones may be none.
  const std::size_t piece = (count + size - 1) / size, first = piece * processes.process();
  mine.resize(piece * size, 0.0);
  std::vector<double> pieces(piece * size), own(piece, 0.0);
  processes.all_to_all(mine.data(), piece * sizeof(double), pieces.data());
  const auto of_piece = [&](std::size_t from, std::size_t to) {
    const std::size_t begin = std::clamp(from, first, first + piece);
    return std::pair{begin - first, std::clamp(to, begin, first + piece) - begin};
  };
  const auto [sums_at, sums_count] = of_piece(0, sums.size());
  const auto largest_count = of_piece(sums.size(), count).second;
  combine_lists(pieces, piece, size, std::span(own).subspan(sums_at, sums_count),
                std::span(own).subspan(sums_at + sums_count, largest_count));
  processes.all_gather(own.data(), piece * sizeof(double), mine.data());
  std::copy_n(mine.begin(), sums.size(), sums.begin());
  std::copy_n(mine.begin() + static_cast<std::ptrdiff_t>(sums.size()), largest.size(),
              largest.begin());
}

void throw_changed(const Error& was, Error::Fields now) {
  if (dynamic_cast<const AgreedError*>(&was) != nullptr) throw AgreedError(std::move(now));
  throw Error(std::move(now));
}

void together(Communicator& processes, const std::function<void()>& body) {
  const std::string mine = bytes_of(error_of(body));
  const std::vector<Failure> all = all_gather(processes, failure_of(mine));
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Failure& each) { return each.length != 0; });
  if (first == all.end()) return;
  const bool all_alike = std::all_of(all.begin(), all.end(), [&](const Failure& each) {
    return each.length == first->length && each.hash == first->hash;
  });
  const auto process = static_cast<std::size_t>(first - all.begin());
  Error::Fields fields = error_of_process(processes, mine, first->length, process).fields();
  if (!all_alike) {
    fields.process = process;
    fields.processes = all.size();
  }
  throw AgreedError(std::move(fields));
}

void first_alone(Communicator& processes, const std::function<void()>& body) {
  const std::string mine = processes.process() == 0 ? bytes_of(error_of(body)) : "";
  Failure failure = failure_of(mine);
  processes.broadcast(&failure, sizeof failure, 0);
  if (failure.length == 0) return;
  throw AgreedError(error_of_process(processes, mine, failure.length, 0));
}

}  // namespace genten
