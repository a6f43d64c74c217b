// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Files that are changed while they are read.
#include "../../../src/io/file/ktensor_file.hpp"
#include "../../../src/io/file/tensor_file.hpp"
#include "../../../src/io/text/tns_parse.hpp"
#include "io_support.hpp"

#include <genten/io/binary.hpp>
#include <genten/io/ktensor.hpp>

#include <chrono>
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
    const detail::FileContent content(path(), 0, nullptr, detail::Loading::blocks);
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

/// Also where reading has not failed, since the content was there already or is there again.
TEST_F(ChangedFile, ShorterThanWhatIsInMemory) {
  file(lines(10000));
  const detail::FileContent content(path(), 0);
  std::filesystem::resize_file(path(), 10);
  EXPECT_EQ(content.bytes(), lines(10000));
  EXPECT_TRUE(contains(error_of([&] { content.read([] { return 0; }); }),
                       "file: became shorter while it was read"));
  file(lines(10000));
  EXPECT_EQ(error_of([&] { content.read([] { return 0; }); }),
            path() + ": was changed while it was read");
}

TEST_F(ChangedFile, ShorterModel) {
  const Ktensor<double, HostExec> model(std::vector<std::size_t>{2000, 300}, 4);
  for (const auto format : {KtensorFormat::text, KtensorFormat::binary}) {
    write_ktensor(path(), model, format);
    const detail::FileContent content(path(), 0);
    std::filesystem::resize_file(path(), 5000);
    EXPECT_TRUE(contains(error_of([&] { detail::read_ktensor_content<double>(content); }),
                         "became shorter while it was read"));
  }
}

TEST_F(ChangedFile, ShorterWhileItIsDecompressed) {
  const detail::OpenFile opened(file(detail::compress(lines(300000), Compression::gzip)));
  std::filesystem::resize_file(path(), 1000);
  EXPECT_TRUE(contains(error_of([&] {
                         (void)detail::decompressed(path(), detail::Bytes(opened),
                                                    Compression::gzip, 0, nullptr);
                       }),
                       "became shorter while it was read"));
}

TEST_F(ChangedFile, MoreLinesThanWereCounted) {
  const std::string text = lines(20000);
  file(text);
  ReadOptions options;
  const detail::FileContent content(path(), 0, nullptr, detail::Loading::blocks);
  const auto layout = detail::detect_layout(path(), content.head(), options);
  detail::TextBlocks blocks(HostExec(), content.content(), layout, options);
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
