// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "rank.hpp"

#include "tools/result_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A column of the table: its title and how wide it is.
struct Column {
  const char* title;
  int width;
};
constexpr Column columns[] = {
    {"R", 4},     {"objective", 12},     {"fit", 9},         {"reached", 9}, {"agreement", 10},
    {"worst", 7}, {"held-out loss", 22}, {"congruence", 11}, {"core", 11},   {"seconds", 9}};

std::string number(const char* pattern, double value) {
  if (std::isnan(value)) return "-";
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string with_error(const RankRow& row) {
  const std::string loss = number("%.5g", row.holdout_loss);
  return loss == "-" ? loss : loss + " +- " + number("%.2g", row.holdout_error);
}

void print_fields(std::ostream& out, const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    out << format("%*s", columns[i].width, fields[i].c_str());
  }
  out << std::endl;
}

Json row_json(const RankRow& row) {
  Json json = Json::object();
  for_each_figure(
      row, [&](std::string_view name, const auto& value) { json[std::string(name)] = value; });
  return json;
}

Json pick_json(const std::optional<std::size_t>& pick) {
  return pick ? Json(*pick) : Json();
}

/// What stands behind a suggested rank that is not decided, or whose model has components that are
/// not found again.
std::string doubt_of(const RankChoice& choice) {
  std::vector<std::string> doubts;
  if (!choice.decided) {
    doubts.emplace_back(choice.stopped ? "the search was stopped" : "the data do not decide");
  }
  const auto& stability = choice.trust.stability;
  const auto unstable = std::count_if(stability.begin(), stability.end(),
                                      [](const auto& each) { return each.is_unstable(); });
  if (unstable != 0) {
    doubts.push_back(std::to_string(unstable) + " of its components " +
                     (unstable == 1 ? "is" : "are") + " unstable");
  }
  return doubts.empty() ? "" : ", but " + join(doubts, " and ");
}

}  // namespace

Json choice_json(const RankChoice& choice) {
  Json json = {{"suggested", choice.suggested},
               {"decided", choice.decided},
               {"picks",
                {{"agreement", choice.by_agreement},
                 {"held_out", pick_json(choice.by_held_out)},
                 {"standard_error", pick_json(choice.by_standard_error)}}}};
  json["reasons"] = Json::array();
  for (const RankReason& reason : choice.reasons) {
    Json numbers = Json::object();
    for (const auto& [name, value] : reason.numbers) numbers[name] = value;
    json["reasons"].push_back({{"code", std::string(to_string(reason.code))},
                               {"text", reason.text},
                               {"numbers", numbers}});
  }
  json["ranks"] = Json::array();
  for (std::size_t i = 0; i < choice.rows.size(); ++i) {
    json["ranks"].push_back(row_json(choice.rows[i]));
    Json found = Json::array();
    for (const ComponentStability& each : choice.stability[i]) found.push_back(each.starts);
    json["ranks"].back()["found"] = std::move(found);
  }
  const RankRow& zero = choice.zero;
  json["zero_model"] = {{"holdout_loss", zero.holdout_loss},
                        {"holdout_error", zero.holdout_error},
                        {"holdout_difference", zero.holdout_difference},
                        {"holdout_difference_error", zero.holdout_difference_error}};
  json["held_out"] = {{"entries", choice.held_out}, {"part", choice.part}, {"draws", choice.draws}};
  json["stopped"] = choice.stopped ? Json(*choice.stopped == StopReason::observer
                                              ? "interrupted"
                                              : std::string(to_string(*choice.stopped)))
                                   : Json();
  return json;
}

Json model_json(const RankChoice& choice, const std::vector<TopComponent>& top,
                const Labels& labels) {
  Json json = {{"rank", choice.suggested}, {"weights", Json::array()}};
  for (const TopComponent& each : top) json["weights"].push_back(each.weight);
  tools::add_trust(json, choice.trust);
  json["top"] = to_json(top, labels);
  return json;
}

void print_titles(std::ostream& out) {
  std::vector<std::string> titles;
  for (const Column& column : columns) titles.emplace_back(column.title);
  print_fields(out, titles);
}

void print_row(std::ostream& out, const RankRow& row) {
  print_fields(
      out, {std::to_string(row.rank), number("%.6g", row.objective), number("%.4f", row.fit),
            format("%zu of %zu", row.reached, row.starts), number("%.3f", row.agreement),
            number("%.3f", row.worst_component), with_error(row), number("%.3f", row.congruence),
            number("%.1f", row.core_consistency), number("%.2f", row.seconds)});
}

void print_choice(std::ostream& out, const RankChoice& choice) {
  out << '\n';
  print_line(out, "suggested",
             (choice.suggested == 0 ? "0: nothing replicates" : std::to_string(choice.suggested)) +
                 doubt_of(choice));
  for (const RankReason& reason : choice.reasons) print_line(out, "reason", reason.text);
  if (choice.held_out != 0) {
    std::string held = count_of(choice.held_out, "entry") + ", the same for all ranks";
    if (choice.draws > 1) held += ", in " + std::to_string(choice.draws) + " draws";
    print_line(out, "held out", held);
    print_line(out, "R = 0", "held-out loss " + with_error(choice.zero));
  }
  if (choice.stopped) {
    print_line(
        out, "stopped",
        std::string(*choice.stopped == StopReason::observer ? "interrupted" : "time limit") +
            (choice.rows.empty() ? "" : " after R = " + std::to_string(choice.rows.back().rank)));
  }
}

}  // namespace genten::cli
