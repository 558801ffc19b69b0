#pragma once
// How much of a space a caller wants to be searched, and how much of it a stored winner was
// searched with.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tuner/trial/trial.hpp"

namespace tunecheck {

struct SearchOptions;

/// With one seed, what less effort tries is a part of what more effort tries.
enum class Effort {
  minimal,    ///< the default config and three others
  balanced,   ///< up to 32 configs
  extensive,  ///< up to 256 configs
  full,       ///< all of them
};
[[nodiscard]] std::string_view name_of(Effort effort);
[[nodiscard]] std::optional<Effort> parse_effort(std::string_view word);
/// "minimal, balanced, extensive or full"
[[nodiscard]] std::string effort_words();

/// What a winner was searched with; its entry keeps it.
struct SearchedWith {
  std::int64_t configs = 0;          ///< that were tried, those that failed among them
  std::chrono::nanoseconds time{0};  ///< by the device's clock, or the whole budget if that is more
  std::string words;                 ///< what the caller had asked for, for a person

  bool operator==(const SearchedWith&) const = default;
};

/// The strategy and the number of trials that the options come to in a space of so many configs:
/// what is returned names no effort any more.
[[nodiscard]] SearchOptions without_effort(const SearchOptions& options, std::size_t space);

/// What the options ask for, for a person: "balanced", "random, 20 configs", "exhaustive, 100 ms".
[[nodiscard]] std::string describe(const SearchOptions& options);

/// True where a winner that was searched with `searched` is good enough for a caller who would
/// search a space of so many configs with `options`. Where all configs were tried, nothing is left
/// to be found. Otherwise as many configs must have been tried as the options allow, or as much
/// time spent. A descent without a budget ends by itself, and asks for nothing in particular.
[[nodiscard]] bool is_enough(const SearchedWith& searched, const SearchOptions& options,
                             std::size_t space);

/// What an earlier, smaller search measured is believed if its winner, measured again, is as fast
/// as it was then: within 8 percent. Otherwise the machine, or its load, is another one by now.
[[nodiscard]] bool is_as_fast(const Trial& then, const Trial& now);

/// Configs that were at most so many times as slow as the earlier winner are measured again even if
/// the earlier times are believed: one of them might win.
inline constexpr double near_earlier_winner = 1.25;

}  // namespace tunecheck
