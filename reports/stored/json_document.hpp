#pragma once
// How every JSON report is laid out.
#include <string>

#include <nlohmann/json.hpp>

namespace tunecheck {

/// Indented, ending with a newline; what is not UTF-8 becomes U+FFFD. An object or a list of
/// numbers and texts is one line: there are thousands of them.
[[nodiscard]] std::string json_document(const nlohmann::ordered_json& json);

/// An array of what `convert` makes of each item.
template <class Items, class Convert>
[[nodiscard]] nlohmann::ordered_json json_list(const Items& items, const Convert& convert) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const auto& item : items)
    array.push_back(convert(item));
  return array;
}

}  // namespace tunecheck
