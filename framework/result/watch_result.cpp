#include "result/watch_result.hpp"

#include <algorithm>

#include "core/exit_status.hpp"

namespace tunecheck {

const char* name_of(WatchWord word) {
  switch (word) {
    case WatchWord::wrong:
      return "WRONG";
    case WatchWord::stale:
      return "STALE";
    case WatchWord::again:
      return "AGAIN";
    case WatchWord::compiled:
      return "COMPILED";
    case WatchWord::changed:
      return "CHANGED";
    case WatchWord::spoilt:
      return "SPOILT";
    case WatchWord::late:
      return "LATE";
    case WatchWord::every_step:
      return "EVERY_STEP";
    case WatchWord::ranks:
      return "RANKS";
  }
  return "";
}

const char* summary_of(WatchWord word) {
  switch (word) {
    case WatchWord::wrong:
      return "A tuning changed what the program computes.";
    case WatchWord::stale:
      return "A cache gave out code of sources that have changed since.";
    case WatchWord::again:
      return "A warm start tunes again.";
    case WatchWord::compiled:
      return "A warm start compiles.";
    case WatchWord::changed:
      return "A warm start settles on other code than the cold one.";
    case WatchWord::spoilt:
      return "The winner was chosen on spoilt input.";
    case WatchWord::late:
      return "A kernel is tuned inside the capture of a graph, or after the program was ready.";
    case WatchWord::every_step:
      return "A kernel is tuned for each value of a number in vain.";
    case WatchWord::ranks:
      return "Processes of one start settle on different codes.";
  }
  return "";
}

const std::vector<WatchWord>& all_watch_words() {
  static const std::vector<WatchWord> words = {
      WatchWord::wrong,    WatchWord::stale,  WatchWord::ranks,
      WatchWord::changed,  WatchWord::spoilt, WatchWord::again,
      WatchWord::compiled, WatchWord::late,   WatchWord::every_step};
  return words;
}

bool WatchResult::saw_anything() const {
  return std::any_of(runs.begin(), runs.end(),
                     [](const Run& run) { return run.launches > 0 || run.compiles > 0; });
}

bool WatchResult::is_trusted() const {
  const bool ran =
      std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.succeeded; });
  return ran && saw_anything() && !is_interrupted && !was_never_ready;
}

int WatchResult::exit_status() const {
  if (std::any_of(findings.begin(), findings.end(),
                  [](const Finding& finding) { return finding.fails(); }))
    return status::failed;
  return is_trusted() ? status::held : status::untrusted;
}

}  // namespace tunecheck
