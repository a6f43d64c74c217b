// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "nearest_file.hpp"

#include "edit_distance.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace genten::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::array of_compression = {".gz", ".zst"};
constexpr std::array of_tensors = {".tns", ".gtn", ".sptensor", ".mtx", ".txt"};
constexpr std::array of_models = {".ktensor", ".gkt", ".bin", ".txt"};

template <class Endings>
bool is_one_of(const std::string& ending, const Endings& endings) {
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// The parts of "a.tns.zst": "a", ".tns", and what is compressed, "a.tns".
struct Name {
  std::string stem;
  std::string form;
  std::string content;

  explicit Name(const std::string& name) : content(name) {
    if (is_one_of(fs::path(content).extension().string(), of_compression)) {
      content = fs::path(content).stem().string();
    }
    stem = content;
    const std::string ending = fs::path(content).extension().string();
    if (!is_one_of(ending, of_tensors) && !is_one_of(ending, of_models)) return;
    form = ending;
    stem = fs::path(content).stem().string();
  }
};

/// What a command takes as tensors.
std::set<std::string>& tensors() {
  static std::set<std::string> paths;
  return paths;
}

/// Whether `other` may be what was asked for at `path`: no model where a tensor is expected, and
/// no tensor where the name that was asked for does not say that it is one, either.
bool is_taken(const std::string& path, const Name& asked, const Name& other) {
  const bool tensor = is_one_of(other.form, of_tensors), model = is_one_of(other.form, of_models);
  if (tensor == model) return true;
  return tensors().contains(path) ? tensor : model || !asked.form.empty();
}

/// Whether both may be tensors, or both models.
bool alike(const Name& a, const Name& b) {
  if (a.form.empty() || b.form.empty() || a.form == b.form) return true;
  return (is_one_of(a.form, of_tensors) && is_one_of(b.form, of_tensors)) ||
         (is_one_of(a.form, of_models) && is_one_of(b.form, of_models));
}

/// How far `other` is from what was `asked` for; nothing where it is something else.
std::optional<std::size_t> distance(const Name& asked, const Name& other) {
  if (!alike(asked, other)) return std::nullopt;
  if (asked.content == other.content) return 0;
  if (asked.stem == other.stem) return 1;
  const std::size_t letters =
      std::min(edit_distance(asked.content, other.content), edit_distance(asked.stem, other.stem));
  // Of short names nothing would be left.
  if (letters > 2 || 3 * letters > asked.stem.size()) return std::nullopt;
  return 1 + 2 * letters + (asked.form == other.form ? 0 : 1);
}

}  // namespace

void expect_tensor(const std::string& path) {
  tensors().insert(path);
}

bool names_model(const std::string& path) {
  const Name name(fs::path(path).filename().string());
  return is_one_of(name.form, of_models) && !is_one_of(name.form, of_tensors);
}

std::string nearest_file(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const Name asked(fs::path(path).filename().string());
  std::optional<std::pair<std::size_t, std::string>> best;
  std::error_code trouble;
  for (fs::directory_iterator each(folder.empty() ? "." : folder, trouble), end;
       !trouble && each != end; each.increment(trouble)) {
    std::error_code none_is_known;
    if (!each->is_regular_file(none_is_known)) continue;
    const std::string name = each->path().filename().string();
    if (!is_taken(path, asked, Name(name))) continue;
    const auto away = distance(asked, Name(name));
    // Of equally near ones the first by name, whatever order the folder has.
    if (away && (!best || std::pair(*away, name) < *best)) best.emplace(*away, name);
  }
  return best ? (folder / best->second).string() : "";
}

std::string nearest_file_hint(const Error& error) {
  if (error.code() != Error::Code::system || error.fields().number != ENOENT) return "";
  const std::string& path = error.fields().path;
  std::error_code unknown;
  if (fs::exists(path, unknown)) return "";  // it is there now, or only another rank lacks it
  const std::string folder = fs::path(path).parent_path().string();
  if (!folder.empty() && !fs::exists(folder, unknown)) return "; there is no folder " + folder;
  const std::string nearest = nearest_file(path);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

}  // namespace genten::tools
