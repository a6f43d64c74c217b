// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/error.hpp>

#include <cctype>
#include <charconv>
#include <cstring>
#include <type_traits>
#include <utility>

namespace genten {
namespace {

// A reference is begin, its sort, its text, end.
constexpr char begin_reference = '\x02', end_reference = '\x03';
constexpr char sort_option = '-', sort_number = '#', sort_counted = '1', sort_remedy = '!';

std::string reference(char sort, std::string_view text) {
  std::string made{begin_reference, sort};
  made += text;
  return made += end_reference;
}

long long number_in(std::string_view text) {
  long long number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string written(const ErrorWords& words, char sort, std::string_view text) {
  switch (sort) {
    case sort_option: {
      const std::size_t equals = text.find('=');
      return words.option(text.substr(0, equals), equals == std::string_view::npos
                                                      ? std::string_view()
                                                      : text.substr(equals + 1));
    }
    case sort_number:
      return std::to_string(number_in(text) + words.first_number());
    case sort_counted:
      return words.first_number() == 1 ? " (counted from 1)" : "";
    case sort_remedy:
      return words.remedy(text);
    default:
      return begin_reference + std::string(1, sort) + std::string(text) + end_reference;
  }
}

/// Whether it is what a reference to an option has in braces: "name", "name=value" or "=value".
bool is_option(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  const std::size_t end = text.find_first_not_of(letters);
  return !text.empty() && (end == std::string_view::npos || text[end] == '=');
}

std::string mode_within(long long mode, long long order) {
  using error_text::number;
  return "expected a mode from " + number(0) + " to " + number(order - 1) + error_text::counted() +
         ", got " + number(mode);
}

/// Calls visit(field) for all fields, in one order.
template <class Fields, class Visit>
void for_each_field(Fields& fields, const Visit& visit) {
  visit(fields.kind);
  visit(fields.code);
  visit(fields.about);
  visit(fields.path);
  visit(fields.line);
  visit(fields.number);
  visit(fields.function);
  visit(fields.option);
  visit(fields.expected);
  visit(fields.found);
  visit(fields.process);
  visit(fields.processes);
  visit(fields.complaint);
}

}  // namespace

Error::Error(Fields fields)
    : std::runtime_error(ErrorWords().sentence(fields)),
      m_fields(std::make_shared<const Fields>(std::move(fields))) {}
Error::Error(Kind kind, const std::string& message)
    : Error(Fields{.kind = kind, .complaint = message}) {}
Error::Error(const std::string& message) : Error(Kind::argument, message) {}

Error Error::in(std::string_view function, std::string_view complaint) {
  return in(function, Kind::argument, complaint);
}

Error Error::in(std::string_view function, Kind kind, std::string_view complaint) {
  return Error(
      Fields{.kind = kind, .function = std::string(function), .complaint = std::string(complaint)});
}

Error Error::in_file(std::string_view file, std::size_t line, std::string_view message) {
  return Error(Fields{.kind = Kind::file,
                      .path = std::string(file),
                      .line = line,
                      .complaint = std::string(message)});
}

Error Error::of_system(std::string_view file, std::string_view what, int number) {
  Fields fields = in_file(file, 0, std::string(what) + ": " + std::strerror(number)).fields();
  fields.code = Code::system;
  fields.number = number;
  return Error(std::move(fields));
}

Error Error::of_content(std::string_view file, std::size_t line, std::string_view expected,
                        std::string_view found, std::string_view rest) {
  Fields fields{.kind = Kind::file,
                .code = Code::other_content,
                .path = std::string(file),
                .line = line,
                .expected = std::string(expected),
                .found = std::string(found)};
  fields.complaint = "expected " + fields.expected + ", got " + fields.found;
  fields.complaint += rest;
  return Error(std::move(fields));
}

Error Error::of_order(std::string_view file, std::size_t given, std::size_t order) {
  Fields fields{.kind = Kind::file,
                .code = Code::other_order,
                .path = std::string(file),
                .expected = std::to_string(given),
                .found = std::to_string(order)};
  fields.complaint = "the options give " + fields.expected +
                     (given == 1 ? " dimension" : " dimensions") + ", the file is of order " +
                     fields.found;
  return Error(std::move(fields));
}

Error Error::of_option(std::string_view option, std::string_view complaint) {
  return Error(Fields{.code = Code::option_value,
                      .option = std::string(option),
                      .complaint = error_text::with_options(complaint)});
}

Error Error::of_conflict(std::string_view option, std::string_view complaint) {
  return of_option(option, complaint).as(Code::option_conflict);
}

Error Error::no_such_mode(std::string_view function, long long mode, long long order) {
  return in(function, mode_within(mode, order)).as(Code::no_such_mode);
}

Error Error::no_such_mode_of(std::string_view option, long long mode, long long order) {
  return of_option(option, mode_within(mode, order)).as(Code::no_such_mode);
}

Error Error::as(Code code) const {
  Fields fields = *m_fields;
  fields.code = code;
  return Error(std::move(fields));
}

std::string Error::to_bytes() const {
  std::string bytes;
  for_each_field(*m_fields, [&](const auto& field) {
    if constexpr (std::is_same_v<decltype(field), const std::string&>) {
      const std::size_t length = field.size();
      bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
      bytes.append(field);
    } else {
      bytes.append(reinterpret_cast<const char*>(&field), sizeof field);
    }
  });
  return bytes;
}

Error Error::from_bytes(std::string_view bytes) {
  const auto take = [&](std::size_t count) {
    if (count > bytes.size()) throw Error::in("Error::from_bytes", "the bytes are no error");
    const std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  };
  Fields fields;
  for_each_field(fields, [&](auto& field) {
    if constexpr (std::is_same_v<decltype(field), std::string&>) {
      std::size_t length = 0;
      std::memcpy(&length, take(sizeof length).data(), sizeof length);
      field = take(length);
    } else {
      std::memcpy(&field, take(sizeof field).data(), sizeof field);
    }
  });
  return Error(std::move(fields));
}

namespace error_text {

std::string option(std::string_view name, std::string_view value) {
  std::string text(name);
  if (!value.empty()) text.append("=").append(value);
  return reference(sort_option, text);
}

std::string number_of(long long index) {
  return reference(sort_number, std::to_string(index));
}

std::string counted() {
  return reference(sort_counted, "");
}

std::string remedy(std::string_view function) {
  return reference(sort_remedy, function);
}

std::string with_options(std::string_view text) {
  std::string made;
  char quote = '\0';
  while (!text.empty()) {
    // A quote within a word is an apostrophe.
    const bool within = !made.empty() && std::isalnum(static_cast<unsigned char>(made.back())) != 0;
    const std::size_t close = text.front() == '{' ? text.find('}') : std::string_view::npos;
    const std::string_view inside =
        close == std::string_view::npos ? std::string_view() : text.substr(1, close - 1);
    if (quote == '\0' && is_option(inside)) {
      made += reference(sort_option, inside);
      text.remove_prefix(close + 1);
      continue;
    }
    if (text.front() == quote) {
      quote = '\0';
    } else if (quote == '\0' && (text.front() == '"' || (text.front() == '\'' && !within))) {
      quote = text.front();
    }
    made += text.front();
    text.remove_prefix(1);
  }
  return made;
}

}  // namespace error_text

std::string ErrorWords::text(std::string_view complaint) const {
  std::string made;
  while (true) {
    const std::size_t begin = complaint.find(begin_reference);
    const std::size_t end = complaint.find(end_reference, begin);
    if (end == std::string_view::npos || end < begin + 2) return made.append(complaint);
    made += complaint.substr(0, begin);
    made += written(*this, complaint[begin + 1], complaint.substr(begin + 2, end - begin - 2));
    complaint.remove_prefix(end + 1);
  }
}

std::string ErrorWords::complaint(const Error::Fields& fields) const {
  if (!fields.complaint.empty()) return text(fields.complaint);
  return "expected " + text(expected(fields.expected)) + ", got " + text(fields.found);
}

std::string ErrorWords::sentence(const Error::Fields& fields) const {
  std::string made;
  const auto begin = [&](const std::string& part) {
    if (!part.empty()) made.append(part).append(": ");
  };
  if (fields.processes != 0) {
    begin("process " + std::to_string(fields.process) + " of " + std::to_string(fields.processes));
  }
  begin(fields.about);
  begin(fields.path + (fields.line == 0 ? "" : ":" + std::to_string(fields.line)));
  if (!fields.function.empty()) begin(function(fields.function));
  if (!fields.option.empty()) begin(subject(fields.option));
  if (fields.code == Error::Code::missing_entries) begin(missing_entries());
  return made + complaint(fields);
}

std::string ErrorWords::function(std::string_view name) const {
  return std::string(name);
}

std::string ErrorWords::subject(std::string_view option) const {
  return "option " + std::string(option);
}

std::string ErrorWords::missing_entries() const {
  return "missing entries";
}

std::string ErrorWords::option(std::string_view name, std::string_view value) const {
  const char* const between = name.empty() || value.empty() ? "" : " ";
  return std::string(name) + between + std::string(value);
}

std::string ErrorWords::expected(std::string_view words) const {
  return std::string(words);
}

std::string ErrorWords::remedy(std::string_view function) const {
  // A model of a tensor whose slices all have entries: the library makes the tensor first.
  return function == "compact_model" ? "drop_empty_slices" : std::string(function);
}

}  // namespace genten
