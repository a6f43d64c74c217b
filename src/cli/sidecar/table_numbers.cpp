// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_numbers.hpp"

#include "lacking_names.hpp"
#include "readable_again.hpp"
#include "sidecar.hpp"
#include "tools/command_line.hpp"
#include "tools/files.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>

namespace genten::cli {

using tools::input_name;

namespace {

bool has_numbers(const NamedRows& own) {
  for (std::size_t n = 0; n < own.dimensions.size(); ++n) {
    if (!own.labels.named(n)) return true;
  }
  return false;
}

/// From what a text counts as what stands beside it says, or else its first line, which this tool
/// writes. None of the binary form, whose first byte no text has.
std::optional<std::size_t> said_base(const std::string& file) {
  if (!can_be_read_again(file)) return {};
  std::string line;
  std::ifstream text(file);
  std::getline(text, line);
  if (line.starts_with('\x89')) return {};
  if (const auto base = base_beside(file)) return base;
  if (!line.starts_with("# ")) return {};
  for (const std::size_t base : {0, 1}) {
    if (line.ends_with(" nonzeros, subscripts from " + std::to_string(base))) return base;
  }
  return {};
}

}  // namespace

std::size_t text_base(const std::string& model, const nlohmann::json& run) {
  const nlohmann::json beside = run_beside(model);
  const nlohmann::json& known = beside.is_object() ? beside : run;
  return known.is_object() ? known.value("text_base", std::size_t{1}) : 1;
}

void number_as(const NamedRows& own, const std::string& file, ReadOptions& read,
               const std::string& remedy) {
  if (!has_numbers(own)) return;
  const auto first = own.labels.table_base();
  const bool is_given = read.index_base != IndexBase::automatic;
  if (!first) {
    // As tables count.
    if (is_given || text_base(own.file, {}) == 0) return;
    std::cout.flush();
    const std::string model = input_name(own.file);
    std::cerr << "genten: note: " << input_name(file) << ": numbers count from 0 in tables, and "
              << (may_have_names(own.file)
                      ? "from 1 in text, of which " + model + " may be made" + remedy
                      : "the rows of " + model +
                            " do, too, if they are of one, but from 1 in text" +
                            lack_of_sidecar(own.file))
              << '\n';
    static_cast<void>(is_first_word_on_lack(own.file));
    return;
  }
  const IndexBase base = index_base_of(*first);
  if (is_given && read.index_base != base) {
    tools::reject("index-base",
                  std::to_string(*first) + ", from which " + input_name(own.file) +
                      " numbers its rows, as the table was read that it was made from",
                  to_string(read.index_base));
  }
  read.index_base = base;
}

IndexBase base_of_list(const std::string& file, const NamedRows& own, const std::string& tensor,
                       const ReadReport& report) {
  if (!has_numbers(own) && is_table_file(file, {})) return IndexBase::automatic;
  if (const auto base = base_beside(file)) return index_base_of(*base);
  if (report.format != FileFormat::binary) return report.index_base;
  if (const auto base = base_beside(tensor)) return index_base_of(*base);
  const auto first = own.labels.table_base();
  return first ? index_base_of(*first) : IndexBase::automatic;
}

void take_said_base(tools::TensorInput& input) {
  if (input.read.index_base != IndexBase::automatic) return;
  const auto said = said_base(input.file);
  if (said && !is_table_file(input.file, input.read)) input.read.index_base = index_base_of(*said);
}

void take_text_base(const std::string& model, const nlohmann::json& run,
                    tools::TensorInput& input) {
  take_said_base(input);
  if (input.read.index_base != IndexBase::automatic || text_base(model, run) != 0) return;
  if (is_table_file(input.file, input.read)) return;
  input.read.index_base = IndexBase::zero;
  input.index_base_of_run = true;
}

void take_text_base_beside(const std::string& guess, tools::TensorInput& input) {
  return guess.empty() ? take_said_base(input) : take_text_base(guess, {}, input);
}

void tell_of_text_numbers(const NamedRows& own, const tools::TensorInput& input,
                          const ReadReport& report) {
  if (!is_text(report) || !has_numbers(own)) return;
  std::cout.flush();
  if (input.index_base_of_run) {
    std::cerr << "genten: note: " << input_name(input.file)
              << ": subscripts count from 0, as in the text that " << input_name(own.file)
              << " was made from; --index-base 1 says otherwise\n";
    return;
  }
  if (input.read.index_base != IndexBase::automatic || own.labels.table_base() != 0) return;
  if (may_have_names(input.file)) return;
  std::cerr << "genten: note: " << input_name(input.file)
            << ": subscripts count from 1 in text, and from 0 in the table that "
            << input_name(own.file) << " was made from: is --index-base 0 meant?\n";
}

void require_same_numbers(const NamedRows& own, const NamedRows& other,
                          const std::vector<int>& modes) {
  const auto mine = own.labels.table_base(), theirs = other.labels.table_base();
  if (!mine || !theirs || *mine == *theirs) return;
  for (std::size_t n = 0; n < modes.size(); ++n) {
    if (own.labels.named(n) || other.labels.named(static_cast<std::size_t>(modes[n]))) continue;
    throw Error(Error::Kind::file, own.labels.mode(n) + ": " + input_name(own.file) +
                                       " numbers its rows from " + std::to_string(*mine) + ", " +
                                       input_name(other.file) + " from " + std::to_string(*theirs) +
                                       ", as their tables were read: expected the same; make " +
                                       input_name(*mine == 0 ? other.file : own.file) +
                                       " anew from its table with --index-base 0");
  }
}

}  // namespace genten::cli
