// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "saved_model.hpp"

#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <iostream>

namespace genten::cli {

using namespace tools;

namespace {

/// Bytes of host memory that this process may take: what is allowed where it computes there, or its
/// part of what is free.
double available_for_output(const DecomposeOptions& options) {
  using Exec = Kokkos::DefaultExecutionSpace;
  const double all =
      is_host_space<Exec> ? available_to<Exec>(options.als) : available_memory<HostExec>();
  const bool allowed = is_host_space<Exec> && options.als.memory_available > 0.0;
  return allowed ? all : all / static_cast<double>(ranks_of_machine());
}

/// Whether a model of one process that computes on the host is there already, as its solver knows.
bool is_there_already() {
  return is_host_space<Kokkos::DefaultExecutionSpace> && RanksOfProgram::now() == nullptr;
}

}  // namespace

bool needs_whole_model(const DecomposeOptions& options) {
  const bool other_form =
      !options.output.empty() && model_form(options.output) != ModelForm::binary;
  return other_form || options.top != 0 || options.json_factors;
}

void require_output_memory(const DecomposeOptions& options, const TensorFacts& facts,
                           std::size_t scalar_bytes, double beside) {
  const bool ranks = RanksOfProgram::now() != nullptr;
  const bool packs = !ranks && model_form(options.output) == ModelForm::binary;
  if (is_there_already() && !packs && !options.json_factors) return;
  if (ranks && !needs_whole_model(options)) return;
  const double row = static_cast<double>(padded_stride(options.als.rank, scalar_bytes));
  double elements = 0.0, packed = 0.0;
  for (const std::size_t rows : facts.dimensions) {
    elements += static_cast<double>(rows) * row;
    packed += static_cast<double>(rows) * static_cast<double>(options.als.rank);
  }
  const bool empty_slices = std::any_of(facts.dimensions.begin(), facts.dimensions.end(),
                                        [&](std::size_t rows) { return rows > facts.nnz; });
  // A value and its text, measured.
  const double json = options.json_factors ? 64.0 * packed : 0.0;
  std::vector<std::string> remedies;
  if (packs) remedies.emplace_back("text is written without a copy");
  if (options.json_factors) remedies.emplace_back("a model in a file of its own takes less");
  if (ranks) {
    remedies.emplace_back("a model in the binary form (.gkt) alone is not put together anywhere");
  }
  if (empty_slices) remedies.push_back(smaller_modes());
  const double bytes = static_cast<double>(scalar_bytes);
  const double on_their_way =
      ranks ? std::min(elements * bytes, static_cast<double>(usual_model_round)) : 0.0;
  require_memory({.what = "the model of rank " + std::to_string(options.als.rank) +
                          (ranks ? " on the first of the ranks" : ""),
                  .parts = {{"model", elements * bytes},
                            {"factors", beside},
                            {"rows on their way", on_their_way},
                            {"its binary form", packs ? packed * bytes : 0.0},
                            {"its JSON form", json}},
                  .available = available_for_output(options),
                  .allowed = is_host_space<Kokkos::DefaultExecutionSpace> &&
                             options.als.memory_available > 0.0,
                  .remedy = join(remedies, "; ")});
}

std::vector<std::string> rescue_places_of_ranks(Communicator& ranks, const std::string& path) {
  std::string all;
  if (ranks.rank() == 0) {
    for (const std::string& place : rescue_places(path)) all += place + '\0';
  }
  std::size_t length = all.size();
  ranks.broadcast(&length, sizeof length, 0);
  all.resize(length);
  ranks.broadcast(all.data(), length, 0);
  std::vector<std::string> places;
  for (std::size_t begin = 0; begin < all.size(); begin += places.back().size() + 1) {
    places.emplace_back(all.c_str() + begin);
  }
  return places;
}

void tell_of_absent_ranks(const std::string& path, const std::vector<std::size_t>& absent) {
  if (absent.empty()) return;
  std::vector<std::string> numbers;
  for (const std::size_t rank : absent) numbers.push_back(std::to_string(rank));
  std::cout.flush();
  std::cerr << "genten: " << printable(path) << ": rank" << (numbers.size() == 1 ? " " : "s ")
            << join(numbers, ", ")
            << (numbers.size() == 1 ? " does not reach it: its part was"
                                    : " do not reach it: their parts were")
            << " written by the others\n";
}

}  // namespace genten::cli
