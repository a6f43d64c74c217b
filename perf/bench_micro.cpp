// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// Micro-benchmarks of the parts of CP-ALS other than MTTKRP, and of reading and sorting. Arguments
/// --benchmark_* go to Google Benchmark, --kokkos-* to Kokkos.

#include "common.hpp"

#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/generate.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/dense/factor_update.hpp>
#include <genten/dense/spd_inverse.hpp>
#include <genten/io/any.hpp>
#include <genten/io/binary.hpp>

#include <benchmark/benchmark.h>

#include <filesystem>

namespace genten::perf {
namespace {

using Exec = HostExec;

FacMatrix<double, Exec> random_matrix(std::size_t rows, std::size_t columns) {
  const std::vector<std::size_t> dimensions{rows};
  return random_ktensor<double>(Exec(), dimensions, columns, 1).factor(0);
}

void set_bytes(benchmark::State& state, double bytes_an_iteration) {
  using benchmark::Counter;
  state.counters["bytes"] =
      Counter(bytes_an_iteration, Counter::kIsIterationInvariantRate, Counter::kIs1024);
}

/// rows x columns: Gram matrix and largest entries of a factor, one pass.
void factor_gram(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const auto columns = static_cast<std::size_t>(state.range(1));
  const auto matrix = random_matrix(rows, columns);
  FactorUpdate<double, Exec> update(columns, rows);
  const Exec exec;
  for (auto _ : state) {
    update.measure(exec, matrix);
    exec.fence();
  }
  set_bytes(state, static_cast<double>(rows * columns * sizeof(double)));
}

/// rows x columns: multiply every row by one small matrix, and measure it again.
void factor_solve(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const auto columns = static_cast<std::size_t>(state.range(1));
  const auto matrix = random_matrix(rows, columns);
  const FacMatrix<double, Exec> identity(columns, columns);
  for (std::size_t i = 0; i < columns; ++i) identity(i, i) = 1.0;
  FactorUpdate<double, Exec> update(columns, rows);
  const Exec exec;
  for (auto _ : state) {
    update.run(exec, matrix, std::span(&identity, 1));
    exec.fence();
  }
  set_bytes(state, static_cast<double>(2 * rows * columns * sizeof(double)));
}

/// R: the inverse of a well-conditioned R x R matrix, or of a singular one.
void small_inverse(benchmark::State& state, bool singular) {
  const auto rank = static_cast<std::size_t>(state.range(0));
  SmallMatrix matrix(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t j = 0; j < rank; ++j) {
      matrix(i, j) = singular || i != j ? 1.0 : 2.0;
    }
  }
  for (auto _ : state) benchmark::DoNotOptimize(spd_inverse(matrix));
}

/// rows x columns: norm of a model of three such factors.
void model_norm(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const std::vector<std::size_t> dimensions{rows, rows, rows};
  const auto model =
      random_ktensor<double>(Exec(), dimensions, static_cast<std::size_t>(state.range(1)), 1);
  for (auto _ : state) benchmark::DoNotOptimize(norm(Exec(), model));
}

Sptensor<double, std::uint32_t, Exec> sample_tensor(std::size_t nonzeros) {
  return generate_sparse<double>(
      Exec(), {"sample", {30000, 40000, 50000}, static_cast<offset_t>(nonzeros)}, 1);
}

void tensor_norm(benchmark::State& state) {
  const auto tensor = sample_tensor(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(norm(Exec(), tensor));
  set_bytes(state, static_cast<double>(state.range(0)) * sizeof(double));
}

/// Random keys of so many bits, for `sorted_positions`.
struct RandomKeys {
  int width;
  [[nodiscard]] static int words() { return 1; }
  [[nodiscard]] int bits(int) const { return width; }
  std::uint64_t operator()(offset_t p, int) const {
    return random_bits(1, static_cast<std::uint64_t>(p)) >> (64 - width);
  }
};

void sort_keys(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const auto bits = static_cast<int>(state.range(1));
  const RandomKeys keys{bits};
  for (auto _ : state) {
    benchmark::DoNotOptimize(genten::detail::sorted_positions<std::uint64_t, std::uint32_t>(
        Exec(), static_cast<offset_t>(count), keys));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void generate(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(sample_tensor(static_cast<std::size_t>(state.range(0))));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// A file that is removed in the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : m_path(std::filesystem::temp_directory_path() /
               ("genten-bench-" + std::to_string(getpid()) + "-" + name)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(m_path); }
  [[nodiscard]] std::string path() const { return m_path.string(); }

 private:
  std::filesystem::path m_path;
};

/// Reading a file that lies in the page cache.
void read_file(benchmark::State& state, bool text) {
  const TemporaryFile file(text ? "tensor.tns" : "tensor.gbin");
  {
    const auto tensor = sample_tensor(static_cast<std::size_t>(state.range(0)));
    if (text) {
      WriteOptions options;
      options.format = FileFormat::frostt;
      write_sptensor(file.path(), tensor, options);
    } else {
      write_binary_sptensor(file.path(), tensor);
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(read_tensor_as<double, std::uint32_t, Exec>(Exec(), file.path()));
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(std::filesystem::file_size(file.path())));
}

using Ranges = std::vector<std::vector<std::int64_t>>;
const Ranges factor_shapes{{1000, 40'000, 1'000'000}, {16, 50, 128}};

BENCHMARK(factor_gram)->ArgsProduct(factor_shapes)->UseRealTime()->MinTime(0.1);
BENCHMARK(factor_solve)->ArgsProduct(factor_shapes)->UseRealTime()->MinTime(0.1);
BENCHMARK_CAPTURE(small_inverse, definite, false)->Arg(16)->Arg(50)->Arg(128)->Arg(500);
BENCHMARK_CAPTURE(small_inverse, singular, true)->Arg(16)->Arg(50)->Arg(128);
BENCHMARK(model_norm)->Args({40'000, 16})->Args({40'000, 128})->UseRealTime();
BENCHMARK(tensor_norm)->Arg(10'000'000)->UseRealTime();
BENCHMARK(sort_keys)->Args({10'000'000, 15})->Args({10'000'000, 47})->UseRealTime();
BENCHMARK(generate)->Arg(1'000'000)->UseRealTime();
BENCHMARK_CAPTURE(read_file, text, true)->Arg(10'000'000)->UseRealTime();
BENCHMARK_CAPTURE(read_file, binary, false)->Arg(10'000'000)->UseRealTime();

}  // namespace
}  // namespace genten::perf

int main(int argc, char** argv) {
  return genten::tools::run_program("bench_micro", [&]() -> int {
    const genten::tools::KokkosSession kokkos(genten::tools::take_kokkos_arguments(argc, argv),
                                              genten::tools::Needs::device);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return genten::tools::wrong_usage;
    const auto environment = genten::perf::describe_environment();
    for (const char* key : {"versions", "build", "machine"}) {
      for (const auto& [name, value] : environment[key].items()) {
        benchmark::AddCustomContext(std::string(key) + "." + name, value.dump());
      }
    }
    benchmark::AddCustomContext("threads", environment["threads"].dump());
    benchmark::RunSpecifiedBenchmarks();
    return genten::tools::success;
  });
}
