#pragma once
// What is another in a later watch than in an earlier one: of two versions of a program, say.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/watch_result.hpp"

namespace tunecheck {

/// What a watch counted.
struct WatchDiffNumbers {
  std::int64_t launches = 0;
  std::int64_t trials = 0;
  std::int64_t compiles = 0;  ///< of a run; a kernel has none of its own
  std::int64_t ns = 0;        ///< of a run its whole time, of a kernel that of its tunings
  auto operator<=>(const WatchDiffNumbers&) const = default;
};

/// Plain data, made by diff_of().
///
/// Worse is a certain finding alone, which the earlier watch does not have and nobody has allowed.
/// Counts and times are shown and decide nothing: how often a tuner launches a kernel depends on
/// how long that takes, and a program that has grown may compile more when it starts cold.
struct WatchDiff {
  enum class Change { added, fixed, still };
  struct Finding {
    Change change = Change::still;
    WatchResult::Finding finding;  ///< of the earlier watch where it is fixed
    bool was_unclear = false;      ///< the earlier watch has it, and was not certain

    [[nodiscard]] bool is_worse() const {
      return change == Change::added && finding.is_certain && !finding.is_allowed;
    }
  };
  using Numbers = WatchDiffNumbers;
  /// Nothing where one of the watches has no such run or kernel.
  struct Pair {
    std::optional<Numbers> before, now;
  };
  struct Run {
    std::string name;  ///< "cold", "warm 1"
    Pair numbers;
  };
  struct Winner {
    std::string shapes;
    std::string run;
    std::string before, now;
  };
  struct Kernel {
    std::string name;
    Pair cold;                    ///< of the first run
    Pair warm;                    ///< of the other runs, the most of each number
    std::vector<Winner> winners;  ///< that are others; shapes that both watches have seen
  };
  std::string tunecheck;          ///< version
  std::string before, now;        ///< files
  std::string why_untrusted;      ///< one of the watches has seen nothing, "" else
  std::vector<Finding> findings;  ///< new ones first, then those that are still there
  std::vector<Run> runs;
  /// By name; only those of which something but the time differs, or something was found.
  std::vector<Kernel> kernels;

  /// Failed where something is worse; untrusted where a watch is not to be trusted.
  [[nodiscard]] int exit_status() const;
};

/// The finding of another watch that stands for this one of `own`: the same word of the same kernel
/// in the same file, since lines move. Two versions of a program may lie in two folders: so a file
/// of the same name counts, if `own` has no finding in that very file. Null where there is none.
[[nodiscard]] const WatchResult::Finding* find_counterpart(const WatchResult& other,
                                                           const WatchResult& own,
                                                           const WatchResult::Finding& finding);
/// Whether an earlier watch has it already, and was certain of it.
[[nodiscard]] bool is_known(const WatchResult& earlier, const WatchResult& own,
                            const WatchResult::Finding& finding);

/// Compares; files and version are left for the caller to fill in.
[[nodiscard]] WatchDiff diff_of(const WatchResult& before, const WatchResult& now);

}  // namespace tunecheck
