// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Files that are changed while they are read: what was mapped must not end the process.
#include "../../../src/io/file/tensor_file.hpp"
#include "../../../src/io/text/tns_parse.hpp"
#include "io_support.hpp"

#include <genten/io/binary.hpp>

#include <signal.h>
#include <chrono>
#include <memory>
#include <thread>

namespace genten::test {
namespace {

class ChangedFile : public FileTest {
 protected:
  static std::string lines(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i) text += std::to_string(i) + " 7 1.5\n";
    return text;
  }
  /// What a reader of the form says when `change` comes after the file was opened.
  template <class Change>
  std::string refusal(Change&& change, bool binary = false) {
    const detail::FileContent content(path(), 0);
    change();
    ReadReport report;
    return error_of([&] {
      content.read([&] {
        return binary ? detail::read_binary<double>(HostExec(), content, {},
                                                    detail::OrdinalWidth::narrowest, report)
                      : detail::read_text<double>(HostExec(), content, {},
                                                  detail::OrdinalWidth::narrowest,
                                                  detail::TextContent::entries, report);
      });
    });
  }
};

TEST_F(ChangedFile, Shorter) {
  const std::string text = lines(100000);
  for (const std::size_t left :
       {std::size_t{0}, std::size_t{1}, std::size_t{4096}, text.size() / 2, text.size() - 1}) {
    file(text);
    EXPECT_TRUE(contains(refusal([&] { std::filesystem::resize_file(path(), left); }),
                         "file: became shorter while it was read: from " +
                             std::to_string(text.size()) + " to " + std::to_string(left)))
        << left;
  }
}

TEST_F(ChangedFile, ShorterBinary) {
  const auto whole = read(file(lines(100000), "text")).tensor;
  write_binary_sptensor(path(), whole);
  EXPECT_TRUE(contains(refusal([&] { std::filesystem::resize_file(path(), 5000); }, true),
                       "became shorter while it was read"));
}

TEST_F(ChangedFile, OtherContentOfTheSameLength) {
  const std::string text = lines(1000);
  file(text);
  const auto change = [&] {
    // The clock of the file system ticks every few milliseconds.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::fstream(path(), std::ios::in | std::ios::out | std::ios::binary) << "9 9 9.5\n";
  };
  EXPECT_EQ(refusal(change), path() + ": was changed while it was read");
}

/// Bytes were missing when they were wanted, though the file has its old length again.
TEST_F(ChangedFile, ShorterForAWhile) {
  const std::string text = lines(10000);
  file(text);
  const detail::FileContent content(path(), 0);
  std::filesystem::resize_file(path(), 0);
  EXPECT_EQ(content.bytes().back(), '\0');
  file(text);
  EXPECT_EQ(error_of([&] { content.read([] { return 0; }); }),
            path() + ": could not be read to its end: the disk or its connection failed");
}

/// What is missing is that of the mapping which is there, not of one that lay above and has ended.
TEST_F(ChangedFile, ShorterForAWhileAfterOthersHaveEnded) {
  const std::string text = lines(10000);
  const auto opened = [&](const std::string& name) {
    return std::make_unique<detail::FileContent>(file(text, name), 0);
  };
  auto first = opened("a"), second = opened("b");
  first.reset();
  second.reset();
  first = opened("c");
  second = opened("d");
  first.reset();
  std::filesystem::resize_file(path("d"), 0);
  EXPECT_EQ(second->bytes().back(), '\0');
  file(text, "d");
  EXPECT_TRUE(contains(error_of([&] { second->read([] { return 0; }); }),
                       "d: could not be read to its end"));
}

TEST_F(ChangedFile, MoreLinesThanWereCounted) {
  const std::string text = lines(20000);
  file(text);
  ReadOptions options;
  const detail::FileContent content(path(), 0);
  const auto layout = detail::detect_layout(path(), content.bytes(), options);
  detail::TextBlocks blocks(HostExec(), content.bytes(), layout, options);
  // Shorter lines in place of those that were counted: more of them fit.
  std::string more;
  while (more.size() < text.size() - 100) more += "1 1 1\n";
  std::fstream(path(), std::ios::in | std::ios::out | std::ios::binary) << more;
  auto arrays = detail::allocate_arrays<double, std::uint32_t>(2, blocks.lines());
  detail::EntryRules rules;
  rules.order = 2;
  rules.limits.fill(1000000);
  detail::Largest largest{};
  EXPECT_NE(detail::parse_blocks(HostExec(), blocks, rules, {}, arrays, largest), detail::no_block);
  std::size_t entries = 0;
  for (const auto& block : blocks.blocks()) entries += block.entries;
  EXPECT_LE(entries, blocks.lines());
}

/// Of several mappings, which often lie side by side, the right one is found: also after one of
/// them has ended, and another taken its place.
TEST_F(ChangedFile, OneOfSeveral) {
  std::string text = lines(10000);
  text.resize(65536);  // whole pages
  const std::vector<std::string> names = {"a", "b", "c"};
  const auto opened = [&](const std::string& name) {
    return std::make_unique<detail::FileContent>(file(text, name), 0);
  };
  std::vector<std::unique_ptr<detail::FileContent>> contents;
  for (const std::string& name : names) contents.push_back(opened(name));
  contents[1].reset();
  contents[1] = opened("b");
  for (const std::size_t cut : {1U, 0U, 2U}) {
    std::filesystem::resize_file(path(names[cut]), 0);
    EXPECT_EQ(contents[cut]->bytes().front(), '\0');
    EXPECT_TRUE(contains(error_of([&] { contents[cut]->read([] { return 0; }); }),
                         names[cut] + ": became shorter while it was read"));
    for (const std::size_t other : {0U, 1U, 2U}) {
      if (std::filesystem::file_size(path(names[other])) == 0) continue;
      EXPECT_EQ(contents[other]->read([&] { return std::string(contents[other]->bytes()); }), text);
    }
  }
}

TEST_F(ChangedFile, SignalsOfOthersFindTheirAction) {
  static int seen = 0;
  struct sigaction ours {
  }, before{}, after{};
  ours.sa_handler = [](int) { ++seen; };
  sigaction(SIGBUS, &ours, &before);
  {
    const detail::FileContent content(file(lines(10)), 0);
    const detail::FileContent second(path(), 0);
    raise(SIGBUS);  // comes from no mapping: the action that was there before is put back
    raise(SIGBUS);
  }
  sigaction(SIGBUS, nullptr, &after);
  EXPECT_EQ(after.sa_handler, ours.sa_handler);
  sigaction(SIGBUS, &before, nullptr);
  EXPECT_GE(seen, 1);
}

/// Whoever acts on the signal does so again after the last mapping, or still, where that changed.
TEST_F(ChangedFile, TheActionOfTheSignalIsPutBack) {
  struct sigaction ours {
  }, other{}, before{}, after{};
  ours.sa_handler = [](int) {};
  other.sa_handler = SIG_IGN;
  sigaction(SIGBUS, &ours, &before);
  {
    const detail::FileContent content(file(lines(10)), 0);
    { const detail::FileContent second(path(), 0); }
    sigaction(SIGBUS, nullptr, &after);
    EXPECT_NE(after.sa_handler, ours.sa_handler);
  }
  sigaction(SIGBUS, nullptr, &after);
  EXPECT_EQ(after.sa_handler, ours.sa_handler);
  {
    const detail::FileContent content(path(), 0);
    sigaction(SIGBUS, &other, nullptr);
  }
  sigaction(SIGBUS, nullptr, &after);
  EXPECT_EQ(after.sa_handler, other.sa_handler);
  sigaction(SIGBUS, &before, nullptr);
}

TEST_F(ChangedFile, WhileThreadsReadIt) {
  const std::string text = lines(300000);
  constexpr std::size_t left = 10000;
  const offset_t cut = read(file(text.substr(0, left))).tensor.nnz();
  int shorter = 0;
  for (int round = 0; round < 20; ++round) {
    file(text);
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(500 * round));
      std::filesystem::resize_file(path(), left);
    });
    try {
      // Opened after it was cut it is another file, and whole.
      const offset_t found = read(path()).tensor.nnz();
      EXPECT_TRUE(found == 300000 || found == cut) << found;
    } catch (const Error& error) {
      shorter += contains(error.what(), "became shorter") ? 1 : 0;
    }
    other.join();
    if (std::filesystem::file_size(path()) != left) ADD_FAILURE() << "not cut";
  }
  RecordProperty("shorter", shorter);
}

}  // namespace
}  // namespace genten::test
