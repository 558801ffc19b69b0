#pragma once
// What several looks at one config say together.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tuner/trial/trial.hpp"

namespace tunecheck {

/// The timed reps of one trial, corrected for the drift of the device.
struct Look {
  std::vector<std::int64_t> samples;  ///< not empty
  double median_ns = 0;               ///< of the samples, with its interval
  double low_ns = 0;
  double high_ns = 0;
  bool disturbed = false;  ///< perhaps: something else slowed the machine; see LookBook
};

/// Puts down in a trial (which has its config, and no failure) what all looks at the config say, in
/// the order in which they were taken.
///
/// The look in the middle counts, so that chance must favour or spoil most looks before it decides;
/// the slower one of two middles, because a config that was lucky once must not win (helion#2377).
/// Looks that agree with it, their intervals overlapping, count together with it. Disturbed looks
/// are left out where two or more others are left.
void judge_looks(Trial& trial, std::span<const Look> looks);

/// How often a config was looked at again after the search undisturbed, and what came of it.
struct LooksAgain {
  static constexpr int impossible = std::numeric_limits<int>::max();
  int looks = 0;      ///< impossible: it cannot be looked at again
  bool agree = true;  ///< no two of its looks that count are far from each other
};

/// Every look of one tuning in the order of time. One thread at a time.
///
/// On a busy machine something else takes its share in bursts: all that is measured during one is
/// slow, whatever the config. That a look is slow for its own config says nothing, since the faster
/// ones may have been luck, or may not exist: all looks at a config may have been disturbed. So a
/// look is taken for disturbed where the one right before it or after it, at another config, was
/// slow for that config.
class LookBook {
 public:
  explicit LookBook(std::size_t configs) : m_looks(configs) {}

  void add(std::size_t config, std::vector<std::int64_t> samples);
  /// Its looks do not count any more.
  void forget(std::size_t config);
  /// Decides anew, by all that is known, which looks were disturbed.
  void find_disturbed();

  [[nodiscard]] std::span<const Look> of(std::size_t config) const { return m_looks[config]; }
  /// Its looks that were not disturbed, without the first `from` of all.
  [[nodiscard]] int sure_looks(std::size_t config, std::size_t from) const;
  /// True where no two looks that count are far from each other.
  [[nodiscard]] bool agree(std::size_t config) const;

 private:
  [[nodiscard]] bool is_slow(std::size_t config, const Look& look) const;

  std::vector<std::vector<Look>> m_looks;                      // of each config
  std::vector<std::pair<std::size_t, std::size_t>> m_in_turn;  // config and the number of its look
};

}  // namespace tunecheck
