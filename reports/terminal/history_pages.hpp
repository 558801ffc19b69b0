#pragma once
// What a person reads of a history: plain text, 80 columns where names are not too long for it.
#include <string>
#include <vector>

#include "gate/history/baseline.hpp"
#include "gate/history/changes.hpp"

namespace tunecheck {

/// All runs, then all benchmarks with what became of them, then renames.
[[nodiscard]] std::string history_list(const history::Contents& contents);

/// One run and what it measured.
[[nodiscard]] std::string history_run(const history::StoredRun& run,
                                      const std::vector<history::SampleSet>& sets);

/// Two runs side by side; benchmarks of one alone are listed as such.
[[nodiscard]] std::string history_comparison(const history::StoredRun& baseline,
                                             const history::StoredRun& present,
                                             const std::vector<history::Compared>& benchmarks);

/// Changes, then benchmarks that came and went, then what could not be looked at and how sure it
/// all is. `series` are those that `changes` were found in.
[[nodiscard]] std::string history_changes(const history::Contents& contents,
                                          const std::vector<history::Series>& series,
                                          const history::Changes& changes,
                                          const history::ChangeOptions& options);

/// One series over its runs in plain characters, 80 columns wide: where runs are more than columns,
/// a column is the median of several. '^' below it are the first runs after `changes`.
[[nodiscard]] std::string history_plot(const history::Contents& contents,
                                       const history::Series& series,
                                       const std::vector<history::Change>& changes);

/// "run 7 (2024-05-01 12:00, 0123abcd)", the last only where it is known.
[[nodiscard]] std::string run_text(const history::Contents& contents, std::int64_t run);

}  // namespace tunecheck
