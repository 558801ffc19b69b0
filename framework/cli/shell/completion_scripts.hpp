#pragma once
// The scripts that shells read to complete command lines of tunecheck.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck::cli {

/// "bash", "fish", "zsh".
[[nodiscard]] const std::vector<std::string>& completion_shells();

/// Null for another shell. What may stand where is not in a script: it asks `tunecheck completion
/// words`, so it is right for every version.
[[nodiscard]] std::optional<std::string> completion_script(std::string_view shell);

}  // namespace tunecheck::cli
