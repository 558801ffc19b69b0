#include "judge/scenario/scenario_remote.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/ranges.h>

namespace tunecheck {
namespace {

template <class Value, std::size_t Count>
using WordTable = std::array<std::pair<std::string_view, Value>, Count>;

constexpr WordTable<RemoteServerKind, 2> server_words = {{
    {"redis", RemoteServerKind::redis},
    {"http", RemoteServerKind::http},
}};
constexpr WordTable<RemoteWay, 6> way_words = {{
    {"plain", RemoteWay::plain},
    {"down", RemoteWay::down},
    {"hangs", RemoteWay::hangs},
    {"slow", RemoteWay::slow},
    {"garbage", RemoteWay::garbage},
    {"truncated", RemoteWay::truncated},
}};
constexpr WordTable<RemoteKey, 3> key_words = {{
    {"own", RemoteKey::own},
    {"other", RemoteKey::other},
    {"none", RemoteKey::none},
}};
constexpr WordTable<RemoteDamage, 5> damage_of_values = {{
    {"clear", RemoteDamage::clear},
    {"flip", RemoteDamage::flip},
    {"truncate", RemoteDamage::truncate},
    {"replace", RemoteDamage::replace},
    {"swap", RemoteDamage::swap},
}};

template <class Value, std::size_t Count>
void read_word(const InfoNode& node, const WordTable<Value, Count>& table, Value& value,
               InfoErrors& errors) {
  std::vector<std::string_view> known;
  for (const auto& [word, each] : table) {
    if (word == node.value && node.children.empty()) {
      value = each;
      return;
    }
    known.push_back(word);
  }
  errors.add(node,
             fmt::format("expected one of {}, found \"{}\"", fmt::join(known, ", "), node.value));
}

}  // namespace

void read_remote_choice(const InfoNode& node, std::optional<RemoteChoice>& choice,
                        InfoErrors& errors) {
  RemoteChoice chosen = choice.value_or(RemoteChoice());
  if (!node.value.empty() || node.children.empty())
    errors.add(node, "expected keys in braces, such as { server redis }");
  for (const InfoNode& child : node.children)
    if (child.key == "server")
      read_word(child, server_words, chosen.server, errors);
    else if (child.key == "way")
      read_word(child, way_words, chosen.way, errors);
    else if (child.key == "key")
      read_word(child, key_words, chosen.key, errors);
    else if (child.key == "salt")
      chosen.salt = child.value;
    else
      errors.add(child,
                 unknown_word_message("key", child.key,
                                      std::vector<std::string>{"server", "way", "key", "salt"}));
  choice = chosen;
}

RemoteStep read_remote_step(const InfoNode& node, InfoErrors& errors) {
  RemoteStep step;
  step.line = node.line;
  read_word(node, damage_of_values, step.damage, errors);
  return step;
}

}  // namespace tunecheck
