#include "judge/scenario/scenario_cache.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/ranges.h>

namespace tunecheck {
namespace {

constexpr std::array<std::pair<std::string_view, CacheAction::Kind>, 13> cache_words = {{
    {"move", CacheAction::Kind::move},
    {"absent", CacheAction::Kind::absent},
    {"read_only", CacheAction::Kind::read_only},
    {"writable", CacheAction::Kind::writable},
    {"full", CacheAction::Kind::full},
    {"other_owner", CacheAction::Kind::other_owner},
    {"world_writable", CacheAction::Kind::world_writable},
    {"clear", CacheAction::Kind::clear},
    {"unreadable", CacheAction::Kind::unreadable},
    {"links", CacheAction::Kind::links},
    {"age", CacheAction::Kind::age},
    {"save", CacheAction::Kind::save},
    {"restore", CacheAction::Kind::restore},
}};

// In braces, with the files that they concern.
constexpr std::array<std::pair<std::string_view, CacheAction::Kind>, 6> damage_words = {{
    {"truncate", CacheAction::Kind::truncate},
    {"flip", CacheAction::Kind::flip},
    {"remove", CacheAction::Kind::remove},
    {"replace", CacheAction::Kind::replace},
    {"protect", CacheAction::Kind::protect},
    {"hide", CacheAction::Kind::hide},
}};

template <std::size_t Count>
std::string first_words(
    const std::array<std::pair<std::string_view, CacheAction::Kind>, Count>& table) {
  std::array<std::string_view, Count> words;
  std::transform(table.begin(), table.end(), words.begin(),
                 [](const auto& each) { return each.first; });
  return fmt::format("{}", fmt::join(words, ", "));
}

void read_room(const InfoNode& node, CacheStep& step, InfoErrors& errors) {
  InfoReader reader(node, errors);
  step.kind = CacheAction::Kind::room;
  step.room_kib = reader.integer_or("room", 0);
  if (step.room_kib < 4) errors.add(*node.child("room"), "expected at least 4 KiB");
  reader.finish();
}

void read_damage(const InfoNode& node, const std::set<std::string>& processes, CacheStep& step,
                 InfoErrors& errors) {
  using enum CacheAction::Kind;
  InfoReader reader(node, errors);
  std::string word;
  for (const auto& [each, kind] : damage_words)
    if (word.empty() && node.child(std::string(each)) != nullptr) {
      word = each;
      step.kind = kind;
    }
  step.glob = reader.text(word);
  const bool has_place = step.kind == truncate || step.kind == flip;
  const bool has_levels = step.kind == remove || step.kind == replace || step.kind == protect;
  step.at_percent = has_place ? reader.integer_or("at", 50) : 50;
  if (step.at_percent < 0 || step.at_percent > 100)
    errors.add(*node.child("at"), "expected 0 to 100, percent of the file");
  const std::int64_t up = has_levels ? reader.integer_or("up", 0) : 0;
  if (up < 0 || up > 9) errors.add(*node.child("up"), "expected 0 to 9 folders");
  step.up = static_cast<int>(up);
  step.of_process = reader.text_or("of", "");
  if (!step.of_process.empty() && !processes.contains(step.of_process))
    errors.add(
        *node.child("of"),
        fmt::format("expected the name of an earlier process, found \"{}\"", step.of_process));
  reader.finish();
}

}  // namespace

CacheStep read_cache_step(const InfoNode& node, const std::set<std::string>& processes,
                          InfoErrors& errors) {
  CacheStep step;
  step.line = node.line;
  for (const auto& [word, action] : cache_words)
    if (word == node.value && node.children.empty()) {
      step.kind = action;
      return step;
    }
  const auto is_damage = [](const InfoNode& child) {
    return std::any_of(damage_words.begin(), damage_words.end(),
                       [&](const auto& known) { return known.first == child.key; });
  };
  if (node.value.empty() && node.child("room") != nullptr)
    read_room(node, step, errors);
  else if (node.value.empty() && std::any_of(node.children.begin(), node.children.end(), is_damage))
    read_damage(node, processes, step, errors);
  else
    errors.add(node, fmt::format("expected {}, or {{ WORD GLOB }} with one of {}, or "
                                 "{{ room KIB }}",
                                 first_words(cache_words), first_words(damage_words)));
  return step;
}

}  // namespace tunecheck
