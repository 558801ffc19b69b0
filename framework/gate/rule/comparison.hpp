#pragma once
// One benchmark of the base against the same of the head, decided from pairs as they come: a value
// that knows no clock, file or process. Feeding the same pairs again leads to the same state, which
// is how an interrupted session is resumed.
//
// 1. Screen: a few pairs. Where they show that all is well, that is all. Otherwise the benchmark is
//    suspected: of a slowdown, of a speed-up, or of scatter too large to tell.
// 2. Confirmation: fresh pairs, more of them where the screen saw more scatter. They alone decide;
//    what the screen saw is never pooled with them.
//
// Where processes give CPU time as well, the screen chooses between the two by their scatter alone,
// never by which side is slower, so that both p-values stay right: CPU time if wall time scatters
// too much for the largest confirmation, CPU time scatters at most half as much, and the processes
// did not wait for anything but a core.
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "gate/rule/answer.hpp"
#include "gate/rule/pair.hpp"
#include "gate/rule/settings.hpp"

namespace tunecheck::gate {

/// What is said of one benchmark. Changes are of the head against the base: 0.05 is 5 % slower.
struct Finding {
  Answer answer = Answer::inconclusive;
  std::string reason;  ///< one sentence
  /// Which time the changes are of. CPU time only where wall time could not decide.
  TimeKind decided_by = TimeKind::wall;
  double change = std::numeric_limits<double>::quiet_NaN();  ///< estimated; NaN where there is none
  double at_least = -std::numeric_limits<double>::infinity();  ///< surely, by Settings::alpha
  double at_most = std::numeric_limits<double>::infinity();    ///< surely, by Settings::pass_alpha
  /// The smallest slowdown that would have been reported with Settings::stated_power, as far as the
  /// scatter of these pairs tells; infinite where there is nothing to tell it from.
  double detectable = std::numeric_limits<double>::infinity();
  std::size_t screen_pairs = 0;
  std::size_t confirmation_pairs = 0;
};

enum class Stage {
  screen,        ///< wants pairs
  suspected,     ///< wants confirm()
  confirmation,  ///< wants pairs
  confirmed,     ///< wants settle()
  settled,       ///< finding() is final
};

/// Which p-values of a direction are within the budgets of the run. A difference is only reported
/// where both are: where scatter is larger than delta, the first is hardly more than the second of
/// a far smaller level.
struct Significance {
  bool beyond_delta = false;  ///< of no more than delta, within Settings::alpha
  bool beyond_none = false;   ///< of none at all, within Settings::same_alpha
};

/// Goes through the stages in their order, and never back: add() while pairs are missing, confirm()
/// if it is suspected, add() again, and settle() at the end. A screen that shows that all is well
/// settles it, and so does a pair that cannot be used. Each call is allowed in its stage only.
/// finding() is final once it is settled; before that its answer is inconclusive. Plain value; one
/// thread at a time.
class Comparison {
 public:
  /// `settings` passed check(). `must_find` is the slowdown for which a confirmation is planned:
  /// the tolerance, or what is planted in a canary.
  Comparison(const Settings& settings, double must_find);

  [[nodiscard]] Stage stage() const { return m_stage; }
  /// How many pairs this stage still wants; 0 unless it wants pairs.
  [[nodiscard]] std::size_t pairs_missing() const;

  /// The next pair; only where one is wanted. One that cannot be used settles the benchmark: as a
  /// regression where only the head failed, as invalid otherwise.
  void add(const Pair& pair);

  /// Goes on with the confirmation; it is one of `family` benchmarks of the run that do, which
  /// share the budget for wrong answers.
  /// There are `most_pairs` for it, or as many as it asks for: recordings are as many as they are.
  void confirm(std::size_t family,
               std::size_t most_pairs = std::numeric_limits<std::size_t>::max());

  /// Of the confirmation: the p-values of being slower, and faster, by no more than `delta`, a
  /// share: the settings' or 0.
  [[nodiscard]] double p_slower(double delta) const;
  [[nodiscard]] double p_faster(double delta) const;
  /// Ends it.
  void settle(const Significance& slower, const Significance& faster);

  [[nodiscard]] const Finding& finding() const { return m_finding; }

 private:
  void settle(Answer answer, std::string reason);
  void end_screen();
  // Whether the confirmation's pairs can be judged by the time that was chosen.
  [[nodiscard]] bool speaks() const {
    return m_time == TimeKind::wall || m_confirmation.are_of_cpu_alone();
  }
  [[nodiscard]] TimeKind chosen_time() const;
  // `error_seen` is that of an estimate from so many pairs.
  [[nodiscard]] double needed_pairs(double error_seen, std::size_t pairs, std::size_t family) const;
  // Whether the confirmation goes on, because its pairs scatter more than the screen's.
  bool lengthen();
  [[nodiscard]] std::size_t planned_pairs(double screen_error, std::size_t family) const;
  [[nodiscard]] double detectable(double error, std::size_t planned) const;

  // ln of the ratios, one of each pair.
  struct Ratios {
    std::vector<double> wall;
    std::vector<double> cpu;            // of the pairs that have it
    std::vector<double> waited, waits;  // of the same pairs, the larger of the two processes'

    void add(double wall_ratio, const Pair& pair);
    // Whether CPU time can speak for the pairs: all have it, it varies, and at least in half of
    // them neither process waited for anything but a core, beside what every program waits for.
    [[nodiscard]] bool are_of_cpu_alone() const;
    [[nodiscard]] const std::vector<double>& by(TimeKind kind) const {
      return kind == TimeKind::cpu ? cpu : wall;
    }
  };

  Settings m_settings;
  double m_must_find;
  Stage m_stage = Stage::screen;
  TimeKind m_time = TimeKind::wall;  // what decides; chosen at the end of the screen
  Ratios m_screen, m_confirmation;
  std::size_t m_planned = 0;                                     // pairs of the confirmation
  std::size_t m_most = std::numeric_limits<std::size_t>::max();  // pairs that it may have
  bool m_is_lengthened = false;
  std::size_t m_family = 1;
  bool m_is_one_recording = true;  // of every pair so far
  Finding m_finding;
};

/// Which of these p-values, of a family at least as large, can be called significant so that with a
/// probability of at most `alpha` any of them is wrongly: Holm's procedure.
[[nodiscard]] std::vector<bool> within_budget(const std::vector<double>& p_values,
                                              std::size_t family, double alpha);

/// Settles comparisons that are confirmed, within the budgets of the family that confirm() was
/// told.
void settle_all(const std::vector<Comparison*>& comparisons, std::size_t family,
                const Settings& settings);

}  // namespace tunecheck::gate
