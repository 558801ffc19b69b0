#pragma once
// Numbers that depend on nothing but what they are asked with: the same in every process.
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tunecheck::sim {

/// Mixes all words into one; any change of one of them changes the result as if by chance.
[[nodiscard]] std::uint64_t mixed(std::initializer_list<std::uint64_t> words);
[[nodiscard]] std::uint64_t word_of(std::string_view text);

/// From 0 up to 1.
[[nodiscard]] double uniform(std::uint64_t word);
/// Mean 0, deviation 1.
[[nodiscard]] double normal(std::uint64_t word);

}  // namespace tunecheck::sim
