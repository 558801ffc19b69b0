// COMPILED: what a cache should have kept.
#include <set>

#include <fmt/format.h>

#include "watch/rule_parts.hpp"

namespace tunecheck::watch {
namespace {

using Finding = WatchResult::Finding;
using Compiles = std::vector<const ProgramCompile*>;

std::set<std::string> sources_before(const std::vector<ProgramRun>& runs, std::size_t number) {
  std::set<std::string> sources;
  for (std::size_t run = 0; run < number; ++run)
    for (const ProgramCompile& compile : runs[run].compiles)
      sources.insert(compile.source);
  return sources;
}

// Whether a cache could have answered them: what compilers inside the process were given is known.
// "" where it is of none.
std::string sources_text(const Compiles& compiles, const std::set<std::string>& before) {
  std::int64_t known = 0;
  std::int64_t same = 0;
  for (const ProgramCompile* const compile : compiles)
    if (!compile->source.empty()) {
      ++known;
      if (before.contains(compile->source)) ++same;
    }
  if (known == 0 || before.empty()) return "";
  if (same == known)
    return known == 1 ? "an earlier start has compiled the same source with the same options"
                      : fmt::format(
                            "an earlier start has compiled the same sources with the same options "
                            "as these {} compiles",
                            known);
  return fmt::format(
      "no earlier start has compiled what {} compiled: something in the source or the options "
      "differs from start to start",
      known == 1 ? "this one" : fmt::format("{} of these {} compiles", known - same, known));
}

}  // namespace

std::vector<Finding> find_compiled(const std::vector<ProgramRun>& runs, const Tunings& tunings) {
  for (std::size_t number = 0; number < runs.size(); ++number) {
    const ProgramRun& run = runs[number];
    if (run.start != Start::usual || !tunings.is_warm(number) || run.compiles.empty()) continue;
    Compiles all;
    for (const ProgramCompile& compile : run.compiles)
      all.push_back(&compile);
    Finding finding = finding_of_compiles(WatchWord::compiled, run, all);
    finding.text = "a warm start compiles: it ran " + tools_text(all);
    finding.details.push_back("first: " + command_text(*all.front()));
    if (std::string text = sources_text(all, sources_before(runs, number)); !text.empty())
      finding.details.push_back(std::move(text));
    return {std::move(finding)};
  }
  return {};
}

}  // namespace tunecheck::watch
