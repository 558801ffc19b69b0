#pragma once
// What all SARIF runs are made of.
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tunecheck::sarif {

/// One printable line of bounded length.
[[nodiscard]] nlohmann::ordered_json message(std::string_view text);

[[nodiscard]] nlohmann::ordered_json rule_json(std::string_view id, std::string_view summary,
                                               std::string_view help);

/// A location; line 1 where `line` is less.
[[nodiscard]] nlohmann::ordered_json place_json(const std::string& file, int line);

}  // namespace tunecheck::sarif
