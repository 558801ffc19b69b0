#include "watch/rule_parts.hpp"

#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "watch/rules.hpp"

namespace tunecheck::watch {

std::string counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string launches_text(std::int64_t count) {
  return counted(count, "launch", "launches");
}

std::string tools_text(const std::vector<const ProgramCompile*>& compiles) {
  std::map<std::string, std::int64_t> by_tool;
  for (const ProgramCompile* const compile : compiles)
    ++by_tool[compile->tool];
  std::vector<std::string> tools;
  for (const auto& [tool, count] : by_tool)
    tools.push_back(fmt::format("{} {}", tool, counted(count, "time", "times")));
  return fmt::format("{}", fmt::join(tools, ", "));
}

std::string command_text(const CompileEvent& compile) {
  return fmt::format("{} {}", compile.tool, fmt::join(compile.arguments, " "));
}

WatchResult::Finding finding_of_compiles(WatchWord word, const ProgramRun& run,
                                         const std::vector<const ProgramCompile*>& compiles) {
  std::set<std::string> kernels;
  std::string place;
  for (const ProgramCompile* const compile : compiles) {
    kernels.insert(compile->kernels);
    if (place.empty() || (!compile->place.empty() && compile->place < place))
      place = compile->place;
  }
  const bool is_of_one = kernels.size() == 1 && kernels.begin()->find(',') == std::string::npos;
  return finding_of(word, true, run, {is_of_one ? *kernels.begin() : "", ""}, place);
}

const BurstEvent* last_burst(const Group& group, int pid) {
  const BurstEvent* found = nullptr;
  for (const BurstEvent* const burst : group.bursts)
    if (burst->pid == pid && (found == nullptr || burst->codes.size() >= found->codes.size()))
      found = burst;
  return found;
}

WatchResult::Finding finding_of(WatchWord word, bool is_certain, const ProgramRun& run,
                                const GroupKey& key, const std::string& place) {
  WatchResult::Finding finding;
  finding.word = word;
  finding.is_certain = is_certain;
  finding.kernel = key.first;
  finding.shapes = key.second;
  finding.place = place_in(place);
  finding.run = run.name;
  return finding;
}

}  // namespace tunecheck::watch
