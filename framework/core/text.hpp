#pragma once
// Small helpers for text that a person wrote, or is to read.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunecheck {

/// The words between blanks and commas, none of them empty.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);
/// The expressions between blanks and commas; those inside parentheses separate nothing.
[[nodiscard]] std::vector<std::string> split_expressions(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// True for lower-case letters, digits and '_', not beginning with a digit.
[[nodiscard]] bool is_identifier(std::string_view text);
[[nodiscard]] std::string upper_case(std::string_view text);

/// "1 scenario", "2 scenarios".
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

/// The candidate nearest to `word` by edit distance, if it is near enough to be a slip.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      std::span<const std::string> candidates);

/// fnmatch(3) with '*', '?' and '[...]'.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace tunecheck
