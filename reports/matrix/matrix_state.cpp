#include "reports/matrix/matrix_state.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/device_kinds.hpp"
#include "core/text.hpp"
#include "judge/checks/table/check.hpp"

namespace tunecheck {
namespace {

constexpr std::array<std::string_view, question_states> names = {
    "held",   "other_policy", "never_said",   "unexplained", "broken_promise",
    "failed", "no_evidence",  "not_testable", "not_asked"};

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

// Lower case, and one '-' for all that is no letter, digit or '.'.
std::string slug(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (std::isalnum(code) != 0 || letter == '.' || letter == '_')
      result += static_cast<char>(std::tolower(code));
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  while (!result.empty() && result.back() == '-')
    result.pop_back();
  return result;
}

// From good to bad, among scenarios that failed.
QuestionState worse(QuestionState a, QuestionState b) {
  return std::max(a, b);
}

QuestionState state_for(const CausesOf& causes) {
  if (causes.empty()) return QuestionState::unexplained;
  QuestionState state = QuestionState::other_policy;
  for (const TunerCause* const cause : causes)
    state = worse(state, cause->kind == CauseKind::broken_promise ? QuestionState::broken_promise
                         : cause->kind == CauseKind::never_said   ? QuestionState::never_said
                                                                  : QuestionState::other_policy);
  return state;
}

struct ByName {
  bool operator()(const TunerCause* a, const TunerCause* b) const { return a->name < b->name; }
};
using CauseSet = std::set<const TunerCause*, ByName>;

// What one scenario's answer adds.
void add_answer(const MatrixTuner& tuner, const std::string& scenario, std::string_view check,
                Verdict verdict, QuestionAnswer& answer, CauseSet& causes) {
  switch (verdict) {
    case Verdict::unsupported:
      return;
    case Verdict::error:
      answer.state = worse(answer.state, QuestionState::no_evidence);
      return;
    case Verdict::pass:
      ++answer.asked;
      ++answer.held;
      return;
    case Verdict::fail:
      ++answer.asked;
      answer.state = worse(answer.state, QuestionState::failed);
      return;
    case Verdict::known:
      break;
  }
  ++answer.asked;
  const CausesOf explained = causes_behind(tuner, scenario, check);
  answer.state = worse(answer.state, state_for(explained));
  causes.insert(explained.begin(), explained.end());
}

}  // namespace

std::string_view name_of(QuestionState state) {
  return names.at(static_cast<std::size_t>(state));
}

CausesOf causes_behind(const MatrixTuner& tuner, const std::string& scenario,
                       std::string_view check) {
  CausesOf of_check, of_scenario;
  for (const auto& [name, cause] : tuner.causes) {
    if (cause.is_of(scenario, check)) of_check.push_back(&cause);
    if (cause.is_of(scenario)) of_scenario.push_back(&cause);
  }
  return of_check.empty() ? of_scenario : of_check;
}

bool was_reached(const MatrixScenario& scenario, std::string_view check) {
  const bool ended = scenario.verdict == Verdict::known || scenario.verdict == Verdict::fail;
  const auto found = scenario.checks.find(std::string(check));
  if (found == scenario.checks.end()) return false;
  if (!ended || found->second == Verdict::pass || scenario.troubles.empty()) return true;
  return std::any_of(
      scenario.troubles.begin(), scenario.troubles.end(),
      [&](const MatrixScenario::Trouble& trouble) { return trouble.check == check; });
}

QuestionAnswer answer_of(const MatrixTuner& tuner, std::string_view check) {
  QuestionAnswer answer;
  const MatrixCell cell = cell_of(tuner, check);
  if (cell.not_asked) return answer;
  if (!cell.reason.empty()) {
    answer.state = QuestionState::not_testable;
    return answer;
  }
  CauseSet causes;
  answer.state = QuestionState::held;
  const auto add = [&](bool reached) {
    for (const auto& [name, scenario] : tuner.scenarios)
      if (const auto found = scenario.checks.find(std::string(check));
          found != scenario.checks.end() && was_reached(scenario, check) == reached)
        add_answer(tuner, name, check, found->second, answer, causes);
  };
  add(true);
  // Where no scenario came that far, what ended them is the answer.
  if (answer.asked == 0 && answer.state == QuestionState::held) add(false);
  answer.causes.assign(causes.begin(), causes.end());
  return answer;
}

StateCounts state_counts(const MatrixTuner& tuner) {
  StateCounts counts{};
  for (const Check& check : all_checks())
    ++counts.at(static_cast<std::size_t>(answer_of(tuner, check.name).state));
  return counts;
}

SeenCauses causes_seen(const MatrixTuner& tuner) {
  CauseSet seen;
  for (const auto& [name, scenario] : tuner.scenarios)
    for (const auto& [check, verdict] : scenario.checks)
      if (verdict == Verdict::known && was_reached(scenario, check))
        for (const TunerCause* const cause : causes_behind(tuner, name, check))
          seen.insert(cause);
  SeenCauses causes{{seen.begin(), seen.end()}, {}};
  for (const auto& [name, cause] : tuner.causes)
    if (cause.scenarios.empty()) causes.apart.push_back(&cause);
  return causes;
}

bool is_own(const MatrixTuner& tuner) {
  return tuner.adapter == "reference" || tuner.adapter.starts_with("mutant:") ||
         tuner.adapter.starts_with("adversary:");
}

ProductName product_of(const MatrixTuner& tuner) {
  const std::string_view text = tuner.tuner;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (has_digit(text.substr(begin, end - begin))) break;
    begin = std::min(end + 1, text.size());
  }
  ProductName name{std::string(text.substr(0, begin)), std::string(text.substr(begin))};
  while (name.product.ends_with(' '))
    name.product.pop_back();
  if (name.product.empty()) name.product = tuner.adapter;
  // "FFTW fftw-3.3.10"
  if (const std::string again = slug(name.product) + '-'; name.version.starts_with(again))
    name.version.erase(0, again.size());
  return name;
}

std::string slug_of(const MatrixTuner& tuner) {
  std::string text = slug(tuner.adapter);
  for (const std::string& part : {product_of(tuner).version, tuner.backend, tuner.device})
    if (const std::string next = slug(part); !next.empty()) text += "-" + next;
  return text;
}

std::string card_of(const MatrixTuner& tuner) {
  const auto kind = parse_device_kind(tuner.backend);
  if (!kind || !is_gpu(*kind)) return upper_case(tuner.backend);
  for (const std::string& word : split_words(tuner.device))
    if (has_digit(word)) return word;
  return tuner.device.empty() ? upper_case(tuner.backend) : tuner.device;
}

}  // namespace tunecheck
