#pragma once
// Which launches were trials of a tuner, told by behaviour alone.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "watch/program_run.hpp"

namespace tunecheck::watch {

using GroupKey = std::pair<std::string, std::string>;  ///< kernel and shapes

/// Whether launches of several codes were a tuning. A program may launch several codes on purpose,
/// one after the other, and that is no tuner's work.
enum class Tuned { no, yes, unclear };

/// What one run says of a kernel with one set of shapes.
struct Group {
  std::map<std::string, std::int64_t> launches;  ///< by code, of all processes
  std::vector<const TotalEvent*> totals;         ///< by process
  std::vector<const BurstEvent*> bursts;         ///< in the order of their first launches

  [[nodiscard]] std::int64_t launch_count() const;
};

/// True where the program came back to a winner that it had tried: other codes were tried after it,
/// or all of them were tried from one place and the winner alone was launched last from another
/// one (at `last_path`).
[[nodiscard]] bool came_back(const std::vector<CodeLaunches>& codes, const std::string& winner,
                             std::uint64_t last_path);

/// The runs of one program, in the order of their kernels. Refers to the runs, which outlive it.
class Tunings {
 public:
  Tunings(const std::vector<ProgramRun>& runs, bool first_is_warm);

  [[nodiscard]] std::size_t run_count() const { return m_runs.size(); }
  [[nodiscard]] bool is_warm(std::size_t run) const {
    return m_starts[run] == Start::usual && (run > 0 || m_first_is_warm);
  }
  [[nodiscard]] const std::map<GroupKey, Group>& groups(std::size_t run) const {
    return m_runs[run];
  }
  /// Null where the run has launched no such kernel.
  [[nodiscard]] const Group* group(std::size_t run, const GroupKey& key) const;

  /// Were the launches of several codes in this burst a tuning?
  ///
  /// yes      the program read a clock between them and launched each losing code more than once,
  ///          and one of these holds: a warm run launches none of the losing codes, and there are
  ///          several, or the program came back to a winner that it had tried before; it tried each
  ///          losing code in one run of launches, launched it nowhere else, and came back to such a
  ///          winner for another number of launches. Or it tried them in some order with a clock
  ///          read between, and another run that tried the same codes settled on another one
  /// no       the program read no clock, and each warm run launches the same codes as often
  /// unclear  neither
  [[nodiscard]] Tuned is_tuning(std::size_t run, const GroupKey& key,
                                const BurstEvent& burst) const;
  /// The same of all launches of one process, whose trials may each have had arguments of their
  /// own. Then they had the winner's content: launches on other content were work.
  [[nodiscard]] Tuned is_tuning(std::size_t run, const GroupKey& key,
                                const TotalEvent& total) const;

  /// Has some tuning of any run tried all of these?
  [[nodiscard]] bool were_alternatives(const GroupKey& key,
                                       const std::set<std::string>& codes) const;
  /// Was the code launched otherwise than to try it, as far as is known?
  [[nodiscard]] bool is_used(std::size_t run, const GroupKey& key, const std::string& code) const;

  /// Launches of codes that lost, or of the winner before it had won.
  [[nodiscard]] std::int64_t trials(std::size_t run, const GroupKey& key) const;

 private:
  [[nodiscard]] Tuned judge(std::size_t run, const GroupKey& key,
                            const std::vector<CodeLaunches>& codes, const std::string& winner,
                            std::int64_t after_trials, std::uint64_t last_path) const;
  [[nodiscard]] static bool had_inputs_of_their_own(const Group& group, const TotalEvent& total);
  [[nodiscard]] bool another_run_chooses_otherwise(std::size_t run, const GroupKey& key,
                                                   const std::vector<CodeLaunches>& codes,
                                                   const std::string& winner,
                                                   std::uint64_t last_path) const;
  [[nodiscard]] bool some_warm_run_spares_losers(std::size_t run, const GroupKey& key,
                                                 const std::vector<CodeLaunches>& codes,
                                                 const std::string& winner) const;
  [[nodiscard]] bool trials_were_work(std::size_t run, const GroupKey& key,
                                      const std::vector<CodeLaunches>& codes,
                                      const std::string& winner) const;
  [[nodiscard]] bool every_start_is_alike(std::size_t run, const GroupKey& key) const;

  bool m_first_is_warm;
  std::vector<Start> m_starts;
  std::vector<std::map<GroupKey, Group>> m_runs;
};

}  // namespace tunecheck::watch
