#pragma once
// Which of a few configs that are nearly equally fast is the fastest one.
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "tuner/search/looks.hpp"
#include "tuner/trial/trial.hpp"

namespace tunecheck {

/// Further looks at the configs that might win, in rounds: each of them once a round, one right
/// after the other. One look at a short kernel differs from the next by some percent, and by more
/// than that from one child process, one place in memory and one spell of the machine to another.
/// So a few looks cannot tell configs apart that differ by 2 to 8 percent. Within a round the
/// machine is nearly the same for all; a config counts by the middle of its ratios to the others.
///
/// Use: while next() names configs, look at each of them in its order and add() the round; then
/// put_down() once. One thread at a time.
class FinalRounds {
 public:
  /// The fastest trials, up to four of those within 8 percent, that were looked at again after the
  /// search.
  FinalRounds(std::span<const Trial> trials, std::span<const LooksAgain> again);

  /// The places of the configs of the next round. None once the leader is surely the fastest or
  /// another one could be faster by less than 1 percent, none after 16 rounds, and none where one
  /// config alone is near.
  [[nodiscard]] std::vector<std::size_t> next() const;

  /// The median of each look of a round, by the config's place. One that is missing has failed: it
  /// is out.
  void add(const std::map<std::size_t, double>& medians_ns);

  /// Puts the times of the configs that took part in proportion to what the rounds say, the
  /// leader's being what it was. The others stay as they are. Changes nothing where there was no
  /// round.
  void put_down(std::span<Trial> trials) const;

 private:
  struct Finalist {
    std::size_t place = 0;
    std::vector<double> logarithms;  // of its medians, one a round
    enum { in, slower, failed } state = in;
  };
  [[nodiscard]] std::size_t leader() const;
  [[nodiscard]] std::vector<double> changes(const Finalist& other, const Finalist& leader) const;
  void leave_out_slower();

  std::vector<Finalist> m_finalists;
  std::size_t m_rounds = 0;
  bool m_decided = false;
};

}  // namespace tunecheck
