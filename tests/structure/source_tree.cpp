#include "source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

namespace tunecheck::test {
namespace {

namespace fs = std::filesystem;
using Parts = std::set<std::string>;

// Each part with all others that it may include. Two chains meet in the judge: it uses the backend
// to run references and to prove kernels without any tuner, and the protocol's messages to speak to
// an adapter; the tuner it must never see. docs/architecture.md says the same.
const std::map<std::string, Parts>& allowed_parts() {
  static const std::map<std::string, Parts> allowed = {
      {"core", {}},
      {"backend", {"core"}},
      {"tuner", {"core", "backend"}},
      {"adapter/protocol", {"core"}},
      {"adapter/reference", {"core", "backend", "tuner", "adapter/protocol"}},
      {"adapter/python", {"backend"}},
      {"cache", {"core", "backend", "tuner"}},
      {"mutants", {"core", "backend", "tuner", "adapter/protocol", "adapter/reference"}},
      {"observe", {"core"}},
      {"judge", {"core", "observe", "backend", "adapter/protocol"}},
      {"gate", {"core", "observe", "judge"}},
      {"history", {"core", "gate"}},
      {"gaterun", {"core", "observe", "judge", "gate", "backend", "adapter/protocol"}},
      {"reports", {"core", "observe", "judge", "gate", "history"}},
      {"cli", {"core", "observe", "judge", "gate", "gaterun", "history", "reports", "backend"}},
  };
  return allowed;
}

// Where an include path leads, relative to the source root; "" if out of the project.
std::string resolve(const Include& include, const fs::path& root) {
  for (const char* const base : {"framework", "", "framework/backend/cpu/include"}) {
    const fs::path relative = fs::path(base) / include.path;
    if (fs::is_regular_file(root / relative)) return relative.lexically_normal().string();
  }
  return {};
}

bool is_guarded(const std::string& text) {
  static const std::regex pattern(
      R"((//[^\n]*\n|\n)*(#pragma once\n|#ifndef (\w+)\n#define \3\n))");
  return std::regex_search(text, pattern, std::regex_constants::match_continuous);
}

}  // namespace

SourceFile parse_source(const std::string& path, const std::string& text) {
  static const std::regex pattern(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
  SourceFile file{path, 0, is_guarded(text), {}};
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    ++file.lines;
    std::smatch match;
    if (line.find('#') != line.npos && std::regex_search(line, match, pattern))
      file.includes.push_back({file.lines, match[2], match[1] == "\""});
  }
  return file;
}

std::vector<SourceFile> read_sources(const fs::path& root,
                                     const std::vector<std::string>& folders) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp" && extension != ".h") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      files.push_back(parse_source(entry.path().lexically_relative(root).string(), text.str()));
    }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::string part_of(const std::string& path) {
  std::vector<std::string> names;
  for (const fs::path& name : fs::path(path))
    names.push_back(name.string());
  if (names.size() > 1 && names[0] == "reports") return "reports";
  if (names.size() < 3 || names[0] != "framework") return "";
  return names[1] == "adapter" ? "adapter/" + names[2] : names[1];
}

std::vector<std::string> forbidden_includes(const SourceFile& file, const fs::path& root) {
  std::vector<std::string> found;
  const auto report = [&](const Include& include, const std::string& message) {
    found.push_back(fmt::format("{}:{}: {}", file.path, include.line, message));
  };
  const std::string part = part_of(file.path);
  const auto allowed = allowed_parts().find(part);
  if (allowed == allowed_parts().end())
    return {fmt::format("{}: belongs to no part that docs/architecture.md knows", file.path)};
  for (const Include& include : file.includes) {
    const std::string target = resolve(include, root);
    if (target.empty()) {
      if (include.quoted)
        report(include,
               fmt::format("\"{}\" is not a path from framework/ or the root", include.path));
      continue;
    }
    const std::string used = part_of(target);
    if (used != part && !allowed->second.contains(used) &&
        // What every kernel includes is also how the probe in a kernel's entry is called.
        !(part == "observe" && include.path == "tunecheck/cpu_kernel.h"))
      report(include, fmt::format("{} may not use {}", part, used.empty() ? target : used));
  }
  return found;
}

std::vector<std::string> not_included_first(const SourceFile& file, const fs::path& root) {
  if (!file.path.ends_with(".cpp")) return {};
  for (const char* const extension : {".hpp", ".h"}) {
    const fs::path header = fs::path(file.path).replace_extension(extension);
    if (!fs::is_regular_file(root / header)) continue;
    if (!file.includes.empty() && resolve(file.includes[0], root) == header) continue;
    const fs::path named =
        *header.begin() == "framework" ? header.lexically_relative("framework") : header;
    return {fmt::format("{}: {} must be its first include", file.path, named.string())};
  }
  return {};
}

}  // namespace tunecheck::test
