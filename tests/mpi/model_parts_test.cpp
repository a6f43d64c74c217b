// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Models of which every process has some rows: brought together, and written by all.
#include "mpi_support.hpp"

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/processes/finish_part.hpp>
#include <genten/cp/score.hpp>
#include <genten/dist/cp_als.hpp>
#include <genten/dist/detail/model_parts_impl.hpp>
#include <genten/dist/grid.hpp>
#include <genten/dist/process_exchange.hpp>
#include <genten/io/ktensor.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace genten;
using namespace genten_test;

using Exec = Kokkos::DefaultExecutionSpace;
namespace fs = std::filesystem;

/// A folder of process 0's, which all see, until the end of its life.
class SharedFolder {
 public:
  SharedFolder() {
    std::array<char, 64> name{};
    if (processes().process() == 0) {
      const std::string pattern = (fs::temp_directory_path() / "genten-parts-XXXXXX").string();
      std::copy(pattern.begin(), pattern.end(), name.begin());
      EXPECT_NE(mkdtemp(name.data()), nullptr);
    }
    processes().broadcast(name.data(), name.size(), 0);
    m_path = name.data();
  }
  ~SharedFolder() {
    processes().barrier();
    if (processes().process() == 0) fs::remove_all(m_path);
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return m_path + "/" + name; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(m_path)) {
      found.push_back(entry.path().filename().string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::string m_path;
};

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

/// Rows of random numbers, of which every `absent`-th is nobody's and the others are those of
/// random processes, in any order, beside some that mean nothing.
template <class Scalar>
ModelPart<Scalar, Exec> random_part(const std::vector<std::size_t>& dimensions, std::size_t rank,
                                    std::size_t absent) {
  ModelPart<Scalar, Exec> part;
  part.dimensions = dimensions;
  for (std::size_t r = 0; r < rank; ++r) part.weights.push_back(static_cast<Scalar>(rank - r));
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    auto& rows = part.rows.emplace_back();
    for (std::size_t i = dimensions[n]; i-- > 0;) {
      const double u = random_uniform(7, i, n) * static_cast<double>(processes().size());
      if (i % absent != 0 && static_cast<std::size_t>(u) == processes().process())
        rows.push_back(i);
    }
    const FacMatrix<Scalar, Exec> factor(rows.size() + 2, rank);
    const auto host = create_mirror_view(factor);
    for (std::size_t k = 0; k < factor.rows(); ++k) {
      for (std::size_t r = 0; r < rank; ++r) {
        const std::size_t i = k < rows.size() ? rows[k] : 0;
        host(k, r) = static_cast<Scalar>(random_uniform(8 + n, i, r) - 0.5);
      }
    }
    deep_copy(factor, host);
    part.factors.push_back(factor);
  }
  return part;
}

/// The file that all write is the one that process 0 writes of the whole.
template <class Scalar>
void check_files(const ModelPart<Scalar, Exec>& part, std::size_t round_bytes) {
  const SharedFolder folder;
  EXPECT_TRUE(write_ktensor(processes(), folder.file("all.gkt"), part, round_bytes).empty());
  const auto whole = gather(processes(), part);
  if (processes().process() == 0) {
    write_ktensor(folder.file("one.gkt"), whole, KtensorFormat::binary);
    EXPECT_EQ(content(folder.file("all.gkt")), content(folder.file("one.gkt")));
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"all.gkt", "one.gkt"}));
    const auto read = read_ktensor<Scalar, HostExec>(folder.file("all.gkt"));
    EXPECT_EQ(read.dimensions(), part.dimensions);
  }
  processes().barrier();
}

TEST(ModelParts, are_written_as_process_0_writes_the_whole) {
  for (const std::size_t rank : {1, 3, 17}) {
    check_files(random_part<double>({400, 1, 37, 230}, rank, 5), usual_model_round);
    check_files(random_part<float>({400, 1, 37, 230}, rank, 2), usual_model_round);
  }
}

// A round of a mebibyte of each process, which cuts rows; and rows longer than one.
TEST(ModelParts, are_written_in_rounds) {
  check_files(random_part<double>({30011, 50}, 37, 7), 1);
  check_files(random_part<float>({5, 3}, 300001, 4), 1);
}

