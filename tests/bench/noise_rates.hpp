#pragma once
// What tunings next to other work come to: how much slower than the best config the chosen ones
// are, by the judge's times.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/result.hpp"

namespace tunecheck::bench {

inline constexpr double good_regret = 0.02;
inline constexpr int least_different = 3;

/// The judge's medians of all configs of a kernel. A round has one of each, by a process of its
/// own.
struct JudgeTimes {
  using Rounds = std::vector<std::vector<double>>;  ///< of each round, in the order of `configs`
  std::vector<std::string> configs;
  Rounds usual_ns;  ///< as the judge times whatever it times
  /// As a trial of the tuner sees a config: 25 launches of a fresh process, in memory like a
  /// trial's (IsolatedRun::as_trials). Which pages tensors lie in and which of them are in the
  /// caches makes a difference of some percent between configs. Thousands of launches on the same
  /// content make a kernel with branches faster, by a half for `sort_inplace`, because the
  /// processor learns them.
  Rounds as_trials_ns;
};

/// How much slower than the best config one is: 0.02 is 2 %.
struct Regret {
  /// By one kind of rounds: by all, by those before the tunings and by those after them.
  struct Found {
    double in_all = 0, before = 0, after = 0;
    [[nodiscard]] double least() const { return std::min({in_all, before, after}); }
  };
  Found usual, as_trials;
  double by_least = 0;  ///< by the smallest median of each config, as winner.regret has it

  [[nodiscard]] bool is_good() const { return usual.in_all <= good_regret; }
  /// Whenever and however the judge looked, it was more than good_regret. Otherwise the judge's
  /// times do not tell, or which config is better depends on where its tensors lie.
  [[nodiscard]] bool is_surely_bad() const {
    return std::min(usual.least(), as_trials.least()) > good_regret;
  }
};

/// One for each config, in their order. The question is the tuner's: what does a config take
/// usually? In each round a time is divided by the round's geometric mean, because a slow spell of
/// the machine lasts longer than a config's turn; of each config the quotient in the middle counts.
/// A config with two speeds, fast in one of its rounds, is not fast: a program that launches it
/// gets the usual one. There are two rounds at least.
[[nodiscard]] std::vector<Regret> regrets_of(const JudgeTimes& times);

/// How many configs there are of which each takes 5 % more than the one before.
[[nodiscard]] int clearly_different(const JudgeTimes& times);

/// One tuning, and what came of it.
struct Tuned {
  std::string kernel, noise, side, winner;
  double seconds = 0;
  std::optional<Regret> regret;  ///< none for a config that the judge has not timed
  std::string line;              ///< all that the process told, where it is kept
};

/// Tables: regrets by side and noise, those of each kernel, and how long the first side's
/// undisturbed tunings took, as a multiple of the other's.
[[nodiscard]] std::string rates_page(std::span<const Tuned> tunings);

[[nodiscard]] nlohmann::json to_json(const std::string& kernel, const JudgeTimes& times);
[[nodiscard]] nlohmann::json to_json(const Tuned& tuned);

/// "0-3,6" is 0, 1, 2, 3 and 6.
[[nodiscard]] Result<std::vector<int>> parse_cpus(const std::string& text);

/// "AMD EPYC"; "" where the system does not say.
[[nodiscard]] std::string processor_name();

}  // namespace tunecheck::bench
