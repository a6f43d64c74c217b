// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Ratings with holes: who likes which film in which season, known for one entry in thirty. What is
// not known is not zero, so genten::cp_completion fits the known entries alone. How far to follow
// few noisy ratings is for the ridge to say, and entries that are held out choose the ridge.
//
// Shown are: a tensor from arrays in memory; ridges compared by held-out errors; the values of the
// model where nobody has rated.

#include <genten/genten.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Tensor = genten::Sptensor<double, std::uint32_t, Exec>;
using Result = genten::CpCompletionResult<double, Exec>;

constexpr std::size_t users = 300, films = 200, seasons = 4;
constexpr double noise = 0.5;

/// Subscripts of entries, three an entry, and a number for each.
struct Entries {
  std::vector<std::uint32_t> subscripts;
  std::vector<double> values;
};

/// What was rated, with noise, and how everything else would be liked, which nobody knows.
struct Ratings {
  Entries known, unknown;
};

/// Two kinds of films, and users who like one or both of them; the second less in summer.
Ratings example_ratings() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::normal_distribution<double> error(0.0, noise);
  std::vector<std::array<double, 2>> likes(users), has(films);
  for (auto& user : likes) user = {2.0 * uniform(random), 2.0 * uniform(random)};
  for (auto& film : has) film = {2.0 * uniform(random), 2.0 * uniform(random)};
  const std::array<double, seasons> season_of_second = {1.0, 0.5, 0.2, 0.8};

  Ratings ratings;
  for (std::uint32_t user = 0; user < users; ++user) {
    for (std::uint32_t film = 0; film < films; ++film) {
      for (std::uint32_t season = 0; season < seasons; ++season) {
        const double liked = likes[user][0] * has[film][0] +
                             likes[user][1] * has[film][1] * season_of_second[season];
        const bool rated = uniform(random) < 1.0 / 30.0;
        Entries& entries = rated ? ratings.known : ratings.unknown;
        entries.subscripts.insert(entries.subscripts.end(), {user, film, season});
        entries.values.push_back(rated ? liked + error(random) : liked);
      }
    }
  }
  return ratings;
}

/// The model with the least error over held-out ratings, of those with several ridges.
Result best_model(const Exec& exec, const Tensor& tensor) {
  std::printf("   ridge  RMSE of the fit  held out  model of iteration\n");
  Result best;
  for (const double ridge : {0.01, 0.1, 1.0, 3.0, 10.0}) {
    const genten::CpCompletionOptions options{
        .rank = 2, .starts = 3, .ridge = {ridge}, .holdout = 0.1};
    Result result = genten::cp_completion(exec, tensor, options);
    std::printf("%8g  %15.4f  %8.4f  %zu of %zu\n", ridge, result.rmse, result.holdout.rmse,
                result.returned_iteration, result.iterations);
    // The first comparison is with NaN, and false.
    if (!(best.holdout.rmse <= result.holdout.rmse)) best = result;
  }
  return best;
}

/// The root of the mean square of the model's errors at entries.
double rmse_at(const Exec& exec, const Result& result, const Entries& entries) {
  const std::size_t count = entries.values.size();
  const Kokkos::View<const std::uint32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts(
      entries.subscripts.data(), count, 3);
  const auto there = Kokkos::create_mirror_view_and_copy(Exec::memory_space(), subscripts);
  const auto predicted = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), genten::model_values(exec, result.model, there));
  double square = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    square += (predicted(i) - entries.values[i]) * (predicted(i) - entries.values[i]);
  }
  return std::sqrt(square / static_cast<double>(count));
}

int run() {
  const Exec exec;
  const Ratings ratings = example_ratings();
  const Tensor tensor =
      Tensor::from_host({users, films, seasons}, ratings.known.subscripts, ratings.known.values);
  std::printf("%zu ratings of %zu entries, noise %g\n", ratings.known.values.size(),
              users * films * seasons, noise);
  const Result best = best_model(exec, tensor);

  // Held-out ratings have noise; what is predicted has none.
  const double unknown = rmse_at(exec, best, ratings.unknown);
  std::printf("ridge %g: RMSE %.4f over all %zu entries that nobody has rated\n", best.ridge[0],
              unknown, ratings.unknown.values.size());
  return unknown < noise ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("KOKKOS_DISABLE_WARNINGS", "1", 0);  // else it advises how to bind threads
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "complete_ratings: %s\n", error.what());
    return 1;
  }
}
