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

bool contains(const std::vector<std::uint64_t>& paths, std::uint64_t path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

// The losers were launched from places that the winner was launched from, too, and the last launch
// came from a place where no loser ever was.
bool came_from_elsewhere(const std::vector<CodeLaunches>& codes, const std::string& winner,
                         std::uint64_t last_path) {
  const auto won = std::find_if(codes.begin(), codes.end(),
                                [&](const CodeLaunches& code) { return code.code == winner; });
  if (won == codes.end() || last_path == 0 || won->measured == 0) return false;
  return std::all_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
    return &code == &*won ||
           (code.has_all_paths && !contains(code.paths, last_path) &&
            std::any_of(code.paths.begin(), code.paths.end(),
                        [&](std::uint64_t path) { return contains(won->paths, path); }));
  });
}

bool are_of_the_same_codes(const std::vector<CodeLaunches>& one,
                           const std::vector<CodeLaunches>& other) {
  return one.size() == other.size() &&
         std::all_of(one.begin(), one.end(), [&](const CodeLaunches& code) {
           return std::any_of(other.begin(), other.end(),
                              [&](const CodeLaunches& known) { return known.code == code.code; });
         });
}

bool has(const std::vector<CodeLaunches>& codes, const std::string& name) {
  return std::any_of(codes.begin(), codes.end(),
                     [&](const CodeLaunches& code) { return code.code == name; });
}

// What was launched once may be anything: a first step, a layer of its own, the first call of a
// function that compiles and then comes another way. So may two kernels of one name, one behind the
// other.
bool is_search(const std::vector<CodeLaunches>& codes, const std::string& winner,
               std::uint64_t last_path) {
  return (codes.size() > 2 || came_back(codes, winner, last_path)) &&
         std::all_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
           return code.code == winner || code.launches > 1;
         });
}

// As many launches of each code, and as many of the first one again: a benchmark's control. Also
// layers that are launched once each.
bool is_control(const std::vector<CodeLaunches>& codes, const std::string& winner,
                std::int64_t after_trials) {
  return std::all_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
    return code.launches == (code.code == winner ? 2 : 1) * after_trials;
  });
}

}  // namespace

