// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "saved_model.hpp"

#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <genten/io/atomic_file.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <numeric>

namespace genten::cli {

using namespace tools;

namespace {

/// Whether a model of one process that computes on the host is there already, as its solver knows.
bool is_there_already() {
  return is_host_space<Kokkos::DefaultExecutionSpace> && ProcessesOfProgram::now() == nullptr;
}

/// Whether processes cannot write at places of what the path names, as of a pipe, so that the first
/// writes all of it.
bool has_no_places(const std::string& path) {
  std::error_code none_is_known;
  const auto status = std::filesystem::status(path, none_is_known);
  return own_descriptor(path) ||
         (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
          !std::filesystem::is_directory(status));
}

}  // namespace

bool needs_whole_model(const DecomposeOptions& options) {
  const bool other_form =
      !options.output.empty() && model_form(options.output) != ModelForm::binary;
  return other_form || options.top != 0 || options.json_factors;
}

void require_output_memory(const DecomposeOptions& options, const TensorFacts& facts,
                           std::size_t scalar_bytes, const BesideModel& beside) {
  using Exec = Kokkos::DefaultExecutionSpace;
  MpiModule* const module = ProcessesOfProgram::now();
  const bool processes = module != nullptr;
  const bool binary = model_form(options.output) == ModelForm::binary;
  const bool by_first = processes && binary && has_no_places(options.output);
  const bool packs = binary && (!processes || by_first);
  if (is_there_already() && !packs && !options.json_factors) return;
  if (processes && !needs_whole_model(options) && !by_first) return;
  SingleProcess alone;
  const Communicator& sharing = processes ? module->processes() : static_cast<Communicator&>(alone);
  const double model = whole_model_bytes(facts.dimensions, options.common.rank, scalar_bytes);
  const double packed = std::accumulate(facts.dimensions.begin(), facts.dimensions.end(), 0.0) *
                        static_cast<double>(options.common.rank);
  const bool empty_slices = std::any_of(facts.dimensions.begin(), facts.dimensions.end(),
                                        [&](std::size_t rows) { return rows > facts.nnz; });
  // A value and its text, measured.
  const double json = options.json_factors ? 64.0 * packed : 0.0;
  std::vector<std::string> remedies;
  if (packs && !processes) remedies.emplace_back("text is written without a copy");
  if (options.json_factors) remedies.emplace_back("a model in a file of its own takes less");
  if (processes) {
    remedies.emplace_back(by_first ? "processes write a regular file without the whole model"
                                   : "a model in the binary form (.gkt) alone is not put together "
                                     "anywhere");
    if (auto note = host_memory_note<Exec>(sharing, options.common); !note.empty()) {
      remedies.push_back(std::move(note));
    }
  }
  if (empty_slices) remedies.push_back(smaller_modes());
  const double bytes = static_cast<double>(scalar_bytes);
  const double on_their_way =
      processes ? std::min(model, static_cast<double>(usual_model_round)) : 0.0;
  require_memory({.what = "the model of rank " + std::to_string(options.common.rank) +
                          (processes ? " on the first of the processes" : ""),
                  .parts = {{"model", model},
                            {"factors", beside.factors},
                            {"rows on their way", on_their_way},
                            {"numbers of rows", beside.row_numbers},
                            {"its binary form", packs ? packed * bytes : 0.0},
                            {"its JSON form", json}},
                  .available = host_memory_of_process<Exec>(sharing, options.common),
                  .allowed = is_host_space<Exec> && options.common.memory_available > 0.0,
                  .remedy = join(remedies, "; ")});
}

bool attempt_together(Attempts& attempt, const std::function<void()>& step) {
  std::exception_ptr own;
  const bool done = attempt([&] {
    try {
      step();
    } catch (const AgreedError&) {
      throw;
    } catch (...) {
      own = std::current_exception();
    }
  });
  if (own) std::rethrow_exception(own);
  return done;
}

std::vector<std::string> rescue_places_of_processes(Communicator& processes,
                                                    const std::string& path) {
  std::string all;
  if (processes.process() == 0) {
    for (const std::string& place : rescue_places(path)) all += place + '\0';
  }
  std::size_t length = all.size();
  processes.broadcast(&length, sizeof length, 0);
  all.resize(length);
  processes.broadcast(all.data(), length, 0);
  std::vector<std::string> places;
  for (std::size_t begin = 0; begin < all.size(); begin += places.back().size() + 1) {
    places.emplace_back(all.c_str() + begin);
  }
  return places;
}

void tell_of_absent_processes(const std::string& path, const std::vector<std::size_t>& absent) {
  if (absent.empty()) return;
  std::vector<std::string> numbers;
  for (const std::size_t process : absent) numbers.push_back(std::to_string(process));
  std::cout.flush();
  std::cerr << "genten: " << printable(path) << ": process" << (numbers.size() == 1 ? " " : "es ")
            << join(numbers, ", ")
            << (numbers.size() == 1 ? " does not reach it: its part was"
                                    : " do not reach it: their parts were")
            << " written by the others\n";
}

}  // namespace genten::cli