TEST(ModelParts, of_more_processes_than_rows) {
  check_files(random_part<double>({2, 1}, 2, 3), 1);
}

TEST(ModelParts, are_gathered_row_by_row) {
  const auto part = random_part<double>({50, 7}, 3, 4);
  const auto whole = gather(processes(), part, 1);
  if (processes().process() != 0) {
    EXPECT_EQ(whole.rank(), 0U);
    return;
  }
  for (int n = 0; n < 2; ++n) {
    for (std::size_t i = 0; i < whole.factor(n).rows(); ++i) {
      for (std::size_t r = 0; r < 3; ++r) {
        const double expected =
            i % 4 == 0 ? 0.0 : random_uniform(8 + static_cast<std::size_t>(n), i, r) - 0.5;
        EXPECT_EQ(whole.factor(n)(i, r), expected);
      }
    }
  }
}

TEST(ModelParts, have_the_components_of_the_whole) {
  for (const std::vector<std::size_t>& dimensions :
       {std::vector<std::size_t>{400, 37, 230}, std::vector<std::size_t>{2, 1}}) {
    auto part = random_part<double>(dimensions, 3, 5);
    part.weights[1] = -part.weights[1];
    part.weights[2] = 0.0;
    const ComponentFacts found = component_facts(Exec(), processes(), part);
    const auto whole = gather(processes(), part);
    if (processes().process() != 0) continue;
    const ComponentFacts expected = component_facts(HostExec(), whole);
    ASSERT_EQ(found.norms.size(), 3U);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(found.congruence[i], expected.congruence[i], 1e-12);
    }
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_NEAR(found.norms[r], expected.norms[r], 1e-12 * expected.norms[r]);
    }
  }
}

/// A run whose model stays in parts has, put together, the bits of one that is gathered.
template <class Scalar, class Ordinal>
void check_run(const Sptensor<Scalar, Ordinal, HostExec>& tensor, const CpAlsOptions& options,
               const DistributeOptions& division = {},
               const Ktensor<Scalar, Exec>* guess = nullptr) {
  const auto parts = distributed(tensor, division);
  const auto gathered = cp_als(Exec(), processes(), parts, options, {}, guess);
  const auto kept =
      cp_als(Exec(), processes(), parts, options, {}, guess, ProcessOptions{.gather = false});
  EXPECT_EQ(kept.model.rank(), options.rank);
  EXPECT_EQ(kept.model.order(), 0);
  EXPECT_TRUE(gathered.part.factors.empty());
  const auto whole = gather(processes(), kept.part);
  EXPECT_EQ(kept.fit, gathered.fit);
  const SharedFolder folder;
  write_ktensor(processes(), folder.file("all.gkt"), kept.part);
  if (processes().process() == 0) {
    write_ktensor(folder.file("one.gkt"), gathered.model, KtensorFormat::binary);
    EXPECT_EQ(content(folder.file("all.gkt")), content(folder.file("one.gkt")));
    const auto one = guess != nullptr ? cp_als(Exec(), copy_to<Exec>(tensor), *guess, options)
                                      : cp_als(Exec(), copy_to<Exec>(tensor), options);
    const auto found = clone_to<Exec>(whole);
    EXPECT_GT(score(Exec(), found, one.model).score, 1.0 - (sizeof(Scalar) == 8 ? 1e-8 : 1e-3));
    // Also signs and order are those of one process.
    const auto expected = create_mirror_view_and_copy(one.model);
    const double tolerance = sizeof(Scalar) == 8 ? 1e-6 : 1e-2;
    for (int n = 0; n < whole.order(); ++n) {
      for (std::size_t i = 0; i < whole.factor(n).rows(); ++i) {
        for (std::size_t r = 0; r < whole.rank(); ++r) {
          ASSERT_NEAR(whole.factor(n)(i, r), expected.factor(n)(i, r), tolerance)
              << "mode " << n << ", row " << i << ", component " << r;
        }
      }
    }
  }
  processes().barrier();
}

CpAlsOptions some_iterations(std::size_t rank) {
  return iterations_of(rank, 6);
}