bool came_back(const std::vector<CodeLaunches>& codes, const std::string& winner,
               std::uint64_t last_path) {
  return came_from_elsewhere(codes, winner, last_path) ||
         std::any_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
           return code.code == winner && code.runs == 2 &&
                  (code.measured > 0 || &code == &codes.front());
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

// Each launch may have been a step of the program's own: a start without trials makes as many.
bool Tunings::trials_were_work(std::size_t run, const GroupKey& key,
                               const std::vector<CodeLaunches>& codes,
                               const std::string& winner) const {
  for (std::size_t other = 0; other < m_runs.size(); ++other) {
    const Group* const group = other != run ? this->group(other, key) : nullptr;
    if (group != nullptr && group->launch_count() == this->group(run, key)->launch_count() &&
        std::none_of(codes.begin(), codes.end(), [&](const CodeLaunches& code) {
          return code.code != winner && group->launches.contains(code.code);
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

// A choice that falls out otherwise was made by measuring: what a program launches on purpose does
// not change places.
bool Tunings::another_run_chooses_otherwise(std::size_t run, const GroupKey& key,
                                            const std::vector<CodeLaunches>& codes,
                                            const std::string& winner,
                                            std::uint64_t last_path) const {
  if (!came_from_elsewhere(codes, winner, last_path)) return false;
  for (std::size_t other = 0; other < m_runs.size(); ++other) {
    const Group* const others = other != run ? group(other, key) : nullptr;
    if (others == nullptr) continue;
    for (const TotalEvent* const total : others->totals)
      if (total->last_code != winner && are_of_the_same_codes(total->codes, codes) &&
          were_measured(total->codes, total->last_code) &&
          came_from_elsewhere(total->codes, total->last_code, total->last_path))
        return true;
  }
  return false;
}

Tuned Tunings::judge(std::size_t run, const GroupKey& key, const std::vector<CodeLaunches>& codes,
                     const std::string& winner, std::int64_t after_trials,
                     std::uint64_t last_path) const {
  if (codes.size() < 2) return Tuned::no;
  if (trials_were_work(run, key, codes, winner)) return Tuned::unclear;
  const bool is_measured = were_measured(codes, winner);
  const bool is_tried = is_measured && is_search(codes, winner, last_path);
  if (is_tried && !is_warm(run) && some_warm_run_spares_losers(run, key, codes, winner))
    return Tuned::yes;
  if (is_tried && were_tried(codes, winner) && came_back(codes, winner, last_path) &&
      !is_control(codes, winner, after_trials))
    return Tuned::yes;
  if (is_measured && another_run_chooses_otherwise(run, key, codes, winner, last_path))
    return Tuned::yes;
  return !is_measured && every_start_is_alike(run, key) ? Tuned::no : Tuned::unclear;
}

Tuned Tunings::is_tuning(std::size_t run, const GroupKey& key, const BurstEvent& burst) const {
  const Tuned judged =
      judge(run, key, burst.codes, burst.winner, burst.after_trials, burst.last_path);
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
  const Tuned judged =
      judge(run, key, total.codes, total.last_code, total.after_trials, total.last_path);
  return judged == Tuned::yes &&
                 !came_from_elsewhere(total.codes, total.last_code, total.last_path) &&
                 had_inputs_of_their_own(*group(run, key), total)
             ? Tuned::unclear
             : judged;
}

bool Tunings::had_inputs_of_their_own(const Group& group, const TotalEvent& total) {
  std::map<std::string, std::set<std::string>> inputs;  // by code
  for (const BurstEvent* const burst : group.bursts) {
    if (burst->pid != total.pid) continue;
    if (burst->codes.size() > 1) return false;
    if (!burst->inputs.empty()) inputs[burst->winner].insert(burst->scalars + ";" + burst->inputs);
  }
  const std::set<std::string>& of_winner = inputs[total.last_code];
  return !of_winner.empty() &&
         std::all_of(total.codes.begin(), total.codes.end(), [&](const CodeLaunches& code) {
           const std::set<std::string>& own = inputs[code.code];
           return code.code == total.last_code ||
                  (!own.empty() && std::none_of(own.begin(), own.end(), [&](const auto& input) {
                    return of_winner.contains(input);
                  }));
         });
}

bool Tunings::were_alternatives(const GroupKey& key, const std::set<std::string>& codes) const {
  const auto has_all = [&](const std::vector<CodeLaunches>& launched) {
    return std::all_of(codes.begin(), codes.end(),
                       [&](const std::string& name) { return has(launched, name); });
  };
  for (std::size_t run = 0; run < m_runs.size(); ++run) {
    const Group* const own = group(run, key);
    if (own == nullptr) continue;
    for (const TotalEvent* const total : own->totals)
      if (has_all(total->codes) && is_tuning(run, key, *total) == Tuned::yes) return true;
    for (const BurstEvent* const burst : own->bursts)
      if (has_all(burst->codes) && is_tuning(run, key, *burst) == Tuned::yes) return true;
  }
  return false;
}

bool Tunings::is_used(std::size_t run, const GroupKey& key, const std::string& code) const {
  const Group* const own = group(run, key);
  if (own == nullptr || !own->launches.contains(code)) return false;
  for (const TotalEvent* const total : own->totals) {
    if (!has(total->codes, code)) continue;
    if (is_tuning(run, key, *total) == Tuned::yes) {
      if (code == total->last_code) return true;
      continue;
    }
    // Of launches that were only counted nothing is known.
    if (total->skipped > 0) return true;
    for (const BurstEvent* const burst : own->bursts)
      if (burst->pid == total->pid && has(burst->codes, code) &&
          (burst->winner == code || is_tuning(run, key, *burst) != Tuned::yes))
        return true;
  }
  return false;
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
