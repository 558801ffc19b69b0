#include "observe/runtime_spy/includes.hpp"

#include <regex>
#include <set>
#include <sstream>

#include "core/files.hpp"
#include "observe/spy/dependencies.hpp"
#include "observe/spy/store_files.hpp"

namespace tunecheck::spy {
namespace {

namespace fs = std::filesystem;

// assert() writes the name of the file.
bool tells_all(std::string_view source) {
  static const std::regex assertion(R"(\bassert\s*\()");
  return !asks_for_more(source) && !std::regex_search(source.begin(), source.end(), assertion);
}

// The names that are included; nothing where one is not spelled out. A line that is a comment
// includes nothing.
std::optional<std::vector<std::string>> included_names(std::string_view source) {
  static const std::regex directive(R"re(^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>).*)re");
  static const std::regex unclear(R"re((?!\s*//).*#.*(?:include|import).*)re");
  std::vector<std::string> names;
  std::istringstream lines{std::string(source)};
  for (std::string line; std::getline(lines, line);) {
    if (line.find('#') == line.npos) continue;
    std::smatch match;
    if (std::regex_match(line, match, directive))
      names.push_back(match[1].matched ? match[1] : match[2]);
    else if (std::regex_match(line, unclear))
      return std::nullopt;
  }
  return names;
}

class Walk {
 public:
  explicit Walk(const IncludePlaces& places) : m_places(places) {}

  // False where a source does not tell what it includes.
  bool visit(std::string_view source, const fs::path& folder) {
    if (!tells_all(source)) return false;
    const auto names = included_names(source);
    if (!names) return false;
    for (const std::string& name : *names)
      if (!visit_name(name, folder)) return false;
    return true;
  }

  [[nodiscard]] const std::string& found() const { return m_found; }

 private:
  bool visit_name(const std::string& name, const fs::path& folder) {
    if (const auto provided = m_places.provided.find(name); provided != m_places.provided.end())
      if (m_visited.insert("provided " + name).second && !visit(provided->second, folder))
        return false;
    if (!visit_file(folder / name, name, "beside")) return false;
    for (std::size_t i = 0; i < m_places.folders.size(); ++i)
      if (!visit_file(m_places.folders[i] / name, name, std::to_string(i))) return false;
    return true;
  }

  bool visit_file(const fs::path& file, const std::string& name, const std::string& place) {
    const auto content = read_text_file(file);
    m_found += fmt::format("{}:{} {}: {}\n", name.size(), name, place,
                           content ? quick_digest(*content) : "none");
    if (!content || !m_visited.insert(file.lexically_normal().string()).second) return true;
    return visit(*content, file.parent_path());
  }

  const IncludePlaces& m_places;
  std::set<std::string> m_visited;
  std::string m_found;
};

}  // namespace

std::optional<std::string> included_content(std::string_view source, const IncludePlaces& places) {
  Walk walk(places);
  if (!walk.visit(source, places.source_folder)) return std::nullopt;
  return walk.found();
}

}  // namespace tunecheck::spy