TEST(ModelParts, of_runs_in_double_and_float) {
  check_run(skewed_tensor<double, std::uint32_t>({300, 30, 50}, 2000, 3), some_iterations(4));
  check_run(skewed_tensor<double, std::uint64_t>({300, 30, 50}, 2000, 3), some_iterations(5));
  check_run(skewed_tensor<float, std::uint32_t>({300, 30, 50}, 2000, 3), some_iterations(2));
}

TEST(ModelParts, of_runs_on_every_grid) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({300, 30, 50}, 2000, 3);
  CpAlsOptions options = some_iterations(4);
  options.max_iterations = 2;
  for (const Grid& grid : all_grids(processes().size(), 3)) {
    check_run(tensor, options, {.grid = grid});
  }
}

TEST(ModelParts, of_runs_under_constraints_and_of_several_starts) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({300, 30, 50}, 2000, 3);
  CpAlsOptions options = some_iterations(3);
  options.nonnegative.all = true;
  check_run(tensor, options);
  options = some_iterations(3);
  options.lower = {0.0};
  options.upper = {0.7};
  check_run(tensor, options);
  options = some_iterations(3);
  options.starts = 2;
  check_run(tensor, options);
}

// Rows without nonzeros keep what the caller gave, and process 0 has those factors.
TEST(ModelParts, of_runs_with_a_factor_of_the_caller) {
  const auto tensor = skewed_tensor<double, std::uint32_t>({300, 30, 50}, 2000, 3);
  CpAlsOptions options = some_iterations(3);
  const auto guess = random_ktensor<double>(Exec(), tensor.dimensions(), 3, 5);
  options.fixed_modes = {0};
  check_run(tensor, options, {}, &guess);
  options.fixed_modes = {};
  options.max_iterations = 0;
  check_run(tensor, options, {}, &guess);
}

TEST(ModelParts, where_processes_have_nothing) {
  CpAlsOptions options = some_iterations(1);
  options.max_iterations = 3;
  check_run(skewed_tensor<double, std::uint32_t>({40, 30, 20}, 2, 6), options);
}

/// Of a component whose largest elements are as many of either sign, the first by its row decides,
/// whichever process has it.
TEST(ModelParts, agree_on_signs_where_the_first_of_several_largest_decides) {
  using Step = detail::StoredFactor<double, std::uint32_t, Exec>;
  for (const std::size_t first : {0, 1, 2, 3, 4, 5}) {
    const std::size_t rows = 6;
    // Of row i of the whole, in the first two modes: negative in one row, positive in all after it.
    const auto element = [&](std::size_t mode, std::size_t i) {
      if (i < first) return 0.0;
      return (i == first) == (mode < 2) ? -1.0 : 1.0;
    };
    std::vector<std::vector<std::uint32_t>> owned(processes().size());
    for (std::size_t i = rows; i-- > 0;) {
      owned[(5 * i) % processes().size()].push_back(static_cast<std::uint32_t>(i));
    }
    const auto& mine = owned[processes().process()];
    std::vector<SharedRows<std::uint32_t>> shared(3);
    detail::StoredModel<double, std::uint32_t, Exec> stored{{}, {1.0}};
    for (std::size_t n = 0; n < 3; ++n) {
      shared[n].rows = mine;
      shared[n].own = mine.size();
      shared[n].borrowed.resize(processes().size());
      shared[n].lent.resize(processes().size());
      Step factor;
      factor.matrix = FacMatrix<double, Exec>(mine.size(), 1);
      const auto host = create_mirror_view(factor.matrix);
      for (std::size_t k = 0; k < mine.size(); ++k) host(k, 0) = element(n, mine[k]);
      deep_copy(factor.matrix, host);
      factor.correction = {1.0};
      factor.dimension = rows;
      const typename Step::Rows numbers("rows", mine.size());
      const auto on_host = Kokkos::create_mirror_view(numbers);
      std::copy(mine.begin(), mine.end(), on_host.data());
      Kokkos::deep_copy(numbers, on_host);
      factor.rows = numbers;
      factor.own = mine.size();
      stored.factors.push_back(factor);
    }
    ProcessExchange<double, Exec> exchange(processes(), shared, 1);
    const auto part = detail::finish_part(Exec(), stored, {},
                                          static_cast<Exchange<double, Exec>&>(exchange), true);
    const auto whole = gather(processes(), part);
    if (processes().process() != 0) continue;
    // The two negative ones have changed together.
    for (int n = 0; n < 3; ++n) {
      EXPECT_GT(whole.factor(n)(first, 0), 0.0) << first << ", mode " << n;
    }
  }
}

