#pragma once
// Which files of the cache folder are one process's own.
#include <set>
#include <string>

#include "judge/checks/record.hpp"

namespace tunecheck {

/// The glob that a word of a scenario stands for: a role, as the adapter says, or the word itself.
[[nodiscard]] std::string glob_of(const std::string& word, const AdapterInfo& adapter);

/// Files that match `glob`, that the process made, and that are `now` as it left them: paths below
/// the cache folder. An error of the kind unsupported where one of them is gone, and where it wrote
/// into a file of others, or they into its own: then the winners of several keys lie in one file.
[[nodiscard]] Result<std::set<std::string>> files_made_by(const ProcessRecord& process,
                                                          const FolderSnapshot& now,
                                                          const std::string& glob);

}  // namespace tunecheck
