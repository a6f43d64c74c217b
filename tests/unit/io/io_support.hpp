// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of files share.

#include <genten/base/error.hpp>
#include <genten/io/any.hpp>

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace genten::test {

/// A directory of its own for each test, removed after it.
class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    static int counter = 0;
    m_directory = std::filesystem::temp_directory_path() /
                  ("genten-io-" + std::to_string(getpid()) + "-" + std::to_string(counter++));
    std::filesystem::create_directories(m_directory);
  }
  ~FileTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(m_directory, ignored);
  }

  [[nodiscard]] std::string path(const std::string& name = "file") const {
    return (m_directory / name).string();
  }
  /// Makes a file with this content; returns its path.
  std::string file(std::string_view content, const std::string& name = "file") const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  /// Names of all files in the directory.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(m_directory)) {
      result.push_back(entry.path().filename().string());
    }
    return result;
  }
  [[nodiscard]] const std::filesystem::path& directory() const { return m_directory; }

 private:
  std::filesystem::path m_directory;
};

inline std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// What an Error says; fails the test when there is none or it is of another kind.
template <class Body>
std::string error_of(Body&& body, Error::Kind kind = Error::Kind::file) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "expected an Error, got none";
  return "";
}

inline ::testing::AssertionResult contains(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' does not contain '" << part << "'";
}

/// Bitwise equality of dimensions, subscripts and values.
template <class A, class B>
void expect_same(const A& a, const B& b) {
  ASSERT_EQ(a.dimensions(), b.dimensions());
  ASSERT_EQ(a.nnz(), b.nnz());
  for (offset_t p = 0; p < a.nnz(); ++p) {
    for (int n = 0; n < a.order(); ++n) {
      ASSERT_EQ(std::uint64_t{a.subscripts()(p, n)}, std::uint64_t{b.subscripts()(p, n)}) << p;
    }
    ASSERT_EQ(a.values()(p), b.values()(p)) << "nonzero " << p;
  }
}

/// Bitwise equality of weights and factors.
template <class Model>
void expect_equal_models(const Model& a, const Model& b) {
  ASSERT_EQ(a.dimensions(), b.dimensions());
  ASSERT_EQ(a.rank(), b.rank());
  for (std::size_t r = 0; r < a.rank(); ++r) {
    ASSERT_EQ(a.weights()(r), b.weights()(r));
    for (int n = 0; n < a.order(); ++n) {
      for (std::size_t i = 0; i < a.factor(n).rows(); ++i) {
        ASSERT_EQ(a.factor(n)(i, r), b.factor(n)(i, r)) << n << " " << i << " " << r;
      }
    }
  }
}

using Tensor = Sptensor<double, std::uint32_t, HostExec>;

/// A tensor from its subscripts (counting from 0) and values.
inline Tensor tensor_of(std::vector<std::size_t> dimensions,
                        const std::vector<std::uint32_t>& subscripts,
                        const std::vector<double>& values) {
  return Tensor::from_host(std::move(dimensions), subscripts, values);
}

/// Reads on the host with 32-bit ordinals.
inline ReadSptensor<double, std::uint32_t, HostExec> read(const std::string& path,
                                                          const ReadOptions& options = {}) {
  return read_tensor_as<double, std::uint32_t, HostExec>(HostExec(), path, options);
}

}  // namespace genten::test
