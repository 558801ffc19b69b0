#include "judge/scenario/scenario_loops.hpp"

#include <algorithm>

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

LoopRows rows_of(const std::string& variable, const std::vector<std::string>& words) {
  LoopRows rows;
  for (const std::string& word : words)
    rows.push_back({{variable, word}});
  return rows;
}

LoopRows read_for(const InfoNode& node, InfoErrors& errors) {
  std::vector<std::string> words = split_words(node.value);
  if (words.size() < 3 || words[1] != "in" || !is_identifier(words[0])) {
    errors.add(node, fmt::format("expected \"NAME in VALUE ...\", found \"{}\"", node.value));
    return {};
  }
  return rows_of(words[0], {words.begin() + 2, words.end()});
}

LoopRows read_repeat(const InfoNode& node, InfoErrors& errors) {
  const auto times = parse_integer(node.value);
  if (!times || *times < 1 || *times > most_repeats) {
    errors.add(node, fmt::format("expected a number from 1 to {}, found \"{}\"", most_repeats,
                                 node.value));
    return {};
  }
  std::vector<std::string> numbers;
  for (std::int64_t i = 1; i <= *times; ++i)
    numbers.push_back(std::to_string(i));
  return rows_of("repeat", numbers);
}

// Unrolls the loops of one file. children_of() calls itself for what is in a body, inner loops
// after outer ones, which may choose their words. A loop in a loop multiplies: as soon as there are
// more copies than a scenario could mean, one error is added and nothing more is copied, so that
// what is left is short of a part.
class Unrolling {
 public:
  Unrolling(InfoErrors& errors, const LoopTables& tables) : m_errors(errors), m_tables(tables) {}

  void children_of(InfoNode& node) {
    std::vector<InfoNode> unrolled;
    for (InfoNode& child : node.children) {
      if (child.key == "scenario") note_needs(child);
      if (child.key != "for" && child.key != "repeat" && child.key != "each") {
        children_of(child);
        unrolled.push_back(std::move(child));
        continue;
      }
      for (const auto& row : rows_for(child)) {
        if (m_bytes > most_bytes) break;
        InfoNode body = copied(child, row);
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

  void note_needs(const InfoNode& scenario) {
    const InfoNode* const needs = scenario.child("needs");
    m_needs = needs == nullptr ? std::vector<std::string>() : split_words(needs->value);
  }

  LoopRows rows_for(const InfoNode& loop) {
    if (loop.key == "for") return read_for(loop, m_errors);
    if (loop.key == "repeat") return read_repeat(loop, m_errors);
    const auto table = m_tables.find(loop.value);
    if (table == m_tables.end()) {
      std::vector<std::string> names;
      for (const auto& [name, rows] : m_tables)
        names.push_back(name);
      m_errors.add(loop, unknown_word_message("list of the adapter's", loop.value, names));
      return {};
    }
    if (std::find(m_needs.begin(), m_needs.end(), loop.value) == m_needs.end())
      m_errors.add(loop, fmt::format("expected a scenario that needs \"{}\"", loop.value));
    return table->second;
  }

  InfoNode copied(const InfoNode& node, const LoopRows::value_type& row) {
    InfoNode copy{node.key, node.value, node.line, {}};
    for (const auto& [variable, word] : row) {
      copy.key = replaced(std::move(copy.key), variable, word.value_or(""));
      copy.value = replaced(std::move(copy.value), variable, word.value_or(""));
    }
    m_bytes += sizeof(InfoNode) + copy.key.size() + copy.value.size();
    for (const InfoNode& child : node.children) {
      if (m_bytes > most_bytes) break;
      const auto whole = child.value.starts_with('$') ? row.find(child.value.substr(1)) : row.end();
      if (whole == row.end() || whole->second) copy.children.push_back(copied(child, row));
    }
    return copy;
  }

  InfoErrors& m_errors;
  const LoopTables& m_tables;
  std::vector<std::string> m_needs;  // of the scenario that is read
  std::size_t m_bytes = 0;
};

}  // namespace

void unroll_loops(InfoNode& node, InfoErrors& errors, const LoopTables& tables) {
  Unrolling(errors, tables).children_of(node);
}

}  // namespace tunecheck
