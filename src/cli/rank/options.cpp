// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "rank.hpp"
#include "tools/result_json.hpp"

#include <genten/run/choose_rank.hpp>

#include <algorithm>

namespace genten::cli {
namespace {

using Init = decltype(CpAlsOptions::init);

/// What concerns a single run, or stands in the table of RankChoiceOptions.
const std::set<std::string_view> left_out = {"rank",         "starts",   "time-limit", "holdout",
                                             "holdout-seed", "patience", "fixed-modes"};
constexpr std::size_t most_ranks = 1000;

}  // namespace

std::vector<std::size_t> parse_ranks(const std::string& text) {
  std::set<std::size_t> ranks;
  const auto number = [&](std::string_view word) {
    return parse_number<std::size_t>("ranks", word, 1.0, 1e6);
  };
  for (const std::string& piece : split_list(text)) {
    const std::size_t dots = piece.find(".."), dash = piece.find('-', 1);
    const std::size_t end = std::min(dots, dash), behind = dots < dash ? dots + 2 : dash + 1;
    const std::size_t first = number(std::string_view(piece).substr(0, end));
    const std::size_t last =
        end == std::string::npos ? first : number(std::string_view(piece).substr(behind));
    if (last < first || last - first >= most_ranks) {
      reject("ranks", "a range from the smaller to the larger, of 1000 ranks at most", piece);
    }
    for (std::size_t rank = first; rank <= last; ++rank) ranks.insert(rank);
  }
  return {ranks.begin(), ranks.end()};
}

void declare_rank(CLI::App& app, RankCommand& options) {
  DecomposeOptions& run = options.run;
  run.given = [given = given_in(app)](const std::string& name) {
    const bool is_option = name.starts_with("--") && left_out.contains(name.substr(2));
    return !is_option && given(name);
  };
  add_tensor_input(app, run.input);
  add_compact(app, run.input);
  options.choice.ranks = parse_ranks(default_ranks);
  add_text(
      app, "--ranks", "LIST",
      [&options](const std::string& text) { options.choice.ranks = parse_ranks(text); },
      std::string("numbers of components to try, as in 1..6,8,12 or 1-6,8,12 (default ") +
          default_ranks + ")");
  add_fields(app, options.choice, {.left_out = {"ranks"}});
  declare_request(app, run, left_out);
  add_text(
      app, "--init", all_words<Init>(),
      [&run](const std::string& text) {
        const auto kind = from_word<Init>(text);
        if (!kind) reject("init", all_words<Init>(), text);
        run.request.als.init = *kind;
        run.request.given.insert("init");
      },
      "random initial guesses; " + explain_words<Init>() + "; none: as suits the loss");
  add_fields(app, run.request.trust);
  add_precision(app, run.input.precision);
  add_output(app, "-o,--output", run.output,
             "write the best model of the suggested rank, in a form as of genten decompose");
  add_text(app, "--labels", "FILE,...", run.labels,
           "names of the rows, one file a mode, for the components and the model (default "
           "FILE.labels.json)");
  add_output(app, "--json", run.json,
             "write the result, with versions, machine and options; - is the standard output");
  add_output(app, "--checkpoint", run.checkpoint, "write the ranks that are done after each one");
  add_text(app, "--resume", "FILE", run.resume,
           "go on behind the ranks of a checkpoint, with which --ranks must begin; options are to "
           "be given again, and to be the same, but for --time-limit, --memory-limit and "
           "--memory-available");
  add_flag(app, "-q,--quiet", run.quiet,
           "print the suggested number of components alone, and warnings on standard error");
  set_footer(app,
             "The suggestion is the median of three picks: the largest rank whose starts find\n"
             "the same components, the rank with the least held-out error, and the least rank\n"
             "within one standard error of that. 0 says that nothing replicates.\n"
             "Components of the suggested model that fewer than half of its other starts find\n"
             "(with a score of 0.9 or more) are called unstable. --standard-errors and\n"
             "--bootstrap are of that model.\n"
             "Least squares go on to --tolerance 1e-6 and for --max-iterations 500 unless\n"
             "these are given.\n"
             "Ctrl-C (SIGINT), SIGTERM and SIGHUP end it after the current iteration, with the\n"
             "ranks that are done and exit code 4; a second one ends it at once.\n"
             "\n"
             "Examples:\n"
             "  genten rank tensor.tns\n"
             "  genten rank counts.tns --ranks 1..12 --loss poisson --json ranks.json\n"
             "  genten rank visits.csv --loss poisson --bootstrap 100 -o model.ktensor\n"
             "  genten rank ratings.tns --ranks 1..6,8,12 --missing unlisted --starts 5\n"
             "  genten rank large.tns --ranks 1..20 --time-limit 3600 --checkpoint run.gkt\n"
             "  genten rank large.tns --ranks 1..20 --resume run.gkt --checkpoint run.gkt");
}

nlohmann::ordered_json options_json(const RankCommand& options) {
  DecomposeOptions run = options.run;
  run.request = rank_request(run.request);
  nlohmann::ordered_json json = options_json(run);
  for (const std::string_view name : left_out) {
    std::string key(name);
    std::replace(key.begin(), key.end(), '-', '_');
    json.erase(key);
  }
  json.update(tools::options_json(options.choice));
  json.update(tools::options_json(options.run.request.trust));
  return json;
}

}  // namespace genten::cli
