#pragma once
// Which scenario would have caught which bug that users of real tuners reported.
// scenarios/upstream_bugs.info lists the bugs; scenarios name them in `because`.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "judge/scenario/scenario.hpp"

namespace tunecheck {

/// The name of the list of bugs among the files of scenarios; it holds no scenario.
inline constexpr const char* upstream_bugs_file = "upstream_bugs.info";

/// One behaviour that broke, in one tuner or in several.
struct UpstreamBug {
  std::string family;
  std::vector<std::string>
      names;  ///< "repo#number", or words with hyphens where nobody reported it
  std::string happened;
  std::string not_shown;  ///< why no scenario shows it, "" where one must
  int line = 0;
};

/// All of a file; a mistake has file, line and key.
[[nodiscard]] Result<std::vector<UpstreamBug>> read_upstream_bugs(
    const std::filesystem::path& file);

struct Coverage {
  std::string markdown;     ///< docs/coverage.md
  std::vector<Error> gaps;  ///< each with file, line and key
};

/// Maps each bug to the scenarios that name it. A gap is a bug that must be shown and that no
/// scenario with a mutant in `catches` names, one that cannot be shown and is named all the same,
/// and a "repo#number" in a `because` that is not in the list.
[[nodiscard]] Coverage cover(const std::vector<UpstreamBug>& bugs,
                             const std::filesystem::path& bugs_file,
                             const std::map<std::string, Scenario>& scenarios);

}  // namespace tunecheck
