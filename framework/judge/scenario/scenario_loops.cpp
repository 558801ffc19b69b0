#include "judge/scenario/scenario_loops.hpp"

#include "core/text.hpp"

namespace tunecheck {
namespace {

constexpr std::int64_t most_repeats = 1000;

// Whole names only: $n is no part of $name.
std::string replaced(std::string text, const std::string& variable, const std::string& value) {
  const std::string pattern = "$" + variable;
  for (std::size_t at = 0; (at = text.find(pattern, at)) != text.npos;) {
    const std::size_t end = at + pattern.size();
    if (end < text.size() && is_identifier("_" + text.substr(end, 1))) {
      at = end;
      continue;
    }
    text.replace(at, pattern.size(), value);
    at += value.size();
  }
  return text;
}

InfoNode with_value(const InfoNode& node, const std::string& variable, const std::string& value) {
  InfoNode copy{
      replaced(node.key, variable, value), replaced(node.value, variable, value), node.line, {}};
  for (const InfoNode& child : node.children)
    copy.children.push_back(with_value(child, variable, value));
  return copy;
}

struct Loop {
  std::string variable;
  std::vector<std::string> values;
};

Loop read_for(const InfoNode& node, InfoErrors& errors) {
  std::vector<std::string> words = split_words(node.value);
  if (words.size() < 3 || words[1] != "in" || !is_identifier(words[0])) {
    errors.add(node, fmt::format("expected \"NAME in VALUE ...\", found \"{}\"", node.value));
    return {};
  }
  return {words[0], {words.begin() + 2, words.end()}};
}

Loop read_repeat(const InfoNode& node, InfoErrors& errors) {
  const auto times = parse_integer(node.value);
  if (!times || *times < 1 || *times > most_repeats) {
    errors.add(node, fmt::format("expected a number from 1 to {}, found \"{}\"", most_repeats,
                                 node.value));
    return {};
  }
  Loop loop{"repeat", {}};
  for (std::int64_t i = 1; i <= *times; ++i)
    loop.values.push_back(std::to_string(i));
  return loop;
}

}  // namespace

void unroll_loops(InfoNode& node, InfoErrors& errors) {
  std::vector<InfoNode> unrolled;
  for (InfoNode& child : node.children) {
    if (child.key != "for" && child.key != "repeat") {
      unroll_loops(child, errors);
      unrolled.push_back(std::move(child));
      continue;
    }
    const Loop loop = child.key == "for" ? read_for(child, errors) : read_repeat(child, errors);
    for (const std::string& value : loop.values) {
      InfoNode body = with_value(child, loop.variable, value);
      unroll_loops(body, errors);
      for (InfoNode& step : body.children)
        unrolled.push_back(std::move(step));
    }
  }
  node.children = std::move(unrolled);
}

}  // namespace tunecheck
