#include "observe/spy/dependencies.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "core/files.hpp"
#include "observe/spy/store_files.hpp"

namespace tunecheck::spy {

namespace fs = std::filesystem;

namespace {

constexpr int shadowed_depth = 3;  // components of a path that an #include may have spelled

// Every spelling by which an #include may have found the file: its last components, but not the
// names of movable folders, which the next run need not have.
std::vector<fs::path> spellings(const fs::path& file, const std::vector<fs::path>& folders,
                                const MovablePaths& paths) {
  const std::vector<fs::path>& roots = paths.roots();
  std::vector<fs::path> found;
  fs::path tail;
  fs::path rest = file;
  for (int depth = 0; depth < shadowed_depth && rest.has_relative_path(); ++depth) {
    tail = tail.empty() ? rest.filename() : rest.filename() / tail;
    found.push_back(tail);
    rest = rest.parent_path();
    if (std::find(roots.begin(), roots.end(), rest) != roots.end()) break;
  }
  for (const fs::path& folder : folders)
    if (is_below(file, folder)) found.push_back(file.lexically_relative(folder));
  return found;
}

bool is_of_the_system(const fs::path& file) {
  return file.native().starts_with("/usr/") || file.native().starts_with("/opt/");
}

std::vector<Place> absent_places(const std::vector<fs::path>& files, std::vector<fs::path> folders,
                                 const MovablePaths& paths) {
  // An #include with quotes looks beside the file that holds it first.
  for (const fs::path& file : files)
    if (!is_of_the_system(file)) folders.push_back(file.parent_path());
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  std::set<Place> absent;
  std::error_code error;
  for (const fs::path& file : files)
    for (const fs::path& spelled : spellings(file, folders, paths))
      for (const fs::path& folder : folders) {
        if (is_of_the_system(folder) || fs::exists(folder / spelled, error)) continue;
        for (const Place& place : paths.places_of(folder / spelled))
          absent.insert(place);
      }
  return {absent.begin(), absent.end()};
}

}  // namespace

bool asks_for_more(std::string_view source) {
  constexpr std::array<std::string_view, 9> words = {
      "__DATE__", "__TIME__",       "__TIMESTAMP__",   "__has_include", ".incbin",
      "__FILE__", "__builtin_FILE", "source_location", "#embed"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return source.find(word) != source.npos; });
}

std::vector<std::string> parse_make_rule(std::string_view rule) {
  std::vector<std::string> names;
  std::size_t at = rule.find(": ");
  if (at == rule.npos) return names;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) names.push_back(std::exchange(name, {}));
  };
  for (++at; at < rule.size(); ++at) {
    const char c = rule[at];
    const char next = at + 1 < rule.size() ? rule[at + 1] : '\n';
    if (c == '\\' && next == '\n') {
      ++at;
      end_name();
    } else if ((c == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
               (c == '$' && next == '$')) {
      name += next;
      ++at;
    } else if (c == '\n') {
      break;
    } else if (c == ' ' || c == '\t') {
      end_name();
    } else {
      name += c;
    }
  }
  end_name();
  return names;
}

std::optional<Dependencies> describe(const std::vector<std::string>& files,
                                     const std::vector<fs::path>& search_folders,
                                     const MovablePaths& paths, std::int64_t started_ns) {
  Dependencies dependencies;
  std::vector<fs::path> absolute;
  for (const std::string& file : files)
    absolute.push_back(paths.absolute(file));
  for (const fs::path& file : absolute) {
    const auto state = file_state(file);
    if (!state || state->changed_ns >= started_ns) return std::nullopt;
    Dependency dependency{{}, {}, state->size, state->modified_ns};
    if (!is_of_the_system(file)) {
      const auto content = read_text_file(file);
      if (!content || asks_for_more(*content)) return std::nullopt;
      if (paths.is_movable(file)) {
        dependency.digest = quick_digest(*content);
        dependency.modified_ns = 0;  // nobody asks; entries of two workspaces are one file
      }
    }
    for (const Place& place : paths.places_of(file)) {
      dependency.place = place;
      dependencies.present.push_back(dependency);
    }
  }
  dependencies.absent = absent_places(absolute, search_folders, paths);
  return dependencies;
}

bool still_hold(const Dependencies& dependencies, const MovablePaths& paths) {
  const auto same = [&](const Dependency& dependency) {
    const fs::path file = paths.path_of(dependency.place);
    const auto state = file_state(file);
    if (!state || state->size != dependency.size) return false;
    if (dependency.digest.empty()) return state->modified_ns == dependency.modified_ns;
    const auto content = read_text_file(file);
    return content && quick_digest(*content) == dependency.digest;
  };
  const auto missing = [&](const Place& place) {
    std::error_code error;
    return !fs::exists(paths.path_of(place), error);
  };
  return std::all_of(dependencies.present.begin(), dependencies.present.end(), same) &&
         std::all_of(dependencies.absent.begin(), dependencies.absent.end(), missing);
}

}  // namespace tunecheck::spy