TEST(ModelParts, that_cannot_be_written_are_an_error_on_all_that_leaves_nothing) {
  const SharedFolder folder;
  const auto part = random_part<double>({400, 37}, 3, 5);
  const auto expect_error = [&](const std::string& path, const std::string& text) {
    try {
      write_ktensor(processes(), path, part);
      FAIL() << "nothing was thrown";
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.kind(), Error::Kind::file);
      EXPECT_NE(std::string(error.what()).find(path + ": cannot be written" + text),
                std::string::npos)
          << error.what();
    }
  };
  expect_error(folder.file("absent/m.gkt"), ": No such file");
  if (processes().process() == 0) mkdir(folder.file("there").c_str(), 0777);
  processes().barrier();
  expect_error(folder.file("there"), ": it is a directory");
  processes().barrier();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"there"});
}

// A process that does not reach the file leaves its part to the others.
TEST(ModelParts, are_written_by_the_processes_that_reach_the_file) {
  if (processes().size() == 1) GTEST_SKIP() << "needs two processes";
  const SharedFolder folder;
  const auto part = random_part<double>({30011, 50}, 37, 7);
  detail::SharedModelWriter writer(processes(), folder.file("m.gkt"),
                                   {sizeof(double), part.rank(), part.dimensions});
  EXPECT_EQ(writer.writers.size(), processes().size());
  writer.writers.pop_back();
  if (processes().process() + 1 == processes().size()) writer.file.reset();
  EXPECT_EQ(writer.absent(processes().size()), std::vector<std::size_t>{processes().size() - 1});
  for (std::size_t n = 0; n < 2; ++n) detail::write_factor(processes(), writer, part, n, 1);
  writer.commit(processes(), {reinterpret_cast<const char*>(part.weights.data()),
                              part.weights.size() * sizeof(double)});
  const auto whole = gather(processes(), part);
  if (processes().process() == 0) {
    write_ktensor(folder.file("one.gkt"), whole, KtensorFormat::binary);
    EXPECT_EQ(content(folder.file("m.gkt")), content(folder.file("one.gkt")));
  }
  processes().barrier();
}

/// A limit on the size of files, as of a disk that is full, on one process.
TEST(ModelParts, where_one_process_finds_no_room) {
  const std::size_t last = processes().size() - 1;
  const auto part = random_part<double>({30011, 50}, 37, 7);
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t limited : {std::size_t{0}, last}) {
    const SharedFolder folder;
    struct rlimit old {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    const struct rlimit little { 1 << 20, old.rlim_max };
    if (processes().process() == limited) {
      ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
    }
    std::string message;
    try {
      write_ktensor(processes(), folder.file("m.gkt"), part, 1);
    } catch (const AgreedError& error) {
      message = error.what();
      EXPECT_EQ(error.kind(), Error::Kind::file);
    }
    setrlimit(RLIMIT_FSIZE, &old);
    const std::string who =
        limited == 0 ? ""
                     : "process " + std::to_string(last) + " of " + std::to_string(last + 1) + ": ";
    EXPECT_EQ(message, who + folder.file("m.gkt") + ": cannot be written: File too large");
    processes().barrier();
    EXPECT_TRUE(folder.names().empty());
  }
  std::signal(SIGXFSZ, before);
}

TEST(ModelParts, permissions_and_links_are_kept) {
  const SharedFolder folder;
  const auto part = random_part<double>({40, 7}, 3, 5);
  if (processes().process() == 0) {
    std::ofstream(folder.file("m.gkt")) << "old";
    fs::permissions(folder.file("m.gkt"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("m.gkt", folder.file("link.gkt"));
  }
  processes().barrier();
  write_ktensor(processes(), folder.file("link.gkt"), part);
  if (processes().process() == 0) {
    EXPECT_TRUE(fs::is_symlink(folder.file("link.gkt")));
    EXPECT_EQ(fs::status(folder.file("m.gkt")).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(read_ktensor<double>(folder.file("m.gkt")).rank(), 3U);
  }
  processes().barrier();
}

}  // namespace
