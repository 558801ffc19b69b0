#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "core/plain_text.hpp"
#include "reports/matrix/matrix_pages.hpp"
#include "reports/matrix/matrix_state.hpp"

namespace tunecheck {
namespace {

constexpr std::size_t longest_sentence = 300;

constexpr std::string_view introduction =
    "# Conformance\n\n"
    "This page shows in one table how each tuner answers the questions that the scenarios ask. "
    "The\n"
    "page *State of autotuners* has each answer in full: what was observed, the cause, whose\n"
    "promise it is, what is known upstream, and how to repeat it. It is one file for a browser:\n\n"
    "```\n"
    "tunecheck matrix docs/conformance/*.json --format html --findings docs/findings \\\n"
    "    --out state.html\n"
    "```\n\n"
    "`ci/gate` makes it as `out/state.html`, next to `out/conformance.md`, which is this page. "
    "The\n"
    "[findings](findings/README.md) describe the causes, and [matrix](matrix.md) says what the\n"
    "words mean.\n\n"
    "A question counts once for each tuner, by the worst of its scenarios. One cause explains "
    "many\n"
    "failures. Tuners are asked about what they offer, so the rows are not a ranking.\n";

// Text that others wrote, so that it means nothing to Markdown.
std::string plain(std::string_view text) {
  constexpr std::string_view special = "\\`*_{}[]<>#|~&!$";
  std::string escaped;
  for (const char letter : shortened(printable_line(text), longest_sentence)) {
    if (special.find(letter) != special.npos) escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

std::int64_t questions_in(const StateCounts& counts, std::initializer_list<QuestionState> states) {
  std::int64_t sum = 0;
  for (const QuestionState state : states)
    sum += counts.at(static_cast<std::size_t>(state));
  return sum;
}

std::string causes_text(const MatrixTuner& tuner) {
  const CausesOf seen = causes_seen(tuner).seen;
  const auto count = [&](CauseKind kind) {
    return std::count_if(seen.begin(), seen.end(),
                         [&](const TunerCause* cause) { return cause->kind == kind; });
  };
  std::string text;
  for (const auto& [number, words] :
       {std::pair{count(CauseKind::broken_promise), "against a promise"},
        std::pair{count(CauseKind::never_said), "never said"},
        std::pair{count(CauseKind::other_policy), "another policy"}})
    if (number > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, words);
  return text;
}

std::string no_text(const StateCounts& counts) {
  using State = QuestionState;
  const std::int64_t broken = questions_in(counts, {State::broken_promise});
  const std::int64_t failed = questions_in(counts, {State::failed});
  std::string text = std::to_string(
      broken + failed +
      questions_in(counts, {State::other_policy, State::never_said, State::unexplained}));
  if (broken > 0) text += fmt::format(", {} against its promise", broken);
  if (failed > 0) text += fmt::format(", **{} not explained**", failed);
  return text;
}

std::string answers(const MatrixTuner& tuner) {
  using State = QuestionState;
  const StateCounts counts = state_counts(tuner);
  const std::int64_t unseen = questions_in(counts, {State::no_evidence});
  return fmt::format("{} | {} | {}{} | {}", questions_in(counts, {State::held}), no_text(counts),
                     questions_in(counts, {State::not_testable, State::not_asked}),
                     unseen == 0 ? "" : fmt::format(", {} without evidence", unseen),
                     causes_text(tuner));
}

std::string row(const MatrixTuner& tuner) {
  const ProductName name = product_of(tuner);
  const std::string head =
      fmt::format("| {} | {} | {} | {} |",
                  tuner.tuner.empty() ? "never answered" : plain(name.product + " " + name.version),
                  plain(tuner.adapter),
                  plain(fmt::format("{}, {}", tuner.backend,
                                    tuner.device.empty() ? "device not known" : tuner.device)),
                  plain(date_of(tuner)));
  if (const std::string why = why_it_did_not_run(tuner); !why.empty())
    return fmt::format("{} **did not run**: {} | | | |\n", head, plain(why));
  std::string text = answers(tuner);
  if (const std::string missing = why_it_is_incomplete(tuner); !missing.empty())
    text += fmt::format("{}**incomplete**: {}", text.ends_with("| ") ? "" : "; ", plain(missing));
  return fmt::format("{} {} |\n", head, text);
}

std::string table(const Matrix& matrix, bool own) {
  std::string rows;
  for (const MatrixTuner& tuner : matrix.tuners)
    if (is_own(tuner) == own) rows += row(tuner);
  if (rows.empty()) return rows;
  return "\n| tuner | adapter | on | run on | yes | no | not testable, or not asked | causes of no "
         "|\n"
         "|---|---|---|---|---|---|---|---|\n" +
         rows;
}

}  // namespace

std::string matrix_markdown(const Matrix& matrix) {
  std::string text = std::string(introduction) + table(matrix, false);
  if (const std::string own = table(matrix, true); !own.empty())
    text +=
        "\n## tunecheck's own tuner\n\n"
        "It is a control: it shows that the questions can be answered well.\n" +
        own;
  return text;
}

}  // namespace tunecheck
