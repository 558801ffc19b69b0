#include "judge/scenario/scenario_expectations.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/byte_size.hpp"
#include "core/text.hpp"
#include "judge/checks/table/check.hpp"
#include "judge/scenario/amount.hpp"

namespace tunecheck {
namespace {

constexpr std::string_view outcome_word = "outcome";
constexpr std::array<std::pair<std::string_view, CallEnd>, 3> outcomes = {{
    {"done", CallEnd::done},
    {"failed", CallEnd::failed},
    {"killed", CallEnd::killed},
}};

void read_outcome(const InfoNode& node, CallStep& call, InfoErrors& errors) {
  const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                  [&](const auto& each) { return each.first == node.value; });
  if (found != outcomes.end())
    call.end = found->second;
  else
    errors.add(node, fmt::format("expected done, failed or killed, found \"{}\"", node.value));
}

std::vector<const Check*> checks_written(std::string_view word) {
  std::vector<const Check*> found;
  for (const Check& check : all_checks())
    if (check.short_form.word == word || check.name == word) found.push_back(&check);
  return found;
}

// Every word that may begin a line of the block.
std::vector<std::string> known_words() {
  std::vector<std::string> words = {std::string(outcome_word)};
  for (const Check& check : all_checks())
    if (const std::string word(check.short_form.word);
        !word.empty() && std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(word);
  for (const Check& check : all_checks())
    if (check.always != Always::every_process) words.emplace_back(check.name);
  return words;
}

std::string values_of(const std::vector<const Check*>& checks) {
  std::vector<std::string_view> values;
  for (const Check* const check : checks)
    values.push_back(check->short_form.value);
  std::sort(values.begin(), values.end());
  return fmt::format("{}", fmt::join(values, " or "));
}

// The check that the line asks, with its parameter; nothing where it is a mistake.
std::optional<Expectation> asked_in(const InfoNode& node, InfoErrors& errors) {
  const std::vector<const Check*> written = checks_written(node.key);
  if (written.empty()) {
    errors.add(node, unknown_word_message("check", node.key, known_words()));
    return std::nullopt;
  }
  const Check& first = *written.front();
  if (first.always == Always::every_process) {
    errors.add(node, "expected another check: this one is asked of every process");
    return std::nullopt;
  }
  if (first.name == node.key || first.short_form.value.empty())
    return Expectation{&first, node.value, node.line};
  for (const Check* const check : written)
    if (check->short_form.value == node.value) return Expectation{check, "yes", node.line};
  errors.add(node, fmt::format("expected {}, found \"{}\"", values_of(written), node.value));
  return std::nullopt;
}

// What is wrong with a parameter of that kind, as "expected ..."; "" where nothing is.
std::string mistake_in(CheckParameter kind, const std::string& parameter,
                       const std::set<std::string>& earlier) {
  switch (kind) {
    case CheckParameter::none:
      return parameter == "yes" ? "" : "expected yes";
    case CheckParameter::process:
      return earlier.contains(parameter) ? ""
                                         : fmt::format(
                                               "expected the name of an earlier process "
                                               "({})",
                                               fmt::join(earlier, ", "));
    case CheckParameter::axis:
      return is_identifier(parameter) ? "" : "expected the name of a key axis";
    case CheckParameter::seconds:
      return parse_number(parameter).value_or(-1) >= 0 ? "" : "expected a number of seconds";
    case CheckParameter::percent:
      return parse_number(parameter).value_or(-1) >= 0 ? "" : "expected a number of percent";
    case CheckParameter::bytes:
      return parse_byte_size(parameter) ? "" : "expected a size such as 64K";
    case CheckParameter::microseconds:
      return parse_number(parameter).value_or(-1) >= 0 ? "" : "expected a number of microseconds";
    case CheckParameter::amount:
      return parse_amount(parameter) ? ""
                                     : "expected a whole number above 0, or a share such as 10%";
  }
  return {};
}

}  // namespace

void read_expectation(const InfoNode& node, const std::set<std::string>& earlier, CallStep& call,
                      InfoErrors& errors) {
  if (node.key == outcome_word) return read_outcome(node, call, errors);
  auto expectation = asked_in(node, errors);
  if (!expectation) return;
  const std::string mistake =
      mistake_in(expectation->check->parameter, expectation->parameter, earlier);
  if (mistake.empty())
    call.expectations.push_back(std::move(*expectation));
  else
    errors.add(node, fmt::format("{}, found \"{}\"", mistake, expectation->parameter));
}

}  // namespace tunecheck
