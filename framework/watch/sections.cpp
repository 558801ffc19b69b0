#include "watch/sections.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "watch/rule_parts.hpp"
#include "watch/rules.hpp"
#include "watch/tunings.hpp"

namespace tunecheck::watch {
namespace {

using Section = WatchResult::Section;

// One run: its sections are made first, and then what was seen is given out to them.
class SectionsOfRun {
 public:
  SectionsOfRun(const ProgramRun& run, std::size_t number) : m_run(run) {
    for (const ProcessEvent& process : run.told.processes)
      m_parents[process.pid] = process.parent;
    for (const SectionEvent& event : run.told.sections) {
      Section& section = m_sections.emplace_back();
      section.run = static_cast<std::int64_t>(number);
      section.name = event.name;
      section.process = event.pid;
      section.from_ns = event.from_ns;
      section.to_ns = event.to_ns;
    }
    std::stable_sort(
        m_sections.begin(), m_sections.end(), [](const Section& one, const Section& other) {
          return std::tuple(one.from_ns, one.process) < std::tuple(other.from_ns, other.process);
        });
  }

  void add_compiles() {
    for (const CompileEvent& compile : m_run.compiles) {
      if (Section* const section = section_of(compile.pid, compile.time_ns)) {
        ++section->compiles;
        if (section->commands.size() < WatchResult::most_commands)
          section->commands.push_back(command_text(compile));
        continue;
      }
      if (is_known(compile.pid)) continue;
      std::vector<Section*> under_way;
      for (Section& section : m_sections)
        if (covers(section, compile.time_ns)) under_way.push_back(&section);
      for (Section* const section : under_way)
        ++(under_way.size() == 1 ? section->compiles : section->unclear_compiles);
    }
  }

  void add_launches(const Tunings& tunings, std::size_t number) {
    std::map<Section*, std::set<std::string>> kernels;
    for (const auto& [key, group] : tunings.groups(number)) {
      std::set<int> tuned;  // processes, each of whose tunings is in a burst
      for (const BurstEvent* const burst : group.bursts) {
        for (const CodeLaunches& code : burst->codes)
          for (const std::int64_t time_ns : {code.first_ns, code.last_ns})
            if (Section* const section = section_of(burst->pid, time_ns))
              kernels[section].insert(key.first);
        if (burst->codes.size() < 2) continue;
        const Tuned is = tunings.is_tuning(number, key, *burst);
        if (is == Tuned::no) continue;
        add_tuning(key, burst->pid, burst->codes, is == Tuned::yes, burst->place);
        tuned.insert(burst->pid);
      }
      // Trials that each had arguments of their own.
      for (const TotalEvent* const total : group.totals)
        if (!tuned.contains(total->pid) && tunings.is_tuning(number, key, *total) == Tuned::yes) {
          const BurstEvent* const burst = last_burst(group, total->pid);
          add_tuning(key, total->pid, total->codes, true, burst != nullptr ? burst->place : "");
        }
    }
    for (const auto& [section, names] : kernels)
      section->kernels.assign(names.begin(), names.end());
  }

  std::vector<Section> take() {
    for (Section& section : m_sections) {
      section.from_ns = std::max<std::int64_t>(section.from_ns - m_run.began_ns, 0);
      section.to_ns = std::max<std::int64_t>(section.to_ns - m_run.began_ns, 0);
    }
    return std::move(m_sections);
  }

 private:
  static bool covers(const Section& section, std::int64_t time_ns) {
    return section.from_ns <= time_ns && time_ns <= section.to_ns;
  }

  bool is_known(int pid) const { return m_parents.contains(pid); }

  // The section in which the process or the nearest of its ancestors was. The innermost one, if the
  // program names parts of parts.
  Section* section_of(int pid, std::int64_t time_ns) {
    std::set<int> seen;  // numbers of processes are used again
    for (int process = pid; seen.insert(process).second;) {
      for (auto section = m_sections.rbegin(); section != m_sections.rend(); ++section)
        if (section->process == process && covers(*section, time_ns)) return &*section;
      const auto parent = m_parents.find(process);
      if (parent == m_parents.end()) return nullptr;
      process = parent->second;
    }
    return nullptr;
  }

  // A tuning begins with its second code: launches of the first alone may have been work.
  void add_tuning(const GroupKey& key, int pid, const std::vector<CodeLaunches>& codes,
                  bool is_certain, const std::string& place) {
    Section* const section = section_of(pid, codes[1].first_ns);
    if (section == nullptr) return;
    WatchResult::SectionTuning& tuning = section->tunings.emplace_back();
    std::tie(tuning.kernel, tuning.shapes) = key;
    tuning.place = place_in(place);
    tuning.is_certain = is_certain;
    for (const CodeLaunches& code : codes) {
      tuning.codes.push_back(code.code);
      tuning.launches += code.launches;
    }
  }

  const ProgramRun& m_run;
  std::map<int, int> m_parents;
  std::vector<Section> m_sections;
};

}  // namespace

std::vector<Section> find_sections(const std::vector<ProgramRun>& runs, bool first_is_warm) {
  const Tunings tunings(runs, first_is_warm);
  std::vector<Section> all;
  for (std::size_t number = 0; number < runs.size(); ++number) {
    SectionsOfRun run(runs[number], number);
    run.add_compiles();
    run.add_launches(tunings, number);
    for (Section& section : run.take())
      all.push_back(std::move(section));
  }
  return all;
}

}  // namespace tunecheck::watch
