#include "judge/scenario/scenario_filter.hpp"

#include <algorithm>
#include <set>

#include "core/plain_text.hpp"
#include "core/text.hpp"
#include "judge/scenario/named_checks.hpp"

namespace tunecheck {

struct ScenarioFilter::Node {
  enum class Kind { term, negation, conjunction, disjunction };
  Kind kind = Kind::term;
  std::string field, glob;                         ///< of a term
  std::vector<std::shared_ptr<const Node>> parts;  ///< of the others
};

namespace {

using FilterNode = ScenarioFilter::Node;
using FilterPart = std::shared_ptr<const FilterNode>;

// Deeper than anybody writes, and far from the end of the stack.
constexpr int most_depth = 100;

std::vector<std::string> devices_that_run(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const DeviceKind kind : real_device_kinds)
    if (why_left_out(scenario, kind).empty()) names.emplace_back(name_of(kind));
  // Those on the simulated device are part of a run on the CPU, and are known by both names.
  const std::string own(name_of(scenario.backends.front()));
  if (std::find(names.begin(), names.end(), own) == names.end()) names.push_back(own);
  return names;
}

std::vector<std::string> checks_named_in(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const std::string_view name : named_checks(scenario))
    names.emplace_back(name);
  return names;
}

// What a term is about. One row for each field, and nothing else knows them.
struct FilterField {
  const char* name;
  std::vector<std::string> (*values)(const Scenario&);
};
constexpr FilterField filter_rows[] = {
    {"name", [](const Scenario& scenario) { return std::vector{scenario.name}; }},
    {"family", [](const Scenario& scenario) { return std::vector{scenario.family}; }},
    {"check", checks_named_in},
    {"kernel", [](const Scenario& scenario) { return std::vector{scenario.kernel}; }},
    {"needs", [](const Scenario& scenario) { return scenario.needs; }},
    {"catches", [](const Scenario& scenario) { return scenario.catches; }},
    {"device", devices_that_run}};

const FilterField* find_field(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(filter_rows), std::end(filter_rows),
                   [&](const FilterField& field) { return field.name == name; });
  return found == std::end(filter_rows) ? nullptr : found;
}

bool term_matches(const FilterNode& term, const Scenario& scenario) {
  const std::vector<std::string> values = find_field(term.field)->values(scenario);
  return std::any_of(values.begin(), values.end(),
                     [&](const std::string& value) { return matches_glob(term.glob, value); });
}

bool node_matches(const FilterNode& node, const Scenario& scenario) {
  const auto one = [&](const FilterPart& part) { return node_matches(*part, scenario); };
  switch (node.kind) {
    case FilterNode::Kind::term:
      return term_matches(node, scenario);
    case FilterNode::Kind::negation:
      return !one(node.parts.front());
    case FilterNode::Kind::conjunction:
      return std::all_of(node.parts.begin(), node.parts.end(), one);
    case FilterNode::Kind::disjunction:
      return std::any_of(node.parts.begin(), node.parts.end(), one);
  }
  return false;
}

struct FilterToken {
  std::string text;  ///< "" at the end
  std::size_t column = 1;
};

std::vector<FilterToken> tokens_of(const std::string& text) {
  constexpr std::string_view blanks = " \t\r\n", single = "()";
  const auto is_one_of = [&](std::string_view some, std::size_t at) {
    return some.find(text[at]) != std::string_view::npos;
  };
  std::vector<FilterToken> tokens;
  std::size_t column = 1;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    if (!is_one_of(blanks, at) && !is_one_of(single, at))
      while (end < text.size() && !is_one_of(blanks, end) && !is_one_of(single, end))
        ++end;
    std::string token = text.substr(at, end - at);
    const std::size_t width = width_of(token);
    if (!is_one_of(blanks, at)) tokens.push_back({std::move(token), column});
    column += width;
    at = end;
  }
  tokens.push_back({"", column});
  return tokens;
}

// There may be hundreds of values.
std::string unknown_value(const std::string& field, const std::string& value,
                          const std::vector<std::string>& known) {
  constexpr std::size_t most = 20;
  const std::string found = "unknown " + field + " \"" + value + "\"";
  if (const auto nearest = nearest_word(value, known))
    return found + "; did you mean \"" + *nearest + "\"?";
  if (known.size() <= most) return unknown_word_message(field, value, known);
  return found + "; `tunecheck scenarios list --json` shows what there is";
}

// By recursive descent, a function for each rule of the grammar. What was read before an error is
// of no use.
class FilterParser {
 public:
  FilterParser(const std::string& text, const Catalogue& catalogue)
      : m_tokens(tokens_of(text)), m_catalogue(catalogue) {}

  Result<FilterPart> parse() {
    TUNECHECK_TRY(FilterPart whole, condition(0));
    if (!now().text.empty()) return refusal("expected \"and\", \"or\" or the end");
    return whole;
  }

