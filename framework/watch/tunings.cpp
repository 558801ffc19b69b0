#include "watch/tunings.hpp"

#include <algorithm>

namespace tunecheck::watch {
namespace {

constexpr std::int64_t repeated = 3;  // launches of one code that nobody but a tuner makes

std::map<GroupKey, Group> groups_of(const ProgramRun& run) {
  std::map<GroupKey, Group> groups;
  for (const TotalEvent& total : run.told.totals) {
    Group& group = groups[{total.kernel, total.shapes}];
    group.totals.push_back(&total);
    for (const CodeLaunches& code : total.codes)
      group.launches[code.code] += code.launches;
  }
  for (const BurstEvent& burst : run.told.bursts)
    groups[{burst.kernel, burst.shapes}].bursts.push_back(&burst);
  for (auto& [key, group] : groups)
    std::sort(group.bursts.begin(), group.bursts.end(),
              [](const BurstEvent* one, const BurstEvent* other) {
                return one->first_ns < other->first_ns;
              });
  return groups;
}

}  // namespace

std::int64_t Group::launch_count() const {
  std::int64_t all = 0;
  for (const auto& [code, count] : launches)
    all += count;
  return all;
}

Tunings::Tunings(const std::vector<ProgramRun>& runs, bool first_is_warm)
    : m_first_is_warm(first_is_warm) {
  for (const ProgramRun& run : runs)
    m_runs.push_back(groups_of(run));
}

const Group* Tunings::group(std::size_t run, const GroupKey& key) const {
  const auto found = m_runs[run].find(key);
  return found == m_runs[run].end() ? nullptr : &found->second;
}

Tuned Tunings::judge(std::size_t run, const GroupKey& key, const std::vector<CodeLaunches>& codes,
                     const std::string& winner, bool goes_on) const {
  if (codes.size() < 2) return Tuned::no;
  bool some_warm_run_tells = false;
  bool warm_runs_agree = true;  // with this run, launch by launch
  for (std::size_t other = 0; other < m_runs.size(); ++other) {
    if (other == run || !is_warm(other)) continue;
    const Group* const warm = group(other, key);
    if (warm == nullptr) {
      warm_runs_agree = false;
      continue;
    }
    const bool launches_losers =
        std::any_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
          return code.code != winner && warm->launches.contains(code.code);
        });
    if (!launches_losers && !is_warm(run)) return Tuned::yes;
    some_warm_run_tells = true;
    if (warm->launches != group(run, key)->launches) warm_runs_agree = false;
  }
  const bool measured = std::all_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
    return code.measured > 0 || &code == &codes.front();
  });
  const bool all_repeated = std::all_of(codes.begin(), codes.end(), [](const CodeLaunches& code) {
    return code.launches >= repeated;
  });
  if (measured && (goes_on || all_repeated)) return Tuned::yes;
  return !measured && some_warm_run_tells && warm_runs_agree ? Tuned::no : Tuned::unclear;
}

Tuned Tunings::is_tuning(std::size_t run, const GroupKey& key, const BurstEvent& burst) const {
  const Group& own = *group(run, key);
  // A code that is launched elsewhere as well has not lost.
  std::map<std::string, std::int64_t> in_bursts;
  for (const BurstEvent* const other : own.bursts)
    if (other->pid == burst.pid && other->codes.size() > 1)
      for (const CodeLaunches& code : other->codes)
        in_bursts[code.code] += code.launches;
  for (const TotalEvent* const total : own.totals) {
    if (total->pid != burst.pid) continue;
    const bool is_used_elsewhere =
        std::any_of(total->codes.begin(), total->codes.end(), [&](const CodeLaunches& code) {
          return code.code != burst.winner && in_bursts.contains(code.code) &&
                 code.launches > in_bursts[code.code];
        });
    const Tuned judged =
        judge(run, key, burst.codes, burst.winner,
              !is_used_elsewhere && total->after_trials >= 2 && total->last_code == burst.winner);
    if (judged == Tuned::yes && is_used_elsewhere && is_warm(run)) return Tuned::unclear;
    return judged;
  }
  return judge(run, key, burst.codes, burst.winner, false);
}

Tuned Tunings::is_tuning(std::size_t run, const GroupKey& key, const TotalEvent& total) const {
  return judge(run, key, total.codes, total.last_code, total.after_trials >= 2);
}

std::int64_t Tunings::trials(std::size_t run, const GroupKey& key) const {
  const Group* const own = group(run, key);
  if (own == nullptr) return 0;
  std::int64_t trials = 0;
  for (const TotalEvent* const total : own->totals) {
    if (is_tuning(run, key, *total) != Tuned::yes) continue;
    for (const CodeLaunches& code : total->codes)
      if (code.code != total->last_code) trials += code.launches;
  }
  // The winner was tried, too.
  for (const BurstEvent* const burst : own->bursts)
    if (burst->codes.size() > 1 && is_tuning(run, key, *burst) == Tuned::yes)
      for (const CodeLaunches& code : burst->codes)
        if (code.code == burst->winner)
          trials += std::max<std::int64_t>(code.launches - burst->after_trials, 0);
  return trials;
}

}  // namespace tunecheck::watch
