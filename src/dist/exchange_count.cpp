// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/random.hpp>
#include <genten/dist/exchange_count.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>

namespace genten {
namespace {

constexpr std::uint64_t owner_seed = 0x6f776e6572ULL;

/// Bits that several threads set.
class SharedBits {
 public:
  explicit SharedBits(std::size_t bits) : m_words((bits + 63) / 64, 0) {}
  void set(std::size_t bit) {
    const std::atomic_ref<std::uint64_t> word(m_words[bit / 64]);
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    // Nearly always it is set already.
    if ((word.load(std::memory_order_relaxed) & mask) == 0) {
      word.fetch_or(mask, std::memory_order_relaxed);
    }
  }
  /// visit(bit) for every one that is set.
  template <class Visit>
  void each_set(const Visit& visit) const {
    for (std::size_t w = 0; w < m_words.size(); ++w) {
      for (std::uint64_t word = m_words[w]; word != 0; word &= word - 1) {
        visit(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> m_words;
};

/// Counts one mode.
template <SubscriptOrdinal Ordinal>
class ModeCounter {
 public:
  ModeCounter(const HostExec& exec, const ModeSlices<Ordinal>& slices, int mode,
              const std::uint32_t* process_of, std::size_t processes)
      : m_slices(slices),
        m_mode(mode),
        m_process_of(process_of),
        m_processes(processes),
        m_pairs(processes * processes) {
    // Chunks of rows with about the same number of nonzeros, so few that their sums are small.
    const std::size_t nnz = slices.positions.extent(0);
    const std::size_t most = static_cast<std::size_t>(exec.concurrency()) * 8;
    const detail::EvenChunks chunks(nnz, 65536, most);
    m_parts.resize(chunks.count());
    const auto& starts = slices.starts;
    const auto place_of = [&](std::size_t nonzero) {
      return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), nonzero) -
                                      starts.begin());
    };
    detail::for_each_index("genten::count_exchange", exec, chunks.count(), [&](std::size_t chunk) {
      count(place_of(chunks.begin(chunk)), place_of(chunks.end(chunk)), m_parts[chunk]);
    });
  }

  [[nodiscard]] ModeExchange result() const {
    ModeExchange mode;
    mode.processes.resize(m_processes);
    mode.rows = m_slices.rows.size();
    for (const Part& part : m_parts) {
      mode.shared += part.shared;
      for (std::size_t r = 0; r < m_processes; ++r) {
        mode.processes[r].touched += part.processes[r].touched;
        mode.processes[r].owned += part.processes[r].owned;
        mode.processes[r].sent += part.processes[r].sent;
        mode.processes[r].received += part.processes[r].received;
      }
    }
    for (const ProcessRows& process : mode.processes) mode.words += process.sent;
    m_pairs.each_set([&](std::size_t pair) {
      ++mode.messages;
      ++mode.processes[pair / m_processes].owners;
      ++mode.processes[pair % m_processes].borrowers;
    });
    return mode;
  }

 private:
  struct Part {
    std::vector<ProcessRows> processes;
    std::uint64_t shared = 0;
  };

  /// Counts the rows at places [begin, end).
  void count(std::size_t begin, std::size_t end, Part& part) {
    part.processes.resize(m_processes);
    std::vector<std::uint64_t> seen((m_processes + 63) / 64, 0);
    std::vector<std::uint32_t> touching;
    for (std::size_t place = begin; place < end; ++place) {
      touching.clear();
      for (std::uint64_t p = m_slices.starts[place]; p < m_slices.starts[place + 1]; ++p) {
        const std::uint32_t r = m_process_of[m_slices.positions(p)];
        const std::uint64_t bit = std::uint64_t{1} << (r % 64);
        if ((seen[r / 64] & bit) != 0) continue;
        seen[r / 64] |= bit;
        touching.push_back(r);
      }
      for (const std::uint32_t r : touching) seen[r / 64] = 0;
      add(m_slices.rows[place], touching, part);
    }
  }

  void add(std::uint64_t row, std::vector<std::uint32_t>& touching, Part& part) {
    const std::uint32_t owner = owner_of_row(m_mode, row, touching);
    for (const std::uint32_t r : touching) {
      ++part.processes[r].touched;
      if (r == owner) continue;
      ++part.processes[r].sent;
      m_pairs.set(r * m_processes + owner);
    }
    ++part.processes[owner].owned;
    part.processes[owner].received += touching.size() - 1;
    if (touching.size() > 1) ++part.shared;
  }

  const ModeSlices<Ordinal>& m_slices;
  int m_mode;
  const std::uint32_t* m_process_of;
  std::size_t m_processes;
  SharedBits m_pairs;
  std::vector<Part> m_parts;
};

}  // namespace

std::uint32_t owner_of_row(int mode, std::uint64_t row, std::span<std::uint32_t> touching) {
  // The multiples of the golden ratio modulo 1 fill [0, 1) evenly, whichever row comes first.
  const std::uint64_t turn =
      row * 0x9e3779b97f4a7c15ULL + random_bits(owner_seed, static_cast<std::uint64_t>(mode));
  const std::uint64_t number = (turn >> 32) * touching.size() >> 32;
  const auto owner = touching.begin() + static_cast<std::ptrdiff_t>(number);
  std::nth_element(touching.begin(), owner, touching.end());
  return *owner;
}

std::uint64_t ModeExchange::most_rows() const {
  std::uint64_t most = 0;
  for (const ProcessRows& process : processes)
    most = std::max({most, process.sent, process.received});
  return most;
}

std::uint64_t ModeExchange::most_messages() const {
  std::uint64_t most = 0;
  for (const ProcessRows& process : processes)
    most = std::max({most, process.owners, process.borrowers});
  return most;
}

std::uint64_t ExchangeCount::words() const {
  std::uint64_t sum = 0;
  for (const ModeExchange& mode : modes) sum += mode.words;
  return sum;
}

std::uint64_t ExchangeCount::messages() const {
  std::uint64_t sum = 0;
  for (const ModeExchange& mode : modes) sum += mode.messages;
  return sum;
}

double ExchangeCount::imbalance() const {
  const auto sum = std::accumulate(nonzeros.begin(), nonzeros.end(), std::uint64_t{0});
  if (sum == 0) return 1.0;
  const auto most = *std::max_element(nonzeros.begin(), nonzeros.end());
  return static_cast<double>(most) * static_cast<double>(processes()) / static_cast<double>(sum);
}

template <SubscriptOrdinal Ordinal>
ExchangeCount count_exchange(const HostExec& exec, const TensorSlices<Ordinal>& slices,
                             const detail::HostArray<std::uint32_t>& process_of,
                             std::size_t processes) {
  if (processes == 0 || processes > 65536 || process_of.extent(0) != slices.nnz()) {
    throw Error::in("count_exchange", "expected 1 to 65536 processes and a process for each of " +
                                          std::to_string(slices.nnz()) + " nonzeros, got " +
                                          std::to_string(processes) + " and " +
                                          std::to_string(process_of.extent(0)));
  }
  ExchangeCount count;
  count.nonzeros.assign(processes, 0);
  for (std::size_t p = 0; p < process_of.extent(0); ++p) {
    if (process_of(p) >= processes) {
      throw Error::in("count_exchange", "expected processes below " + std::to_string(processes) +
                                            ", got " + std::to_string(process_of(p)));
    }
    ++count.nonzeros[process_of(p)];
  }
  for (int n = 0; n < slices.order(); ++n) {
    count.modes.push_back(
        ModeCounter<Ordinal>(exec, slices.mode(n), n, process_of.data(), processes).result());
  }
  return count;
}

template ExchangeCount count_exchange(const HostExec&, const TensorSlices<std::uint32_t>&,
                                      const detail::HostArray<std::uint32_t>&, std::size_t);
template ExchangeCount count_exchange(const HostExec&, const TensorSlices<std::uint64_t>&,
                                      const detail::HostArray<std::uint32_t>&, std::size_t);

}  // namespace genten