 private:
  [[nodiscard]] const FilterToken& now() const { return m_tokens[m_at]; }

  [[nodiscard]] static tl::unexpected<Error> mistake(std::size_t column, const std::string& what) {
    return failure(ErrorKind::bad_input, "column {}: {}", column, what);
  }
  [[nodiscard]] tl::unexpected<Error> refusal(const std::string& expected) const {
    return mistake(
        now().column,
        expected + (now().text.empty() ? ", found the end" : ", found \"" + now().text + "\""));
  }

  bool skip(std::string_view word) {
    if (now().text != word) return false;
    ++m_at;
    return true;
  }

  Result<FilterPart> condition(int depth) {
    return several("or", FilterNode::Kind::disjunction, depth, [&] { return conjunction(depth); });
  }
  Result<FilterPart> conjunction(int depth) {
    return several("and", FilterNode::Kind::conjunction, depth, [&] { return one(depth); });
  }

  template <class Rule>
  Result<FilterPart> several(std::string_view word, FilterNode::Kind kind, int depth,
                             const Rule& rule) {
    if (depth > most_depth) return mistake(now().column, "expected fewer than 100 parentheses");
    FilterNode node{kind, {}, {}, {}};
    do {
      TUNECHECK_TRY(FilterPart part, rule());
      node.parts.push_back(std::move(part));
    } while (skip(word));
    if (node.parts.size() == 1) return node.parts.front();
    return std::make_shared<const FilterNode>(std::move(node));
  }

  Result<FilterPart> one(int depth) {
    if (depth > most_depth) return mistake(now().column, "expected fewer than 100 times \"not\"");
    if (skip("not")) {
      TUNECHECK_TRY(FilterPart part, one(depth + 1));
      return std::make_shared<const FilterNode>(
          FilterNode{FilterNode::Kind::negation, {}, {}, {std::move(part)}});
    }
    if (skip("(")) {
      TUNECHECK_TRY(FilterPart part, condition(depth + 1));
      if (!skip(")")) return refusal("expected \"and\", \"or\" or \")\"");
      return part;
    }
    return term();
  }

  Result<FilterPart> term() {
    const FilterToken token = now();
    if (token.text.empty() || token.text == ")" || token.text == "and" || token.text == "or")
      return refusal("expected a name, FIELD:VALUE, \"not\" or \"(\"");
    ++m_at;
    const std::size_t colon = token.text.find(':');
    FilterNode node;
    node.field = colon == std::string::npos ? "name" : token.text.substr(0, colon);
    node.glob = colon == std::string::npos ? token.text : token.text.substr(colon + 1);
    if (find_field(node.field) == nullptr)
      return mistake(token.column, unknown_word_message("field", node.field, filter_fields()));
    const std::size_t column =
        token.column + (colon == std::string::npos ? 0 : width_of(node.field) + 1);
    if (node.glob.empty()) return mistake(column, "expected a value after \"" + node.field + ":\"");
    TUNECHECK_CHECK(check_value(node, column));
    return std::make_shared<const FilterNode>(std::move(node));
  }

  // A device that no scenario runs on is no slip; any other value is.
  [[nodiscard]] Result<void> check_value(const FilterNode& term, std::size_t column) const {
    const std::vector<std::string> known = values_of_field(m_catalogue, term.field);
    if (std::any_of(known.begin(), known.end(),
                    [&](const std::string& value) { return matches_glob(term.glob, value); }))
      return {};
    if (term.field == "name") return mistake(column, no_scenario_matches(term.glob, m_catalogue));
    return mistake(column, unknown_value(term.field, term.glob, known));
  }

  std::vector<FilterToken> m_tokens;
  std::size_t m_at = 0;
  const Catalogue& m_catalogue;
};

}  // namespace

const std::vector<std::string>& filter_fields() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const FilterField& field : filter_rows)
      all.emplace_back(field.name);
    return all;
  }();
  return names;
}

std::vector<std::string> values_of_field(const Catalogue& catalogue, std::string_view name) {
  std::set<std::string> values;
  const FilterField* const field = find_field(name);
  if (field == nullptr) return {};
  for (const auto& [scenario_name, scenario] : catalogue.scenarios)
    for (std::string& value : field->values(scenario))
      values.insert(std::move(value));
  if (name == "device")
    for (std::string& device : names_of(all_device_kinds))
      values.insert(std::move(device));
  return {values.begin(), values.end()};
}

Result<ScenarioFilter> ScenarioFilter::parse(const std::string& text, const Catalogue& catalogue) {
  TUNECHECK_TRY(FilterPart root, FilterParser(text, catalogue).parse());
  return ScenarioFilter(std::move(root));
}

bool ScenarioFilter::matches(const Scenario& scenario) const {
  return node_matches(*m_root, scenario);
}

}  // namespace tunecheck
