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

// Each part, as its folder below framework/ (or reports), with all others that it may include. The
// judge, the proof and the gate stand side by side over the harness, which alone starts tuners and
// runs kernels; none of them sees the tuner. docs/architecture.md says the same.
const std::map<std::string, Parts>& allowed_parts() {
  static const std::map<std::string, Parts> allowed = {
      {"core", {}},
      {"backend", {"core"}},
      {"table", {"core", "backend"}},
      {"tuner", {"core", "backend", "table"}},
      {"tuner/cache_usage", {}},
      {"tuner/cache_command", {"core", "backend", "table", "tuner", "tuner/cache_usage"}},
      {"library", {"core", "backend", "table", "tuner"}},
      {"adapter/protocol", {"core"}},
      {"adapter/reference", {"core", "backend", "table", "tuner", "adapter/protocol"}},
      {"adapter/fftw", {"core", "adapter/protocol"}},
      {"adapter/python", {"backend"}},
      {"mutants", {"core", "backend", "table", "tuner", "adapter/protocol", "adapter/reference"}},
      {"adversaries",
       {"core", "backend", "table", "tuner", "adapter/protocol", "adapter/reference"}},
      {"observe", {"core"}},
      {"result", {"core"}},
      {"harness/kernel", {"core", "backend"}},
      {"harness/process", {"core", "observe", "backend", "adapter/protocol", "harness/kernel"}},
      {"harness/remote", {"core", "observe", "harness/process"}},
      {"judge/scenario",
       {"core", "adapter/protocol", "harness/process", "result", "judge/checks/table"}},
      {"judge/checks/table", {"core", "result"}},
      {"judge/checks",
       {"core", "observe", "harness/process", "result", "judge/checks/table", "judge/scenario"}},
      {"judge/run",
       {"core", "observe", "backend", "adapter/protocol", "harness/kernel", "harness/process",
        "harness/remote", "result", "judge/checks/table", "judge/scenario", "judge/checks"}},
      {"proof", {"core", "backend", "harness/kernel", "harness/process", "result"}},
      {"gate/rule", {"core"}},
      {"gate/measure", {"core", "backend", "harness/kernel", "harness/process", "gate/rule"}},
      {"gate/history", {"core", "gate/rule"}},
      {"watch", {"core", "observe", "result"}},
      {"reports", {"core", "result", "judge/checks/table", "gate/rule", "gate/history"}},
      {"cli",
       {"core", "observe", "backend", "table", "harness/kernel", "harness/process", "result",
        "judge/checks/table", "judge/scenario", "judge/run", "proof", "gate/rule", "gate/measure",
        "gate/history", "watch", "reports", "tuner/cache_usage"}},
  };
  return allowed;
}

bool is_guarded(const std::string& text) {
  static const std::regex pattern(
      R"((//[^\n]*\n|\n)*(#pragma once\n|#ifndef (\w+)\n#define \3\n))");
  return std::regex_search(text, pattern, std::regex_constants::match_continuous);
}

}  // namespace

std::string resolve(const Include& include, const fs::path& root) {
  for (const char* const base :
       {"framework", "", "framework/backend/cpu/include", "framework/library/include"}) {
    const fs::path relative = fs::path(base) / include.path;
    if (fs::is_regular_file(root / relative)) return relative.lexically_normal().string();
  }
  return {};
}

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
  const fs::path file = path;
  if (*file.begin() == "reports") return "reports";
  // The folder that is declared, at any depth above the file.
  const fs::path below = file.lexically_relative("framework");
  for (fs::path folder = below.parent_path(); !folder.empty(); folder = folder.parent_path())
    if (allowed_parts().contains(folder.generic_string())) return folder.generic_string();
  return "";
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
