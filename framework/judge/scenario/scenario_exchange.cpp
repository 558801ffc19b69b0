#include "judge/scenario/scenario_exchange.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "core/text.hpp"

namespace tunecheck {
namespace {

constexpr std::array<std::pair<std::string_view, TableUse>, 3> table_words = {{
    {"write", TableUse::write},
    {"read", TableUse::read},
    {"none", TableUse::none},
}};
constexpr std::array<std::pair<std::string_view, RemoteKey>, 3> bundle_keys = {{
    {"own", RemoteKey::own},
    {"other", RemoteKey::other},
    {"none", RemoteKey::none},
}};
constexpr std::array<std::pair<std::string_view, ExchangeDamage>, 4> damage_of_files = {{
    {"clear", ExchangeDamage::clear},
    {"flip", ExchangeDamage::flip},
    {"truncate", ExchangeDamage::truncate},
    {"replace", ExchangeDamage::replace},
}};

template <class Value, std::size_t Count>
Value value_of(const InfoNode& node, const std::string& word,
               const std::array<std::pair<std::string_view, Value>, Count>& words,
               InfoErrors& errors) {
  std::string known;
  for (const auto& [each, value] : words) {
    if (each == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(each);
  }
  errors.add(node, fmt::format("expected one of {}, found \"{}\"", known, word));
  return words.front().second;
}

}  // namespace

TableUse read_table_use(const InfoNode& node, InfoErrors& errors) {
  return value_of(node, node.value, table_words, errors);
}

std::optional<BundleChoice> read_bundle_choice(const InfoNode& node, InfoErrors& errors) {
  if (node.children.empty()) {
    if (node.value != "yes" && node.value != "no")
      errors.add(node, "expected yes, no or { key KEY }");
    return node.value == "yes" ? std::optional(BundleChoice()) : std::nullopt;
  }
  BundleChoice choice;
  for (const InfoNode& child : node.children)
    if (child.key == "key")
      choice.key = value_of(child, child.value, bundle_keys, errors);
    else
      errors.add(child, unknown_word_message("key", child.key, std::vector<std::string>{"key"}));
  return choice;
}

ArchiveStep read_archive_step(const InfoNode& node, InfoErrors& errors) {
  ArchiveStep step;
  step.line = node.line;
  step.imports = node.key == "import";
  const auto choice = read_bundle_choice(node, errors);
  if (node.value == "no") errors.add(node, "expected yes or { key KEY }, found \"no\"");
  step.key = choice.value_or(BundleChoice()).key;
  return step;
}

bool is_exchange_step(const InfoNode& node) {
  return node.key == "table_files" || node.key == "bundle_files" || node.key == "archive_files";
}

ExchangeStep read_exchange_step(const InfoNode& node, InfoErrors& errors) {
  ExchangeStep step;
  step.line = node.line;
  step.kind = node.key == "table_files"    ? ExchangeKind::table
              : node.key == "bundle_files" ? ExchangeKind::bundle
                                           : ExchangeKind::archive;
  if (node.children.size() > 1) errors.add(node, "expected one word, or { WORD PERCENT }");
  const bool has_place = node.children.size() == 1;
  const InfoNode& word = has_place ? node.children.front() : node;
  step.damage = value_of(word, has_place ? word.key : word.value, damage_of_files, errors);
  if (!has_place) return step;
  const auto percent = parse_integer(word.value);
  if (!percent || *percent < 0 || *percent > 100)
    errors.add(word, "expected 0 to 100, percent of the file");
  step.at_percent = static_cast<int>(percent.value_or(0));
  return step;
}

}  // namespace tunecheck
