// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// What the arguments for Kokkos and its variables ask for, and what is refused of them.

#include "tools/kokkos/session.hpp"
#include "tools/kokkos/settings.hpp"

#include "reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdlib>

namespace {

using namespace genten::tools;
using genten_test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// A variable of the environment while this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : m_name(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(m_name); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* m_name;
};

TEST(KokkosSettings, TheLastArgumentCountsAndComesBeforeTheEnvironment) {
  const Variable variable("KOKKOS_DEVICE_ID", "3");
  const auto last = kokkos_setting({"--kokkos-device-id=1", "--kokkos-device-id=2"}, "device-id");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->where, "--kokkos-device-id");
  EXPECT_EQ(last->number(0, 2), 2);
  const auto variables = kokkos_setting({"--kokkos-num-threads=1"}, "device-id");
  ASSERT_TRUE(variables);
  EXPECT_EQ(variables->where, "KOKKOS_DEVICE_ID");
  EXPECT_EQ(variables->number(3, 3), 3);
  EXPECT_FALSE(kokkos_setting({}, "num-threads"));
}

TEST(KokkosSettings, NumbersAreWholeAndInRange) {
  const auto message = [](const std::string& value, const std::string& expected = "") {
    return error_of([&] {
      static_cast<void>(KokkosSetting{"--kokkos-device-id", value}.number(0, 7, expected));
    });
  };
  EXPECT_EQ(message("0"), "");
  EXPECT_EQ(message("7"), "");
  for (const char* value : {"-1", "8", "", "x", "1x", "1.5", " 1", "99999999999"}) {
    EXPECT_THAT(message(value), testing::StartsWith("--kokkos-device-id: expected a whole number"));
    EXPECT_THAT(message(value), HasSubstr("got '" + std::string(value) + "'"));
  }
  EXPECT_EQ(message("8", "a device"), "--kokkos-device-id: expected a device, got '8'");
}

TEST(KokkosSettings, NamesOfAllReleasesStandForThatOfTheOneAtHand) {
  const std::string threads =
      KOKKOS_VERSION < 30700 ? "--kokkos-threads=4" : "--kokkos-num-threads=4";
  for (const char* argument : {"--kokkos-num-threads=4", "--kokkos-threads=4"}) {
    EXPECT_THAT(checked_kokkos_arguments({argument}), ElementsAre(threads));
    const auto setting = kokkos_setting({argument}, "num-threads");
    EXPECT_EQ(setting->where + "=" + setting->value, argument);  // as it was given
  }
}

TEST(KokkosSettings, WhatNoKokkosTakesIsRefused) {
  const auto message = [](const char* argument) {
    return error_of([&] { static_cast<void>(checked_kokkos_arguments({argument})); });
  };
  EXPECT_EQ(message("--kokkos-nonsense=3"), "unknown option --kokkos-nonsense; see --kokkos-help");
  EXPECT_EQ(message("--kokkos-disable-warnings"), "");
  EXPECT_EQ(message("--kokkos-disable-warnings=No"), "");
  EXPECT_EQ(message("--kokkos-disable-warnings=maybe"),
            "--kokkos-disable-warnings: expected true|false|yes|no|1|0, got 'maybe'");
  EXPECT_EQ(message("--kokkos-map-device-id-by=turn"),
            "--kokkos-map-device-id-by: expected mpi_rank|random, got 'turn'");
  const Variable variable("KOKKOS_TUNE_INTERNALS", "2");
  EXPECT_EQ(message("--kokkos-help"),
            "KOKKOS_TUNE_INTERNALS: expected true|false|yes|no|1|0, got '2'");
}

TEST(KokkosSettings, AreTakenOutOfTheArgumentsOfAProgram) {
  std::string words[] = {"program", "--kokkos-help", "a", "--kokkos-num-threads=2", "--b"};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int argc = 5;
  EXPECT_THAT(take_kokkos_arguments(argc, argv.data()),
              ElementsAre("--kokkos-help", "--kokkos-num-threads=2"));
  ASSERT_EQ(argc, 3);
  EXPECT_STREQ(argv[1], "a");
  EXPECT_STREQ(argv[2], "--b");
  EXPECT_EQ(argv[3], nullptr);
}

}  // namespace
