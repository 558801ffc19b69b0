#include "watch/tunings.hpp"

#include <algorithm>

namespace tunecheck::watch {
namespace {

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

// Tried and then left: one run of launches, with a clock read between. Whether a clock was read
// before the very first launch is not known.
bool looks_tried(const std::vector<CodeLaunches>& codes, const CodeLaunches& code) {
  return code.runs == 1 && (code.measured > 0 || (&code == &codes.front() && code.launches == 1));
}

// The losers were tried, at least one of them with a clock.
bool were_tried(const std::vector<CodeLaunches>& codes, const std::string& winner) {
  bool some_measured = false;
  for (const CodeLaunches& code : codes) {
    if (code.code == winner) continue;
    if (!looks_tried(codes, code)) return false;
    some_measured = some_measured || code.measured > 0;
  }
  return some_measured;
}

// Losers that were measured, in however many rounds.
bool were_measured(const std::vector<CodeLaunches>& codes, const std::string& winner) {
  bool some = false;
  for (const CodeLaunches& code : codes) {
    if (code.code == winner) continue;
    if (code.measured == 0 && !(&code == &codes.front() && code.launches == 1)) return false;
    some = some || code.measured > 0;
  }
  return some;
}

}  // namespace

bool came_back(const std::vector<CodeLaunches>& codes, const std::string& winner) {
  return std::any_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
    return code.code == winner && code.runs == 2 && (code.measured > 0 || &code == &codes.front());
  });
}

std::int64_t Group::launch_count() const {
  std::int64_t all = 0;
  for (const auto& [code, count] : launches)
    all += count;
  return all;
}

Tunings::Tunings(const std::vector<ProgramRun>& runs, bool first_is_warm)
    : m_first_is_warm(first_is_warm) {
  for (const ProgramRun& run : runs) {
    m_starts.push_back(run.start);
    m_runs.push_back(groups_of(run));
  }
}

const Group* Tunings::group(std::size_t run, const GroupKey& key) const {
  const auto found = m_runs[run].find(key);
  return found == m_runs[run].end() ? nullptr : &found->second;
}

bool Tunings::some_warm_run_spares_losers(std::size_t run, const GroupKey& key,
                                          const std::vector<CodeLaunches>& codes,
                                          const std::string& winner) const {
  for (std::size_t other = 0; other < m_runs.size(); ++other) {
    if (other == run || !is_warm(other)) continue;
    const Group* const warm = group(other, key);
    if (warm != nullptr && std::none_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
          return code.code != winner && warm->launches.contains(code.code);
        }))
      return true;
  }
  return false;
}

bool Tunings::every_start_is_alike(std::size_t run, const GroupKey& key) const {
  bool is_asked = false;
  for (std::size_t other = 0; other < m_runs.size(); ++other) {
    if (other == run || !is_warm(other)) continue;
    const Group* const warm = group(other, key);
    if (warm == nullptr || warm->launches != group(run, key)->launches) return false;
    is_asked = true;
  }
  return is_asked;
}

Tuned Tunings::judge(std::size_t run, const GroupKey& key, const std::vector<CodeLaunches>& codes,
                     const std::string& winner) const {
  if (codes.size() < 2) return Tuned::no;
  const bool is_measured = were_measured(codes, winner);
  if (is_measured && !is_warm(run) && some_warm_run_spares_losers(run, key, codes, winner))
    return Tuned::yes;
  if (were_tried(codes, winner) && came_back(codes, winner)) return Tuned::yes;
  return !is_measured && every_start_is_alike(run, key) ? Tuned::no : Tuned::unclear;
}

Tuned Tunings::is_tuning(std::size_t run, const GroupKey& key, const BurstEvent& burst) const {
  const Tuned judged = judge(run, key, burst.codes, burst.winner);
  if (judged != Tuned::yes) return judged;
  // A code that is launched elsewhere as well has not lost.
  const Group& own = *group(run, key);
  std::map<std::string, std::int64_t> in_bursts;
  for (const BurstEvent* const other : own.bursts)
    if (other->pid == burst.pid && other->codes.size() > 1)
      for (const CodeLaunches& code : other->codes)
        in_bursts[code.code] += code.launches;
  for (const TotalEvent* const total : own.totals)
    for (const CodeLaunches& code : total->codes)
      if (total->pid == burst.pid && total->skipped == 0 && code.code != burst.winner &&
          in_bursts.contains(code.code) && code.launches > in_bursts[code.code])
        return Tuned::unclear;
  return Tuned::yes;
}

Tuned Tunings::is_tuning(std::size_t run, const GroupKey& key, const TotalEvent& total) const {
  return judge(run, key, total.codes, total.last_code);
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
