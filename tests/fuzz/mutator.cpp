// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mutator.hpp"

#include "fuzz_target.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace genten::fuzz {

namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), "cannot be read: " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr std::uint64_t numbers[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     8,
                                     15,
                                     16,
                                     17,
                                     19,
                                     63,
                                     127,
                                     128,
                                     4095,
                                     65535,
                                     65536,
                                     2147483648,
                                     4294967295,
                                     4294967296,
                                     9223372036854775807U,
                                     18446744073709551615U};

/// One input that is being changed.
class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, const std::vector<std::string>& words,
          std::uint64_t seed)
      : m_corpus(corpus), m_words(words), m_random(seed) {}

  std::string mutate() {
    m_text = m_corpus[below(m_corpus.size())];
    // A change in ten is a large one: most inputs stay near those that are accepted.
    const std::size_t changes = below(4) != 0 ? 1 : 1 + below(8);
    for (std::size_t i = 0; i < changes; ++i) change();
    return std::move(m_text);
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : m_random() % n; }
  std::size_t place() { return below(m_text.size() + 1); }

  void change() {
    switch (below(12)) {
      case 0:
        return put(place(), std::string(1, static_cast<char>(below(256))));
      case 1:
        return put(place(), word());
      case 2:
        return put(replaceable_field(), word());
      case 3:
        return put(place(), std::string(1, one_of("0123456789 \t\n\r.-+eE#%/xn,\v\f\"'")));
      case 4:
        return cut(place(), 1 + below(4));
      case 5:
        return flip();
      case 6:
        return overwrite();
      case 7:
        return repeat_line();
      case 8:
        return drop_line();
      case 9:
        return exchange();
      case 10:
        return number_at_multiple();
      default:
        if (below(4) == 0) m_text.resize(place());
        return change_digit();
    }
  }

  char one_of(const std::string& characters) { return characters[below(characters.size())]; }
  std::string word() {
    if (m_words.empty() || below(2) == 0) return std::to_string(numbers[below(std::size(numbers))]);
    return m_words[below(m_words.size())];
  }
  void put(std::size_t at, const std::string& piece) { m_text.insert(at, piece); }
  void cut(std::size_t at, std::size_t bytes) {
    if (at < m_text.size()) m_text.erase(at, bytes);
  }
  void flip() {
    if (m_text.empty()) return;
    char& c = m_text[below(m_text.size())];
    c = static_cast<char>(c ^ (1 << below(8)));
  }
  void overwrite() {
    if (!m_text.empty()) m_text[below(m_text.size())] = one_of("0123456789 \n.-e");
  }
  void change_digit() {
    const std::size_t at = m_text.find_first_of("0123456789", place());
    if (at != std::string::npos) m_text[at] = one_of("0123456789");
  }
  /// Takes out what lies between two blanks; returns where it was.
  std::size_t replaceable_field() {
    const std::size_t at = m_text.find_first_not_of(" \n", place());
    if (at == std::string::npos) return m_text.size();
    cut(at, std::min(m_text.find_first_of(" \n", at), m_text.size()) - at);
    return at;
  }
  std::pair<std::size_t, std::size_t> line() {
    const std::size_t at = place();
    const std::size_t before = at == 0 ? std::string::npos : m_text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return {begin, std::min(m_text.find('\n', begin), m_text.size() - 1) + 1 - begin};
  }
  void repeat_line() {
    if (m_text.empty() || m_text.size() > 4096) return;
    const auto [begin, length] = line();
    put(below(2) == 0 ? begin : place(), m_text.substr(begin, length));
  }
  void drop_line() {
    if (m_text.empty()) return;
    const auto [begin, length] = line();
    cut(begin, length);
  }
  /// The end comes from another input.
  void exchange() {
    const std::string& other = m_corpus[below(m_corpus.size())];
    m_text.resize(place());
    m_text += other.substr(below(other.size() + 1));
  }
  /// As in a binary header.
  void number_at_multiple() {
    const std::size_t width = below(2) == 0 ? 4 : 8;
    if (m_text.size() < width) return;
    const std::size_t at = below(m_text.size() / width) * width;
    std::uint64_t number = 0;
    std::memcpy(&number, m_text.data() + at, width);
    const std::size_t choice = below(4);
    number = choice == 0   ? number + 1
             : choice == 1 ? number - 1
                           : numbers[below(std::size(numbers))];
    std::memcpy(m_text.data() + at, &number, width);
  }

  const std::vector<std::string>& m_corpus;
  const std::vector<std::string>& m_words;
  std::mt19937_64 m_random;
  std::string m_text;
};

}  // namespace

std::vector<std::string> read_corpus(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {content_of(path)};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> contents;
  for (const auto& file : files) contents.push_back(content_of(file));
  return contents;
}

std::vector<std::string> read_dictionary(const std::string& path) {
  std::vector<std::string> words;
  std::istringstream lines(content_of(path));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t begin = line.find('"'), end = line.rfind('"');
    require(begin != end, "no word of a dictionary: " + line);
    std::string word;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (line.compare(i, 2, "\\x") == 0) {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        word += line[i];
      }
    }
    words.push_back(word);
  }
  return words;
}

std::string mutated(const std::vector<std::string>& corpus, const std::vector<std::string>& words,
                    std::uint64_t seed, std::uint64_t run) {
  return Mutator(corpus, words, seed * 0x9e3779b97f4a7c15U + run).mutate();
}

}  // namespace genten::fuzz
