#pragma once
// What reports show of a call: which configs were tried and how they did, and what observers saw,
// in the order of time. A digest of the evidence, of bounded size; the evidence itself is in the
// files that checks name.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tunecheck {

/// Of whatever there are more, the rest is counted.
struct SummaryBounds {
  static constexpr std::size_t calls = 100;    ///< of a process
  static constexpr std::size_t configs = 256;  ///< of a call
  static constexpr std::size_t events = 100;   ///< of a call
  static constexpr std::size_t samples = 32;   ///< of a config
  static constexpr std::size_t text = 400;     ///< bytes of a reason or a message
};

/// One config of a call that tuned.
struct ConfigSummary {
  std::string config;  ///< "block=64,vec=4"; "artifact DIGEST" where nobody says the config
  bool is_winner = false;
  bool is_default = false;    ///< what the kernel file would choose
  std::string failure;        ///< why it cannot win, as the tuner says; "" if it says nothing
  double median_ns = 0;       ///< of a launch, as the tuner says; 0 if it does not
  int reps = 0;               ///< likewise
  double own_median_ns = 0;   ///< as the judge measured; 0 if it did not
  std::string own_failure;    ///< why it did not run for the judge
  std::int64_t launches = 0;  ///< trials that observers saw
  /// How long those took that ended well, ascending; of more than SummaryBounds::samples so many
  /// quantiles from the least to the greatest. None on a GPU, where a launch only enqueues,
  /// and on the simulated device.
  std::vector<std::int64_t> samples_ns;
};

/// What observers saw, one after another; launches of one config in a row are one event.
struct CallEvent {
  std::string kind;  ///< "compile", "trials", "launch", "captured", "burst", "fault" or "killed"
  std::int64_t at_ns = 0;      ///< since the call was asked
  std::int64_t wall_ns = 0;    ///< 0 where it has no length
  std::string config;          ///< "" where it is not known
  std::int64_t count = 1;      ///< launches, else 1
  std::int64_t failed = 0;     ///< of them
  std::int64_t differing = 0;  ///< launches that saw other arguments than they should
  bool from_store = false;     ///< a compile that the spy's store answered
  std::string text;            ///< of a fault: at which point of which file
};

struct CallSummary {
  int number = 0;             ///< in its process, from 1
  int line = 0;               ///< in the scenario file
  std::int64_t asked_ns = 0;  ///< since the scenario's first call was asked
  std::int64_t wall_ns = 0;   ///< until the answer; of calls at the same moment, of all of them
  std::string outcome;        ///< "done", "failed" or "no answer"
  std::string message;        ///< what the tuner says, or how it fell silent
  std::string cache;          ///< "hit", "miss", "stale" or "disabled", as it says
  std::vector<std::string> missed_axes;  ///< likewise
  std::string winner;                    ///< likewise; "" if there is none
  std::string arch;                      ///< as asked for; "" for the backend's default
  std::map<std::string, std::int64_t> sizes;
  double bytes = 0, flops = 0;  ///< of one launch; 0 where the kernel file does not say
  std::int64_t compiles = 0, launches = 0, trial_launches = 0;  ///< that observers saw
  std::vector<ConfigSummary> configs;  ///< the winner and the default, then the
  ///< fastest, those that failed last; none if nothing was tuned
  std::int64_t configs_left_out = 0;
  std::vector<CallEvent> events;
  std::int64_t events_left_out = 0;
};

}  // namespace tunecheck
