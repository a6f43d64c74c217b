// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Signals that arrive while a pipe is read or written: the call is taken up again.
#include "io_support.hpp"

#include <genten/io/atomic_file.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace genten::test {
namespace {

class InterruptedCalls : public FileTest {
 protected:
  InterruptedCalls() {
    struct sigaction action {};
    action.sa_handler = [](int) { ++s_signals; };
    sigaction(SIGUSR1, &action, &m_before);  // without SA_RESTART
    mkfifo(path("pipe").c_str(), 0600);
  }
  ~InterruptedCalls() override { sigaction(SIGUSR1, &m_before, nullptr); }

  /// Runs `body` here, where signals arrive until it is done; `other` starts after a few of them.
  template <class Body, class Other>
  static void run_disturbed(const Body& body, const Other& other) {
    s_signals = 0;
    std::atomic<bool> done{false};
    std::thread second([&] {
      while (s_signals < 5) std::this_thread::yield();
      other();
    });
    std::thread signals([&, here = pthread_self()] {
      while (!done) {
        pthread_kill(here, SIGUSR1);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
    body();
    done = true;
    signals.join();
    second.join();
    EXPECT_GE(s_signals, 5);
  }
  static inline std::atomic<int> s_signals{0};

 private:
  struct sigaction m_before {};
};

TEST_F(InterruptedCalls, WhileReading) {
  const std::string name = path("pipe");
  std::string text;
  for (int i = 1; i <= 30000; ++i) text += std::to_string(i) + " 7 1\n";
  offset_t nonzeros = 0;
  std::ofstream writer;
  // The pipe is open at both ends before the signals come: opening it is not taken up again.
  std::thread opening([&] { writer.open(name); });
  const int descriptor = open(name.c_str(), O_RDWR | O_CLOEXEC);
  opening.join();
  run_disturbed([&] { nonzeros = read(name).tensor.nnz(); },
                [&] {
                  for (std::size_t at = 0; at < text.size(); at += 50000) {
                    writer << text.substr(at, 50000) << std::flush;
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                  }
                  close(descriptor);
                  writer.close();
                });
  EXPECT_EQ(nonzeros, 30000);
}

TEST_F(InterruptedCalls, WhileWriting) {
  const std::string name = path("pipe");
  std::string content;
  for (int i = 0; content.size() < 500000; ++i) content += std::to_string(i) + ",";
  const int descriptor = open(name.c_str(), O_RDWR | O_CLOEXEC);
  std::string got;
  run_disturbed(
      [&] {
        AtomicFile out(name);
        for (std::size_t at = 0; at < content.size(); at += 70000) {
          out.write(content.substr(at, 70000));
        }
        out.commit();
      },
      [&] {
        std::string piece(30000, '\0');
        while (got.size() < content.size()) {
          const auto bytes = ::read(descriptor, piece.data(), piece.size());
          ASSERT_GT(bytes, 0);
          got.append(piece, 0, static_cast<std::size_t>(bytes));
          std::this_thread::sleep_for(std::chrono::milliseconds(3));
        }
      });
  close(descriptor);
  EXPECT_EQ(got, content);
}

}  // namespace
}  // namespace genten::test
