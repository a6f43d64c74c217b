// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Errors that processes agree on, seen from one process beside another that is made up.
#include "error_fields.hpp"

#include <genten/dist/communicator.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace {

using genten::AgreedError;
using genten::Error;

/// The first of two processes, of which the other says the same, or nothing.
class Two : public genten::Communicator {
 public:
  explicit Two(bool alike) : m_alike(alike) {}

  [[nodiscard]] std::size_t process() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 2; }
  void barrier() override {}
  void broadcast(void*, std::size_t, std::size_t from) override { EXPECT_EQ(from, 0U); }
  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    std::memcpy(all, mine, bytes);
    char* const other = static_cast<char*>(all) + bytes;
    m_alike ? std::memcpy(other, mine, bytes) : std::memset(other, 0, bytes);
  }
  void all_to_all(const void*, std::size_t, void*) override { FAIL(); }
  void exchange(std::span<const Outgoing>, std::span<const Incoming>) override { FAIL(); }

 private:
  bool m_alike;
};

template <class Body>
AgreedError agreed(const Body& body) {
  try {
    body();
  } catch (const AgreedError& error) {
    return error;
  }
  ADD_FAILURE() << "no AgreedError";
  return AgreedError("");
}

const auto fails = [] { throw Error::no_such_mode("ttv", 4, 3); };

TEST(Together, ThrowsAllFields) {
  genten::SingleProcess alone;
  const AgreedError error = agreed([&] { together(alone, fails); });
  EXPECT_EQ(error.code(), Error::Code::no_such_mode);
  EXPECT_EQ(error.fields().function, "ttv");
  EXPECT_EQ(error.fields().processes, 0U);
  EXPECT_NO_THROW(together(alone, [] {}));
}

TEST(Together, NamesTheProcessUnlessAllSayTheSame) {
  Two alike(true), apart(false);
  EXPECT_EQ(agreed([&] { together(alike, fails); }).fields().processes, 0U);
  const AgreedError error = agreed([&] { together(apart, fails); });
  EXPECT_EQ(error.fields().process, 0U);
  EXPECT_EQ(error.fields().processes, 2U);
  EXPECT_EQ(error.code(), Error::Code::no_such_mode);
  EXPECT_STREQ(error.what(),
               "process 0 of 2: ttv: expected a mode from 1 to 3 (counted from 1), got 5");
}

TEST(Together, MakesErrorsOfWhatIsNone) {
  genten::SingleProcess alone;
  EXPECT_EQ(agreed([&] { together(alone, [] { throw std::bad_alloc(); }); }).kind(),
            Error::Kind::memory);
  const AgreedError error =
      agreed([&] { together(alone, [] { throw std::runtime_error("the disk is full"); }); });
  EXPECT_EQ(error.kind(), Error::Kind::runtime);
  EXPECT_STREQ(error.what(), "the disk is full");
}

TEST(FirstAlone, ThrowsAllFieldsAndNoProcess) {
  Two apart(false);
  const AgreedError error = agreed([&] { first_alone(apart, fails); });
  EXPECT_EQ(error.code(), Error::Code::no_such_mode);
  EXPECT_EQ(error.fields().processes, 0U);
}

TEST(ThrowChanged, StaysAnAgreedError) {
  const AgreedError was("no");
  Error::Fields fields = was.fields();
  fields.about = "x";
  EXPECT_STREQ(agreed([&] { genten::throw_changed(was, fields); }).what(), "x: no");
  try {
    genten::throw_changed(Error("no"), fields);
  } catch (const AgreedError&) {
    FAIL() << "nobody has agreed on it";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "x: no");
  }
}

}  // namespace
