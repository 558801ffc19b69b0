#include "reports/stored/json_document.hpp"

#include <algorithm>

namespace tunecheck {
namespace {

using Json = nlohmann::ordered_json;

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool has_only_numbers(const Json& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
}

bool is_one_line(const Json& json) {
  return !json.is_structured() || std::all_of(json.begin(), json.end(), [](const Json& member) {
    return member.is_primitive() || has_only_numbers(member);
  });
}

void lay_out(const Json& json, std::size_t indent, std::string& text) {
  if (is_one_line(json)) {
    text += one_line(json);
    return;
  }
  const bool named = json.is_object();
  text += named ? '{' : '[';
  bool first = true;
  for (const auto& [name, member] : json.items()) {
    text += first ? "\n" : ",\n";
    first = false;
    text.append(indent + 2, ' ');
    if (named) text += one_line(name) + ": ";
    lay_out(member, indent + 2, text);
  }
  text += '\n';
  text.append(indent, ' ');
  text += named ? '}' : ']';
}

}  // namespace

std::string json_document(const Json& json) {
  std::string text;
  lay_out(json, 0, text);
  return text + '\n';
}

}  // namespace tunecheck
