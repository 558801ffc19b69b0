#pragma once
// The files of this repository that are made from the lists of fields. They are committed, so that
// people find them; a test compares.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tunecheck {

struct MadeFile {
  std::filesystem::path path;  ///< in the repository
  std::string text;
};

/// Every schema of reports/schema, and what the page of HTML reports is told.
[[nodiscard]] std::vector<MadeFile> files_made_of_fields();

/// By name ("result"), the version that this program writes of each.
[[nodiscard]] std::map<std::string, std::string> schema_versions();

}  // namespace tunecheck
