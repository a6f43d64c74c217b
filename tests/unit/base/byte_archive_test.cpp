// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/byte_archive.hpp>

#include <gtest/gtest.h>

namespace {

struct Part {
  int number = 0;
  std::vector<double> values;

  static constexpr auto members() { return genten::member_table(&Part::number, &Part::values); }
  bool operator==(const Part&) const = default;
};
struct Whole {
  std::string name;
  std::vector<Part> parts;
  std::optional<Part> best;

  static constexpr auto members() {
    return genten::member_table(&Whole::name, &Whole::parts, &Whole::best);
  }
  bool operator==(const Whole&) const = default;
};

Whole whole() {
  return {"name", {{1, std::vector<double>(100'000, 0.5)}, {2, {}}}, Part{3, {1.0, 2.0}}};
}

TEST(ByteArchive, LeadsBackToTheValue) {
  const std::string bytes = genten::detail::to_bytes(whole());
  genten::detail::ByteReader read(bytes);
  Whole found;
  read(found);
  EXPECT_EQ(found, whole());
}

TEST(ByteArchive, TakesNoMoreMemoryThanThereAreBytes) {
  const std::string bytes = genten::detail::to_bytes(whole());
  EXPECT_GT(bytes.size(), 800'000u);
  EXPECT_EQ(bytes.capacity(), bytes.size());
}

TEST(ByteArchive, EndsThatComeTooSoonAreErrors) {
  const std::string bytes = genten::detail::to_bytes(whole());
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, bytes.size() - 1}) {
    genten::detail::ByteReader read(std::string_view(bytes).substr(0, length));
    Whole found;
    EXPECT_THROW(read(found), genten::Error);
  }
}

}  // namespace
