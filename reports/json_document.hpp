#pragma once
// How every JSON report is laid out.
#include <string>

#include <nlohmann/json.hpp>

namespace tunecheck {

/// Indented, ending with a newline; what is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_document(const nlohmann::ordered_json& json);

}  // namespace tunecheck
