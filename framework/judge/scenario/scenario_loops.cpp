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

// Unrolls the loops of one file. children_of() calls itself for what is in a body, inner loops
// after outer ones, which may choose their words. A loop in a loop multiplies: as soon as there are
// more copies than a scenario could mean, one error is added and nothing more is copied, so that
// what is left is short of a part.
class Unrolling {
 public:
  explicit Unrolling(InfoErrors& errors) : m_errors(errors) {}

  void children_of(InfoNode& node) {
    std::vector<InfoNode> unrolled;
    for (InfoNode& child : node.children) {
      if (child.key != "for" && child.key != "repeat") {
        children_of(child);
        unrolled.push_back(std::move(child));
        continue;
      }
      const Loop loop =
          child.key == "for" ? read_for(child, m_errors) : read_repeat(child, m_errors);
      for (const std::string& value : loop.values) {
        if (m_bytes > most_bytes) break;
        InfoNode body = copied(child, loop.variable, value);
        if (m_bytes > most_bytes) {
          m_errors.add(child, fmt::format("expected loops that make at most {} MiB of steps",
                                          most_bytes >> 20));
          break;
        }
        children_of(body);
        for (InfoNode& step : body.children)
          unrolled.push_back(std::move(step));
      }
    }
    node.children = std::move(unrolled);
  }

 private:
  static constexpr std::size_t most_bytes = 64 << 20;

  InfoNode copied(const InfoNode& node, const std::string& variable, const std::string& value) {
    InfoNode copy{
        replaced(node.key, variable, value), replaced(node.value, variable, value), node.line, {}};
    m_bytes += sizeof(InfoNode) + copy.key.size() + copy.value.size();
    if (m_bytes <= most_bytes)
      for (const InfoNode& child : node.children)
        copy.children.push_back(copied(child, variable, value));
    return copy;
  }

  InfoErrors& m_errors;
  std::size_t m_bytes = 0;
};

}  // namespace

void unroll_loops(InfoNode& node, InfoErrors& errors) {
  Unrolling(errors).children_of(node);
}

}  // namespace tunecheck
