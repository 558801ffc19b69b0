#pragma once
// Configs and config spaces.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/expression.hpp"
#include "core/result.hpp"

namespace tunecheck {

/// One choice of tuning parameters: name to value.
using Config = std::map<std::string, std::int64_t>;

/// "block=256,vec=4", names in alphabetical order; the spelling of entries, evidence and reports.
[[nodiscard]] std::string to_string(const Config& config);
[[nodiscard]] Result<Config> parse_config(std::string_view text);

/// The parameters' names and their values, in the order of the names: what a ParsedExpression
/// takes.
[[nodiscard]] std::vector<std::string> names_of(const Config& config);
[[nodiscard]] std::vector<double> values_of(const Config& config);

/// Combinations that a space may have before its condition: each is looked at, and in a call each
/// that the condition keeps is listed.
inline constexpr std::size_t most_combinations = std::size_t{1} << 20;

/// The parameters of a space in the order of the kernel file, with the values each may take, and a
/// condition that excludes combinations ("" for none).
struct SpaceDefinition {
  struct Parameter {
    std::string name;
    std::vector<std::int64_t> values;
    bool operator==(const Parameter&) const = default;
  };
  std::vector<Parameter> parameters;
  std::string where;

  /// All allowed configs, the last parameter varying fastest; `sizes` are names that `where` may
  /// use beside the parameters. Never empty: a condition that excludes all is an error, and so are
  /// more than most_combinations.
  [[nodiscard]] Result<std::vector<Config>> enumerate(const Variables& sizes) const;
  bool operator==(const SpaceDefinition&) const = default;
};

}  // namespace tunecheck
